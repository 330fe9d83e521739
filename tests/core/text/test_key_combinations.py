"""Combinations of keys in a question, and the ways in which docs write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_core.text.key_combinations import (
    MAX_COMBINATIONS,
    MAX_KEY_NAMES,
    key_combinations,
    key_name,
    key_names,
    key_pattern,
    written_combinations,
)


@pytest.mark.parametrize(
    ("question", "text", "is_found"),
    [
        ("what does ctrl-c do", "| `Ctrl`+`C` | Stops it. |", True),
        ("what does ctrl+c do", "Press Ctrl-C.", True),
        ("Control-C", "- `<Ctrl-C>`: stop", True),
        ("ctrl-r", "type `C-r` or `C-s`", True),
        ("ctrl-c", "It prints ^C.", True),
        ("alt+f", "forward-word (M-f)", True),
        ("cmd+k", "Command + K", True),
        ("ctrl+shift+t", "Ctrl+Shift+T", True),
        ("ctrl+shift+t", "Ctrl+T", False),
        ("ctrl+t", "Ctrl+Shift+T", False),
        ("ctrl-c", "| `Ctrl`+`Z` | Moves it. |", False),
        ("ctrl-c", "Ctrl+Cancel", False),
        ("ctrl-c", "c-c", False),
        ("ctrl-c", "| `C-c C-v` | Runs it. |", False),
        ("ctrl-v", "| `C-c C-v` | Runs it. |", False),
        ("ctrl-d", "[^D]", False),
        ("ctrl-c", "x^C", False),
        ("ctrl+return", "Ctrl+Enter", True),
        ("ctrl+del", "Ctrl+Delete", True),
        ("shift+tab", "Shift+Tab", True),
        ("ctrl+f5", "Ctrl+F5", True),
        ("ctrl+f5", "Ctrl+F", False),
    ],
)
def test_a_combination_is_found_in_the_forms_that_docs_have(question: str, text: str, is_found: bool) -> None:
    (pattern,) = key_combinations(question)
    assert (pattern.search(text) is not None) == is_found


@pytest.mark.parametrize(
    "question",
    ["command-line", "shift-register", "win-32", "control", "an opt-in", "x-ctrl-c", "--alt-a", "how do I quit"],
)
def test_other_words_are_no_keys(question: str) -> None:
    assert key_combinations(question) == ()


def test_few_combinations_are_looked_for() -> None:
    assert len(key_combinations(", ".join(f"ctrl-{letter}" for letter in "abcdefgh"))) == MAX_COMBINATIONS
    assert len(key_combinations("ctrl-c or Ctrl-C")) == 1


@pytest.mark.parametrize("piece", ["ctrl-", "ctrl+shift-", "ctrl` + `", "^", "C-"])
def test_patterns_take_linear_time(piece: str) -> None:
    (pattern,) = key_combinations("ctrl-c")
    assert is_linear(key_combinations, piece)
    assert is_linear(pattern.search, piece)
    assert is_linear(key_names, piece)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Press `Ctrl`+`C` or Ctrl+Shift+T.", ("ctrl-c", "ctrl-shift-t")),
        ("shift+ctrl+t", ("ctrl-shift-t",)),  # in whatever order
        ("Control + Return", ("ctrl-enter",)),
        ("backward-word (M-b)", ("alt-b",)),
        ("It prints ^C.", ("ctrl-c",)),
        ("`C-c C-v` runs it", ()),  # a sequence
        ("Ctrl+K Ctrl+S", ()),  # the same
        ("`Ctrl+K` `Ctrl+S`, then Ctrl+C", ("ctrl-c",)),
        ("Ctrl+K, Ctrl+S", ("ctrl-k", "ctrl-s")),
        ("the option - a list", ()),
        ("shift-left testing with option-a", ()),  # words
        ("Shift-Tab or Shift+Left", ("shift-tab", "shift-left")),
        ("x^C and [^D]", ()),
        ("", ()),
    ],
)
def test_a_combination_has_one_name_in_all_its_forms(text: str, names: tuple[str, ...]) -> None:
    assert key_names(text) == names
    assert all(key_pattern(name).search(text) for name in names)


@pytest.mark.parametrize(
    ("text", "name"),
    [("Ctrl-C", "ctrl-c"), ("^C", "ctrl-c"), ("M-f", "alt-f"), ("Ctrl-C!", ""), ("C-c C-v", ""), ("", "")],
)
def test_a_text_may_be_a_combination_and_nothing_else(text: str, name: str) -> None:
    assert key_name(text) == name


def test_the_combinations_of_a_question_are_as_it_writes_them() -> None:
    assert written_combinations("Ctrl+R or ^R, and Ctrl+R again") == ["Ctrl+R", "^R"]
    assert written_combinations("what does Ctrl+K Ctrl+S do") == []


@pytest.mark.parametrize("text", ["the option - a list", "out of control - c is a language"])
def test_a_pattern_matches_no_words_between_which_a_dash_stands(text: str) -> None:
    assert not key_pattern("alt-a").search(text)
    assert not key_pattern("ctrl-c").search(text)


def test_a_chunk_has_only_so_many_combinations() -> None:
    keys = " and ".join(f"ctrl-{key}, alt-{key}" for key in "abcdefghijklmnopqrstuvwxyz")
    assert len(key_names(keys)) == MAX_KEY_NAMES


@given(st.text(alphabet="CcMmtrl^-+` AshifX", max_size=60))
def test_every_combination_in_a_text_has_a_name_that_is_one(text: str) -> None:
    assert all(key_name(name) == name for name in key_names(text))
    assert all(map(key_name, written_combinations(text)))
