"""Finds sentences that a model took from a source word for word, and lets the link to that source lead to them.

The text of a model replaces the cards, so a link to the sentence that a card marks would lead to words that are not in
the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from trueref_server.answering.attribution import PageText
from trueref_server.answering.text_fragments import VisibleLines, text_fragment
from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.model.checking.answer_checker import sentence_spans
from trueref_server.model.checking.facts import CITATION
from trueref_server.records import Draft, Source

CITATIONS: Final = re.compile(rf"\s{{0,3}}{CITATION.pattern}")
PROVED_MOST: Final = 5
"""Sentences of a source that are looked for on its page, which may be long."""

IN_MARKS: Final = re.compile(r"[\"“„]([^\"“”„\n]{10,500})[\"”“]")


def with_quotes(draft: Draft, sources: Sequence[ModelSource], text_of: PageText) -> Draft:
    """An answer by a model, each source with the first sentence that the model took from it and its page proves.

    A source without such a sentence keeps what it had.

    Args:
        draft: The answer.
        sources: What the model read.
        text_of: The text of a page.
    """
    texts = {source.n: source.text for source in sources}
    said = _said_of(draft.text)
    quoted = tuple(
        _quoting(source, said.get(source.n, ()), texts.get(source.n, ""), text_of) for source in draft.sources
    )
    return replace(draft, sources=quoted)


def _quoting(source: Source, sentences: Sequence[str], text: str, text_of: PageText) -> Source:
    """A source with the first of some sentences that it has, if that can be proved."""
    # The section first: the sentence may stand on the page, and in another section than the one that is cited.
    lines = VisibleLines(text)
    found = (found for sentence in sentences if (found := lines.find(sentence))[0])
    for words, line in islice(found, PROVED_MOST):
        if source.page_number is not None:
            return replace(source, quote=words)
        if fragment := text_fragment(words, line, text_of(source.page)):
            return replace(source, quote=words, text_fragment=fragment)
    return source


def _said_of(text: str) -> Mapping[int, Sequence[str]]:
    """By source, the sentences of a text that cite it, and the quotations in these."""
    said: dict[int, list[str]] = {}
    for line in text.split("\n"):
        for start, end in sentence_spans(line):
            bare = CITATIONS.sub("", line[start:end]).strip()
            for n in dict.fromkeys(map(int, CITATION.findall(line[start:end]))):
                said.setdefault(n, []).extend([bare, *IN_MARKS.findall(bare)])
    return {n: list(dict.fromkeys(sentences)) for n, sentences in said.items()}
