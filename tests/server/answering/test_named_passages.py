"""Passages of sections that a question names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.answering.test_passage_signals import asked, in_section, prose

from trueref_core.records import ChunkKind
from trueref_server.answering.answered_parts import AnsweredPart
from trueref_server.answering.candidates import PassageCandidate, ScoredPassage
from trueref_server.answering.passage_signals import NAME_ALONE, asked_identifier, explained_identifier, named, shared
from trueref_server.answering.sections.passage import Passage

TEXT = prose("A table of all that can be set for a fence.")


def at(page: str, title: str, kind: ChunkKind = "prose") -> PassageCandidate:
    candidate = in_section(title, TEXT)
    chunk = replace(candidate.section.hit.chunk, title=title, breadcrumb=(page,), kind=kind)
    hit = replace(candidate.section.hit, chunks=(chunk,), signal_values={"named": 1.0})
    return replace(candidate, section=replace(candidate.section, hit=hit))


def test_a_path_names_its_section_more_than_the_name_alone_does() -> None:
    question = asked("SuperFences options")
    assert named(question, at("SuperFences", "Options")) == 1.0
    assert named(question, at("License", "SuperFences")) == NAME_ALONE
    assert named(asked("SuperFences"), at("SuperFences", "SuperFences")) == 1.0


def test_the_name_of_what_the_docs_are_about_names_nothing() -> None:
    question = asked("kiln fences")
    about_kiln = replace(question, statistics=replace(question.statistics, subjects={"demo": frozenset({"kiln"})}))
    page = at("Fences", "Fences")
    assert [named(one, page) for one in (question, about_kiln)] == [NAME_ALONE, 1.0]


def test_a_path_has_and_explains_the_identifier_of_its_page() -> None:
    question = asked("SuperFences options")
    for signal in (asked_identifier, explained_identifier):
        assert signal(question, at("SuperFences", "Options")) == 1.0
        assert signal(question, at("Highlight", "Options")) == 0.0


@pytest.mark.parametrize(
    "page", ["kiln-load", "Kiln load @1.20.2", "kiln-load(1)", "kiln-load(8) Manual Page", "kiln load v2.1"]
)
@pytest.mark.parametrize("title", ["Description", "OVERVIEW", "Introduction"])
def test_a_question_for_a_page_names_the_section_that_says_what_it_is_about(page: str, title: str) -> None:
    for text in ("kiln load", "What does kiln load do?", "what is kiln-load"):
        assert named(asked(text), at(page, title)) == 1.0
    for text in ("kiln", "kiln load shelves", "kiln load examples"):
        assert named(asked(text), at(page, title)) < 1.0
    assert named(asked("kiln load"), at(page, "Examples")) < 1.0
    below = at(page, title)
    chunk = replace(below.section.hit.chunk, breadcrumb=(page, "Shelves"))
    deep = replace(below, section=replace(below.section, hit=replace(below.section.hit, chunks=(chunk,))))
    assert named(asked("kiln load"), deep) < 1.0


def test_the_message_of_a_rule_names_the_section_about_it() -> None:
    question = asked("no-changed-when: Commands should not change things if nothing needs doing")
    assert named(question, at("Rules", "no-changed-when")) == 1.0
    assert named(question, at("Rules", "Running examples")) == 0.0


@pytest.mark.parametrize(
    ("title", "kind", "value"),
    [
        ("neighbor PEER --next-hop [force]", "definition", 1.0),
        ("neighbor PEER --next-hop [force]", "prose", 0.0),  # a heading that mentions it
        ("neighbor PEER --next-hop-self", "definition", 0.0),
    ],
)
def test_an_entry_explains_a_name_behind_other_words_of_its_title(title: str, kind: ChunkKind, value: float) -> None:
    assert explained_identifier(asked("what does --next-hop do"), at("Commands", title, kind)) == value
    assert explained_identifier(asked("what does -N do"), at("Commands", "-N, --pathspace", kind)) == 1.0
    assert explained_identifier(asked("what does -N do"), at("Commands", "-n, --netns", kind)) == 0.0


def test_an_entry_explains_a_name_also_if_its_code_is_nearest_to_the_question() -> None:
    entry = at("Commands", "-o FILE, --output FILE", "code")
    assert explained_identifier(asked("what does --output do"), entry) == 1.0


def entry_of(title: str, term: str = "") -> PassageCandidate:
    """A passage of an entry: its term is the title of its section, or a caption in it."""
    passage = Passage("definition", (replace(TEXT, kind="definition", caption=term),), entry="d1.1")
    candidate = in_section(title, TEXT)
    chunk = replace(candidate.section.hit.chunk, title=title, breadcrumb=("Hooks",), kind="definition")
    hit = replace(candidate.section.hit, chunks=(chunk,), signal_values={"named": 1.0})
    return replace(candidate, section=replace(candidate.section, hit=hit, passages=[passage]))


def test_a_question_for_the_term_of_an_entry_names_it() -> None:
    assert named(asked("what is prefire"), entry_of("prefire")) == 1.0
    # Not a section with this title, nor one with other terms, nor a common word.
    assert named(asked("what is prefire"), at("Hooks", "prefire")) == 0.0
    assert named(asked("what is prefire"), entry_of("prefire", "postfire")) == 0.0
    assert named(asked("what is a scope"), entry_of("scope")) == 0.0


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("what is isHot for", "isHot", 1.0),
        ("kiln.isHot", "kiln.isHot(hours)", 1.0),
        ("what does .isHot() do", ".isHot(hours)", 1.0),
        ("what is isHot for", "isHotter", 0.0),
        ("what is isHot for", "Why isHot exists", 0.0),
        ("isHot fails at night", "isHot", 0.0),  # more is asked than what it is
    ],
)
def test_a_section_that_is_titled_by_the_name_that_is_asked_for_is_its_entry(
    question: str, title: str, value: float
) -> None:
    section = at("Hooks", title)
    assert named(asked(question), section) == value
    assert (shared(asked(question), section) == 1.0) is bool(value)


def test_the_description_of_an_entry_need_not_repeat_its_name() -> None:
    question = asked("kiln shelf")
    assert shared(question, entry_of("kiln_shelf [number]")) == shared(question, entry_of("kiln shelf")) == 1.0
    # The arguments in the title are not said of it.
    assert shared(question, entry_of("kiln [shelf]")) < 1.0
    assert shared(question, entry_of("open(kiln, shelf)")) == 0.0
    assert shared(question, at("Hooks", "Kiln shelves")) == 0.0
    # Whoever types a whole title asks for its section.
    assert shared(question, at("Hooks", "Kiln shelf")) == 1.0


def below(heading: str, *, begins: bool = True) -> PassageCandidate:
    candidate = in_section("Kiln", TEXT)
    passage = Passage("paragraph", (TEXT,), begins=begins, heading=heading)
    return replace(candidate, section=replace(candidate.section, passages=[passage]))


def test_a_heading_without_an_address_names_the_first_passage_below_it() -> None:
    for text in ("rapid firing", "Rapid firing"):
        assert named(asked(text), below('"Rapid" firing')) == 1.0
        assert named(asked(text), below('"Rapid" firing', begins=False)) == 0.0
        assert named(asked(text), below("Slow firing")) == named(asked(text), below("")) == 0.0
    assert named(asked("when does rapid firing stop"), below("Rapid firing")) == 0.0
    # Many parts of pages are called by one word.
    assert named(asked("firing"), below("Firing")) == 0.0


def test_what_is_below_such_a_heading_has_its_words() -> None:
    question = asked("rapid firing")
    under = below("Rapid firing", begins=False)
    assert shared(question, under) == 1.0
    assert shared(question, below("")) == 0.0
    assert under.text_with_headings == f"a/ > Kiln > Rapid firing\n{under.text}"


@pytest.mark.parametrize(
    ("question", "title", "is_asked"),
    [
        ("what is file_path", "file_path(self, pot)", True),
        ("what is Kiln.file_path", "file_path(self, pot)", True),
        ("file path", "file_path(self, pot)", True),
        ("what is a path", "file_path(self, pot)", False),
        ("what is a kiln", "file_path(self, pot)", False),
        ("what is a kiln file", "file_path(self, pot)", False),
        ("what is a shelf", "shelf", True),
        ("what is a shelf", "kiln shelf", False),
        ("what does --output do", "-o FILE, --output FILE", True),
    ],
)
def test_an_entry_is_asked_for_by_its_whole_name(question: str, title: str, is_asked: bool) -> None:
    candidate = at("class pots.Kiln", title, "definition")
    part = AnsweredPart(asked(question), [], 0.0, "answer")
    assert part.asks_for_entry(ScoredPassage(candidate, 1.0, {})) == is_asked
