"""Cuts a table between its rows; every piece begins with the header, so that a row keeps its meaning."""

from __future__ import annotations

from collections.abc import Iterator

from trueref_core.text.table_rows import count_columns, write_divider
from trueref_plugin.cutting.limits import MAXIMUM, MINIMUM, TARGET
from trueref_plugin.cutting.partition import partition
from trueref_plugin.cutting.run import Measure, make_run
from trueref_plugin.reading.parsed import Block


def cut_table(block: Block, measure: Measure | None, pieces_most: int) -> Iterator[str]:
    """The texts of a table's chunks: as many rows as fit the target, at least one each, under a repeated header.

    A header that takes half a chunk is written once, and a row that is longer than a chunk is cut like prose.
    """
    header = _header(block)
    if len(header) > MAXIMUM // 2 or (measure and measure(header) > pieces_most // 2):
        yield from _long_text(header, measure, pieces_most)
        header = ""
    rows: list[str] = []
    is_header_written = not header
    left = sum(len(row) + 1 for row in block.units)
    for row in block.units:
        candidate = _join(header, [*rows, row])
        # If the rows that are left are too few for a chunk of their own, they may join this one beyond the target.
        most = TARGET if len(header) + left >= MINIMUM else MAXIMUM
        if rows and (len(candidate) > most or (measure and measure(candidate) > pieces_most)):
            yield _join(header, rows)
            rows, is_header_written = [], True
        left -= len(row) + 1
        if _is_too_long(_join(header, [row]), measure, pieces_most):
            yield from _long_text(row if is_header_written else _join(header, [row]), measure, pieces_most)
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


def _is_too_long(text: str, measure: Measure | None, pieces_most: int) -> bool:
    """Whether a text exceeds a chunk, in characters or in wordpieces."""
    return len(text) > MAXIMUM or (measure is not None and measure(text) > pieces_most)


def _long_text(text: str, measure: Measure | None, pieces_most: int) -> Iterator[str]:
    """A header or a row that is longer than a chunk, cut like prose."""
    run = make_run([Block("table", text, 0)], measure, pieces_most)
    for first, after in partition(run.segments, pieces_most):
        yield run.text[run.segments[first].start : run.segments[after - 1].end]
