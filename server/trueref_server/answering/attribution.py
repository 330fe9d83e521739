"""Adds to the sources of an answer the name of their kind, and a link to the words that are quoted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from trueref_core.generations.served_generation import text_reader
from trueref_core.text.table_rows import longest_cell
from trueref_server.answering.text_fragments import line_of, text_fragment
from trueref_server.records import Draft, Excerpt, Source
from trueref_server.wording import sentences

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex

PageText = Callable[[str], str]
"""From a page to its text, "" if it is not known or more than one site has such a page."""


def page_text(index: OpenIndex) -> PageText:
    """The texts of the pages of a generation, each part of them read when it is first asked for."""
    read_text = text_reader(index.path)

    def text_of(page: str) -> str:
        # A page that two sites have under one address gives no text: nothing says which of them is quoted.
        texts = [text for site in index.manifest.sites if (text := read_text(site.name, page)) is not None]
        return texts[0] if len(texts) == 1 else ""

    return text_of


def attributed(draft: Draft, text_of: PageText, language: str | None) -> Draft:
    """An answer whose sources say what kind they are of, in the reader's language, and lead to their quotes."""
    names = sentences(language)
    cards = {card.n: card for card in draft.excerpts}
    sources = tuple(replace(source, text_fragment=_fragment(source, cards, text_of)) for source in draft.sources)
    return replace(draft, sources=tuple(_named(sources, names)), more=tuple(_named(draft.more, names)))


def by_kind(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Sources of one kind beside each other by their numbers, the kind of the first one first."""
    kinds = list(dict.fromkeys(source.kind for source in sources))
    return tuple(sorted(sources, key=lambda source: (kinds.index(source.kind), source.n)))


def _named(sources: Iterable[Source], names: Mapping[str, str]) -> Iterable[Source]:
    """Sources with the name of their kind: the widget has no room for a table of all languages."""
    return (replace(source, kind_name=names.get(f"kind_{source.kind}", "")) for source in sources)


def _fragment(source: Source, cards: Mapping[int, Excerpt], text_of: PageText) -> str:
    """The text fragment of the part that a card marks; "" if no part of it is the source's quote."""
    # A PDF opens at its page, and knows no text fragments.
    if not source.quote or source.n not in cards or source.page_number is not None:
        return ""
    for block in cards[source.n].blocks:
        marked = block.text[slice(*block.highlight)] if block.highlight else ""
        if block.highlight and marked == source.quote:
            return text_fragment(source.quote, line_of(block.text, block.highlight[0]), text_of(source.page))
        if block.kind == "table" and longest_cell(marked) == source.quote:
            # Alone on the page, or not at all: what stands around it is in other cells, and no fragment reaches there.
            return text_fragment(source.quote, "", text_of(source.page))
    return ""
