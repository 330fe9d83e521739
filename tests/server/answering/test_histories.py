"""Entries as API references in Markdown write them: a folded history, then the parameters, then what it does."""

from __future__ import annotations

import pytest
from tests.server.answering.test_excerpt import asking, paragraph
from tests.server.answering.test_passages import section
from tests.server.competing import asked, found

from trueref_core.records import Chunk
from trueref_server.answering.candidates import PassageCandidate, SectionPassages
from trueref_server.answering.excerpts.excerpt import excerpt
from trueref_server.answering.passage_signals import aside
from trueref_server.answering.sections.histories import is_history
from trueref_server.answering.sections.passage import Passage
from trueref_server.answering.sections.passages import passages
from trueref_server.records import ExcerptBlock

HISTORY = "| Version | Changes |\n| --- | --- |\n| v4.2.0 | The firing may be stopped. |\n| v1.0.0 | Added in: v1.0.0 |"
LONG = " ".join(["Of the clay, and of the glaze that is on it."] * 8)
ENTRY_LIST = f"- `kiln` <Kiln> {LONG}\n- `options` <Object>\n  - `stop` {{boolean}} Ends it.\n- Returns: <Firing>"
ENTRY = section(
    ("prose", "History", "title", "a1"),
    ("table", HISTORY, "text", "a1"),
    ("list", ENTRY_LIST),
    ("prose", "Fires a kiln, and waits until it is cold again."),
    ("code", "fire(kiln);"),
)


def texts(chunks: list[Chunk]) -> list[str]:
    return [passage.blocks[0].text for passage in passages(chunks)]


def test_a_folded_history_comes_last() -> None:
    assert texts(ENTRY) == [ENTRY_LIST, "Fires a kiln, and waits until it is cold again.", HISTORY]
    assert passages(ENTRY)[-1].blocks[0].caption == "History"


def test_a_history_is_shown_only_if_it_answers() -> None:
    own = passages(ENTRY)
    assert [block.kind for block in excerpt(own, 1, asking("fire"))] == ["prose", "code"]
    assert [block.text for block in excerpt(own, 2, asking("v4.2.0"))][-1] == HISTORY


def test_a_table_of_versions_that_is_not_folded_stays_in_its_place() -> None:
    assert texts(section(("table", HISTORY), ("prose", "It is fired."))) == [HISTORY, "It is fired."]


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("| Version | Changes |", True),
        ("| Version(s) | Change |", True),
        ("| Release | What changed |", True),
        ("| Version | Supported until |", False),
        ("| Version | Changes | Author |", False),
        ("| Option | Changes |", False),
    ],
)
def test_a_history_is_known_by_its_header(header: str, value: bool) -> None:
    divider = "| --- " * (header.count("|") - 1) + "|"
    assert is_history(f"{header}\n{divider}\n| 1.0 | It is new. |") == value
    assert not is_history(header)


@pytest.mark.parametrize(("question", "value"), [("fire a kiln", 1.0), ("what changed in v4.2.0", 0.0)])
def test_a_history_is_an_aside_unless_changes_are_asked_for(question: str, value: float) -> None:
    own = passages(ENTRY)
    candidate = PassageCandidate(SectionPassages(found(1, "x").hit, own), len(own) - 1, 0.0, "", "")
    assert aside(asked(question), candidate) == value


@pytest.mark.parametrize(
    "note",
    [
        paragraph("Changed in version 3.2: The glaze may be a list."),
        Passage("admonition", (ExcerptBlock("admonition", "The glaze may be a list.", "Note"),)),
    ],
)
def test_a_note_on_what_stands_above_it_does_not_begin_a_card(note: Passage) -> None:
    own = [paragraph(f"Glazes are named. {'word ' * 150}"), note, paragraph("Clay is fired twice.")]
    said = [block.text for block in excerpt(own, 2, asking("clay"))]
    assert said == ["Clay is fired twice."]
    # It stays where it stands between what is shown, or answers.
    own[0] = paragraph("Glazes are named.")
    assert [block.text for block in excerpt(own, 2, asking("clay"))][1] == note.blocks[0].text
    assert excerpt(own[1:], 0, asking("list"))[0].text == note.blocks[0].text
