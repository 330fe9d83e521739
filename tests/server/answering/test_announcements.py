"""Lines that only announce something: what follows or is not shown, what a page is about, or where it is explained."""

from __future__ import annotations

import pytest
from tests.server.answering.test_passages import Row, read
from tests.server.competing import first, found

from trueref_server.answering.sections.announcements import points_elsewhere


@pytest.mark.parametrize(
    "announcing",
    [
        "This guide describes how to fire a kiln of clay with gas.",
        "This page will show you how to fire a kiln with gas.",
        "This section covers the steps to fire a kiln with gas.",
        "This section lists the parts of firing a kiln with gas.",
    ],
)
def test_what_only_says_what_its_page_is_about_loses_to_what_says_it(announcing: str) -> None:
    says = found(2, "Open the gas, light the kiln, and fire the clay until it glows.")
    assert first("How do I fire a kiln with gas?", found(1, announcing), says)[0] == "s2"
    # With text behind it, it does not only say so.
    assert (
        first(
            "How do I fire a kiln with gas?",
            found(1, f"{announcing} {'Light it first, and wait until it glows. ' * 4}"),
            says,
        )[0]
        == "s1"
    )


def test_what_says_what_a_page_of_a_program_shows_is_no_announcement() -> None:
    says = "This page shows the status of each kiln and lets you stop it."
    assert first("Which page shows the status of a kiln?", found(1, says), found(2, "A kiln has a status."))[1] == says
    assert not points_elsewhere(says)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("Read the `kiln` docs to learn about gas.", True),
        ("Check out the guide for more.", True),
        ("Please read our migration guide.", True),
        ("Read more in our guide:", True),
        ("Read the file line by line.", False),
        ("Read data from the API documentation file into memory.", False),
        ("Read rows from the docs table.", False),
        ("Check out the docs branch before you build.", False),
        ("Check out a branch. The docs are in it.", False),
        ("This section lists the supported platforms:", True),
        ("This section lists the platforms, which change.", True),
        ("This section lists the files in `a:b`.", True),
        # It names what it announces.
        ("This section lists the supported platforms: Linux, macOS and Windows.", False),
        ("This section lists the platforms Linux, macOS and Windows.", False),
        ("This section lists the fuels gas, wood, oil.", False),
        ("This section describes the format of the configuration file: keys are names.", False),
    ],
)
def test_a_line_that_sends_to_other_docs_or_announces_its_page_points_elsewhere(text: str, points: bool) -> None:
    assert points_elsewhere(text) is points


@pytest.mark.parametrize("note", ["added in `0.0.5`", "New 9.7", "Added since 2.0"])
def test_a_note_that_only_names_a_version_is_furniture(note: str) -> None:
    assert read(("prose", note, "text", "a1"), ("prose", "The folder of the cache.")) == [
        ("paragraph", "The folder of the cache.")
    ]


@pytest.mark.parametrize("kept", ["New in version 3.0 is the palette.", "New kilns"])
def test_a_note_that_says_more_than_a_version_is_shown(kept: str) -> None:
    assert read(("prose", kept, "text", "a1")) == [("admonition", kept)]


def test_a_line_that_announces_what_is_not_shown_is_left_out() -> None:
    box: Row = ("list", "- Colors\n- Fonts", "links")
    assert read(("prose", "It has no options. See for usage:"), box, ("prose", "More.")) == [
        ("paragraph", "It has no options."),
        ("paragraph", "More."),
    ]
    assert read(("prose", "Text."), ("prose", "These properties are there:")) == [("paragraph", "Text.")]
    assert read(("prose", "These properties are there:")) == []
    # A picture stood between the two.
    guide = ("See our guide on colors. " * 5).strip()
    assert read(("prose", "Click on a tile to change the color:"), ("prose", guide)) == [("paragraph", guide)]
    address = read(("prose", "It is here:"), ("prose", "https://example.org/"))
    assert address == [("paragraph", "It is here:", "https://example.org/")]
