from __future__ import annotations

import pytest

from trueref_core.embedding.vocabulary import LETTERS_LEAST, common_words


@pytest.mark.parametrize("word", ["whole", "seems", "while", "colour", "intro", "shouldn"])
def test_common_words_are_known(word: str) -> None:
    assert word in common_words()


@pytest.mark.parametrize("word", ["enviroment", "pluggin", "recieve", "seperate", "hightlighting", "the", "##ing", ""])
def test_what_is_no_common_word(word: str) -> None:
    assert word not in common_words()


def test_they_are_words_in_small_letters() -> None:
    words = common_words()
    assert len(words) > 15_000
    assert all(word.isalpha() and word == word.lower() and len(word) >= LETTERS_LEAST for word in words)
