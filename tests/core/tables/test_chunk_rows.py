from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.tables.chunk_rows import ChunkRows, CodedColumn, SectionKey

few = st.sampled_from(["", "a", "b", "docs/", "é"])
rows = st.lists(st.tuples(few, few, few, few, few, st.integers(0, 9)), max_size=30)


def coded(values: list[str]) -> CodedColumn:
    each = list(dict.fromkeys(values))
    return each, np.array([each.index(value) for value in values], dtype=np.int64)


def made(given_rows: list[tuple[str, str, str, str, str, int]]) -> ChunkRows:
    columns = [[str(row[place]) for row in given_rows] for place in range(5)]
    ids = [f"c{number}" for number in range(len(given_rows))]
    positions = np.array([row[5] for row in given_rows], dtype=np.int64)
    return ChunkRows.of(ids, [coded(column) for column in columns[:4]], coded(columns[4]), positions)


@given(rows)
def test_every_row_is_found_by_its_section_in_the_order_of_the_page(
    given_rows: list[tuple[str, str, str, str, str, int]],
) -> None:
    found = made(given_rows)
    expected: dict[SectionKey, list[int]] = defaultdict(list)
    for number, row in enumerate(given_rows):
        expected[row[0], row[4]].append(number)
        assert found.section_of(number) == (row[0], row[4])
        assert found.row_of[found.ids[number]] == number
    assert found.sections.keys() == expected.keys()
    for key, numbers in expected.items():
        assert found.of_section(key) == sorted(numbers, key=lambda number: given_rows[number][5])
    assert len(found.ids) == len(given_rows)


@given(rows, few, few)
def test_rows_are_allowed_by_their_own_values(
    given_rows: list[tuple[str, str, str, str, str, int]], version: str, page: str
) -> None:
    found = made(given_rows)
    allowed = found.allowed(lambda _site, its_version, _language, its_page: its_version == version or its_page == page)
    assert allowed.tolist() == [n for n, row in enumerate(given_rows) if row[1] == version or row[3] == page]
    assert found.languages == {row[2] for row in given_rows}


def test_unknown_sections_have_no_rows() -> None:
    found = made([("docs", "", "en", "p/", "p/#a", 0)])
    assert found.of_section(("docs", "p/#b")) == []
    assert found.of_section(("other", "p/#a")) == []
