"""Checks an answer line by line while it streams. Gives the text with its citations, and marks for what is doubtful."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_server.model.asking.numbered_sources import ModelSource, languages_of
from trueref_server.model.checking.facts import CITATION, Doubt, FactChecker
from trueref_server.model.checking.lines import AnswerLine
from trueref_server.model.checking.statements import Statements
from trueref_server.model.checking.verdict import is_refusal

TABLE = re.compile(r"^\s{0,12}\|")
HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s|\*\*[^*\n]{1,200}\*\*:?\s*$)")
TRAILING = re.compile(r"^(?:\s*\[\d{1,3}\])+")

LINK = re.compile(r"\[[^\[\]\n]*+\]\([^()\s]*+\)")
"""A link as the gate writes it: its label has no brackets, and its address neither blanks nor parentheses."""

JOINS: Final = frozenset("([:{")
"""What takes a `[1]` right before it for the label of a link or of a definition, or gives it attributes."""


class AnswerChecker:
    """Checks the lines of one answer, and counts.

    `statements` is the number of its sentences that state something, `unsupported` of those that no source bears out,
    and `supported` of those that state it with a citation, that a source bears out, and that are no refusal.
    """

    def __init__(self, sources: Sequence[ModelSource], question: str) -> None:
        self.statements = 0
        self.unsupported = 0
        self.supported = 0
        self.cited: set[int] = set()
        self._ends_in_added = False
        self._languages = languages_of(sources)
        self._facts = FactChecker(sources, question)
        self._rests = Statements(sources, question)

    def check(self, line: AnswerLine) -> tuple[str, list[Doubt]]:
        """A line with the citations that it lacks, and what is to be marked in it, by its characters as it leaves."""
        # A line that was cut for its length goes on with this one.
        text, at, findings = self._gap(line.text), 0, list[Doubt]()
        if line.is_code:
            return line.text, [] if line.text.startswith("```") else self._code(line.text)
        # A number behind a heading or in a cell would read as a part of it: these are checked, and get none.
        is_cited = not (TABLE.match(line.text) or HEADING.match(line.text))
        for start, end in sentence_spans(line.text):
            text += line.text[at:start]
            sentence, sentence_findings = self._sentence(line.text[start:end], is_cited=is_cited)
            findings += [
                replace(finding, start=len(text) + finding.start, end=len(text) + finding.end)
                for finding in sentence_findings
            ]
            text, at = text + sentence, end
            self._ends_in_added = len(sentence) > end - start
            text += self._gap(line.text[end:])
        return text + line.text[at:], findings

    def _gap(self, following: str) -> str:
        """A blank if a citation was added right before a text that would make a link of it.

        The gate saw the text without the citation. Found among hostile answers that hold sentences of the sources:
        `toggle。(nowhere/)` left as `toggle。 [1](nowhere/)`.
        """
        is_joined = self._ends_in_added and following[:1] in JOINS
        self._ends_in_added &= following == ""
        return " " if is_joined else ""

    def _code(self, text: str) -> list[Doubt]:
        """The marks of a line of code, which gets no citation."""
        findings = self._facts.check_code(text)
        # A line with an invented option is as wrong as a sentence with one.
        self.statements += bool(findings)
        self.unsupported += bool(findings)
        return findings

    def _sentence(self, sentence: str, *, is_cited: bool) -> tuple[str, list[Doubt]]:
        """A sentence with the citations that it lacks, and what is to be marked in it."""
        # Facts first: a wrong name is marked by itself, and a whole sentence only if no name in it is wrong.
        findings, missing = self._facts.check_sentence(sentence)
        states = self._rests.states(sentence)
        is_rested = True
        if is_cited and states and not CITATION.search(sentence):
            best = self._rests.best_source(sentence)
            is_rested = best is not None
            missing = [best] if best is not None and best not in missing else missing
        if not is_rested and not findings:
            findings.append(Doubt(0, len(sentence), "no-source"))
        cited = {int(n) for n in CITATION.findall(sentence)}
        if cited and states and not findings and not self._rests.rests_on(sentence, cited.union(missing)):
            findings.append(Doubt(0, len(sentence), "not-cited"))
        if states and not findings and self._rests.contradicts(sentence):
            findings.append(Doubt(0, len(sentence), "opposite"))
        # Rows of a table repeat words, as `| Linux | supported | supported | supported |` does.
        if is_cited and not findings and self._rests.is_empty(sentence):
            findings.append(Doubt(0, len(sentence), "empty"))
        # A short sentence with a source states something, too.
        self.statements += states or bool(findings) or CITATION.search(sentence) is not None
        self.unsupported += bool(findings)
        if is_cited and missing:
            sentence += "".join(f" [{n}]" if at == 0 else f"[{n}]" for at, n in enumerate(missing))
        numbers = {int(n) for n in CITATION.findall(sentence)}
        self.cited |= numbers
        self.supported += states and not findings and bool(numbers) and not is_refusal(sentence, self._languages)
        return sentence, findings


def sentence_spans(line: str) -> list[tuple[int, int]]:
    """The sentences of a line, each with the citations that stand behind it. None ends within a link."""
    spans: list[tuple[int, int]] = []
    for start, end in _joined(split_sentences(line), [link.span() for link in LINK.finditer(line)]):
        citations = TRAILING.match(line[start:end]) if spans else None
        if citations:
            spans[-1] = (spans[-1][0], start + citations.end())
            start += citations.end()
            start += len(line[start:end]) - len(line[start:end].lstrip())
        if start < end:
            spans.append((start, end))
    return spans


def _joined(sentences: Sequence[tuple[int, int]], links: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sentences, those joined whose border lies within a link: `[Why? Because](page/)` is a part of one."""
    spans: list[tuple[int, int]] = []
    for start, end in sentences:
        if spans and any(opening < start < closing for opening, closing in links):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans
