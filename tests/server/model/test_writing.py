"""What a reader gets of a model's text after the whole chain: the gate, the lines, and the citations that are added."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import SEED
from tests.server.handmade import PAGES
from tests.server.hostile import (
    ALL_ANSWERS,
    ANSWERS,
    BASE,
    RECORDED,
    broken_links,
    hostile_answer,
    hostile_statements,
    renderings,
)
from tests.server.references.test_gate import FRAGMENTS, at_random, cuts, manifest, parts, passed

from trueref_server.events import DeltaEvent, MarkEvent
from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.model.checking.answer_checker import LINK
from trueref_server.model.checking.lines import LINE_LONGEST, AnswerLine, LineCutter
from trueref_server.model.writing import PassChecker
from trueref_server.records import Question

SOURCES = [
    ModelSource(n, page, "guide", "", "\n\n".join(sections.values()))
    for n, (page, sections) in enumerate(PAGES.items(), 1)
]
STATEMENTS = (
    "Dark mode is switched on with the palette toggle",
    "Readers can choose between light and dark",
    "Custom colors are defined as CSS variables in an extra style sheet",
    "The option `--no-deps` leaves out dependencies of the package",
    "The image has a size of twelve megabytes",
)
RULES = "Say only what the sources say, and cite the number of each source that you have used."
TOGGLE = STATEMENTS[0]


@dataclass(frozen=True)
class Shown:
    """What a reader is shown of a text of a model, and why it was given up, if it was."""

    text: str
    marks: list[MarkEvent]
    fallback: str


def written(pieces: Sequence[str], sources: Sequence[ModelSource] = SOURCES) -> Shown:
    """The text of a model that came in these pieces. Its deltas joined are its text."""
    writing = PassChecker(manifest(), Question("What happens?"), sources, RULES)
    events = [event for piece in pieces for event in writing.take(piece)] + writing.close(is_cut=False)
    assert "".join(event.text for event in events if isinstance(event, DeltaEvent)) == writing.text
    return Shown(writing.text, [event for event in events if isinstance(event, MarkEvent)], writing.fallback)


def outcome(shown: Shown) -> tuple[str, list[MarkEvent]] | str:
    """The text and its marks, or why there is none: what a stream had shown by then depends on how it was cut."""
    return shown.fallback or (shown.text, shown.marks)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{TOGGLE}\u3002(nowhere/)", f"{TOGGLE}\u3002 [1] (nowhere/)"),
        (f"{TOGGLE}\u3002[a](install/)", f"{TOGGLE}\u3002 [1] [a]({BASE}install/)"),
        (f"{TOGGLE}\u3002: nowhere/", f"{TOGGLE}\u3002 [1] : nowhere/"),
        (f"{TOGGLE}\u3002{{: href=x }}", f"{TOGGLE}\u3002 [1] {{: href=x \\}}"),
        (f"{TOGGLE}. (See below.)", f"{TOGGLE}. [1] (See below.)"),
        (f"{TOGGLE}\u3002so", f"{TOGGLE}\u3002 [1]so"),
        (f"[{TOGGLE}. Is it?](install/)", f"[{TOGGLE}. Is it?]({BASE}install/)"),
        (f"Look: [{TOGGLE}\u3002](install/) so.", f"Look: [{TOGGLE}\u3002]({BASE}install/) so."),
    ],
)
def test_a_citation_that_is_added_makes_no_link(text: str, expected: str) -> None:
    for pieces in ([text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))):
        assert written(pieces).text == expected


@pytest.mark.parametrize(
    "seeds",
    [
        *parts(0, ANSWERS, 4),
        *(pytest.param(seeds, marks=pytest.mark.long) for seeds in parts(ANSWERS, max(ANSWERS, ALL_ANSWERS), 20)),
    ],
    ids=str,
)
def test_no_hostile_answer_with_added_citations_has_a_link_that_does_not_land(seeds: range) -> None:
    shown = cited = 0
    for seed in seeds:
        random = Random(f"{SEED} {seed}")
        text = hostile_answer(random) if random.random() < 0.2 else hostile_statements(random, STATEMENTS)
        checked = check_written(text, SOURCES, random)
        shown += not checked.fallback
        cited += checked.text.count("[1]") > text.count("[1]")
    assert shown >= len(seeds) * 0.8
    assert cited >= len(seeds) / 3


def test_no_recorded_answer_with_added_citations_has_a_link_that_does_not_land() -> None:
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 50
    for line in lines:
        answer = json.loads(line)
        sources = [ModelSource(each["n"], each["place"], each["kind"], "", each["text"]) for each in answer["sources"]]
        text = "\n".join(sentence["text"] for sentence in answer["sentences"])
        check_written(text, sources, Random(f"{SEED} {text}"))


def check_written(text: str, sources: Sequence[ModelSource], random: Random) -> Shown:
    """A text that came at once; it came cut at random, and where it is short at every place, with the same outcome."""
    whole = written([text], sources)
    for pieces in cuts(text, random):
        assert outcome(written(pieces, sources)) == outcome(whole), (text, pieces)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rendered = renderings(whole.text)
    # A text that is given up may end in an open fence, which Python-Markdown does not read as one.
    shown = rendered[:1] if whole.fallback else rendered
    assert [broken for html in shown for broken in broken_links(html, manifest())] == [], text
    return whole


@given(st.lists(st.one_of(FRAGMENTS, st.sampled_from([f"{TOGGLE}\u3002", f"{TOGGLE}. "])), max_size=6).map("".join))
def test_a_text_and_its_marks_do_not_depend_on_the_pieces(text: str) -> None:
    whole = outcome(written([text]))
    assert outcome(written(list(text))) == whole
    for at in range(0, len(text), max(1, len(text) // 10)):
        assert outcome(written([text[:at], text[at:]])) == whole


def test_a_loop_is_noticed_however_it_comes_in() -> None:
    """One that ends before the text does: pieces of any length are looked at behind the same characters."""
    text = "dark " * 200 + " ".join(f"word{n}" for n in range(200))
    for pieces in ([text], list(text), at_random(text, Random(SEED))):
        assert written(pieces).fallback == "loop"


QUOTES = '"' * 4000
LONG_LINK = "[the page of the option](install/#with-pip)"
WORDY = " ".join(f"word{n}" for n in range(2000))
LONG_LINES = (
    # What stands before it moves the border of a line, so that each part of a link and of code stands there.
    *(f"{WORDY[: 3940 + width]} {LONG_LINK} and `kiln --fire it` too, {WORDY}" for width in range(0, 70, 3)),
    *(f"{QUOTES[: 3950 + width]}{LONG_LINK}{QUOTES}" for width in range(0, 60, 7)),
    f"{WORDY[:3990]} ```kiln --fire``` and {WORDY}",
)


@pytest.mark.parametrize("text", LONG_LINES, ids=range(len(LONG_LINES)))
def test_a_long_line_is_cut_outside_of_links_and_code(text: str) -> None:
    writing = PassChecker(manifest(), Question("What happens?"), SOURCES, RULES)
    deltas = [event.text for event in writing.take(text) + writing.close(is_cut=False) if isinstance(event, DeltaEvent)]
    cut = cut_into_lines([passed(text)])
    assert not any(line.is_code for line in cut)
    lines = [line.text for line in cut]
    assert len(lines) >= 2
    assert "".join(lines) == passed(text)
    for piece in [*deltas, *lines]:
        assert piece.count("`") % 2 == 0
        assert piece.count("[") == piece.count("]")
        assert piece.count("](") == piece.count(")")
    assert max(map(len, lines)) <= LINE_LONGEST


def cut_into_lines(pieces: Sequence[str]) -> list[AnswerLine]:
    cutter = LineCutter()
    return [line for piece in pieces for line in cutter.push(piece)] + cutter.close()


@given(
    st.lists(
        st.sampled_from(
            [LONG_LINK, "`a b`", "``a`b``", " ", "\n", '"' * 1990, "so " * 660, "```\n", "[", "] ", "`", f"{TOGGLE}. "]
        ),
        max_size=8,
    ).map("".join),
    st.integers(0, 2**32),
)
def test_long_lines_do_not_depend_on_the_pieces(text: str, seed: int) -> None:
    checked = passed(text)
    cut = cut_into_lines(at_random(checked, Random(seed)))
    assert cut == cut_into_lines([checked])
    assert "".join(line.text for line in cut) == checked
    links = [line.text.count("](") for line in cut if not line.is_code]
    assert [len(LINK.findall(line.text)) for line in cut if not line.is_code] == links


def test_a_link_longer_than_a_line_is_held_back() -> None:
    """The gate writes one where the address of a page is that long, with the address as its label."""
    address = f"https://docs.example.org/{'a' * 2900}/"
    text = f"[{address}]({address})"
    assert [line.text for line in cut_into_lines([text, " so\n"])] == [f"{text} so\n"]
    assert [line.text for line in cut_into_lines([*text, QUOTES])] == [
        text + QUOTES[: 8000 - len(text)],
        QUOTES[8000 - len(text) :],
    ]
