"""Footnotes as passages: each with the words that refer to it, and never beside others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.answering.test_passages import section

from trueref_core.records import Chunk, ChunkKind
from trueref_core.text.block_marks import BlockMark, write_mark
from trueref_server.answering.excerpts.excerpt import excerpt, window
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.excerpts.tab_panels import asked_panels
from trueref_server.answering.sections.passages import passages

LONG = " ".join(["A hive wants a dry place out of the wind."] * 16)
LONG_ITEM = f"- {LONG}"


def noted(kind: ChunkKind, text: str, *notes: tuple[int, int]) -> list[Chunk]:
    """A block that refers to notes, another paragraph, and two notes."""
    chunks = section(
        (kind, text), ("prose", "Another thought."), ("prose", "Said of one.", "text", "b1.1"), ("code", "x", "text", "b1.1"),
        ("prose", "Said of two.", "text", "b1.2"),
    )  # fmt: skip
    return [replace(chunks[0], blocks=(write_mark(BlockMark(0, "text", kind, notes=notes)),)), *chunks[1:]]


def shown(chunks: list[Chunk]) -> list[list[str]]:
    """The blocks of each passage, with what refers to it."""
    found = passages(chunks)
    leads = [passage.lead if passage.referring is None else found[passage.referring].blocks for passage in found]
    return [[block.text for block in (*lead, *passage.blocks)] for lead, passage in zip(leads, found, strict=True)]


def test_a_note_is_a_passage_with_the_paragraph_that_refers_to_it() -> None:
    assert shown(noted("prose", "One is slow.", (1, 11))) == [
        ["One is slow."],
        ["Another thought."],
        ["One is slow.", "Said of one.", "x"],
        ["Said of two."],
    ]


@pytest.mark.parametrize(
    ("kind", "text", "at", "lead"),
    [
        ("prose", f"{LONG} One is slow. It is so.", len(LONG) + 12, "One is slow."),
        ("prose", f"{LONG} One is slow. It is so.", len(LONG) + 13, "One is slow."),
        ("prose", f"{LONG} One is slow. It is so.", len(LONG) + 15, "It is so."),
        ("list", f"- a\n- b\n  c\n- d\n{LONG_ITEM}", 3, "- a"),
        ("list", f"- a\n- b\n  c\n- d\n{LONG_ITEM}", 11, "- b\n  c"),
        ("list", f"- a\n- b\n  c\n- d\n{LONG_ITEM}", 15, "- d"),
        ("list", f"- a\n{LONG_ITEM}\n- d", len(LONG) + 10, "- d"),
        ("list", "- a\n- b", 3, "- a\n- b"),
        ("table", f"| A |\n| - |\n| b |\n| c |\n| {LONG} |", 1, "| A |\n| - |\n| c |"),
        ("table", f"| A |\n| - |\n| b |\n| c |\n| {LONG} |", -1, "| A |\n| - |\n| b |"),
    ],
)
def test_what_is_long_is_cut_to_what_refers_to_it(kind: ChunkKind, text: str, at: int, lead: str) -> None:
    assert shown(noted(kind, text, (1, at)))[-2] == [lead, "Said of one.", "x"]


def test_a_line_with_a_colon_keeps_what_it_announces() -> None:
    chunks = noted("prose", "Slow is this:", (1, 12))
    code = section(("prose", ""), ("code", "run"))[1]
    announced = [chunks[0], replace(code, previous="c0"), *chunks[2:]]
    assert shown(announced)[-2] == ["Slow is this:", "run", "Said of one.", "x"]
    nothing = noted("prose", f"It is slow. Slow is this: {LONG}:", (1, 12))
    assert shown([nothing[0], *nothing[2:]])[-2] == [
        "Slow is this: A hive wants a dry place out of the wind.",
        "Said of one.",
        "x",
    ]


def test_the_first_mark_of_a_note_counts() -> None:
    twice = noted("prose", "One.", (1, 3))
    twice[1] = replace(twice[1], blocks=(write_mark(BlockMark(0, "text", "prose", notes=((1, 5),))),))
    assert shown(twice)[-2][0] == "One."


def test_a_note_competes_with_its_own_words() -> None:
    note = passages(noted("prose", "One is slow.", (1, 11)))[-2]
    assert (note.text, note.referring) == ("Said of one.\nx", 0)


def test_a_note_is_shown_alone_and_beside_no_other_passage() -> None:
    found = passages(noted("prose", "One is slow.", (1, 11)))
    assert [window(found, at, asked_panels(found, "")) for at in range(len(found))] == [[0, 1], [0, 1], [2], [3]]


def test_a_section_whose_marks_are_not_there_still_shows_its_note() -> None:
    assert shown(noted("prose", "One is slow.")[2:]) == [["Said of one.", "x"], ["Said of two."]]


@pytest.mark.parametrize("path", ["b1", "b1.0"])
def test_notes_without_a_number_are_not_taken_for_one(path: str) -> None:
    """An index made by an earlier version has `b1` for all notes of a page."""
    notes = [("prose", f"Said of {name}.", "text", path) for name in ("one", "two")]
    assert shown(section(("prose", "Hives differ."), *notes)) == [["Hives differ."]]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "text", "at"), [("prose", LONG, len(LONG) + 200), ("table", f"| A |\n| - |\n| {LONG} |", 7)]
)
def test_of_a_block_that_was_read_in_part_nothing_else_leads_to_the_note(kind: ChunkKind, text: str, at: int) -> None:
    assert ["Said of one.", "x"] in shown(noted(kind, text, (1, at)))


@pytest.mark.parametrize(
    ("asked", "texts"),
    [
        ("one", ["One is slow.", "Another thought.", "Said of one.", "x"]),
        ("slow", ["One is slow.", "Another thought."]),
    ],
)
def test_a_note_that_speaks_of_what_was_asked_is_shown_behind_the_passage_that_refers_to_it(
    asked: str, texts: list[str]
) -> None:
    """`Not on NFS`, says the passage, and the note why."""
    found = passages(noted("prose", "One is slow.", (1, 11)))
    assert [block.text for block in excerpt(found, 0, Relevance({asked: 1.0}, (), "en"))] == texts


def test_what_stands_before_a_note_is_shown_as_for_the_passage_that_refers_to_it() -> None:
    one, *others = noted("prose", "One is slow.", (1, 11))
    found = passages([replace(section(("prose", "Hives differ."))[0], id="b"), replace(one, previous="b"), *others])
    texts = [block.text for block in excerpt(found, 3, Relevance({}, (), "en"))]
    assert texts == ["Hives differ.", "One is slow.", "Said of one.", "x"]
