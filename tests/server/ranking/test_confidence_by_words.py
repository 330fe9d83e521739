"""How sure an answer is if sections are compared by words alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.server.handmade import chunk

from trueref_server.corpus.corpus import Section, Statistics
from trueref_server.question.plan import make_plan
from trueref_server.ranking.confidence import (
    ANSWER_UNREAD,
    BY_TEXT,
    CLOSEST_FROM,
    MIN_VOCABULARY,
    confidence,
    verdict_of,
)
from trueref_server.ranking.confidence_features import MAX_TEXT_MARGIN, features, text_features
from trueref_server.ranking.rank import hits_of, score_sections
from trueref_server.ranking.signals import Candidate
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Question

TOPICS = ("kiln", "shelf", "cone", "glaze", "clay", "wheel", "studio", "apron", "sponge", "kettle", "bucket", "sieve")
"""More than ten, so that the first hit is compared with the tenth."""

SECTIONS: Sequence[Candidate] = tuple(
    Candidate(
        Section.of([chunk(f"{topic}/", topic, f"The {topic} is dried on a rack before the next firing begins.", 0)])
    )
    for topic in TOPICS
)


def asked_of(question: str, statistics: Statistics) -> WeightedQuestion:
    return WeightedQuestion(make_plan(Question(question), "en", statistics), statistics)


def sure(question: str, *, others: int = 0) -> float:
    """The confidence of docs that also have a number of other words."""
    statistics = Statistics.of([candidate.section for candidate in SECTIONS])
    statistics.section_counts.update({f"other{number}": 1 for number in range(others)})
    asked = asked_of(question, statistics)
    return confidence(asked, hits_of(score_sections(asked, SECTIONS), 10))


def test_what_one_section_says_is_answered() -> None:
    assert verdict_of(sure("On which rack is the glaze dried before the firing?"), is_read=False) == "answer"


def test_a_question_with_few_words_of_any_section_finds_nothing_however_far_it_stands_out() -> None:
    # One word of six, and of all sections only the first has it.
    assert sure("Does a kiln export weekly invoices through encrypted webhooks?") == 0
    assert sure("Does a kiln export weekly invoices?") > 0


def test_words_that_no_page_has_make_an_answer_less_likely() -> None:
    known = sure("On which rack is the glaze dried before the firing?")
    unknown = sure("On which rack is the glaze dried before the helicopter permits of the committee?")
    assert CLOSEST_FROM < unknown < ANSWER_UNREAD <= known


def test_a_word_that_no_page_has_decides_a_short_question() -> None:
    def is_answered(question: str, others: int = MIN_VOCABULARY) -> bool:
        return verdict_of(sure(question, others=others), is_read=False) == "answer"

    assert is_answered("is the glaze dried on a rack")
    assert not is_answered("is the glaze dried on a helicopter")
    # One of four words decides only whether something can be done.
    assert is_answered("how is the glaze dried on a rack of helicopters")
    assert not is_answered("is the glaze dried on a rack of helicopters")
    # Docs of a few pages lack too many words for that.
    assert is_answered("is the glaze dried on a rack of helicopters", others=0)


def test_the_name_of_the_subject_is_left_out_of_what_is_absent() -> None:
    home = Section.of([replace(chunk("", "", "Kilnworks is a tool.", 0), title="Kilnworks", breadcrumb=("Kilnworks",))])
    statistics = Statistics.of([*(candidate.section for candidate in SECTIONS), home])
    hits = hits_of(score_sections(asked_of("dry glaze", statistics), SECTIONS), 10)
    assert {
        text: features(asked_of(text, statistics), hits)["absent"]
        for text in ("glaze helicopter", "kilnworks glaze helicopter", "kilnworks", "helicopter")
    } == {"glaze helicopter": 0.5, "kilnworks glaze helicopter": 0.5, "kilnworks": 0.0, "helicopter": 1.0}


def test_the_word_that_docs_make_of_a_verb_and_its_particle_makes_no_other_word_less_absent() -> None:
    forms = (Section.of([chunk(f"{number}/", "a", "A signup, to sign.", 0)]) for number in range(2))
    statistics = Statistics.of([*(candidate.section for candidate in SECTIONS), *forms])
    hits = hits_of(score_sections(asked_of("dry glaze", statistics), SECTIONS), 10)
    asked = asked_of("sign up a helicopter", statistics)
    assert asked.plan.with_particle == (("sign", "signup"),)
    assert features(asked, hits)["absent"] == features(asked_of("sign a helicopter", statistics), hits)["absent"] == 0.5


@pytest.mark.parametrize(("margin", "counted"), [(0.05, 0.05), (0.3, MAX_TEXT_MARGIN)])
def test_a_margin_counts_up_to_a_bound(margin: float, counted: float) -> None:
    values = {"word_share": 0.5, "margin": margin, "absent": 0.2, "page": 1.0, "linked": 1.0, "score": 0.4}
    features = text_features(values)
    assert features == {"word_share": 0.5, "margin": counted, "absent": 0.2}
    assert features.keys() == BY_TEXT.keys() - {""}
