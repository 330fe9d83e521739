"""What a question is but words: a name that it asks for, or keywords."""

from __future__ import annotations

import pytest

from trueref_server.question.plan import make_plan
from trueref_server.records import Question


@pytest.mark.parametrize(
    ("text", "language", "asks"),
    [
        ("--strict", "en", True),
        ("What does --strict do?", "en", True),
        ("Wie kann ich --strict verwenden?", "de", True),
        ("Comment puis-je utiliser --strict ?", "fr", True),
        ("--import --import-mode --import-path default", "en", True),  # one is the beginning of another
        ("How do I make the build fail on a warning with --strict?", "en", False),
        ("what goes in kiln.yml", "en", True),
        ("What does INHERIT_FROM do in kiln.yml?", "en", True),
        ("How can I use environment variables in kiln.yml?", "en", False),
        ("environment variables of kiln.yml", "en", True),
        ("cats and/or dogs", "en", False),
        ("e.g. pizza", "en", False),
        ("U.S. holidays", "en", False),
        ("it's 5pm:what now", "en", False),
        ("How do I make the build fail?", "en", False),
    ],
)
def test_a_question_may_ask_for_little_more_than_an_identifier(text: str, language: str, asks: bool) -> None:
    assert make_plan(Question(text, language=language), "en").asks_for_identifier is asks


@pytest.mark.parametrize(
    ("text", "is_keywords"),
    [
        ("retry policy", True),
        ("Install", True),
        ("what is a retry", False),
        ("", False),
        ("five words are too many here", False),
    ],
)
def test_keywords_are_few_words_that_tell_a_topic(text: str, is_keywords: bool) -> None:
    assert make_plan(Question(text), "en").is_keywords is is_keywords
