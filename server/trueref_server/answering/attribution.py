"""Adds to each source of an answer the name of its kind, and a text fragment that leads to the quoted words."""

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
"""Gives the text of a page; "" if it is not known, or if more than one site has a page at that address."""


def page_text(index: OpenIndex) -> PageText:
    """A function that gives the texts of a generation's pages. Each part is read when it is first needed."""
    read_text = text_reader(index.path)

    def text_of(page: str) -> str:
        # If two sites have a page at one address there is no text: nothing says which of the pages is quoted.
        texts = [text for site in index.manifest.sites if (text := read_text(site.name, page)) is not None]
        return texts[0] if len(texts) == 1 else ""

    return text_of


def attributed(draft: Draft, text_of: PageText, language: str | None) -> Draft:
    """An answer whose sources have the name of their kind, in the reader's language, and lead to their quotes."""
    names = sentences(language)
    cards = {card.n: card for card in draft.excerpts}
    sources = tuple(replace(source, text_fragment=_fragment(source, cards, text_of)) for source in draft.sources)
    return replace(
        draft, sources=tuple(_with_kind_names(sources, names)), more=tuple(_with_kind_names(draft.more, names))
    )


def by_kind(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Sources grouped by kind and ordered by number within it; the kind of the first source comes first."""
    kinds = list(dict.fromkeys(source.kind for source in sources))
    return tuple(sorted(sources, key=lambda source: (kinds.index(source.kind), source.n)))


def _with_kind_names(sources: Iterable[Source], names: Mapping[str, str]) -> Iterable[Source]:
    """Sources with the name of their kind. The server adds it: the widget has no room for a table of languages."""
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
            # Only if the page has the cell once: the text around it is in other cells, which no fragment reaches.
            return text_fragment(source.quote, "", text_of(source.page))
    return ""
