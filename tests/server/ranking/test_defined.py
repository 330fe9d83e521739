"""Sections that say what a thing is, for questions such as `what is a kiln?`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.handmade import chunk
from tests.server.ranking.test_rank import asking

from trueref_core.records import ChunkKind, PageKind
from trueref_server.corpus.corpus import Section
from trueref_server.ranking.defined import TITLED, defined
from trueref_server.ranking.signals import Candidate


def at(
    title: str,
    text: str,
    kind: ChunkKind = "prose",
    anchor: str = "x",
    page: str = "Guide",
    page_kind: PageKind = "guide",
) -> Candidate:
    own = replace(chunk("a/", anchor, text, 1), title=title, breadcrumb=(page,), kind=kind, page_kind=page_kind)
    return Candidate(Section.of([own]))


SAYS = "Clay is fired here. A kiln is a furnace for clay and for glass."
OTHER = "Every kiln is added with a name and a place of its own."


@pytest.mark.parametrize(
    ("question", "candidate", "value"),
    [
        ("What is a kiln?", at("Names", SAYS), 1),
        ("what are kilns", at("Names", SAYS), 1),
        ("How do I build a kiln?", at("Names", SAYS), 0),
        ("What is a kiln?", at("Adding a kiln", OTHER), 0),
        ("What is a kiln?", at("Kiln", OTHER), TITLED),
        ("What is a kiln?", at("Kilns", OTHER), TITLED),
        ("What is a kiln?", at("Kiln", "Hot."), 0),
        # The entry of a term, of an attribute, of an option and of a function.
        ("What is a kiln?", at("kiln", OTHER, "definition", "term-kiln"), 1),
        ("What is a kiln?", at("kiln", OTHER, "definition", "def_kiln"), 1),
        ("What is a kiln?", at("kiln", OTHER, "definition", page="Kiln Glossary"), 1),
        ("What is a kiln?", at("kiln", OTHER, "definition", "confval-kiln", page="Concepts"), 0),
        ("What is a kiln?", at("kiln", OTHER, "definition", "pots.Pot.kiln"), 0),
        ("What is a kiln?", at("kilns", OTHER, "definition", "confval-kilns"), 0),
        ("What is a kiln?", at("KILN", OTHER, "definition", "pots-fire--kiln"), 0),
        ("What is a kiln?", at("--kiln", OTHER, "definition", "cmdoption-pots-kiln"), 0),
        ("What is a kiln?", at("--kiln", OTHER, "definition"), 0),
        # A setting in a reference, a page there, a function, and titles that only have the stem or the word.
        ("What is a kiln?", at("kiln", OTHER, page_kind="reference"), 0),
        ("What is a kiln?", at("Kilns", OTHER, page="Kilns", page_kind="reference"), TITLED),
        ("What is a kiln room?", at("Kiln room", OTHER, page_kind="reference"), TITLED),
        ("What is a kiln?", at("kiln()", OTHER), 0),
        ("What is a glaze?", at("Glazing", "Every pot is glazed, and then it is fired."), 0),
        ("What is glazing?", at("Glazing", "Every pot is glazed, and then it is fired."), TITLED),
        ("What is a kiln?", at("Using kilns", OTHER), 0),
        ("What is a kiln?", at("The Any kiln", OTHER), 0),
        ("What is a kiln?", at("What are kilns?", OTHER), TITLED),
        ("What is a kiln?", at("fire(pot, kiln)", "kiln is a kiln object, as add() gives it.", "definition"), 0),
        ("What is a kiln?", at("fire(*args)", "kiln is a box, as add() gives it.", "definition"), 0),
        ("What is a kiln?", at("class pots.Kiln(heat)", SAYS, "definition"), 1),
    ],
)
def test_a_section_says_what_a_thing_is(question: str, candidate: Candidate, value: float) -> None:
    assert defined(asking(question), candidate) == value
