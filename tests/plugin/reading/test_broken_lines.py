"""Paragraphs whose authors indented all lines but the first, so that docutils took the first for a term."""

from __future__ import annotations

import pytest
from tests.plugin.reading.test_block_roles import rows


def entry(term: str, description: str) -> str:
    return f"<dl><dt>{term}</dt><dd>{description}</dd></dl>"


@pytest.mark.parametrize(
    ("term", "description"),
    [
        ("How to find out where the kiln is", "Run which kiln."),
        ("What the name of a glaze is", "A word."),
        ("How to tell what a pot is made of", "Weigh it."),
        ("Pots that the kiln can fire and those it must", "Any."),
        ("error: could not open lock file", "another build is running"),
        ("fatal: not a git repository here", "the folder has no .git"),
        ("fatal: the repository on the server does not accept this push", "someone else holds the lock"),
        ("kiln fire all pots in", "a folder."),
    ],
)
def test_a_term_that_may_be_complete_is_a_term(term: str, description: str) -> None:
    assert [role for role, *_ in rows(entry(term, description))] == ["term", "text"]


def test_a_list_of_messages_is_a_list_of_terms() -> None:
    messages = [
        "error: could not open lock file",
        "error: the kiln is too cold to open",
        "fatal: no clay was found in it",
    ]
    body = "".join(f"<dt>{message}</dt><dd>another build is running</dd>" for message in messages)
    assert [text for role, _, _, text in rows(f"<dl>{body}</dl>") if role == "term"] == messages


@pytest.mark.parametrize(
    ("term", "description"),
    [
        ("wait (int): How many seconds to wait", "for the kiln."),
        ("**pots (Dict, list[Pot]): What to fire in this", "kiln."),
        ("The names of the handlers of task_prerun and", "Task_postrun."),
        ("The clay that the kiln is filled with and which must be", "dry."),
        ("If a pot breaks while it is being fired at night,", "it is taken out."),
    ],
)
def test_a_line_that_breaks_off_is_one_paragraph_with_its_description(term: str, description: str) -> None:
    for shown in (description, f"<p>{description}</p>"):
        assert [(role, text) for role, _, _, text in rows(entry(term, shown))] == [("text", f"{term} {description}")]


@pytest.mark.parametrize(
    "hidden",
    [
        '<p style="display:none">hidden</p>',
        "<p class=headerlink>hidden</p>",
        "<span hidden>hidden</span>",
        "<!-- a -->",
    ],
)
def test_what_readers_do_not_see_does_not_begin_the_description(hidden: str) -> None:
    for term in ("wait (int): How many seconds to wait for the", "wait (int): How many seconds to wait"):
        for shown in ("<p>answer</p>", "answer"):
            found = rows(entry(term, hidden + shown))
            assert [(role, text) for role, _, _, text in found] == [("text", f"{term} answer")]


def test_a_line_does_not_go_on_in_the_description_of_another_term() -> None:
    body = (
        "<dl><dt>wait (int): How many seconds to wait for the</dt><dd hidden>answer</dd><dd><p>Hot.</p></dd>"
        "<dt>Clay</dt><dd><p>Dry.</p></dd></dl>"
    )
    assert [(role, text) for role, _, _, text in rows(body)] == [
        ("term", "wait (int): How many seconds to wait for the"), ("text", "Hot."), ("term", "Clay"), ("text", "Dry."),
    ]  # fmt: skip
