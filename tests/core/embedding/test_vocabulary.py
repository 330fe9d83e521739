from __future__ import annotations

import pytest

from trueref_core.embedding.vocabulary import MIN_LETTERS, common_words


@pytest.mark.parametrize("word", ["whole", "seems", "while", "colour", "intro", "shouldn"])
def test_common_words_are_known(word: str) -> None:
    assert word in common_words()


@pytest.mark.parametrize("word", ["enviroment", "pluggin", "recieve", "seperate", "hightlighting", "the", "##ing", ""])
def test_misspelled_words_and_pieces_are_no_common_words(word: str) -> None:
    assert word not in common_words()


def test_common_words_are_in_small_letters_and_not_short() -> None:
    words = common_words()
    assert len(words) > 15_000
    assert all(word.isalpha() and word == word.lower() and len(word) >= MIN_LETTERS for word in words)
