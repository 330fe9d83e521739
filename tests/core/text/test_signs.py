"""Names of signs: where docs have them, and which of those in a question are meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_core.text.identifiers import (
    MAX_SIGN_NAMES,
    MAX_SIGNS,
    asked_sign_names,
    is_sign_name,
    sign_aliases,
    sign_names,
    sign_term,
    sign_terms,
)

SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Use `&&` between commands.", ["&&"]),
        ("Test with `[[ glaze ]]`.", ["[[", "]]"]),
        ("`!` negates.", ["!"]),  # alone in code
        ("`a ! b`", []),  # a single sign between words
        ("($?) Expands to the status.", ["$?"]),
        ("The operators \u2018>>\u2019 and \u201c<<\u201d.", [">>", "<<"]),
        ("And so on (...).", []),  # punctuation
        ("a && b", []),  # neither code nor quoted
        ("??? !!!", ["???", "!!!"]),  # a line of its own
        ("one\n**\ntwo", ["**"]),
        ("- ", []),  # the mark of an item
        ("| `||` | or |", ["||"]),  # a cell
        ("`foo()`", []),
        ("-------", []),  # a line that was drawn
        ("", []),
    ],
)
def test_the_names_of_signs_in_a_text(text: str, names: list[str]) -> None:
    assert list(sign_names(text)) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what does && do", ["&&"]),
        ("what is &&?", ["&&"]),
        ("what is `&&`?", ["&&"]),
        ("what is $?", ["$?"]),
        ("what is !", ["!"]),
        ("[ or [[", ["[", "[["]),
        ("what does <=> do", []),  # no page has it
        ("&& && &&", ["&&"]),
        ("", []),
    ],
)
def test_the_names_of_signs_that_are_asked_for(question: str, names: list[str]) -> None:
    known = {"&&", "$?", "!", "[", "[[", "->"}
    assert asked_sign_names(question, known, has_topic=False) == names


def test_beside_a_topic_only_signs_that_are_marked_are_names() -> None:
    known = {">=", "~", "!", "->"}
    for question in ("python >= 3.8", "install to ~ folder", "does a glaze ! work", "fire -> glaze"):
        assert asked_sign_names(question, known, has_topic=True) == []
    assert asked_sign_names("what does `!` do before a glaze", known, has_topic=True) == ["!"]


def test_a_chunk_has_only_so_many_names_of_signs() -> None:
    names = [a + b + c for a in "&%$" for b in "&%$" for c in "&%$"]
    assert sign_aliases([" ".join(f"`{name}`" for name in names)]) == tuple(names[:MAX_SIGN_NAMES])


def test_the_word_of_a_name_is_searched_for() -> None:
    assert sign_term("&&") == "signs-26-26"
    assert sign_terms(["--all", "[[", "glaze"]) == ["signs-5b-5b"]


@given(st.text(SIGNS, min_size=1, max_size=MAX_SIGNS), st.text(SIGNS, min_size=1, max_size=MAX_SIGNS))
def test_different_names_have_different_words(first: str, second: str) -> None:
    assert (sign_term(first) == sign_term(second)) == (first == second)


@given(st.text(alphabet=SIGNS + "ab \n\u2018\u2019", max_size=60))
def test_every_name_in_a_text_consists_of_signs(text: str) -> None:
    assert all(map(is_sign_name, sign_names(text)))


@pytest.mark.parametrize("text", ["(" * 8, "'&'", "`" * 7, "&" * 9 + " "])
def test_long_texts_are_read_in_linear_time(text: str) -> None:
    assert is_linear(lambda long_text: list(sign_names(long_text)), text)
