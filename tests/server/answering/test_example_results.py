"""What an example gives is left out where it only repeats the example."""

from __future__ import annotations

import pytest
from tests.server.answering.test_passages import Row, read

EXAMPLE = "/// note | Hot\nThe kiln is **hot** and must stay closed.\n///"


def test_the_rendered_form_of_an_example_is_left_out_with_its_title() -> None:
    rows: list[Row] = [
        ("code", EXAMPLE),
        ("prose", "Hot", "title", "a1"),
        ("prose", "The kiln is hot and must stay closed.", "text", "a1"),
        ("prose", "A note has a title."),
    ]
    assert read(*rows) == [("code", EXAMPLE), ("paragraph", "A note has a title.")]


def test_each_line_of_a_result_is_left_out_and_so_is_code_inside_an_example() -> None:
    assert read(("code", "#1\n\nkiln#1\n\nlab:kiln/oven#21"), ("prose", "#1"), ("prose", "kiln/oven#21")) == [
        ("code", "#1\n\nkiln#1\n\nlab:kiln/oven#21")
    ]
    assert read(("code", "```py\nfire()\n```"), ("code", "fire()")) == [("code", "```py\nfire()\n```")]


@pytest.mark.parametrize(
    "rows",
    [
        # It says more.
        [("code", EXAMPLE), ("prose", "The kiln is hot and must stay closed. Wait an hour.")],
        # It is in the example by chance.
        [("code", "print('fire')"), ("prose", "fire")],
        # A line says what it is.
        [("code", "print(fire)\n'fire'"), ("prose", "This gives:"), ("code", "'fire'")],
        # It is code for another system.
        [("code", "cd kiln\nfire\ncd ..", "text", "t1.1"), ("code", "fire", "text", "t1.2")],
        # The title is that of what follows.
        [("code", EXAMPLE), ("prose", "Hot", "title", "a1"), ("prose", "Wait an hour.", "text", "a1")],
    ],
)
def test_what_says_more_than_an_example_stays(rows: list[Row]) -> None:
    shown = "\n".join(text for passage in read(*rows) for text in passage)
    assert all(text in shown for _, text, *_ in rows)


@pytest.mark.parametrize(("note", "is_left_out"), [("New 9.7", True), ("Added since 2.0", True), ("New kilns", False)])
def test_a_box_that_only_says_in_which_version_something_is_new_is_left_out(note: str, is_left_out: bool) -> None:
    kinds = [passage[0] for passage in read(("prose", note, "text", "a1"), ("prose", "A kiln is hot."))]
    assert (len(kinds) == 1) is is_left_out
