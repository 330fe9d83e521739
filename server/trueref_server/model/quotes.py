"""Finds the sentence that a model took from a source word for word, and makes the link to that source lead to it.

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
"""A citation with the blanks before it."""

MAX_PROVED: Final = 5
"""At most this many sentences of a source are looked for on its page, which may be long."""

QUOTATION: Final = re.compile(r"[\"“„]([^\"“”„\n]{10,500})[\"”“]")
"""Text in English or German double quotation marks, long enough to be a quotation and not a name."""


def with_quotes(draft: Draft, sources: Sequence[ModelSource], text_of: PageText) -> Draft:
    """An answer by a model, each source with the first of its sentences that the model quotes and that its page has.

    A source without such a sentence keeps its quote and fragment.

    Args:
        draft: The answer.
        sources: What the model read.
        text_of: Gives the text of a page.
    """
    texts = {source.n: source.text for source in sources}
    citing = _citing_sentences(draft.text)
    quoted = tuple(
        _with_quote(source, citing.get(source.n, ()), texts.get(source.n, ""), text_of) for source in draft.sources
    )
    return replace(draft, sources=quoted)


def _with_quote(source: Source, sentences: Sequence[str], text: str, text_of: PageText) -> Source:
    """A source with the first of the sentences that its text has and, for a web page, its page shows."""
    # Looked for in the cited section first: on the page it may stand in another section.
    lines = VisibleLines(text)
    matches = (match for sentence in sentences if (match := lines.find(sentence))[0])
    for words, line in islice(matches, MAX_PROVED):
        if source.page_number is not None:
            return replace(source, quote=words)
        if fragment := text_fragment(words, line, text_of(source.page)):
            return replace(source, quote=words, text_fragment=fragment)
    return source


def _citing_sentences(text: str) -> Mapping[int, Sequence[str]]:
    """By source, the sentences of a text that cite it, and the quotations in these."""
    citing: dict[int, list[str]] = {}
    for line in text.split("\n"):
        for start, end in sentence_spans(line):
            sentence = CITATIONS.sub("", line[start:end]).strip()
            for n in dict.fromkeys(map(int, CITATION.findall(line[start:end]))):
                citing.setdefault(n, []).extend([sentence, *QUOTATION.findall(sentence)])
    return {n: list(dict.fromkeys(sentences)) for n, sentences in citing.items()}
