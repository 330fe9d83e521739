"""Sections whose author divides them by bold lines, such as `Arguments` and `Example`, which no link leads to."""

from __future__ import annotations

from dataclasses import replace

from tests.server.answering.test_excerpt import asking
from tests.server.answering.test_passages import section

from trueref_core.records import Chunk
from trueref_server.answering.excerpts.excerpt import excerpt
from trueref_server.answering.sections.passages import passages

METHOD = section(
    ("prose", "Called after a firing."),
    ("prose", "Arguments", "heading"),
    ("list", "- `kiln`: the kiln that was fired."),
    ("prose", "Example", "heading"),
    ("code", "def on_fired(kiln):\n    cool(kiln)"),
)


def shown(chunks: list[Chunk], answer_number: int = 0) -> list[str]:
    return [block.caption or block.text for block in excerpt(passages(chunks), answer_number, asking("fire"))]


def test_a_section_that_fits_on_a_screen_is_shown_with_all_its_parts() -> None:
    assert shown(METHOD) == shown(METHOD, 2) == ["Called after a firing.", "Arguments", "Example"]


def test_of_a_longer_section_the_part_that_answers_is_shown() -> None:
    arguments = replace(METHOD[2], text="- `kiln`: the kiln. " + "It is hot. " * 60)
    assert shown([*METHOD[:2], arguments, *METHOD[3:]]) == ["Called after a firing."]


def test_what_stands_behind_a_gap_is_not_shown_with_it() -> None:
    behind = replace(METHOD[4], previous="elsewhere")
    assert shown([*METHOD[:3], behind]) == ["Called after a firing.", "Arguments"]
    further = replace(METHOD[2], text="- `door`: of the kiln.")
    assert shown([*METHOD[:3], behind, further]) == ["Called after a firing.", "Arguments"]


def test_a_line_and_the_list_that_it_introduces_begin_below_their_heading() -> None:
    chunks = section(
        ("prose", "Compression", "heading"),
        ("prose", "Loads are compressed. " * 3),
        ("prose", "Cooling", "heading"),
        ("prose", "To cool the kiln, do this:"),
        ("list", "1. Open the door."),
        ("prose", "Repairs", "heading"),
        ("prose", "Call the maker. " * 60),
    )
    answer = passages(chunks)[1]
    assert (answer.begins, answer.is_titled) == (True, True)
    # What stands under the heading above is not shown before it.
    assert shown(chunks, 1) == ["Cooling", "1. Open the door."]


def test_a_heading_in_a_box_is_none_of_what_stands_behind_the_box() -> None:
    chunks = section(
        ("prose", "It cools."),
        ("prose", "In the box", "heading", "a1"),
        ("prose", "It burns.", "text", "a1"),
        ("prose", "It rests."),
    )
    assert [passage.heading for passage in passages(chunks)] == ["", "In the box", ""]


def test_each_passage_knows_the_last_heading_above_it() -> None:
    chunks = section(
        ("prose", "It cools."), ("prose", "Kiln > Example", "heading"), ("prose", "An oven."), ("prose", "Hot.")
    )
    assert [passage.heading for passage in passages(chunks)] == ["", "Kiln > Example", "Kiln > Example"]
