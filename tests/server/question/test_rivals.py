"""What a question compares the docs' subject with, and which sections are about that."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from tests.server.handmade import chunk

from trueref_server.corpus.corpus import Section, Statistics
from trueref_server.question.plan import make_plan
from trueref_server.question.rivals import rival_of_subject
from trueref_server.question.usual_topics import RIVAL, title_value
from trueref_server.ranking.title_words import names_rival
from trueref_server.records import Question

SUBJECT = frozenset({"kiln"})
STATISTICS = Statistics(
    sections=200,
    section_counts=Counter(toaster=3, pro=150, cone=4, plate=3, hot=2, campfir=3, hint=1),
    subjects={"docs": SUBJECT},
    entries={"hint"},
)


@pytest.mark.parametrize(
    ("text", "rival"),
    [
        ("how is kiln different from toaster?", "toaster"),
        ("How does it compare to the Toaster Pro?", "toaster pro"),
        ("why should I use kiln instead of a toaster", "toaster"),
        ("why kiln and not toaster?", "toaster"),
        ("why not just use toaster?", "toaster"),
        ("kiln vs toaster", "toaster"),
        ("toaster vs. kiln for large pots", "toaster"),
        ("what is the difference between toaster and kiln?", "toaster"),
        ("is it better than toaster", "toaster"),
        ("advantages of kiln over toaster", "toaster"),
        ("how does kiln compare to a campfire", "campfire"),
        # What many sections name, or one describes, is of the docs, and what none names is not to be found.
        ("difference between kiln and cone", ""),
        ("kiln vs hint", ""),
        ("kiln vs microwave", ""),
        ("kiln vs toaster microwave", ""),
        # Nothing says that these are other programs.
        ("why not plate", ""),
        ("why not use plate", ""),
        ("why not just use a plate", ""),
        # Other things are compared, or the subject with nothing.
        ("cone vs plate", ""),
        ("why use cones instead of plates", ""),
        ("difference between kiln cones and plates", ""),
        ("how is this different from that?", ""),
        ("why not?", ""),
        ("why use kiln?", ""),
        ("why is kiln not hot", ""),
    ],
)
def test_the_rival_is_what_the_subject_is_compared_with(text: str, rival: str) -> None:
    assert rival_of_subject(text, STATISTICS) == rival
    plan = make_plan(Question(text), "en", STATISTICS)
    assert (plan.rival, plan.usual_topic == RIVAL) == (rival, bool(rival))


@pytest.mark.parametrize(
    ("title", "text", "is_about"),
    [
        ("Comparison", "A toaster is cheaper.", True),
        ("Features", "Kiln replaces a toaster.", True),
        ("Comparison", "A campfire is cheaper.", False),
        ("Kiln versus toaster", "One is cheaper.", True),
        ("Campfire vs sun", "Both are cheaper than a toaster.", False),
    ],
)
def test_a_section_about_the_rival_names_it(title: str, text: str, is_about: bool) -> None:
    made = replace(chunk("a/", "anchor", text, 0), title=title, breadcrumb=("About Kiln",))
    assert title_value(RIVAL, made, SUBJECT) > 0
    assert names_rival("toaster", Section.of([made])) is is_about
    assert names_rival("", Section.of([made]))


def test_each_section_of_the_alternatives_may_be_about_the_rival() -> None:
    made = replace(chunk("a/", "anchor", "A toaster is cheaper.", 3), title="Toaster", breadcrumb=("Alternatives",))
    assert title_value(RIVAL, made, SUBJECT) > 0
    assert title_value("alternatives", made, SUBJECT) == 0
