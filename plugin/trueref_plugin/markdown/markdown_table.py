"""A table as Markdown, in the form that GitHub has made the common one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from trueref_plugin.markdown.markdown_text import inline

_BAR: Final = re.compile(r"(?<!\\)\|")


def table(header: str, rows: Sequence[str]) -> str:
    """A header and rows, each `| a | b |` with bars inside cells escaped except in code, as a Markdown table.

    A row that is longer than the header makes the header longer: readers drop what has no column.
    """
    given = [_cells(row) for row in (header, *rows)]
    columns = max(map(len, given))
    head, *body = [[*cells, *[""] * (columns - len(cells))] for cells in given]
    return "\n".join(_row(cells) for cells in (head, ["---"] * columns, *body))


def _cells(row: str) -> list[str]:
    """The cells of a row as Markdown. Every second part of a row stands in backticks, where a bar is a bar."""
    parts = row.split("`")
    if len(parts) % 2:
        parts = [part.replace("|", "\\|") if at % 2 else part for at, part in enumerate(parts)]
    inside = "`".join(parts).strip().removeprefix("|").removesuffix("|")
    cells = [inline(cell.strip().replace("\\|", "|")) for cell in _BAR.split(inside)]
    # In a table bars are escaped in code too; the backslash is not shown.
    return [cell.replace("|", "\\|") for cell in cells] if row else []


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
