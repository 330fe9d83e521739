"""Reads the entries of manual pages as groff writes them: nothing but indentation tells a term from its description.

A short term stands in a row of a table without a border, whose empty cells are the indentation and the gap. A longer
one is a paragraph, and its description are the paragraphs behind it with a wider margin. Items of lists are such rows
with a bullet in place of the term.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import children, directly_behind, first_element
from trueref_plugin.reading.entries import EntryReader
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.markup.clean import is_dropped
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_MARGIN: Final = re.compile(r"\bmargin-left:\s?(\d{1,2})%")
"""The indentation of a paragraph, in the only unit that groff writes."""

_WIDTH: Final = re.compile(r"(\d{1,2})%")
"""The width of a cell. That of the first one is the indentation of its row."""

_BULLETS: Final = frozenset(("\u2022", "\u00b7", "o", "*", "-", "\u2212", "\u2013"))
"""What stands in place of a term in an item of a list."""

_BOLD: Final = frozenset(("b", "i", "strong", "em", "code", "tt"))
"""Elements that a term begins with."""

_MAX_TERM: Final = 200
_MAX_WORDS: Final = 12
"""Characters and words of a term at most: an example in place of a term may be a whole command."""

_TERM, _DESCRIPTION = 1, 3
"""The numbers of the filled cells of a row, which stand behind the indentation and behind the gap."""

_BLOCKS: Final = frozenset(("p", "pre", "table"))
"""Elements that a description consists of."""


class IndentedEntryReader(BlockReader):
    """Reads entries that follow each other as the entries of one list, like those of a `dl`."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # its margin and cells tell
        """See `BlockReader`."""
        return bool(_rows_of_entries(node)) if node.tag == "table" else _is_term(node)

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # a definition is its own kind
        """See `BlockReader`."""
        outer, section = walk.page.enter(), walk.page.current_section
        entries = EntryReader(walk, node)
        block: LexborNode | None = node
        while block is not None and self.takes(block, ()):
            walk.skip(block)
            rows = _rows_of_entries(block)
            if rows and _is_item(rows[0]):
                walk.page.leave(outer)
                _read_items(walk, rows)
                block = directly_behind(block)
                break
            block = _read_rows(walk, entries, block, rows) if rows else _read_paragraphs(walk, entries, block)
        walk.page.leave(outer)
        walk.page.current_section = section


def _read_rows(
    walk: Walk, entries: EntryReader, table: LexborNode, rows: list[tuple[LexborNode, LexborNode]]
) -> LexborNode | None:
    """Reads entries in rows, and what is indented further behind the last one. Returns what follows."""
    for term, description in rows:
        entries.read_entry(term, description)
    return _read_indented(walk, directly_behind(table), _indentation(table))


def _read_paragraphs(walk: Walk, entries: EntryReader, term: LexborNode) -> LexborNode | None:
    """Reads an entry in paragraphs. Returns what follows it."""
    description = directly_behind(term)
    if description is None:
        return None
    entries.read_entry(term, description)
    walk.skip(description)
    return _read_indented(walk, directly_behind(description), _indentation(term))


def _read_indented(walk: Walk, block: LexborNode | None, margin: int) -> LexborNode | None:
    """Reads the rest of a description, which is indented further than its term. Returns what follows it."""
    while block is not None and block.tag in _BLOCKS and _indentation(block) > margin:
        following = directly_behind(block)
        walk.block_ahead(block, "definition")
        block = following
    return block


def _read_items(walk: Walk, rows: list[tuple[LexborNode, LexborNode]]) -> None:
    """Adds rows with bullets as a list."""
    page, units = walk.page, list[str]()
    for _, text in rows:
        page.record_section_of_ids(text)
        page.text.add(text)
        units.append(f"- {page.take_text()}")
    page.add_block("list", "\n".join(units), tuple(units))


def _is_term(node: LexborNode) -> bool:
    """Whether a paragraph begins with bold words, is no sentence, and has an indented paragraph right behind it."""
    following = directly_behind(node)
    margin = _indentation(node)
    if node.tag != "p" or margin < 0 or following is None or following.tag != "p" or is_dropped(node):
        return False
    first = first_element(node)
    if _indentation(following) <= margin or first is None or first.tag not in _BOLD:
        return False
    before = first.prev
    is_first = before is None or not (before.text_content or "").strip()
    text = inline_text(node)
    is_short = 0 < len(text) <= _MAX_TERM and len(text.split()) <= _MAX_WORDS
    return is_first and is_short and not text.endswith((":", "."))


def _indentation(node: LexborNode) -> int:
    """How far a block is indented, in hundredths of the width of the page; -1 if it does not say."""
    if node.tag == "table":
        cell = node.css_first("td")
        width = _WIDTH.fullmatch(cell.attributes.get("width") or "") if cell is not None else None
        return int(width[1]) if width else -1
    margin = _MARGIN.search(node.attributes.get("style") or "")
    return int(margin[1]) if margin else -1


def _rows_of_entries(table: LexborNode) -> list[tuple[LexborNode, LexborNode]]:
    """The terms and descriptions of a table that only lays them out, else nothing.

    Each row has an empty cell before the term, and another one behind it.
    """
    if table.tag != "table" or table.attributes.get("rules") != "none" or _indentation(table) < 0:
        return []
    rows: list[tuple[LexborNode, LexborNode]] = []
    for row in _rows(table):
        cells = [cell for cell in children(row) if cell.tag == "td"]
        filled = [number for number, cell in enumerate(cells) if cell.text().strip()]
        if filled != [_TERM, _DESCRIPTION]:
            return []
        rows.append((cells[_TERM], cells[_DESCRIPTION]))
    is_list = [_is_item(row) for row in rows]
    return rows if all(is_list) or not any(is_list) else []


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    """The rows of a table, without those of tables inside it. The parser puts a body around them."""
    for body in children(table):
        if body.tag == "tbody":
            yield from (row for row in children(body) if row.tag == "tr")


def _is_item(row: tuple[LexborNode, LexborNode]) -> bool:
    """Whether a row is an item of a list."""
    return row[0].text().strip() in _BULLETS
