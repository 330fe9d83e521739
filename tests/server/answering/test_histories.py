"""Entries as API references in Markdown write them: a folded history, then parameters with types, then what it does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.answering.test_choice import asked, first, found
from tests.server.answering.test_excerpt import asking
from tests.server.answering.test_passages import section

from trueref_core.records import Chunk
from trueref_server.answering.excerpts.excerpt import excerpt
from trueref_server.answering.passage_signals import PassageCandidate, SectionPassages, aside
from trueref_server.answering.sections.histories import is_history
from trueref_server.answering.sections.passages import passages

HISTORY = "| Version | Changes |\n| --- | --- |\n| v4.2.0 | The firing may be stopped. |\n| v1.0.0 | Added in: v1.0.0 |"
LONG = " ".join(["Of the clay, and of the glaze that is on it."] * 8)
ENTRY = section(
    ("prose", "History", "title", "a1"),
    ("table", HISTORY, "text", "a1"),
    ("list", f"- `kiln` <Kiln> {LONG}\n- `options` <Object>\n  - `stop` {{boolean}} Ends it.\n- Returns: <Firing>"),
    ("prose", "Fires a kiln, and waits until it is cold again."),
    ("code", "fire(kiln);"),
)


def texts(chunks: list[Chunk]) -> list[str]:
    return [passage.blocks[0].text for passage in passages(chunks)]


def test_a_folded_history_comes_last_and_parameters_with_types_are_passages() -> None:
    own = passages(ENTRY)
    assert [passage.is_parameter for passage in own] == [True, True, True, False, False]
    assert texts(ENTRY)[2:] == ["- Returns: <Firing>", "Fires a kiln, and waits until it is cold again.", HISTORY]
    assert own[-1].blocks[0].caption == "History"


def test_who_asks_what_an_entry_does_is_shown_what_it_does() -> None:
    one = replace(found(1, "x"), passages=passages(ENTRY))
    titled = replace(one, hit=replace(one.hit, chunks=(replace(one.hit.chunk, title="kiln.fire(kiln, options)"),)))
    assert first("what does kiln.fire do", titled)[1].startswith("Fires")
    blocks = excerpt(passages(ENTRY), 3, asking("fire"))
    assert [block.kind for block in blocks] == ["prose", "code", "admonition"]


@pytest.mark.parametrize(
    "items",
    [
        "- `kiln` <Kiln> {}",  # with few words all are one passage
        f"- `kiln` <Kiln> {LONG}\n- A word about it.",
        f"- `kiln` is what is fired. {LONG}",
        f"- Note: {LONG}",
    ],
)
def test_other_lists_stay_whole(items: str) -> None:
    assert texts(section(("list", items))) == [items]


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
