"""Reads the entries of manual pages as groff writes them: nothing but indentation tells a term from its description.

A short term stands in a row of a table without a border, whose empty cells are the indentation and the gap. A longer
one is a paragraph, and its description are the paragraphs behind it with a wider margin. Items of lists are such rows
with a bullet or a number in place of the term.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from trueref_plugin.reading.elements import children, directly_behind, first_element
from trueref_plugin.reading.entries import EntryReader
from trueref_plugin.reading.inline import LINE_BREAK, InlineText, inline_text
from trueref_plugin.reading.list_items import read_items
from trueref_plugin.reading.markup.clean import is_dropped
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_MARGIN: Final = re.compile(r"\bmargin-left:\s?(\d{1,2})(?:\.\d{1,4})?%")
"""The indentation of a paragraph, in the only unit that groff writes."""

_WIDTH: Final = re.compile(r"(\d{1,2})(?:\.\d{1,4})?%")
"""The width of a cell. That of the first one is the indentation of its row."""

_BULLETS: Final = frozenset(("\u2022", "\u00b7", "o", "*", "-", "\u2212", "\u2013"))
"""What stands in place of a term in an item of a list."""

_NUMBER: Final = re.compile(r"\(?\d{1,3}[.)]")
"""What stands there in a list with numbers."""

_MARKED: Final = frozenset(("b", "i", "strong", "em", "code", "tt"))
"""Elements that a term begins with. Beside bold words, groff writes terms in italics and in the type of code."""

_MAX_TERM: Final = 200
_MAX_WORDS: Final = 12
"""Characters and words of a term at most: an example in place of a term may be a whole command."""

_TERM, _DESCRIPTION = 1, 3
"""The numbers of the filled cells of a row, which stand behind the indentation and behind the gap."""

_BLOCKS: Final = frozenset(("p", "pre", "table"))
"""Elements that a description consists of."""

_PARTS_OF_LAYOUT: Final = frozenset(("-text", "tbody", "colgroup", "col"))
"""What a table has that only lays out entries. One with a caption or a header has data."""

_MAX_DEPTH: Final = 8
"""Lists in each other's descriptions at most. What is indented further is text of the last one."""


class _Row(NamedTuple):
    """A row with a term and its description, or with a bullet and the text of an item."""

    row: LexborNode
    term: LexborNode
    description: LexborNode


class IndentedEntryReader(BlockReader):
    """Reads entries that follow each other with the same margin as those of one list, like the entries of a `dl`."""

    def __init__(self) -> None:
        self._rows: dict[int, list[_Row]] = {}
        """By table (`mem_id`): its rows of entries. They are remembered, so that each table is looked at once."""
        self._depth = 0
        """The number of lists that are being read, each in a description of the one before it."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # its margin and cells tell
        """See `BlockReader`."""
        return self._depth < _MAX_DEPTH and self._is_entry(node)

    def _is_entry(self, node: LexborNode) -> bool:
        """Whether a block is a term, or a table of terms or of items."""
        return bool(self._rows_of(node)) if node.tag == "table" else _is_term(node)

    def _rows_of(self, node: LexborNode) -> list[_Row]:
        """The rows of entries of a table; nothing for other blocks."""
        if node.tag != "table":
            return []
        if node.mem_id not in self._rows:
            self._rows[node.mem_id] = _rows_of_entries(node)
        return self._rows[node.mem_id]

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # a definition is its own kind
        """See `BlockReader`."""
        page = walk.page
        outer, section = page.enter(), page.current_section
        entries, margin = EntryReader(walk, node), _indentation(node)
        self._depth += 1
        block: LexborNode | None = node
        # With another margin, an entry is one of the list around this one.
        while block is not None and _indentation(block) == margin and self._is_entry(block):
            walk.skip(block)
            page.current_section = section
            page.record_section_of_ids(block)
            rows = self._rows_of(block)
            if rows and _is_item(rows[0]):
                page.leave(outer)
                _read_items(walk, block, rows)
                break
            block = _read_rows(walk, entries, block, rows) if rows else _read_paragraphs(walk, entries, block)
        self._depth -= 1
        page.leave(outer)
        page.current_section = section


def _read_rows(walk: Walk, entries: EntryReader, table: LexborNode, rows: list[_Row]) -> LexborNode | None:
    """Reads entries in rows, and what is indented further behind the last one. Returns what follows."""
    for row, term, description in rows:
        entries.read_entry(term, description)
        walk.page.record_section(row)
    return _read_indented(walk, _shown_behind(table), _indentation(table))


def _read_paragraphs(walk: Walk, entries: EntryReader, term: LexborNode) -> LexborNode | None:
    """Reads an entry in paragraphs. Returns what follows it."""
    description = _shown_behind(term)
    if description is None:
        return None
    entries.read_entry(term, description)
    walk.skip(description)
    return _read_indented(walk, _shown_behind(description), _indentation(term))


def _read_indented(walk: Walk, block: LexborNode | None, margin: int) -> LexborNode | None:
    """Reads the rest of a description, which is indented further than its term. Returns what follows it."""
    while block is not None and block.tag in _BLOCKS and _indentation(block) > margin:
        following = _shown_behind(block)
        walk.block_ahead(block, "definition")
        block = following
    return block


def _read_items(walk: Walk, table: LexborNode, rows: list[_Row]) -> None:
    """Reads rows with bullets or numbers as a list."""
    marks = [row.term.text().strip() for row in rows]
    is_numbered = all(map(_NUMBER.fullmatch, marks))
    shown = (f"{mark.strip('().')}. " if is_numbered else "- " for mark in marks)
    items = zip(shown, (row.description for row in rows), strict=True)
    read_items(walk, table, items, is_numbered=is_numbered)


def _shown_behind(node: LexborNode) -> LexborNode | None:
    """The element right behind a node, without those that are left out."""
    behind = directly_behind(node)
    while behind is not None and is_dropped(behind):
        behind = directly_behind(behind)
    return behind


def _is_term(node: LexborNode) -> bool:
    """Whether a paragraph begins with marked words, is no sentence, and has an indented paragraph right behind it."""
    margin = _indentation(node)
    if node.tag != "p" or margin < 0 or is_dropped(node):
        return False
    first, following = first_element(node), _shown_behind(node)
    if following is None or following.tag != "p" or _indentation(following) <= margin:
        return False
    if first is None or first.tag not in _MARKED:
        return False
    before = first.prev
    is_first = before is None or not (before.text_content or "").strip()
    text = inline_text(node)
    is_short = 0 < len(text) <= _MAX_TERM and len(text.split()) <= _MAX_WORDS
    return is_first and is_short and not text.endswith((":", ".")) and not _announces(node)


def _announces(term: LexborNode) -> bool:
    """Whether a line of a paragraph ends with a colon, so that the lines behind it are no name."""
    text = InlineText()
    text.add(term)
    return any(line.rstrip("`").endswith(":") for line in text.take().split(LINE_BREAK))


def _indentation(node: LexborNode) -> int:
    """How far a block is indented, in whole hundredths of the width of the page; -1 if it does not say."""
    if node.tag == "table":
        cell = node.css_first("td")
        width = _WIDTH.fullmatch(cell.attributes.get("width") or "") if cell is not None else None
        return int(width[1]) if width else -1
    margin = _MARGIN.search(node.attributes.get("style") or "")
    return int(margin[1]) if margin else -1


def _rows_of_entries(table: LexborNode) -> list[_Row]:
    """The rows of a table that only lays out terms and descriptions, else nothing.

    Each row has an empty cell before the term, and another one behind it.
    """
    if table.attributes.get("rules") != "none" or _indentation(table) < 0:
        return []
    if any(part.tag not in _PARTS_OF_LAYOUT for part in children(table)):
        return []
    rows: list[_Row] = []
    for row in _rows(table):
        cells = [cell for cell in children(row) if cell.tag in ("td", "th")]
        filled = [number for number, cell in enumerate(cells) if cell.text().strip()]
        if filled != [_TERM, _DESCRIPTION]:
            return []
        rows.append(_Row(row, cells[_TERM], cells[_DESCRIPTION]))
    is_list = [_is_item(row) for row in rows]
    return rows if all(is_list) or not any(is_list) else []


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    """The rows of a table that are shown, without those of tables inside it. The parser puts a body around them."""
    for body in children(table):
        if body.tag == "tbody":
            yield from (row for row in children(body) if row.tag == "tr" and not is_dropped(row))


def _is_item(row: _Row) -> bool:
    """Whether a row is an item of a list."""
    mark = row.term.text().strip()
    return mark in _BULLETS or _NUMBER.fullmatch(mark) is not None
