"""Passages are compared with a question by what the index has of their words, and read where it has too little."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from scripts.measure_answers import counted_runs
from tests.server.kiln_site import GUIDE, kiln_index
from tests.sharing import bundled_embedder

from trueref_core.generations.served_generation import open_index
from trueref_server.answering.candidates import PassageCandidate, SectionPassages
from trueref_server.answering.choice import candidates_of
from trueref_server.answering.passage_reader import PassageReader
from trueref_server.answering.sections.passages import passages
from trueref_server.corpus.corpus import Corpus
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.records import Question
from trueref_server.search.search import RankedSections, SearchIndex, search_plan

QUESTION = "How do I install behind a corporate proxy?"
TABLE = "".join(f"<tr><td>zone {number}</td><td>{number} degrees</td></tr>" for number in range(80))
PAGES = {
    **GUIDE,
    "guide/long/": (
        ("zones", "Zones of a proxy", f"<table><tr><th>Zone</th><th>Heat</th></tr>{TABLE}</table>"),
        ("lists", "Lists of a proxy", "<p>A corporate proxy takes:</p><ol><li>a name</li><li>a port</li></ol>"),
        ("empty", "Behind a corporate proxy", "<pre><code>\n\n</code></pre><p>Set it.</p>"),
    ),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kiln_index(tmp_path_factory, "bundled", PAGES)


@cache
def found(index: Path) -> tuple[RankedSections, Mapping[str, bytes]]:
    """What is found for the question, and the packed wordpieces of all of it."""

    async def ask() -> tuple[RankedSections, Mapping[str, bytes]]:
        opened = await open_index(index)
        corpus = await Corpus.of(opened)
        ready = SearchIndex(opened, corpus, Scopes(opened.manifest), bundled_embedder())
        sections = await search_plan(ready, make_plan(Question(QUESTION), "en", corpus.statistics))
        stored = await opened.wordpieces([chunk.id for hit in sections.hits for chunk in hit.chunks])
        await opened.close()
        return sections, stored

    return asyncio.run(ask())


def candidates(index: Path) -> list[PassageCandidate]:
    ranked, _ = found(index)
    sections = [SectionPassages(hit, passages(hit.in_page_order)) for hit in ranked.hits]
    return [one for section in sections for one in candidates_of(ranked.question, section, sections[0])]


def similarities(reader: PassageReader, index: Path) -> list[float]:
    """How similar the passages that are found are to the question."""
    return reader.similarities(found(index)[0].question, [*map(reader.readable, candidates(index))]) or []


def test_the_index_has_the_words_of_every_passage(index: Path) -> None:
    ranked, stored = found(index)
    reader = PassageReader(LateInteraction(bundled_embedder()), stored)
    assert len(ranked.hits) == 10
    assert [one.text for one in candidates(index) if isinstance(reader.readable(one), str)] == []


def test_what_the_index_has_is_as_similar_as_what_is_read_and_nothing_is_read_for_it(index: Path) -> None:
    ranked, stored = found(index)
    late = LateInteraction(bundled_embedder())
    late.max_sim(ranked.question, ["The question is read here."])
    with counted_runs() as read:
        compared = similarities(PassageReader(late, stored), index)
    assert read == []
    read_anew = similarities(PassageReader(late, {}), index)
    # A word means a little less in its passage alone than among all words of the chunk.
    assert max(abs(one - other) for one, other in zip(compared, read_anew, strict=True)) < 0.2
    assert compared.index(max(compared)) == read_anew.index(max(read_anew))


def cut_off(packed: bytes) -> bytes:
    return packed[:-1]


def of_another_text(packed: bytes) -> bytes:
    """The words are those of a text with one wordpiece less."""
    return (int.from_bytes(packed[:2], "little") - 1).to_bytes(2, "little") + packed[2:]


@pytest.mark.parametrize("damage", [cut_off, of_another_text])
def test_words_that_do_not_fit_are_not_used_and_the_passage_is_read(
    index: Path, damage: Callable[[bytes], bytes]
) -> None:
    _, stored = found(index)
    late = LateInteraction(bundled_embedder())
    damaged = PassageReader(late, {chunk: damage(packed) for chunk, packed in stored.items()})
    assert [damaged.readable(one) for one in candidates(index)] == [one.text_with_headings for one in candidates(index)]
    assert similarities(damaged, index) == similarities(PassageReader(late, {}), index)
