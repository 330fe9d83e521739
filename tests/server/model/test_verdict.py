"""Which texts of a model are refusals."""

from __future__ import annotations

import pytest
from tests.work import is_linear

from trueref_server.model.checking.verdict import announces_only, is_refusal


@pytest.mark.parametrize(
    "text",
    [
        "Sources [1] do not mention how to do that.",
        "The provided sources don't specify a default.",
        "The documentation does not cover this. [1]",
        "The docs doesn't explicitly say.",
        "The given context does not contain information about proxies.",
        "Based on the documentation, there is no mention of it.",
        "Unfortunately, the passages do not describe it.",
        "The sources provide no details on that.",
        "There is no information about dark mode.",
        "No information about it was found in the provided context.",
        "Nothing in the sources explains it.",
        "The option is not mentioned in the documentation.",
        "This is not explicitly covered by the provided docs.",
        "I'm sorry, I cannot answer that. [1]",
        "I am unable to find it.",
        "I don't know.",
        "I do not have enough information to answer.",
        "I have no information on that.",
        "Sorry, but we can't help with that.",
        "Unable to answer from the sources.",
        "This question cannot be answered.",
        "The provided text does not mention whether dark mode follows the system. [1]",
        "It is not specified whether dark mode follows the system. [1]",
        "Whether dark mode follows the system is not mentioned. [1]",
        "None of the provided sources mention whether dark mode follows the system.",
        "No information is available on that.",
    ],
)
def test_what_a_model_says_instead_of_an_answer_is_a_refusal(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "Dark mode is not switched on by default and no option contains it: it is switched on with the palette toggle. [1]",
        "Set `--no-sync` to skip it; the lockfile section describes how. [1]",
        "uv does not provide a `shell` command; run the script that activates the environment. [1]",
        "The command cannot find an interpreter unless one is installed. [1]",
        "No information is sent to the server. [1]",
        "If the section does not contain a name, the build fails. [1]",
        "The build does not include hidden pages. [1]",
        "There is no option for it: set the variable. [1]",
        "Use `the docs do not mention` as the phrase. [1]",
        "We don't have to restart it, i.e. it cannot provide stale pages. [1]",
        "Dark mode is switched on with the palette toggle. " * 5 + "The sources do not mention more.",
    ],
)
def test_answers_that_deny_something_are_none(text: str) -> None:
    assert not is_refusal(text)


@pytest.mark.parametrize("piece", ["sources ", "no information ", "I ", "not ", "there is no ", "the docs do not "])
def test_a_long_text_is_judged_in_linear_time(piece: str) -> None:
    assert is_linear(is_refusal, piece, longest=200_000)


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("The answer is: [1]", True),
        ("[1]", True),
        ("**Steps:** [1]\n\n- Here they are:\n", True),
        ("The answer is: 8000 [1]", False),
        ("Set this: [1]\n\n```\nport:\n```\n", False),
        ("Yes. [1]", False),
    ],
)
def test_a_text_that_only_announces_is_no_answer(text: str, is_so: bool) -> None:
    """SmolLM2 wrote the first one to three of six questions, and readers were shown it."""
    assert announces_only(text) == is_so
