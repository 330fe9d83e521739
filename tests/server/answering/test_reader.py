"""Passages are read with the question: which one is taken, and in which languages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.answering.test_choice import asked, found

from trueref_server.answering.choice import READ_MOST, choose
from trueref_server.answering.reader import PassageReader

QUESTION = "How do I keep the token out of the configuration file?"
TOKENS = "A token in the configuration file is a word, a number or a sign, and the file holds one token a line."
KEYRING = "Store the secret in the keyring of your system with `login --keyring`, so that it is never written to disk."


@pytest.fixture(scope="module")
def reader() -> PassageReader:
    return PassageReader()


def test_what_answers_is_taken_before_what_has_more_of_the_words(reader: PassageReader) -> None:
    sections = [found(1, TOKENS), found(2, KEYRING, score=0.99)]
    assert choose(asked(QUESTION), sections)[0].candidate.section.hit.anchor == "s1"
    best, *others = choose(asked(QUESTION), sections, reader)
    assert best.candidate.section.hit.anchor == "s2"
    assert [choice.candidate.read for choice in (best, *others)] == reader.scores(
        asked(QUESTION), [choice.candidate.read_as(asked(QUESTION)) for choice in (best, *others)]
    )


def test_passages_of_sections_far_behind_are_read_where_they_are_near(reader: PassageReader) -> None:
    sections = [found(number, f"{TOKENS} {number}", score=1 - number / 100) for number in range(6)]
    chosen = choose(asked(QUESTION), [*sections, found(6, KEYRING, score=0.94)], reader)
    assert chosen[0].candidate.section.hit.anchor == "s6"


def test_few_passages_are_read(reader: PassageReader) -> None:
    sections = [found(number, f"{TOKENS} {number}", f"{KEYRING} {number}") for number in range(8)]
    chosen = choose(asked(QUESTION), sections, reader)
    assert len(chosen) == 8
    assert sum(choice.candidate.read is not None for choice in chosen) <= READ_MOST


@pytest.mark.parametrize(("text", "language"), [("如何更改主题的颜色模式?", "en"), ("Wo steht der Schlüssel?", "de")])
def test_other_languages_are_not_read(reader: PassageReader, text: str, language: str) -> None:
    plan = replace(asked(text).plan, language=language)
    assert reader.scores(replace(asked(text), plan=plan), [KEYRING]) is None
    assert choose(replace(asked(text), plan=plan), [found(1, KEYRING)], reader)[0].candidate.read is None


def test_nothing_is_read_of_nothing(reader: PassageReader) -> None:
    assert choose(asked(QUESTION), [], reader) == []
