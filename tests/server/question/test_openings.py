"""Phrases before a question that only ask: their words are no words of the question."""

from __future__ import annotations

import pytest

from trueref_server.question.openings import without_openings
from trueref_server.question.plan import make_plan
from trueref_server.question.pointing import refers_to_earlier
from trueref_server.question.question_text import asks_whether
from trueref_server.records import Question


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        # What follows is complete by itself.
        ("does anyone know how to fire a kiln?", "how to fire a kiln?"),
        ("any idea why the fan stops?", "why the fan stops?"),
        ("I can't figure out how to fire twice", "how to fire twice"),
        ("so, does anyone know how to fire?", "how to fire?"),
        ("but can someone explain cones", "cones"),
        ("does anyone know: how to fire?", "how to fire?"),
        ("does anyone of you know how to fire?", "how to fire?"),
        ("I\u2019m not sure whether cones melt", "is it so that cones melt"),
        ("my boss wants to know if kilns are safe", "is it so that kilns are safe"),
        ("my boss wants me to find out if kilns are safe", "is it so that kilns are safe"),
        ("my boss told us to find out how kilns fire", "how kilns fire"),
        ("please tell me which cone melts first", "which cone melts first"),
        ("is there any chance that cones melt?", "is it so that cones melt?"),
        ("can you tell me, does it need a fan?", "does it need a fan?"),
        ("sorry if this is basic, but does anyone know where the fan is?", "where the fan is?"),
        ("noob question: where is the fan?", "where is the fan?"),
        ("I've been trying for two days to find out why the fan stops", "why the fan stops"),
        ("what is the reason that the fan stops?", "why the fan stops?"),
        # What is wanted stands behind it.
        ("what's the best way to fire twice?", "how do i fire twice?"),
        ("what are the recommended ways to fire twice", "how do i fire twice"),
        ("what do I need to do to fire twice?", "how do i fire twice?"),
        ("can anybody here help me fire twice?", "how do i fire twice?"),
        ("is it possible to fire twice?", "is there a way to fire twice?"),
        ("does anyone know if it's possible to fire twice?", "is there a way to fire twice?"),
        ("Is there any chance to fire twice", "is there a way to fire twice"),
        ("looking for an easy way to fire twice", "is there a way to fire twice"),
        ("is it okay to fire twice?", "can i fire twice?"),
        ("I've been trying for hours to fire twice", "i am trying to fire twice"),
        ("spent all day trying to fire twice", "i am trying to fire twice"),
        ("my boss asked me to fire twice", "i want to fire twice"),
        # Nothing but a topic is named.
        ("can someone explain cones?", "cones?"),
        ("I'm struggling with cones", "cones"),
        ("having trouble firing cones", "firing cones"),
        ("I have a quick question about cones", "cones"),
        ("I want to know more about cones", "cones"),
        ("where can I find information on cones?", "cones?"),
        ("can you tell me the heat of cones", "the heat of cones"),
        # A way to learn something is asked for, and stays.
        ("find out whether a cone melted", "how do i know if a cone melted"),
        ("can you tell if a cone melted?", "how do i know if a cone melted?"),
        ("could anyone tell whether a cone melted?", "how do i know if a cone melted?"),
        ("can you tell me if a cone melted?", "is it so that a cone melted?"),
        ("how can I tell if a cone melted?", "how can I know if a cone melted?"),
        ("I want to find out if a cone melted", "i want to know if a cone melted"),
    ],
)
def test_a_phrase_that_only_asks_is_left_out(text: str, bare: str) -> None:
    assert without_openings(text) == bare
    assert make_plan(Question(text), "en").query == bare


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("does anyone know\nhow to fire a kiln", "how to fire a kiln"),
        ("Can someone  explain cones", "cones"),
        ("Hi!\n\ndoes anyone know\nhow to fire\n\nthanks", "how to fire"),
        (
            'can someone explain\nTraceback (most recent call last):\n  File "a.py", line 3\nKilnError: no cone',
            "KilnError: no cone",
        ),
    ],
)
def test_line_breaks_and_spaces_in_a_phrase_count_for_nothing(text: str, query: str) -> None:
    assert make_plan(Question(text), "en").query == query


def test_a_question_whether_something_is_so_stays_one() -> None:
    plan = make_plan(Question("does anyone know whether kilns crack cones"), "en")
    assert asks_whether(plan.query)
    assert not plan.is_keywords
    assert plan.words == ("kilns", "crack", "cones")
    assert not refers_to_earlier(plan.query)
    assert refers_to_earlier(without_openings("does anyone know whether it cracks"))


@pytest.mark.parametrize(
    "text",
    [
        "best practices",
        "so, how do I fire twice?",
        "best way of firing",
        "find renames",
        "find out",
        "explain query plan",
        "know how",
        "help command",
        "the boss wants to know",
        "is it safe to fire twice?",
        "how do I check if a cone melted?",
        "stuck in a loop",
        "trouble with cones",
        "I don't get a response",
        "my client wants to connect",
        "the possible values",
        # Nothing would be left.
        "can someone explain this?",
        "can you tell me how it is",
        "please help me",
    ],
)
def test_words_that_are_a_topic_stay(text: str) -> None:
    assert without_openings(text) == text
