"""Combinations of keys in a question, and the ways in which docs write them."""

from __future__ import annotations

import pytest
from tests.work import is_linear

from trueref_server.question.key_combinations import MAX_COMBINATIONS, key_combinations


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
    assert len(key_combinations(" ".join(f"ctrl-{letter}" for letter in "abcdefgh"))) == MAX_COMBINATIONS
    assert len(key_combinations("ctrl-c or Ctrl-C")) == 1


@pytest.mark.parametrize("piece", ["ctrl-", "ctrl+shift-", "ctrl` + `", "^", "C-"])
def test_patterns_take_linear_time(piece: str) -> None:
    (pattern,) = key_combinations("ctrl-c")
    assert is_linear(key_combinations, piece)
    assert is_linear(pattern.search, piece)
