"""Checks an answer line by line while it streams. Adds missing citations and reports doubts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_server.model.asking.numbered_sources import ModelSource, languages_of
from trueref_server.model.checking.facts import CITATION, Doubt, FactChecker
from trueref_server.model.checking.lines import AnswerLine
from trueref_server.model.checking.statements import SourceSentences
from trueref_server.model.checking.verdict import is_refusal

TABLE = re.compile(r"^\s{0,12}\|")
"""The beginning of a row of a table."""

HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s|\*\*[^*\n]{1,200}\*\*:?\s*$)")
"""A heading, or a line in bold that a model writes as one."""

TRAILING_CITATIONS = re.compile(r"^(?:\s*\[\d{1,3}\])+")
"""Citations at the beginning of a text: they belong to the sentence that ends before them."""

LINK = re.compile(r"\[[^\[\]\n]*+\]\([^()\s]*+\)")
"""A link as the gate writes it: its label has no brackets, and its address neither blanks nor parentheses."""

JOINING: Final = frozenset("([:{")
"""Characters that make a `[1]` right before them the label of a link or of a definition, or give it attributes."""


class AnswerChecker:
    """Checks the lines of one answer, and counts its sentences.

    `statements` counts the sentences that state something, `unsupported` those with a doubt, and `supported` those
    without a doubt that have a citation and are no refusal.
    """

    def __init__(self, sources: Sequence[ModelSource], question: str) -> None:
        self.statements = 0
        self.unsupported = 0
        self.supported = 0
        self.cited: set[int] = set()
        self._ends_in_added_citation = False
        self._languages = languages_of(sources)
        self._facts = FactChecker(sources, question)
        self._source_sentences = SourceSentences(sources, question)

    def check(self, line: AnswerLine) -> tuple[str, list[Doubt]]:
        """Add the citations that a line lacks, and find its doubts, with positions in the line that is returned."""
        # The line may be the rest of one that was cut for its length.
        text, position, doubts = self._separator(line.text), 0, list[Doubt]()
        if line.is_code:
            return line.text, [] if line.text.startswith("```") else self._code(line.text)
        # Headings and rows of tables are checked, but get no citations: the number would read as a part of them.
        takes_citations = not (TABLE.match(line.text) or HEADING.match(line.text))
        for start, end in sentence_spans(line.text):
            text += line.text[position:start]
            sentence, sentence_doubts = self._sentence(line.text[start:end], takes_citations=takes_citations)
            doubts += [
                replace(doubt, start=len(text) + doubt.start, end=len(text) + doubt.end) for doubt in sentence_doubts
            ]
            text, position = text + sentence, end
            self._ends_in_added_citation = len(sentence) > end - start
            text += self._separator(line.text[end:])
        return text + line.text[position:], doubts

    def _separator(self, following: str) -> str:
        """A blank, if without it the following text would make a link of the citation added before it; else "".

        The gate has checked the text without the citation. A test with hostile answers found the case:
        `toggle。(nowhere/)` was sent as `toggle。 [1](nowhere/)`.
        """
        is_joined = self._ends_in_added_citation and following[:1] in JOINING
        self._ends_in_added_citation &= following == ""
        return " " if is_joined else ""

    def _code(self, text: str) -> list[Doubt]:
        """The doubts about a line of code, which gets no citation."""
        doubts = self._facts.check_code(text)
        # A line with an invented option is as wrong as a sentence with one.
        self.statements += bool(doubts)
        self.unsupported += bool(doubts)
        return doubts

    def _sentence(self, sentence: str, *, takes_citations: bool) -> tuple[str, list[Doubt]]:
        """Add the citations that a sentence lacks, and find its doubts."""
        # Facts first: the whole sentence is marked only if no name in it is marked.
        doubts, missing_citations = self._facts.check_sentence(sentence)
        states = self._source_sentences.states(sentence)
        has_source = True
        if takes_citations and states and not CITATION.search(sentence):
            best_source = self._source_sentences.best_source(sentence)
            has_source = best_source is not None
            missing_citations = (
                [best_source] if best_source is not None and best_source not in missing_citations else missing_citations
            )
        if not has_source and not doubts:
            doubts.append(Doubt(0, len(sentence), "no-source"))
        cited_by_model = {int(n) for n in CITATION.findall(sentence)}
        if (
            cited_by_model
            and states
            and not doubts
            and not self._source_sentences.rests_on(sentence, cited_by_model.union(missing_citations))
        ):
            doubts.append(Doubt(0, len(sentence), "not-cited"))
        if states and not doubts and self._source_sentences.contradicts(sentence):
            doubts.append(Doubt(0, len(sentence), "opposite"))
        # Rows of a table repeat words, as `| Linux | supported | supported | supported |` does.
        if takes_citations and not doubts and self._source_sentences.is_empty(sentence):
            doubts.append(Doubt(0, len(sentence), "empty"))
        # A short sentence with a source states something, too.
        self.statements += states or bool(doubts) or CITATION.search(sentence) is not None
        self.unsupported += bool(doubts)
        if takes_citations and missing_citations:
            sentence += "".join(f" [{n}]" if index == 0 else f"[{n}]" for index, n in enumerate(missing_citations))
        numbers = {int(n) for n in CITATION.findall(sentence)}
        self.cited |= numbers
        self.supported += states and not doubts and bool(numbers) and not is_refusal(sentence, self._languages)
        return sentence, doubts


def sentence_spans(line: str) -> list[tuple[int, int]]:
    """Where the sentences of a line begin and end, each with the citations behind it. None ends within a link."""
    spans: list[tuple[int, int]] = []
    for start, end in _join_within_links(split_sentences(line), [link.span() for link in LINK.finditer(line)]):
        citations = TRAILING_CITATIONS.match(line[start:end]) if spans else None
        if citations:
            spans[-1] = (spans[-1][0], start + citations.end())
            start += citations.end()
            start += len(line[start:end]) - len(line[start:end].lstrip())
        if start < end:
            spans.append((start, end))
    return spans


def _join_within_links(sentences: Sequence[tuple[int, int]], links: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join the sentences whose border lies within a link, such as `[Why? Because](page/)`."""
    spans: list[tuple[int, int]] = []
    for start, end in sentences:
        if spans and any(opening < start < closing for opening, closing in links):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans
