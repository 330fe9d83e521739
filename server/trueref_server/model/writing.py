"""Checks one text of a model while it comes in, and decides at its end whether it is shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_server.events import DeltaEvent, MarkEvent
from trueref_server.model.asking.numbered_sources import ModelSource, languages_of
from trueref_server.model.checking.answer_checker import AnswerChecker
from trueref_server.model.checking.lines import AnswerLine, LineCutter
from trueref_server.model.checking.verdict import (
    LEAK,
    UNSUPPORTED_MOST,
    Fallback,
    announces_only,
    is_loop,
    is_refusal,
    leaks,
)
from trueref_server.model.follow_up import wanted
from trueref_server.model.reasoning import ReasoningCutter
from trueref_server.records import Draft, Mark, Question, ReferenceCounts, extended
from trueref_server.references.gate import Gate
from trueref_server.references.reference_links import Links
from trueref_server.wording import sentences

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

LOOP_EVERY: Final = 200
"""Characters after which the text is searched for loops again."""

LEAKED_AROUND: Final = 4 * LEAK
"""Characters before a line that are searched with it for a rule, which may be written over several lines."""


@dataclass(frozen=True, slots=True)
class Written:
    """The checked text of a model, and the reason why it is not shown, if there is one (`fallback`).

    `is_refusal` says that it begins by saying what is missing, `is_cut` that it reached its greatest length.
    """

    text: str
    marks: tuple[Mark, ...]
    cited: Collection[int]
    references: ReferenceCounts
    fallback: Fallback
    is_refusal: bool
    is_cut: bool


class Writing:
    """Checks one pass of a model while it comes in: gate (links) -> lines -> facts and citations."""

    def __init__(
        self,
        manifest: Manifest,
        question: Question,
        sources: Sequence[ModelSource],
        rules: str,
        language: str | None = None,
    ) -> None:
        self.fallback: Fallback = ""
        self.is_cut = False
        self._rules = rules
        self._language = language
        self._reasoning = ReasoningCutter()
        self._gate = Gate(Links(manifest, question.page), {source.n for source in sources})
        self._lines = LineCutter()
        self._sources = sources
        self._question = question
        self._checker = AnswerChecker(sources, question.text)
        self.raw = ""
        self._passed = ""
        self.text = ""
        self._marks: list[Mark] = []

    def take(self, piece: str) -> list[DeltaEvent | MarkEvent]:
        """Take a piece of the model, and give what may be shown by now."""
        piece = self._reasoning.push(piece)
        events: list[DeltaEvent | MarkEvent] = []
        while piece and not self.fallback:
            # The search for loops runs after the same characters, whatever pieces the text comes in.
            room = LOOP_EVERY - len(self.raw) % LOOP_EVERY
            events += self._take(piece[:room])
            piece = piece[room:]
        return events

    def _take(self, piece: str) -> list[DeltaEvent | MarkEvent]:
        """Take characters, at most those up to the next search for loops."""
        self.raw += piece
        if len(self.raw) % LOOP_EVERY == 0 and is_loop(self.raw):
            self.fallback = "loop"
            return []
        # The gate first: the cutter of lines relies on fences that begin a line and are closed.
        return self._checked(self._lines.push(self._gate.push(piece)))

    def close(self) -> list[DeltaEvent | MarkEvent]:
        """Give the rest."""
        if self.fallback:
            return []
        last_piece = self._reasoning.close()
        self.raw += last_piece
        lines = self._lines.push(self._gate.push(last_piece) + self._gate.close())
        return self._checked([*lines, *self._lines.close()])

    def judged(self, draft: Draft, earlier: Writing | None = None) -> Written:
        """The whole text, and whether it holds.

        Args:
            draft: The answer by passages.
            earlier: The first pass, if this pass comes after a follow-up: its text comes before the text of this one.
        """
        text, marks, checker, counts = self.text, self._marks, self._checker, self._gate.counts
        if earlier is not None:
            # The added sources may hold what the first pass lacked, so its text is checked again with all of them.
            checker = AnswerChecker(self._sources, self._question.text)
            text, marks = _checked_whole(f"{earlier.text.rstrip()}\n\n{self.text}".strip(), checker, self._language)
            before = earlier._gate.counts
            counts = ReferenceCounts(
                before.checked + counts.checked, before.corrected + counts.corrected, before.removed + counts.removed
            )
        # Of this pass, or of the whole text if the pass wrote nothing.
        is_refused = is_refusal(self.text or text, languages_of(self._sources))
        fallback = self.fallback or self._reason(draft, text, checker, is_refused=is_refused)
        return Written(text, tuple(marks), checker.cited, counts, fallback, is_refused, self.is_cut)

    def wanted(self) -> str:
        """The text to search for after this pass; "" if nothing is missing, or if the text is of no use."""
        # A text that will not be shown is not worth a second request.
        if self.fallback or is_loop(self.raw) or leaks(self._passed, self._rules):
            return ""
        return wanted(self.text, self._marks, self._gate.references)

    def _reason(self, draft: Draft, text: str, checker: AnswerChecker, *, is_refused: bool) -> Fallback:
        """Why a whole text is not the answer, the plainest reason first; "" if it is."""
        if is_loop(self.raw):
            return "loop"
        if leaks(self._passed, self._rules):
            return "prompt"
        # A text that says what is missing, and then what the sources do say, is an answer.
        if draft.verdict == "answer" and not checker.supported and is_refused:
            return "refusal"
        if not checker.cited & {source.n for source in self._sources}:
            return "uncited"
        if announces_only(text):
            return "refusal"
        if checker.unsupported > UNSUPPORTED_MOST * max(1, checker.statements):
            return "unsupported"
        return ""

    def _checked(self, lines: Sequence[AnswerLine]) -> list[DeltaEvent | MarkEvent]:
        """The events of some whole lines, which are checked and added to the text."""
        events: list[DeltaEvent | MarkEvent] = []
        for line in lines:
            self._passed += line.text
            # Before the line leaves, since a client may show it at once. As the gate gave it: citations that the check
            # adds would stand between the sentences of a rule.
            if leaks(self._passed[-len(line.text) - LEAKED_AROUND :], self._rules):
                self.fallback = "prompt"
                break
            text, marks = _checked_line(line, self._checker, len(self.text), self._language)
            self.text += text
            self._marks += marks
            events += [DeltaEvent(text), *(extended(MarkEvent, mark) for mark in marks)]
        return events


def _checked_line(line: AnswerLine, checker: AnswerChecker, at: int, language: str | None) -> tuple[str, list[Mark]]:
    """A line as it leaves, and its marks in a text where it begins at `at`."""
    text, findings = checker.check(line)
    marks: list[Mark] = []
    for finding in findings:
        sentence_name = "near_name" if finding.suggestion else finding.code.replace("-", "_")
        reason = sentences(language)[f"mark_{sentence_name}"].format(name=finding.suggestion)
        marks.append(Mark(at + finding.start, at + finding.end, reason, finding.code, finding.suggestion))
    return text, marks


def _checked_whole(text: str, checker: AnswerChecker, language: str | None) -> tuple[str, list[Mark]]:
    """A whole text checked line by line, as a stream of it would be, with its marks."""
    cutter = LineCutter()
    whole, marks = "", list[Mark]()
    for line in [*cutter.push(text), *cutter.close()]:
        checked, line_marks = _checked_line(line, checker, len(whole), language)
        whole += checked
        marks += line_marks
    return whole, marks
