from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import lancedb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.queries import MOST_TERMS, Filters, clean_query, quote, where_clause, whole_words

VALUES = ["", "a", "it's", "''", "a' OR '1'='1", "\\'", "--", "/*", "%", "中", "a\nb", '"', "`", "\0"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("quoting")
    return lancedb.connect(str(folder)).create_table("values", [{"site": value, "version": "1"} for value in VALUES])


def matching(table: Any, filters: Filters) -> list[str]:
    return sorted(row["site"] for row in table.search().where(where_clause(filters)).to_list())


@given(st.sampled_from(VALUES) | st.text(st.sampled_from("a'\"\\-%;() OR=1\0\n"), max_size=12) | st.text(max_size=6))
def test_a_filter_matches_its_value_and_nothing_else(table: Any, value: str) -> None:
    assert matching(table, Filters(site=value)) == [known for known in VALUES if known == value]


def test_filters_are_joined_and_none_is_free(table: Any) -> None:
    assert matching(table, Filters(site="a", version="1")) == ["a"]
    assert matching(table, Filters(site="a", version="2")) == []
    assert where_clause(None) is None
    assert where_clause(Filters()) is None
    assert where_clause(Filters(language="")) == "language = ''"


def test_quote_doubles_quotes() -> None:
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
def test_clean_query(text: str, expected: str) -> None:
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
def test_whole_words(text: str, expected: str) -> None:
    assert whole_words([text]) == expected


@given(st.text(max_size=200))
def test_cleaning_is_stable(text: str) -> None:
    assert clean_query(clean_query(text)) == clean_query(text)
    assert whole_words([whole_words([text])]) == whole_words([text])


@pytest.mark.parametrize("piece", ["a", "(", "-", " ", "a.", "'", "a(", "中"])
def test_time_is_linear(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    started = time.process_time()
    clean_query(text)
    whole_words([text])
    assert time.process_time() - started < 1
