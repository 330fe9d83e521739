"""Reads tables: one block in which each row is a unit. A row with an id is a section of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Final

from trueref_core.records import BlockRole, ChunkKind
from trueref_core.text.table_rows import escape_cell, write_row
from trueref_plugin.reading.code_text import code_text
from trueref_plugin.reading.elements import children, first_element, has_class
from trueref_plugin.reading.inline import inline_text, is_link
from trueref_plugin.reading.markup.clean import clean_text, is_dropped
from trueref_plugin.reading.markup.containers import FRAME, is_note_in_table
from trueref_plugin.reading.targets import is_citable
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


_MAX_TITLE: Final = 120
"""Characters of a row over all columns at most if it is the title of the rows below it. A longer one is a remark."""

_SENTENCE_ENDS: Final = (".", "!", "?", "\u3002")
"""What such a remark ends with."""

_MAX_DIGITS: Final = 3
"""Digits of a number of columns at most."""

_MAX_CODE: Final = 3
"""Lines of code in a cell at most, which stand there one behind the other. More lines are read as a block of code."""


class TableReader(BlockReader):
    """Reads a table. A table for layout (it holds blocks, or lays out a note) is walked through cell by cell."""

    tags = frozenset(("table",))

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        # Not `node.css("tr")`: that would search a nested table once for each table around it.
        rows = [row for row in _rows(node) if not is_dropped(row)]
        is_note = node.parent is not None and is_note_in_table(node.parent)
        if is_note:
            _add_kind_of_note(walk, node, kind)
        if not rows or is_note or _is_layout(rows):
            walk.children(node, kind)
            return
        page = walk.page
        page.record_section_of_ids(node)
        caption = next((child for child in children(node) if child.tag == "caption"), None)
        columns = max(map(_width, rows))
        has_title = caption is not None or any(_is_title(row, columns) for row in rows)
        outer = page.enter(page.name_container(FRAME) if has_title else "")
        if caption is not None:
            outer_of_caption = page.enter(role="caption")
            walk.children(caption, kind)
            page.leave(outer_of_caption)
        _RowReader(walk, columns).read(rows)
        page.leave(outer)


def _is_layout(rows: list[LexborNode]) -> bool:
    """Whether the cells of a table hold blocks. Under a header, a command or a few lines of code are data of a cell."""
    if any(row.css_first("table, h1, h2, h3, h4, h5, h6") for row in rows):
        return True
    if not any(row.css_first("pre") for row in rows):
        return False
    header = list(_cells(rows[0]))
    is_data = len(header) > 1 and all(cell.tag == "th" for cell in header)
    return not is_data or any(code_text(code).count("\n") >= _MAX_CODE for row in rows for code in row.css("pre"))


def _add_kind_of_note(walk: Walk, note: LexborNode, kind: ChunkKind) -> None:
    """Adds the kind of a note ("Warning") that AsciiDoc shows as an icon only, if the note has no title of its own."""
    row = next(_rows(note), None)
    cells = [] if row is None else [cell for cell in children(row) if cell.tag == "td"]
    if not cells or not has_class(cells[0], "icon"):
        return
    icon, *texts = (first_element(cell) for cell in cells)
    attributes = icon.attributes if icon is not None and not has_class(icon, "title") else {}
    name = _name_of_picture(attributes)
    if name and not any(first is not None and has_class(first, "title") for first in texts):
        walk.page.add_block(kind, name, role="title")


def _name_of_picture(attributes: Mapping[str, str | None]) -> str:
    """What the attributes of a picture or an icon say that it shows, "" if they say nothing."""
    title, text = (clean_text(attributes.get(name) or "") for name in ("title", "alt"))
    # Emoji of Python Markdown have a shortcode as their title, such as `:tada:`, and the sign itself as their text.
    return text if text and title.startswith(":") and title.endswith(":") else title or text


def _text_of_pictures(cell: LexborNode) -> str:
    """What the pictures in a cell without text show, such as a tick."""
    pictures = (picture for picture in cell.css("img") if not is_dropped(picture))
    return " ".join(filter(None, (_name_of_picture(picture.attributes) for picture in pictures)))


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    """The rows of a table, without those of tables inside it."""
    for part in children(table):
        # The parser puts a body around rows that have none.
        if part.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in children(part) if row.tag == "tr")


class _RowReader:
    """Collects rows, and adds them to the page as a block when the table ends or a row with an id interrupts it."""

    def __init__(self, walk: Walk, columns: int) -> None:
        self._walk = walk
        self._page = walk.page
        self._columns = columns
        self._first_cell = 0
        """The number of the first cell of each row that is read."""
        self._is_links = columns == 1
        """Whether the table has one column, and all rows so far are nothing but a link: a list of the pages below."""
        self._header = ""
        self._rows: list[str] = []
        self._is_header_written = False

    def read(self, rows: list[LexborNode]) -> None:
        """Reads all rows of a table."""
        data_rows = [row for row in rows if not _is_title(row, self._columns)]
        if len(data_rows) < len(rows) and all(map(_begins_empty, data_rows)):
            # Below its title, such a table only indents its rows: Borg.
            self._first_cell = 1
        is_first = True
        for position, row in enumerate(rows, 1):
            if _is_title(row, self._columns):
                self._add_title(row, is_last=position == len(rows))
                continue
            text, is_header = self._read_row(row)
            may_be_header, is_first = is_first, False
            if not text:
                continue
            if is_header and may_be_header:
                self._header = text
            elif row.attributes.get("id") and is_citable(row, self._walk.unreachable):
                self._add_section(row, text)
            else:
                self._rows.append(text)
        if self._rows or (self._header and not self._is_header_written):
            self._flush()

    def _add_title(self, row: LexborNode, *, is_last: bool) -> None:
        """Adds the text of a row with a single cell: as the title of the rows below it, or as a remark."""
        page = self._page
        page.record_section_of_ids(row)
        page.text.add(row)
        text = page.take_text()
        if not text:
            return
        if self._rows:
            self._flush()
        is_title = len(text) <= _MAX_TITLE and not text.endswith(_SENTENCE_ENDS) and not is_last
        page.add_block("prose", text, starts=is_title, role="caption" if is_title else "text")

    def _add_section(self, row: LexborNode, text: str) -> None:
        """Adds a row that is a section of its own."""
        if self._rows:
            self._flush()
        section_before = self._page.current_section
        self._page.open_section(row, "row", 0, _row_title(row), section_before)
        self._rows = [text]
        self._flush()
        self._page.current_section = section_before

    def _flush(self) -> None:
        """Adds the rows collected so far as one block."""
        role: BlockRole = "links" if self._is_links else "text"
        self._page.add_block("table", "\n".join(self._rows), tuple(self._rows), header=self._header, role=role)
        self._rows = []
        self._is_header_written = True

    def _read_row(self, row: LexborNode) -> tuple[str, bool]:
        """The text of a row, "" for an empty one, and whether all its cells are header cells."""
        cells = list(_cells(row))[self._first_cell :]
        texts: list[str] = []
        for cell in cells:
            self._page.text.add(cell)
            labels = [label for _, label in self._page.text.links]
            texts.append(self._page.take_text())
            self._is_links = self._is_links and bool(labels) and is_link(texts[-1], labels)
        # A header has nothing but `th`. In other rows, `th` marks the first cell.
        is_header = all(cell.tag == "th" for cell in cells)
        # A row of nothing but pictures lays them out.
        if not any(texts):
            return "", is_header
        shown = (text or _text_of_pictures(cell) for cell, text in zip(cells, texts, strict=True))
        return write_row([escape_cell(text) for text in shown]), is_header


def _is_title(row: LexborNode, columns: int) -> bool:
    """Whether a row has a single cell, which stands over all of several columns. A row with an id is a section."""
    is_single = len(list(islice(_cells(row), 2))) == 1
    return is_single and _width(row) >= columns > 1 and "id" not in row.attributes


def _begins_empty(row: LexborNode) -> bool:
    """Whether the first of several cells of a row has nothing in it."""
    cells = list(_cells(row))
    return len(cells) > 1 and cells[0].first_child is None


def _width(row: LexborNode) -> int:
    """The number of columns that the cells of a row take."""
    spans = (cell.attributes.get("colspan") or "" for cell in _cells(row))
    return sum(int(span) if span.isascii() and span.isdigit() and len(span) <= _MAX_DIGITS else 1 for span in spans)


def _cells(row: LexborNode) -> Iterator[LexborNode]:
    """The cells of a row."""
    return (cell for cell in children(row) if cell.tag in ("td", "th"))


def _row_title(row: LexborNode) -> str:
    """The title of a row that is a section: the text of its first cell that has any."""
    texts = (inline_text(cell) for cell in row.css("th, td"))
    return next((text for text in texts if text), "")
