"""Names that are looked for letter by letter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.handmade import chunk
from tests.server.ranking.test_rank import LONG, asking, candidate
from tests.work import is_linear

from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.corpus.corpus import Section
from trueref_server.ranking import signals
from trueref_server.ranking.signals import Candidate
from trueref_server.ranking.verbatim import count_names


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("-n", "It was re-named.", 0),
        ("-n", "Pass `-n`, or --netns.", 1),
        ("-n", "-N, --pathspace", 0),
        ("-N", "-N, --pathspace", 1),
        ("--no-cache", "Pass --no-cache-sync.", 0),
        ("--no-cache", "Pass --No-Cache.", 1),
        ("--mode", "--mode=append", 1),
        ("-Xmx", "java -Xmx512m", 1),
        ("-j", "make -j4", 1),
        ("-D", "cmake -DNAME=x", 1),
        ("-v", "tool -vvv", 1),
        ("-n", "find . -name x", 0),
        ("make_app", "Make_app() is called.", 1),
        ("item_size", "item_sizes", 1),  # only options have to be whole words
        ("page not found", "The error Page not found.", 1),
    ],
)
def test_an_option_is_found_as_a_whole_word_and_one_letter_with_its_case(name: str, text: str, count: int) -> None:
    assert count_names([name], text) == count


@pytest.mark.parametrize("piece", ["--a-", "x-b", "-b-"])
def test_a_long_text_is_read_in_linear_time(piece: str) -> None:
    assert is_linear(lambda text: count_names(["--a", "-b"], text), piece, "x")


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("what does -N do?", "-N, --pathspace"),
        ("what does -n do?", "-n, --netns NAME"),
        ("what does --netns do?", "-n, --netns NAME"),
    ],
)
def test_an_entry_is_named_by_each_of_its_options(question: str, title: str) -> None:
    entries = [
        Candidate(Section.of([replace(chunk("a/", str(number), LONG, 0), title=name)]))
        for number, name in enumerate(["-N, --pathspace", "-n, --netns NAME", "-x, --netns-x"])
    ]
    asked = asking(question, *entries)
    assert [one.section.chunks[0].title for one in entries if signals.named(asked, one)] == [title]


@pytest.mark.parametrize(("question", "value"), [("-N", 0.0), ("-n", 1.0)])
def test_a_section_has_the_option_that_is_asked_for_with_its_case(question: str, value: float) -> None:
    section = candidate("cli/", "x", "Uses `-n` for names. It was re-Named.")
    asked = asking(question, section)
    assert signals.identifiers(asked, section) == signals.asked_identifier(asked, section) == value


def test_of_two_rows_the_one_with_the_option_is_relevant() -> None:
    section = candidate("cli/", "x")
    rows = ["| `-c`, `--checkpoint` | write a checkpoint |", "| `-C`, `--compression` | select the algorithm |"]
    assert Relevance.of(asking("what does -C do", section)).best(rows) == 1
    assert Relevance.of(asking("what does -c do", section)).best(rows) == 0
