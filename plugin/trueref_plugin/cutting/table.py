"""Cuts a table between its rows. Every piece begins with the header, without which its rows would be unclear."""

from __future__ import annotations

from collections.abc import Iterator

from trueref_core.text.table_rows import count_columns, write_divider
from trueref_plugin.cutting.limits import MAXIMUM, MINIMUM, TARGET
from trueref_plugin.cutting.partition import partition
from trueref_plugin.cutting.text_run import WordpieceCounter, make_run
from trueref_plugin.reading.parsed import Block


def cut_table(block: Block, measure: WordpieceCounter | None, max_wordpieces: int) -> Iterator[str]:
    """The texts of a table's chunks: each has the header and as many rows as fit the target size, at least one.

    A header that would fill half a chunk is written only once. A row that is longer than a chunk is cut like prose.
    """
    header = _header(block)
    if len(header) > MAXIMUM // 2 or (measure and measure(header) > max_wordpieces // 2):
        yield from _long_text(header, measure, max_wordpieces)
        header = ""
    rows: list[str] = []
    is_header_written = not header
    remaining_length = sum(len(row) + 1 for row in block.units)
    for row in block.units:
        candidate = _join(header, [*rows, row])
        # If the remaining rows are too few for a chunk of their own, they may join this chunk beyond its target size.
        max_length = TARGET if len(header) + remaining_length >= MINIMUM else MAXIMUM
        if rows and (len(candidate) > max_length or (measure and measure(candidate) > max_wordpieces)):
            yield _join(header, rows)
            rows, is_header_written = [], True
        remaining_length -= len(row) + 1
        if _is_too_long(_join(header, [row]), measure, max_wordpieces):
            yield from _long_text(row if is_header_written else _join(header, [row]), measure, max_wordpieces)
            is_header_written = True
        else:
            rows.append(row)
    if rows or not is_header_written:
        yield _join(header, rows)


def _header(block: Block) -> str:
    """The header row, with the divider under it that Markdown needs."""
    if not block.header:
        return ""
    return f"{block.header}\n{write_divider(count_columns(block.header))}"


def _join(header: str, rows: list[str]) -> str:
    """Rows under a header as one text."""
    return "\n".join([header, *rows] if header else rows)


def _is_too_long(text: str, measure: WordpieceCounter | None, max_wordpieces: int) -> bool:
    """Whether a text exceeds a chunk, in characters or in wordpieces."""
    return len(text) > MAXIMUM or (measure is not None and measure(text) > max_wordpieces)


def _long_text(text: str, measure: WordpieceCounter | None, max_wordpieces: int) -> Iterator[str]:
    """A header or a row that is longer than a chunk, cut like prose."""
    run = make_run([Block("table", text, 0)], measure, max_wordpieces)
    for first, after in partition(run.segments, max_wordpieces):
        yield run.text[run.segments[first].start : run.segments[after - 1].end]
