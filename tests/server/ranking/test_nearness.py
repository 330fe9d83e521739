"""The signals of nearness: of words to each other in a text, and of chunks to the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.handmade import chunk

from trueref_core.records import ChunkKind
from trueref_server.corpus.corpus import Section, Statistics
from trueref_server.question.plan import make_plan
from trueref_server.ranking import signals
from trueref_server.ranking.rank import hits_of, score_sections
from trueref_server.ranking.signals import WINDOW, Candidate
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Question

FILLER = "filler "


def section_of(text: str, title: str = "", kind: ChunkKind = "prose") -> Section:
    return Section.of([replace(chunk("a/", "x", text, 0), title=title, kind=kind, lead_in="", breadcrumb=())])


def asking(text: str, *sections: Section) -> WeightedQuestion:
    statistics = Statistics.of(sections)
    return WeightedQuestion(make_plan(Question(text), "en", statistics), statistics)


def together(question: str, text: str, title: str = "", kind: ChunkKind = "prose") -> float:
    section = section_of(text, title, kind)
    return signals.together(asking(question, section), Candidate(section))


def test_words_of_one_sentence_stand_together_and_those_of_a_long_section_do_not() -> None:
    sentence = "The proxy exports each temperature."
    strewn = "".join(f"{word} {FILLER * WINDOW}" for word in ("proxy", "exports", "temperature"))
    assert together("How does a proxy export a temperature?", sentence) == pytest.approx(1)
    assert together("How does a proxy export a temperature?", strewn) == pytest.approx(1 / 3)
    assert together("How does a proxy export a temperature?", f"{strewn} {sentence}") == pytest.approx(1)


def test_a_window_ends_before_a_word_that_is_too_far() -> None:
    last_inside, first_outside = FILLER * (WINDOW - 2), FILLER * (WINDOW - 1)
    assert together("proxy temperature", f"proxy {last_inside}temperature") == pytest.approx(1)
    assert together("proxy temperature", f"proxy {first_outside}temperature") == pytest.approx(1 / 2)


def test_the_text_of_an_entry_begins_with_its_name() -> None:
    assert together("What is a nuc?", "A small hive.", "Nuc", "definition") == pytest.approx(1)
    assert together("What is a small nuc?", "A small hive.", "Nuc", "definition") == pytest.approx(1)


def test_the_words_of_a_title_stand_together_apart_from_the_text() -> None:
    assert together("custom task class", "Inherit it.", "Custom task classes") == pytest.approx(1)
    assert together("small nuc", "A small hive.", "Nuc") == pytest.approx(1 / 2)


def test_words_of_an_earlier_question_do_not_have_to_stand_together() -> None:
    section = section_of("Install the package with pip.")
    question = asking("docker", section)
    carried = replace(question.plan, words=("docker", "install", "package"), carried=("install", "package"))
    assert signals.together(replace(question, plan=carried), Candidate(section)) == 0


def test_the_verb_that_says_that_something_is_wanted_does_not_have_to_stand_there() -> None:
    assert together("How do I change the palette?", "Set the palette here.") == pytest.approx(1)
    assert together("Which change broke the palette?", "Set the palette here.") < 0.6


def test_a_question_without_words_and_a_section_without_them_have_nothing_together() -> None:
    assert together("how?", "The proxy exports each temperature.") == 0
    assert together("proxy", "Nothing of it.") == 0


ASKED = ("proxi", "palett", "hive")
GAPS = st.integers(0, WINDOW)


@given(st.lists(st.tuples(GAPS, st.sampled_from(ASKED)), max_size=8), st.sets(st.sampled_from(ASKED), min_size=1))
def test_words_of_half_a_window_stand_together_and_words_of_two_windows_do_not(
    body: Sequence[tuple[int, str]], asked: set[str]
) -> None:
    section = section_of(" ".join(f"{FILLER * gap}{word}" for gap, word in body))
    question = asking(" ".join(sorted(asked)), section, section_of("other text"))
    terms = question.terms("en")

    def best_of_all(words: int) -> float:
        """The plain definition: each run of so many words is looked at as a whole."""
        runs = (frozenset(section.body[start : start + words]) for start in range(max(1, len(section.body))))
        return max(sum(terms[word] for word in run & terms.keys()) for run in runs) / sum(terms.values())

    value = signals.together(question, Candidate(section))
    assert best_of_all(WINDOW // 2) - 1e-9 <= value <= best_of_all(WINDOW) + 1e-9
    assert value == signals.together(question, Candidate(section).counted(question)), "counted before, or not"


def test_two_near_chunks_count_for_more_than_a_single_one() -> None:
    def of_three_chunks(page: str, words: str, near: Sequence[float]) -> Candidate:
        chunks = [
            chunk(page, "x", f"{page} says {word} in a chunk. " * 20, at) for at, word in enumerate(words.split())
        ]
        return Candidate(Section.of(chunks), cosines=[max(near)], near=near)

    one_near = of_three_chunks("a/", "one two three", [0.1, 0.5, 0.1])
    two_near = of_three_chunks("b/", "four five six", [0.4, 0.1, 0.5])
    question = asking("What is it about?", one_near.section, two_near.section)
    assert signals.nearest_two(question, one_near) == pytest.approx(0.3)
    assert signals.nearest_two(question, two_near) == pytest.approx(0.45)
    hits = hits_of(score_sections(question, [one_near, two_near]), 10)
    assert [hit.page for hit in hits] == ["b/", "a/"]


@pytest.mark.parametrize(("near", "value"), [([], 0.0), ([0.4], 0.4), ([-0.3, -0.2], 0.0)])
def test_a_section_of_one_chunk_has_its_nearness_and_one_without_vectors_none(
    near: Sequence[float], value: float
) -> None:
    section = section_of("A text.")
    assert signals.nearest_two(asking("text", section), Candidate(section, near=near)) == pytest.approx(value)
