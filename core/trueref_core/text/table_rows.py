"""The syntax of a table row in the text of blocks and chunks: `| first cell | second cell |`.

A bar inside a cell is escaped with a backslash, except in code between backticks: readers copy code as it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_CODE_SPAN: Final = re.compile(r"(`[^`]*`)")
_BAR: Final = re.compile(r"(?<!\\)\|")


def split_table(text: str) -> tuple[list[str], list[str]]:
    """The two lines of a table's header, none if the table has no header, and the lines of its rows."""
    lines = text.split("\n")
    has_header = len(lines) > 1 and lines[1].startswith("|") and set(lines[1]) <= set("|- ")
    return (lines[:2], lines[2:]) if has_header else ([], lines)


def write_row(cells: Iterable[str]) -> str:
    """A row of cells in which bars are escaped already."""
    return f"| {' | '.join(cells)} |"


def write_divider(columns: int) -> str:
    """The line between the header of a table and its rows in Markdown."""
    return "|" + " --- |" * columns


def escape_bars(text: str) -> str:
    """The text of a cell with all its bars escaped."""
    return text.replace("|", "\\|")


def escape_cell(text: str) -> str:
    """The text of a cell on one line, with its bars outside of code escaped."""
    parts = _CODE_SPAN.split(" ".join(text.split("\n")))
    return "".join(part if at % 2 else escape_bars(part) for at, part in enumerate(parts))


def split_row(row: str) -> list[str]:
    """The cells of a row, with their bars as a reader sees them; none for an empty row."""
    if not row:
        return []
    parts = row.split("`")
    if len(parts) % 2:
        # Every backtick has its partner, so every second part is code, in which a bar does not separate cells.
        parts = [escape_bars(part) if at % 2 else part for at, part in enumerate(parts)]
    inside = "`".join(parts).strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(inside)]


def longest_cell(row: str) -> str:
    """The longest cell of a row, which most likely has its content, the first of equals; "" for an empty row."""
    return max(split_row(row), key=len, default="")


def count_columns(row: str) -> int:
    """How many cells a row has."""
    # Bars in code and escaped bars separate no cells.
    outside_code = "".join(row.split("`")[::2])
    return outside_code.replace("\\|", "").count("|") - 1
