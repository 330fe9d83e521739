from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import lancedb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_core.tables.filters import (
    MOST_TERMS,
    Filters,
    clean_query,
    one_of,
    pairs_clause,
    quote,
    where_clause,
    whole_words,
)

VALUES = ["", "a", "it's", "''", "a' OR '1'='1", "\\'", "--", "/*", "%", "中", "a\nb", '"', "`", "\0"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("quoting")
    rows = [{"site": value, "version": value[::-1], "language": value, "page": value} for value in VALUES]
    return lancedb.connect(str(folder)).create_table("values", rows)


def matching(table: Any, filters: Filters) -> list[str]:
    """What the condition finds; the same as asking row by row."""
    found = sorted(row["site"] for row in table.search().where(where_clause(filters)).limit(100).to_list())
    assert found == sorted(value for value in VALUES if filters.allow(value, value[::-1], value, value))
    return found


odd_texts = (
    st.sampled_from(VALUES) | st.text(st.sampled_from("a'\"\\-%;() OR=1\0\n"), max_size=12) | st.text(max_size=6)
)


@given(odd_texts)
def test_a_filter_matches_its_value_and_nothing_else(table: Any, value: str) -> None:
    known = [value] if value in VALUES else []
    assert matching(table, Filters(page=value)) == known
    assert matching(table, Filters(languages=(value,))) == known
    assert matching(table, Filters(editions=((value, value[::-1]),))) == known


@given(st.lists(st.tuples(odd_texts, odd_texts), max_size=4), st.lists(odd_texts, max_size=4))
def test_any_of_several_values_is_found(table: Any, editions: list[tuple[str, str]], languages: list[str]) -> None:
    matching(table, Filters(tuple(editions)))
    matching(table, Filters(tuple((site, site[::-1]) for site, _ in editions), tuple(languages)))


def test_filters_are_joined_and_none_is_free(table: Any) -> None:
    assert matching(table, Filters((("a", "a"),), ("a", "b"), "a")) == ["a"]
    assert matching(table, Filters((("a", "a"),), ("b",))) == []
    assert matching(table, Filters(())) == []
    assert matching(table, Filters(languages=())) == []
    assert where_clause(None) is None
    assert where_clause(Filters()) is None
    assert where_clause(Filters(languages=("",))) == "language IN ('')"


LITERAL = re.compile(r"'(?:[^']|'')*'")
SQL = re.compile(r"(?:site|version|language|page|id|text_hash|from_page|AND|OR|IN|false|[ =(),?])*")


@given(odd_texts, st.lists(st.tuples(odd_texts, odd_texts), min_size=1, max_size=3))
def test_values_stand_in_literals_and_nowhere_else(value: str, pairs: list[tuple[str, str]]) -> None:
    clauses = [
        where_clause(Filters(tuple(pairs), (value,), value)),
        pairs_clause(pairs, "from_page"),
        one_of("text_hash", [value]),
    ]
    for clause in clauses:
        assert clause is not None
        # What is left without the literals was written here, and not by anyone who asks.
        assert SQL.fullmatch(LITERAL.sub("?", clause)), clause


def test_a_quoted_value_has_its_quotes_doubled_and_no_lone_surrogates() -> None:
    assert quote("a'b") == "'a''b'"
    assert quote("a\ud800b") == "'ab'"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  \t\n", ""),
        ("?! -- (*)", ""),
        ("\0\x01\x7f", ""),
        ("\ud800", ""),
        ("one two one", "one two"),
        ("one\0two\u202ethree", "one two three"),
        ("--no-deps", "--no-deps"),
        ("中文", "中文"),
        ("x" * 5000, "x" * 2000),
    ],
)
def test_a_query_is_cleaned_of_control_characters_signs_and_repetitions(text: str, expected: str) -> None:
    assert clean_query(text) == expected


def test_a_query_has_a_bounded_number_of_terms() -> None:
    assert len(clean_query(" ".join(f"w{number}" for number in range(400))).split()) == MOST_TERMS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("--no-deps", "no-deps"),
        ("How do I set foo.bar_baz()?", "how do i set foo.bar_baz"),
        ("Edit `mkdocs.yml`, please.", "edit mkdocs.yml please"),
        ("@app.route('/x')", "app.route x"),
        ("docs/index.md C++ .env", "docs/index.md c env"),
        ("... --", ""),
    ],
)
def test_identifiers_are_also_searched_as_whole_words(text: str, expected: str) -> None:
    assert whole_words([text]) == expected


@given(st.text(max_size=200))
def test_a_cleaned_query_stays_as_it_is(text: str) -> None:
    assert clean_query(clean_query(text)) == clean_query(text)
    assert whole_words([whole_words([text])]) == whole_words([text])


@pytest.mark.parametrize("piece", ["a", "(", "-", " ", "a.", "'", "a(", "中"])
def test_a_query_is_cleaned_in_linear_time(piece: str) -> None:
    assert is_linear(lambda text: (clean_query(text), whole_words([text])), piece, longest=400_000)
