from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.text.table_rows import (
    count_columns,
    escape_cell,
    longest_cell,
    split_row,
    split_table,
    write_divider,
    write_row,
)


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("", []),
        ("| a | b |", ["a", "b"]),
        ("| a |  | c |", ["a", "", "c"]),
        (r"| a \| b | c |", ["a | b", "c"]),
        ("| `a | b` | c |", ["`a | b`", "c"]),
        # A backtick without its partner begins no code.
        ("| ` | b |", ["`", "b"]),
        ("| a ` b | c |", ["a ` b", "c"]),
    ],
)
def test_a_row_is_split_into_its_cells(row: str, cells: list[str]) -> None:
    assert split_row(row) == cells


@pytest.mark.parametrize(
    ("row", "columns"),
    [("| a | b |", 2), (r"| a \| b | c |", 2), ("| `a | b` | c |", 2), ("| a ` b | c |", 2), ("| a |", 1)],
)
def test_the_columns_of_a_row_are_counted_and_divided(row: str, columns: int) -> None:
    assert count_columns(row) == columns
    assert write_divider(columns).count("---") == columns


@given(st.text("ab`|\\ ", min_size=1))
def test_a_row_has_as_many_cells_as_columns_and_as_its_divider(row: str) -> None:
    columns = count_columns(row)
    divider = write_divider(columns)
    assert len(split_row(row)) == columns
    assert split_row(divider) == ["---"] * columns
    assert split_table(f"{row}\n{divider}\n{row}") == ([row, divider], [row])


@given(st.lists(st.text("ab` |"), min_size=1, max_size=4))
def test_cells_are_read_from_a_row_as_they_were_written(cells: list[str]) -> None:
    """As long as every backtick has its partner in its own cell."""
    cells = [cell.replace("`", "") if cell.count("`") % 2 else cell for cell in cells]
    cells = [" ".join(cell.split()) for cell in cells]
    row = write_row(map(escape_cell, cells))
    assert split_row(row) == cells
    assert count_columns(row) == len(cells)


def test_a_cell_is_one_line() -> None:
    assert escape_cell("a\nb | `c | d`") == r"a b \| `c | d`"


@pytest.mark.parametrize(
    ("row", "cell"),
    [("| `a` | bb ccc | d |", "bb ccc"), ("| one | two |", "one"), ("| `a | b` |", "`a | b`"), ("", "")],
)
def test_the_longest_cell_of_a_row_is_the_first_of_them(row: str, cell: str) -> None:
    assert longest_cell(row) == cell
