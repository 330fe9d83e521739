"""The syntax of a table row in the text of blocks and chunks: `| first cell | second cell |`.

A bar inside a cell is escaped with a backslash, except in code between backticks: readers copy code as it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from trueref_core.text.inline_code import change_outside_code, split_code

_BAR: Final = re.compile(r"(?<!\\)\|")
_MARKS: Final = frozenset("|-")
"""The characters of bars, of dividers, and of the marks of items."""


def split_table(text: str) -> tuple[list[str], list[str]]:
    """The two lines of a table's header, none if the table has no header, and the lines of its rows."""
    lines = text.split("\n")
    has_header = len(lines) > 1 and begins_row(lines[1]) and set(lines[1]) <= set("|- ")
    return (lines[:2], lines[2:]) if has_header else ([], lines)


def count_words(text: str) -> int:
    """How many words a reader sees in a text, a table or a list: bars, dividers and the marks of items are none."""
    return sum(not _MARKS.issuperset(part) for part in text.split())


def begins_row(text: str) -> bool:
    """Whether a text begins with a row of a table, and not with the rest of one that was cut in two."""
    return text.startswith("|")


def ends_row(text: str) -> bool:
    """Whether a text ends with a row of a table that is whole."""
    return text.endswith("|")


def write_row(cells: Iterable[str]) -> str:
    """A row of cells in which bars are escaped already."""
    return f"| {' | '.join(cells)} |"


def write_divider(columns: int) -> str:
    """The line between the header of a table and its rows in Markdown."""
    return write_row(["---"] * columns)


def escape_bars(text: str) -> str:
    """The text of a cell with all its bars escaped."""
    return text.replace("|", "\\|")


def escape_cell(text: str) -> str:
    """The text of a cell on one line, with its bars outside of code escaped."""
    return change_outside_code(" ".join(text.split("\n")), escape_bars)


def split_row(row: str) -> list[str]:
    """The cells of a row, with their bars as a reader sees them; none for an empty row."""
    if not row:
        return []
    # A bar in code does not separate cells. If the number of backticks is odd, one of them has no partner, and nothing
    # tells which one. What is code is then not known either, and every bar separates cells.
    if row.count("`") % 2 == 0:
        row = "".join(escape_bars(part) if at % 2 else part for at, part in enumerate(split_code(row)))
    inside = row.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(inside)]


def longest_cell(row: str) -> str:
    """The longest cell of a row, which most likely has its content, the first of equals; "" for an empty row."""
    return max(split_row(row), key=len, default="")


def count_columns(row: str) -> int:
    """How many cells a row has."""
    return len(split_row(row))
