"""An excerpt that refers to an example before it: `As shown in the above example` is understood only with that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trueref_server.answering.excerpts.beginnings import refers_to_example
from trueref_server.answering.excerpts.excerpt import MAX_EXAMPLE_LINES, excerpt
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.sections.passage import Panel, Passage
from trueref_server.records import ExcerptBlock


def paragraph(text: str) -> Passage:
    return Passage("paragraph", (ExcerptBlock("prose", text),))


def example(code: str) -> Passage:
    return Passage("code", (ExcerptBlock("prose", "Pass a pattern to it:"), ExcerptBlock("code", code)))


RELEVANCE = Relevance({"pattern": 1.0}, (), "en")

NOTE = Passage("admonition", (ExcerptBlock("prose", "Mind this. " * 60, "Note"),))
"""So long that what stands before it is not shown for its own sake."""


def shown(*section: Passage) -> str:
    """What is shown if the passage after the note answers."""
    answer_number = section.index(NOTE) + 1
    blocks = excerpt(section, answer_number, RELEVANCE)
    return "\n".join(block.text for block in blocks)


@pytest.mark.parametrize(
    "text",
    [
        "The pattern is searched for, so that in the above example `123` would do.",
        "Several can be given, a line for each, as the code above shows.",
        "The behavior of the above configuration is as follows.",
        "What differs from those lines is the order.",
        "What is different in this example is the order.",
    ],
)
def test_the_example_that_a_text_refers_to_is_shown_before_it(text: str) -> None:
    excerpted = shown(paragraph("Filler. " * 80), example("with raises(match='123')"), NOTE, paragraph(text))
    assert excerpted == f"Pass a pattern to it:\nwith raises(match='123')\n{text}"


def test_what_stands_last_gives_way_to_the_example() -> None:
    more = "More of it. " * 48
    excerpted = shown(example("call()"), NOTE, paragraph("As in the above example. " * 8), paragraph(more))
    assert excerpted.startswith("Pass a pattern")
    assert "More of it" not in excerpted


def test_an_example_further_up_is_another_one() -> None:
    section = (example("call()"), paragraph("Filler. " * 80), NOTE, paragraph("As in the above example."))
    assert shown(*section) == "As in the above example."


@pytest.mark.parametrize(
    "text",
    [
        "The pattern is searched for.",
        "Patterns are searched for. The above example has one.",
        "A page above the fold has no example.",
        "Above all, patterns are searched for.",
        "Patterns are searched for as shown above.",
    ],
)
def test_no_example_is_shown_before_a_text_that_does_not_begin_with_a_reference_to_it(text: str) -> None:
    assert "call()" not in shown(example("call()"), NOTE, paragraph(text))


def test_an_example_that_is_too_long_is_not_shown() -> None:
    lines = "\n".join(f"line {number}" for number in range(MAX_EXAMPLE_LINES))
    other = Passage("code", (ExcerptBlock("prose", "As the example above shows:"), ExcerptBlock("code", "other = 1")))
    assert shown(example(lines), NOTE, other).startswith("As the example")


def test_an_example_that_itself_refers_back_does_not_begin_an_excerpt() -> None:
    continuing = Passage("code", (ExcerptBlock("prose", "It may also be:"), ExcerptBlock("code", "call()")))
    section = (paragraph("Filler. " * 80), continuing, NOTE, paragraph("As the above example shows."))
    assert shown(*section) == "As the above example shows."


@pytest.mark.parametrize(
    "text",
    [
        "For the pattern, start with this example:",  # the example that follows
        "The exit code of the previous command is stored in $?.",
        "Restore the previous configuration with undo.",
        "Command output above 80 columns is wrapped.",
    ],
)
def test_a_text_that_only_sounds_as_if_it_referred_to_an_example_has_none(text: str) -> None:
    assert "call()" not in shown(example("call()"), NOTE, paragraph(text), example("own()"))


def test_a_text_may_refer_to_one_example_and_announce_another() -> None:
    assert refers_to_example(paragraph("In the above example the pattern is set. To change it:"))
    assert not refers_to_example(paragraph("For the pattern, start with this example:"))


def test_code_refers_to_no_example() -> None:
    comment = Passage("code", (ExcerptBlock("code", "# In the above example"),))
    assert "call()" not in shown(example("call()"), NOTE, comment)


def test_the_example_of_a_hidden_panel_is_not_shown() -> None:
    panels = [
        replace(example(f"{name}_call()"), panels=(Panel("t1", str(at)),))
        for at, name in enumerate(("linux", "mac"), 1)
    ]
    excerpted = shown(paragraph("Filler. " * 80), *panels, NOTE, paragraph("So as in the above example."))
    assert "linux_call()" in excerpted
    assert "mac_call()" not in excerpted


def test_an_example_under_another_heading_is_another_one() -> None:
    note = replace(NOTE, begins=True)
    blocks = excerpt([example("call()"), note, paragraph("As in the above example.")], 2, RELEVANCE)
    assert "call()" not in [block.text for block in blocks]


def test_an_excerpt_that_a_heading_begins_needs_no_example() -> None:
    first = Passage("paragraph", (ExcerptBlock("prose", "As in the above example."),), begins=True)
    assert shown(example("call()"), NOTE, first) == "As in the above example."
