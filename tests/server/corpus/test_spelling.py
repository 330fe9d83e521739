"""Short words that a reader mistyped. `tests/server/question` has the longer ones, in whole questions."""

from __future__ import annotations

import pytest

from trueref_server.corpus.spelling import MIN_SWAPPED, Vocabulary

WORDS = {
    "file": MIN_SWAPPED,
    "match": 50,
    "wrap": MIN_SWAPPED - 1,
    "hosts": 50,
    "calm": 50,
    "clam": 1,
    "form": 50,
    "run": 50,
    "urn": 1,
}


@pytest.mark.parametrize(
    ("mistyped", "meant"),
    [
        ("flie", "file"),
        ("fiel", "file"),
        ("fromo", ""),
        ("fle", ""),
        ("math", ""),
        ("host", ""),
        ("warp", ""),
        ("ifle", ""),
        ("filr", ""),
        ("camm", ""),
        ("form", ""),
        ("rnu", ""),
    ],
)
def test_a_word_of_four_letters_is_repaired_if_two_of_them_are_swapped(mistyped: str, meant: str) -> None:
    assert Vocabulary(WORDS).repair(mistyped) == meant


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("jsonb", ""),  # another word with another letter behind it
        ("statee", "state"),  # the last letter typed twice
        ("layoutb", "layout"),  # a longer word, and a letter too many
        ("inserts", ""),  # of `insert`, which is English
        ("inverst", "inverts"),
        ("docker", ""),  # not what is docked
        ("dockde", "docked"),
    ],
)
def test_a_word_that_goes_on_after_a_word_of_the_pages_is_another(word: str, meant: str) -> None:
    counts = {"json": 50, "inverts": 50, "layout": 50, "state": 50, "docked": 50}
    assert Vocabulary(counts).repair(word) == meant


def test_of_two_words_none_is_plainly_meant() -> None:
    # Either pair of letters of `abcd` may be swapped.
    assert Vocabulary({"acbd": 50, "abdc": 1}).repair("abcd") == ""
    assert Vocabulary({"acbd": 50}).repair("abcd") == "acbd"
