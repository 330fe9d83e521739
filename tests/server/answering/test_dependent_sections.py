"""What depends on the text before it, and names that only look so."""

from __future__ import annotations

import pytest

from trueref_server.answering.excerpts.beginnings import needs_previous
from trueref_server.answering.neighbours import depends_on_previous
from trueref_server.answering.sections.passage import Passage
from trueref_server.records import ExcerptBlock


def paragraph(text: str) -> Passage:
    return Passage("paragraph", (ExcerptBlock("prose", text),))


@pytest.mark.parametrize(
    "text",
    [
        "It is set by the palette.",
        "This has no effect.",
        "You can also use a file.",
        "The same way, fonts are loaded.",
        "However, the cache stays.",
        "In this case nothing is written.",
        "If so, restart it.",
        "For example, `a` is one.",
        "Alternatively, set the option.",
        "The `--system` flag is also used to install into the system.",
        "with content that defines the targets.",
        "will print the palette.",
        "In addition, fonts are loaded.",
        "In addition to this, fonts are loaded.",
        "Instead, fonts are loaded.",
        "Instead of doing so, load the fonts.",
        "Besides, fonts are loaded.",
        "Besides these, fonts are loaded.",
        "In a case like above, the palette may be empty.",
        "Note, that this will not work at night.",
        "Please note that it may be slow.",
    ],
)
def test_a_text_that_points_back_needs_previous(text: str) -> None:
    assert needs_previous(paragraph(text))


@pytest.mark.parametrize(
    "text",
    [
        "Italic text is read as it is.",
        "Thesaurus files are loaded.",
        "You set it in the file.",
        "Install it.",
        "The `--system` flag installs into the system.",
        "Next.js supports static export.",
        "It-tools is a collection.",
        "With content that defines the targets.",
        "is_light tells which palette is used.",
        "at(0) is the first.",
        "In addition to the options of all palettes, the dark one has the following:",
        "In addition to `color`, set the palette.",
        "Instead of a color, name a palette.",
        "Besides colors, a palette has fonts.",
        "In contrast to colors, fonts are loaded.",
        "In a case like a missing file, the palette is empty.",
        "Please read the notes first.",
    ],
)
def test_a_text_that_stands_alone_can_begin_an_excerpt(text: str) -> None:
    assert not needs_previous(paragraph(text))


@pytest.mark.parametrize(
    "text", ["Next.js supports static export.", "Or-Tools solves it.", "Then-able objects are awaited."]
)
def test_a_section_that_begins_with_a_name_depends_on_none(text: str) -> None:
    assert not depends_on_previous([paragraph(text)])
    assert depends_on_previous([paragraph(text.replace(".js", ",").replace("-", " "))])
