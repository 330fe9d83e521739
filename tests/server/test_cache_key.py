"""What makes two questions the same: no two conversations share an answer."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trueref_server.answer_cache.key import WITHOUT_EFFECT, cache_key, normalized, settings_digest
from trueref_server.records import Exchange, Question
from trueref_server.settings import Settings

# Few characters, those that could end a field among them, so that texts that nearly meet are tried often.
TEXTS = st.text(st.sampled_from('ab -\n\t:s1"\\,\x00\ud800\udc00\U00010000é'), max_size=6)
OPTIONAL = st.none() | TEXTS
EXCHANGES = st.builds(Exchange, TEXTS, TEXTS)
QUESTIONS = st.builds(Question, TEXTS, st.lists(EXCHANGES, max_size=3).map(tuple), OPTIONAL, OPTIONAL, OPTIONAL)
DIGEST = settings_digest(Settings())


def key(question: Question, generation: str = "g", settings: str = DIGEST) -> str:
    return cache_key(question, generation, settings)


@given(QUESTIONS, QUESTIONS, TEXTS, TEXTS)
@example(Question("a", (Exchange("b", "c"),)), Question("a", (Exchange("b"), Exchange("c"))), "", "")
@example(Question("a", (Exchange("bc"),)), Question("a", (Exchange("b", "c"),)), "", "")
@example(Question("a", page="b"), Question("a", version="b"), "", "")
@example(Question("a", page=""), Question("a"), "", "")
@example(Question("\U00010000"), Question("\ud800\udc00"), "", "")
def test_keys_are_the_same_where_all_is_the_same(one: Question, other: Question, first: str, second: str) -> None:
    is_same = (replace(one, text=normalized(one.text)), first) == (replace(other, text=normalized(other.text)), second)
    assert (key(one, first) == key(other, second)) == is_same


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("How do I  start?", " How do I start? ", True),
        ("How do\tI start?\n", "How do I start?", True),
        ("What is -I?", "What is -i?", False),
        ("What is this?\n\n  File a.py\n", "What is this?\n  File a.py", True),
        # The indented line is a frame of a traceback, the other one its message: they are read differently.
        ("Why?\n  File a.py\nE: b", "Why?\nFile a.py\nE: b", False),
        ("Why?\nE: b", "Why? E: b", False),
    ],
)
def test_questions_that_differ_in_spaces_that_change_nothing_share_a_key(one: str, other: str, is_same: bool) -> None:
    assert (key(Question(one)) == key(Question(other))) == is_same


@given(TEXTS)
def test_a_normalized_question_is_normalized_to_itself(text: str) -> None:
    assert normalized(normalized(text)) == normalized(text)


OTHER: dict[str, Any] = {"weights": {"a/*": 0.5}, "synonyms": {"a": ("b",)}, "model_prompts": None}


@pytest.mark.parametrize("name", sorted(option.name for option in fields(Settings)))
def test_every_setting_counts_unless_it_is_listed(name: str, tmp_path: Path) -> None:
    (tmp_path / "system.jinja").write_text("Be brief.")
    now = getattr(Settings(), name)
    changed: Any = OTHER.get(name, (now + 1) if isinstance(now, int) else f"{now}x")
    value: dict[str, Any] = {name: tmp_path if name == "model_prompts" else changed}
    settings = replace(Settings(), **value)
    assert (settings_digest(settings) == DIGEST) == (name in WITHOUT_EFFECT)


def test_a_template_that_changed_counts(tmp_path: Path) -> None:
    settings = Settings(model_prompts=tmp_path)
    (tmp_path / "system.jinja").write_text("Be brief.")
    before = settings_digest(settings)
    (tmp_path / "system.jinja").write_text("Be long.")
    assert settings_digest(settings) != before


def test_the_order_of_a_table_does_not_count() -> None:
    one, other = (Settings(weights=dict(pairs)) for pairs in ([("a", 0.1), ("b", 0.2)], [("b", 0.2), ("a", 0.1)]))
    assert settings_digest(one) == settings_digest(other)
