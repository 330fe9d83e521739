"""How similar parts of a text are to a question, by vectors of words."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.embedding.word_vectors import load_word_vectors
from trueref_server.ranking.part_similarity import part_similarities

QUESTION = "How do I stop the messages on the screen?"


@pytest.mark.parametrize(
    ("question", "nearer", "farther"),
    [
        (QUESTION, "Set `quiet` to silence all output.", "The kiln has three shelves."),
        ("make the letters larger", "Increase the font size.", "Delete the old files."),
        ("password is rejected", "Login fails with expired credentials.", "Images belong in the folder `assets`."),
        # Without the Chinese words, the second sentence is `Material for MkDocs`.
        (
            "When will Material for MkDocs support Chinese?",
            "Insiders adds experimental Chinese language support.",
            "Material for MkDocs終於支持中文了！",
        ),
    ],
)
def test_other_words_of_the_same_meaning_are_nearer(question: str, nearer: str, farther: str) -> None:
    similarities = part_similarities(question, "en", [nearer, farther])
    assert similarities is not None
    assert similarities[0] > similarities[1]


def test_a_question_is_as_near_to_itself_as_can_be() -> None:
    similarities = part_similarities(QUESTION, "en", [QUESTION, f"  {QUESTION.upper()}"])
    assert similarities == pytest.approx([1.0, 1.0], abs=1e-5)


def test_long_data_is_left_out_and_long_lines_are_read_in_part() -> None:
    words_kept = load_word_vectors().of_word.cache_info().currsize
    assert part_similarities(QUESTION, "en", ["x" * 1_000_000]) == [0.0]
    assert part_similarities(QUESTION, "en", ["如何更改主题的颜色模式"]) == [0.0]
    assert load_word_vectors().of_word.cache_info().currsize <= words_kept + len(QUESTION.split())
    # The last word stands behind the characters of a part that are read.
    long, same = (part_similarities(QUESTION, "en", ["screen " * 200_000 + end]) for end in ("", "messages"))
    assert long == same


def test_what_has_no_words_is_near_nothing() -> None:
    assert part_similarities(QUESTION, "en", ["", "--- | ---"]) == [0.0, 0.0]
    assert part_similarities("???", "en", ["The kiln has three shelves."]) == [0.0]
    assert part_similarities(QUESTION, "en", []) == []


@pytest.mark.parametrize(("question", "language"), [(QUESTION, "de"), ("如何更改主题的颜色模式?", "en")])
def test_other_languages_are_not_compared(question: str, language: str) -> None:
    assert part_similarities(question, language, ["The kiln has three shelves."]) is None


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=5))
def test_each_part_has_a_cosine(question: str, parts: list[str]) -> None:
    similarities = part_similarities(question, "en", parts)
    if similarities is not None:
        assert len(similarities) == len(parts)
        assert all(math.isfinite(similarity) and abs(similarity) <= 1 + 1e-5 for similarity in similarities)
