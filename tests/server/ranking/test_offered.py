"""Questions that the widget offers: each is made of a heading, and is answered by the section under it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.handmade import chunk

from trueref_server.corpus.corpus import Section, Statistics
from trueref_server.question.plan import make_plan
from trueref_server.ranking import signals
from trueref_server.ranking.confidence import ANSWER_FROM, ANSWER_UNREAD, confidence
from trueref_server.ranking.confidence_features import features
from trueref_server.ranking.rank import hits_of, score_sections
from trueref_server.ranking.signals import ON_ANOTHER_PAGE, Candidate
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Question

SAYS_LITTLE = "It depends on what runs where, so look around first."


def titled(title: str, page: str = "guide/", text: str = SAYS_LITTLE) -> Candidate:
    anchor = title.lower().replace(" ", "-")
    return Candidate(Section.of([replace(chunk(page, anchor, text, 0), title=title)]))


def asking(text: str, *candidates: Candidate, page: str | None = None) -> WeightedQuestion:
    statistics = Statistics.of([candidate.section for candidate in candidates])
    return WeightedQuestion(make_plan(Question(text, page=page), "en", statistics), statistics)


@pytest.mark.parametrize(
    ("question", "title", "is_offered"),
    [
        ("How do I change the fonts?", "Changing the fonts", True),
        ("how do i change  the Fonts", "Changing the fonts", True),
        ("How do I make queries?", "Making queries", True),
        ("What is a theme?", "What is a theme?", True),
        ("How do I set up my site?", "Setting up your site", True),
        ("How do I change the fonts!", "Changing the fonts", True),
        ("Hello, what is a theme?", "What is a theme?", True),
        ("How do I change the colors?", "Changing the fonts", False),
        ("?", "？", False),
        ("How do I change the fonts of a heading?", "Changing the fonts", False),
        ("Fonts", "Fonts", False),
    ],
)
def test_a_question_is_offered_by_the_heading_that_it_is_made_of(question: str, title: str, is_offered: bool) -> None:
    section = titled(title)
    assert (signals.offered(asking(question, section), section) > 0) is is_offered


def test_a_section_that_has_nothing_but_its_heading_offers_no_question() -> None:
    section = titled("Changing the fonts", text="See below.")
    assert signals.offered(asking("How do I change the fonts?", section), section) == 0


def test_the_section_that_offers_a_question_comes_before_one_with_more_of_its_words() -> None:
    own = titled("Moving pages up or down")
    other = titled(
        "Old versions", text="To move a page up or down, move the pages: how do I move pages up or down? So."
    )
    question = asking("How do I move pages up or down?", own, other)
    hits = hits_of(score_sections(question, [other, own]), 10)
    assert [hit.chunk.title for hit in hits] == ["Moving pages up or down", "Old versions"]
    # Its card is an answer, however little else speaks for it.
    assert confidence(question, hits, max_sim=0.0) == ANSWER_FROM
    assert confidence(question, hits) >= ANSWER_UNREAD


def test_a_question_that_points_to_its_page_is_offered_there_too() -> None:
    # It is read with words of the page.
    section = titled("Was this page helpful?")
    question = asking("Was this page helpful?", section)
    on_its_page = replace(question, plan=replace(question.plan, query="Was this page helpful? site analytics"))
    assert signals.offered(on_its_page, section) > 0


def test_that_a_question_is_offered_tells_nothing_about_the_text() -> None:
    own, others = titled("Changing the fonts"), [titled(f"Other {number}") for number in range(9)]
    question = asking("How do I change the fonts?", own, *others)
    hits = hits_of(score_sections(question, [own, *others]), 10)
    without = [replace(hit, signals={**hit.signals, "offered": 0.0}) for hit in hits]
    without = [replace(hit, score=sum(hit.signals.values())) for hit in without]
    assert features(question, hits)["margin"] == pytest.approx(features(question, without)["margin"])


def test_of_several_such_headings_that_of_the_readers_page_comes_first() -> None:
    text = "To publish packages, publish the packages: it publishes packages."
    here, elsewhere = titled("Publishing packages", "jfrog/"), titled("Publishing packages", "azure/", text)
    question = asking("How do I publish packages?", here, elsewhere, page="jfrog/")
    assert (signals.offered(question, here), signals.offered(question, elsewhere)) == (1.0, ON_ANOTHER_PAGE)
    hits = hits_of(score_sections(question, [elsewhere, here]), 10)
    assert [hit.page for hit in hits] == ["jfrog/", "azure/"]
