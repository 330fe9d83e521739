"""Groups the lines of a page of a PDF into blocks: headings, paragraphs, lists and tables.

A PDF only says where its letters stand, so every rule here is a guess from distances and sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from statistics import median
from typing import Final

from trueref_core.records import ChunkKind
from trueref_core.text.table_rows import escape_bars, write_row
from trueref_plugin.pdf.pdf_characters import HYPHEN, clean
from trueref_plugin.pdf.pdf_messages import PdfLine
from trueref_plugin.pdf.running_titles import line_distance

MAX_GAP: Final = 1.3
"""A gap of more than this many line distances ends a paragraph."""
MAX_GAP_AFTER_SENTENCE: Final = 1.6
"""A gap of more than this many letter heights ends a paragraph if it follows the end of a sentence."""
HEADING_RATIO: Final = 1.15
"""A line is a heading if its letters are larger than most letters of the document by this factor."""
MAX_HEADING: Final = 120
"""Characters of a heading at most."""

_BULLET: Final = re.compile(r"\A(?:[•◦▪‣●○■□∙·\uf0b7]\s*(?=\S)|[-–—*]\s+(?=\S))")
"""The sign of an item of a list without numbers. A dash counts only with a blank behind it, since `-v` is an option."""

_NUMBER: Final = re.compile(r"(?:\d{1,3}|[a-zA-Z])[.)]\s+(?=\S)")
"""The number or the letter of an item: `1.`, `a)`."""

_SENTENCE_END: Final = re.compile(r"[.!?…:;。！？][\"'”’»)\]]{0,3}\Z")
"""The end of a sentence, perhaps with quotation marks or brackets behind it."""

_CJK: Final = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
"""A character of Chinese, Japanese or Korean, or one of their punctuation marks."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A block of a page. `units` are the items of a list, or the rows of a table."""

    kind: ChunkKind
    text: str
    units: tuple[str, ...] = ()
    is_heading: bool = False


def body_size(pages: Sequence[Sequence[PdfLine]]) -> float:
    """The usual height of the letters of a document, 0 if it has no lines."""
    # Long lines count more often than short ones: this is the size of most letters, and not of most lines.
    sizes = [line.size for lines in pages for line in lines for _ in range(1 + len(line.text) // 20)]
    return median(sizes) if sizes else 0.0


def paragraphs(lines: Sequence[PdfLine], body: float) -> list[Paragraph]:
    """The blocks of a page, in order.

    Args:
        lines: The lines of the page, without running titles.
        body: The usual height of letters in the document, from `body_size`.
    """
    distance = line_distance(lines) if len(lines) > 3 else 1.5 * max((line.size for line in lines), default=0.0)
    blocks: list[Paragraph] = []
    for is_table, group in groupby(_groups(lines, distance), key=_is_row):
        rows = list(group)
        if is_table and len(rows) > 1:
            units = tuple(_table_row(line) for row in rows for line in row)
            blocks.append(Paragraph("table", "\n".join(units), units))
        else:
            blocks.extend(_prose(lines_of, body) for lines_of in rows)
    return _with_lists([paragraph for paragraph in blocks if paragraph.text])


def ends_sentence(text: str) -> bool:
    """Whether a text ends with the end of a sentence."""
    return _SENTENCE_END.search(text[-5:]) is not None


def join(before: str, after: str) -> str:
    """Joins two lines of running text. A hyphen at the end of the first line is marked for `dehyphenate`."""
    if before.endswith(("-", "\u2010")) and len(before) > 1 and before[-2].isalpha() and after[:1].isalpha():
        return f"{before[:-1]}{HYPHEN}{after}"
    # No space is added between two characters of Chinese, Japanese or Korean.
    glue = "" if _CJK.match(before[-1:]) and _CJK.match(after[:1]) else " "
    return f"{before}{glue}{after}".strip()


def _groups(lines: Sequence[PdfLine], distance: float) -> Iterator[list[PdfLine]]:
    """The lines of a page, grouped by paragraph."""
    group: list[PdfLine] = []
    for line in lines:
        if group and _begins_paragraph(group, line, distance):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _begins_paragraph(group: Sequence[PdfLine], line: PdfLine, distance: float) -> bool:
    """Whether a line begins a new paragraph."""
    previous = group[-1]
    if "\t" in line.text or "\t" in previous.text or _is_item(line.text):
        return True
    if max(line.size, previous.size) > HEADING_RATIO * min(line.size, previous.size):
        return True
    gap = previous.end_y - line.y
    if gap < -previous.size:
        # The line stands higher on the page, in the next column or in a box. The paragraph may continue there.
        return ends_sentence(previous.text) or not line.text[:1].islower()
    if gap > MAX_GAP * max(distance, previous.size):
        return True
    if gap > MAX_GAP_AFTER_SENTENCE * previous.size and ends_sentence(previous.text):
        # If most paragraphs have a single line, the usual line distance is that between paragraphs. Then the rule above
        # finds no gap.
        return True
    # An indented first line, as books have it.
    return line.x - group[0].x > previous.size and ends_sentence(previous.text) and not _is_item(group[0].text)


def _is_row(group: Sequence[PdfLine]) -> bool:
    """Whether a group is a single line of cells, which tabs separate (see `PdfLine`)."""
    return len(group) == 1 and "\t" in group[0].text


def _table_row(line: PdfLine) -> str:
    """A line of cells as a row of a table."""
    cells = (escape_bars(clean(cell)) for cell in line.text.split("\t"))
    return write_row(filter(None, cells))


def _prose(lines: Sequence[PdfLine], body: float) -> Paragraph:
    """Lines as one paragraph, or as a heading if their letters are larger."""
    text = reduce(join, (clean(line.text) for line in lines))
    is_heading = lines[0].size > HEADING_RATIO * body and len(text) <= MAX_HEADING and not _is_item(text)
    return Paragraph("prose", text, is_heading=is_heading)


def _is_item(text: str) -> bool:
    """Whether a text begins like an item of a list."""
    return _BULLET.match(text) is not None or _NUMBER.match(text) is not None


def _with_lists(prose_blocks: Sequence[Paragraph]) -> list[Paragraph]:
    """Joins neighbouring items to one list. A single numbered line is not a list: it may as well be a heading."""
    blocks: list[Paragraph] = []
    for is_list, group in groupby(prose_blocks, key=lambda block: block.kind == "prose" and _is_item(block.text)):
        items = list(group)
        if not is_list or (len(items) == 1 and not _BULLET.match(items[0].text)):
            blocks.extend(items)
            continue
        units = tuple(_BULLET.sub("- ", item.text) for item in items)
        blocks.append(Paragraph("list", "\n".join(units), units))
    return blocks
