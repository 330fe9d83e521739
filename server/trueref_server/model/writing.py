"""Checks a model's text while it comes in, and decides at its end whether it is the answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_server.events import DeltaEvent, MarkEvent
from trueref_server.model.asking.numbered_sources import ModelSource, languages_of
from trueref_server.model.checking.answer_checker import AnswerChecker
from trueref_server.model.checking.lines import AnswerLine, LineCutter
from trueref_server.model.checking.verdict import (
    MAX_UNSUPPORTED,
    MIN_LEAK,
    announces_only,
    is_loop,
    is_refusal,
    leaks,
)
from trueref_server.model.follow_up import follow_up_query
from trueref_server.model.reasoning import ReasoningCutter
from trueref_server.records import Draft, Fallback, Mark, Question, ReferenceCounts, extended
from trueref_server.references.gate import Gate
from trueref_server.references.reference_links import LinkDecisions
from trueref_server.wording import sentences

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

LOOP_EVERY: Final = 200
"""The text is searched for loops each time that this many characters have come in."""

LEAK_WINDOW: Final = 4 * MIN_LEAK
"""A line is searched for a rule together with this many characters before it, since a rule may span several lines."""


@dataclass(frozen=True, slots=True)
class JudgedText:
    """The checked text of a model. `fallback` is the reason why it is not the answer, "" if it is.

    `is_refusal` is true if the text begins by saying what is missing, `is_cut` if it reached the limit of tokens.
    """

    text: str
    marks: tuple[Mark, ...]
    cited: Collection[int]
    references: ReferenceCounts
    fallback: Fallback
    is_refusal: bool
    is_cut: bool


class PassChecker:
    """Checks the text of one pass of a model while it comes in: first the links, then facts and citations by line."""

    def __init__(
        self,
        manifest: Manifest,
        question: Question,
        sources: Sequence[ModelSource],
        rules: str,
        language: str | None = None,
    ) -> None:
        self.fallback: Fallback = ""
        self._is_cut = False
        self._rules = rules
        self._language = language
        self._reasoning = ReasoningCutter()
        self._gate = Gate(LinkDecisions(manifest, question.page), {source.n for source in sources})
        self._lines = LineCutter()
        self._sources = sources
        self._question = question
        self._checker = AnswerChecker(sources, question.text)
        self.raw = ""
        self._gated_text = ""
        self.text = ""
        self._marks: list[Mark] = []

    def take(self, piece: str) -> list[DeltaEvent | MarkEvent]:
        """Take a piece of the model's text, and return the events that may be sent by now."""
        piece = self._reasoning.push(piece)
        events: list[DeltaEvent | MarkEvent] = []
        while piece and not self.fallback:
            # Cut so that the text is searched for loops at the same lengths, whatever pieces it comes in.
            until_search = LOOP_EVERY - len(self.raw) % LOOP_EVERY
            events += self._take(piece[:until_search])
            piece = piece[until_search:]
        return events

    def _take(self, piece: str) -> list[DeltaEvent | MarkEvent]:
        """Take a piece that ends at the next search for loops or before it."""
        self.raw += piece
        if len(self.raw) % LOOP_EVERY == 0 and is_loop(self.raw):
            self.fallback = "loop"
            return []
        # The gate first: the cutter of lines relies on fences that begin a line and are closed.
        return self._check_lines(self._lines.push(self._gate.push(piece)))

    def give_up(self, reason: Fallback) -> None:
        """The pass gives no answer, for a reason that lies outside of its text."""
        self.fallback = reason

    def close(self, *, is_cut: bool) -> list[DeltaEvent | MarkEvent]:
        """Return the events of the rest of the text. `is_cut` says whether the text reached the limit of tokens."""
        self._is_cut = is_cut
        if self.fallback:
            return []
        last_piece = self._reasoning.close()
        self.raw += last_piece
        lines = self._lines.push(self._gate.push(last_piece) + self._gate.close())
        return self._check_lines([*lines, *self._lines.close()])

    def judged(self, draft: Draft, earlier: PassChecker | None = None) -> JudgedText:
        """The whole text, and whether it is the answer.

        Args:
            draft: The answer by passages.
            earlier: The first pass, if this is the second: its text stands before the text of this one.
        """
        text, marks, checker, counts = self.text, self._marks, self._checker, self._gate.counts
        if earlier is not None:
            # The added sources may hold what the first pass lacked, so its text is checked again with all of them.
            checker = AnswerChecker(self._sources, self._question.text)
            text, marks = _check_whole_text(f"{earlier.text.rstrip()}\n\n{self.text}".strip(), checker, self._language)
            earlier_counts = earlier._gate.counts
            counts = ReferenceCounts(
                earlier_counts.checked + counts.checked,
                earlier_counts.corrected + counts.corrected,
                earlier_counts.removed + counts.removed,
            )
        # Judged by the text of this pass alone, or by the whole text if this pass wrote nothing.
        is_refused = is_refusal(self.text or text, languages_of(self._sources))
        fallback = self.fallback or self._fallback_reason(draft, text, checker, is_refused=is_refused)
        return JudgedText(text, tuple(marks), checker.cited, counts, fallback, is_refused, self._is_cut)

    def follow_up_query(self) -> str:
        """The query of a search after this pass; "" if nothing is missing, or if the text will not be shown."""
        # A text that will not be shown is not worth a second request.
        if self.fallback or is_loop(self.raw) or leaks(self._gated_text, self._rules):
            return ""
        return follow_up_query(self.text, self._marks, self._gate.references)

    def _fallback_reason(self, draft: Draft, text: str, checker: AnswerChecker, *, is_refused: bool) -> Fallback:
        """Why a whole text is not the answer, the plainest reason first; "" if the text is the answer."""
        if is_loop(self.raw):
            return "loop"
        if leaks(self._gated_text, self._rules):
            return "prompt"
        # A text that says what is missing, and then something that a source bears out, is an answer.
        if draft.verdict == "answer" and not checker.supported and is_refused:
            return "refusal"
        if not checker.cited & {source.n for source in self._sources}:
            return "uncited"
        if announces_only(text):
            return "refusal"
        if checker.unsupported > MAX_UNSUPPORTED * max(1, checker.statements):
            return "unsupported"
        return ""

    def _check_lines(self, lines: Sequence[AnswerLine]) -> list[DeltaEvent | MarkEvent]:
        """Check whole lines, add them to the text, and return their events."""
        events: list[DeltaEvent | MarkEvent] = []
        for line in lines:
            self._gated_text += line.text
            # Searched before the line is sent, since a client may show it at once, and without the citations that the
            # check below adds: they would stand between the sentences of a rule.
            if leaks(self._gated_text[-len(line.text) - LEAK_WINDOW :], self._rules):
                self.fallback = "prompt"
                break
            text, marks = _check_line(line, self._checker, len(self.text), self._language)
            self.text += text
            self._marks += marks
            events += [DeltaEvent(text), *(extended(MarkEvent, mark) for mark in marks)]
        return events


def _check_line(line: AnswerLine, checker: AnswerChecker, offset: int, language: str | None) -> tuple[str, list[Mark]]:
    """A line as it is sent, and its marks, with positions in a text in which the line begins at `offset`."""
    text, findings = checker.check(line)
    marks: list[Mark] = []
    for finding in findings:
        sentence_name = "near_name" if finding.suggestion else finding.code.replace("-", "_")
        reason = sentences(language)[f"mark_{sentence_name}"].format(name=finding.suggestion)
        marks.append(Mark(offset + finding.start, offset + finding.end, reason, finding.code, finding.suggestion))
    return text, marks


def _check_whole_text(text: str, checker: AnswerChecker, language: str | None) -> tuple[str, list[Mark]]:
    """A whole text, checked line by line as if it came in as a stream, and its marks."""
    cutter = LineCutter()
    checked_text, marks = "", list[Mark]()
    for line in [*cutter.push(text), *cutter.close()]:
        checked, line_marks = _check_line(line, checker, len(checked_text), language)
        checked_text += checked
        marks += line_marks
    return checked_text, marks
