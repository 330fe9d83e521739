"""Passages are compared with a question by what the index has of their words, and read where it has too little."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from scripts.measure_answers import counted_runs
from tests.server.kiln_site import GUIDE, kiln_index
from tests.sharing import bundled_embedder

from trueref_core.generations.served_generation import open_index
from trueref_server.answering.candidates import PassageCandidate, SectionPassages
from trueref_server.answering.choice import candidates_of, choose
from trueref_server.answering.passage_comparison import PassageComparison
from trueref_server.answering.sections.passages import passages
from trueref_server.corpus.corpus import Corpus
from trueref_server.pipeline import passage_comparison
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Question
from trueref_server.search.search import RankedSections, SearchIndex, search_plan

QUESTION = "How do I install behind a corporate proxy?"
ROW_ASKED = "Where is the humidity sensor for wet clay?"
HEADER = (
    "<tr><th>Zone of the kiln with its name</th><th>Heat of the zone in degrees</th><th>Shelf that is fired</th></tr>"
)
ROWS = "".join(
    f"<tr><td>zone {number}</td><td>{number * 7} degrees</td><td>shelf {number}</td></tr>" for number in range(160)
)
TABLE = f"<table>{HEADER}{ROWS}<tr><td>humidity</td><td>sensor</td><td>wet clay</td></tr></table>"
CODE = "".join(f"set_zone_{number}(heat={number}, shelf='upper')\n" for number in range(90))
PAGES = {
    **GUIDE,
    "guide/long/": (
        ("zones", "Zones of a proxy", TABLE),
        ("lists", "Lists of a proxy", "<p>A corporate proxy takes:</p><ol><li>a name</li><li>a port</li></ol>"),
        ("code", "Code behind a corporate proxy", f"<p>Set the zones of a proxy:</p><pre><code>{CODE}</code></pre>"),
    ),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kiln_index(tmp_path_factory, "bundled", PAGES)


@cache
def found(index: Path, question: str = QUESTION) -> tuple[RankedSections, Mapping[str, bytes]]:
    """What is found for a question, and the packed wordpieces of all of it."""

    async def ask() -> tuple[RankedSections, Mapping[str, bytes]]:
        opened = await open_index(index)
        corpus = await Corpus.of(opened)
        ready = SearchIndex(opened, corpus, Scopes(opened.manifest), bundled_embedder())
        sections = await search_plan(ready, make_plan(Question(question), "en", corpus.statistics))
        stored = await opened.wordpieces([chunk.id for hit in sections.hits for chunk in hit.chunks])
        await opened.close()
        return sections, stored

    return asyncio.run(ask())


def candidates(index: Path, question: str = QUESTION) -> list[PassageCandidate]:
    ranked, _ = found(index, question)
    sections = [SectionPassages(hit, passages(hit.in_page_order)) for hit in ranked.hits]
    return [one for section in sections for one in candidates_of(ranked.question, section, sections[0])]


def similarities(comparison: PassageComparison, index: Path) -> list[float]:
    """How similar the passages that are found are to the question."""
    return comparison.similarities(found(index)[0].question, [*map(comparison.comparable, candidates(index))]) or []


def test_the_index_has_the_words_of_every_passage_but_long_code(index: Path) -> None:
    comparison = PassageComparison(LateInteraction(bundled_embedder()), found(index)[1])
    read = [one.section.hit.anchor for one in candidates(index) if isinstance(comparison.comparable(one), str)]
    # The embedder reads no more than the beginning of the code.
    assert (len(candidates(index)) >= 9, {*read}) == (True, {"code"})


def test_what_the_index_has_is_as_similar_as_what_is_read_and_nothing_is_read_for_it(index: Path) -> None:
    ranked, stored = found(index)
    late = LateInteraction(bundled_embedder())
    late.max_sim(ranked.question, ["The question is read here."])
    of_index = PassageComparison(late, stored)
    short = [one for one in candidates(index) if one.section.hit.anchor != "code"]
    with counted_runs() as read:
        compared = of_index.similarities(ranked.question, [*map(of_index.comparable, short)]) or []
    assert read == []
    read_anew = late.max_sim(ranked.question, [one.text_with_headings for one in short]) or []
    # A word means a little less in its passage alone than among all words of the chunk.
    differences = [abs(one - other) for one, other in zip(compared, read_anew, strict=True)]
    assert (max(differences) < 0.2, sum(differences) / len(differences) < 0.06) == (True, True)
    assert compared.index(max(compared)) == read_anew.index(max(read_anew))


def test_of_a_long_table_the_row_that_is_asked_for_is_compared(index: Path) -> None:
    """It is in another chunk than the beginning of the table, and the header alone says nothing about it."""
    ranked, stored = found(index, ROW_ASKED)
    late = LateInteraction(bundled_embedder())
    (table,) = [one for one in candidates(index, ROW_ASKED) if "humidity" in one.text]
    assert len(table.section.hit.chunks) > 4
    of_index = PassageComparison(late, stored)
    (compared,), (read_anew,) = (
        comparison.similarities(ranked.question, [comparison.comparable(table)]) or []
        for comparison in (of_index, PassageComparison(late, {}))
    )
    assert not isinstance(of_index.comparable(table), str)
    assert min(compared, read_anew) > 0.6
    # Without the chunk of the row the embedder reads the passage: its header would be most of what is compared.
    last = table.section.hit.in_page_order[-1].id
    without_row = PassageComparison(late, {chunk: packed for chunk, packed in stored.items() if chunk != last})
    assert without_row.comparable(table) == table.text_with_headings


def test_passages_of_the_index_and_passages_that_are_read_keep_their_order(index: Path) -> None:
    ranked, stored = found(index)
    comparison = PassageComparison(LateInteraction(bundled_embedder()), stored)
    compared_by = [*map(comparison.comparable, candidates(index))]
    assert {isinstance(one, str) for one in compared_by} == {True, False}
    alone = [(comparison.similarities(ranked.question, [one]) or [])[0] for one in compared_by]
    assert comparison.similarities(ranked.question, compared_by) == pytest.approx(alone, abs=1e-5)


def cut_off(packed: bytes) -> bytes:
    return packed[:-1]


def empty(_packed: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [cut_off, empty])
def test_words_that_do_not_fit_are_not_used_and_the_passage_is_read(
    index: Path, damage: Callable[[bytes], bytes]
) -> None:
    _, stored = found(index)
    late = LateInteraction(bundled_embedder())
    damaged = PassageComparison(late, {chunk: damage(packed) for chunk, packed in stored.items()})
    assert [damaged.comparable(one) for one in candidates(index)] == [
        one.text_with_headings for one in candidates(index)
    ]
    assert similarities(damaged, index) == similarities(PassageComparison(late, {}), index)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("question", "language", "is_read"),
    [(QUESTION, "en", True), (QUESTION, "de", False), ("如何安装代理", "en", False)],
)
async def test_nothing_is_read_from_the_index_where_words_cannot_be_compared(
    index: Path, question: str, language: str, *, is_read: bool
) -> None:
    ranked, _ = found(index)
    plan = make_plan(Question(question), language, ranked.question.statistics)
    asked = replace(ranked, question=WeightedQuestion(plan, ranked.question.statistics))
    opened = await open_index(index)
    late = LateInteraction(bundled_embedder())
    search_index = SearchIndex(opened, await Corpus.of(opened), Scopes(opened.manifest), bundled_embedder(), late)
    comparison = await passage_comparison(search_index, [asked])
    await opened.close()
    assert comparison is not None
    best = next(one for one in candidates(index) if one.section.hit.anchor == "proxy")
    assert isinstance(comparison.comparable(best), str) is not is_read
    chosen = choose(asked.question, [best.section], comparison)
    assert (chosen[0].candidate.max_sim is not None) is is_read
