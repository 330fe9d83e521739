from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.samples import chunk, text_only
from tests.work import is_linear

from trueref_core.generations.publication import publish
from trueref_core.generations.served_generation import open_index
from trueref_core.tables.filters import (
    MAX_TERMS,
    Filters,
    clean_query,
    one_of,
    pairs_clause,
    quote,
    where_clause,
    whole_words,
)

VALUES = ["", "a", "it's", "''", "a' OR '1'='1", "\\'", "--", "/*", "%", "中", "a\nb", '"', "`", "\0"]


Search = Callable[[Filters], list[str]]


@pytest.fixture(scope="module")
def matching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Search]:
    """A search of an index that has a chunk for each value; it gives the values of the chunks that filters allow."""
    folder = tmp_path_factory.mktemp("quoting")
    chunks = (
        chunk(number, text="word", site=value, version=value[::-1], language=value, page=value)
        for number, value in enumerate(VALUES)
    )
    publish(folder, replace(text_only(), chunks=tuple(chunks)))
    with asyncio.Runner() as runner:
        opened = runner.run(open_index(folder))

        def search(filters: Filters) -> list[str]:
            hits = runner.run(opened.search_text("word", limit=100, filters=filters))
            found = sorted(VALUES[int(hit.id[1:])] for hit in hits)
            # The same as asking row by row.
            assert found == sorted(value for value in VALUES if filters.allow(value, value[::-1], value, value))
            return found

        yield search
        runner.run(opened.close())


odd_texts = (
    st.sampled_from(VALUES) | st.text(st.sampled_from("a'\"\\-%;() OR=1\0\n"), max_size=12) | st.text(max_size=6)
)


@given(odd_texts)
def test_a_filter_matches_its_value_and_nothing_else(matching: Search, value: str) -> None:
    known = [value] if value in VALUES else []
    assert matching(Filters(page=value)) == known
    assert matching(Filters(languages=(value,))) == known
    assert matching(Filters(editions=((value, value[::-1]),))) == known


@given(st.lists(st.tuples(odd_texts, odd_texts), max_size=4), st.lists(odd_texts, max_size=4))
def test_any_of_several_values_is_found(
    matching: Search, editions: list[tuple[str, str]], languages: list[str]
) -> None:
    matching(Filters(tuple(editions)))
    matching(Filters(tuple((site, site[::-1]) for site, _ in editions), tuple(languages)))


def test_filters_are_joined_and_none_is_free(matching: Search) -> None:
    assert matching(Filters((("a", "a"),), ("a", "b"), "a")) == ["a"]
    assert matching(Filters((("a", "a"),), ("b",))) == []
    assert matching(Filters(())) == []
    assert matching(Filters(languages=())) == []
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
    assert len(clean_query(" ".join(f"w{number}" for number in range(400))).split()) == MAX_TERMS


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
