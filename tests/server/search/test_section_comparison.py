"""The best sections are compared with a question word by word, by what the index has of their chunks."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scripts.measure_answers import counted_runs
from tests.server.kiln_site import GUIDE, kiln_index
from tests.sharing import bundled_embedder

from trueref_core.generations.served_generation import open_index
from trueref_server.corpus.corpus import Corpus
from trueref_server.pipeline import passage_comparison
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.ranking.rank import in_order_before_comparison
from trueref_server.records import Question
from trueref_server.search import gaps, section_comparison
from trueref_server.search.search import RankedSections, SearchIndex, search_plan

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex

QUESTION = "cooling glazed bowls slowly"
MISSING = "Are kiln shelves loaded evenly before a slow firing, wadding included?"
"""The first hits have all of it but one word of seven."""

BOWLS = (
    "<p>Glazed bowls stand in the kiln. Glazed bowls are dried before, and glazed bowls are fired after they have dried "
    "slowly.</p>"
)
SLOW = (
    "<p>Let the bowls get cold gradually: lower the heat by 50 degrees an hour until the glaze is hard, and open nothing."
    "</p>"
)
PAGES = {
    **GUIDE,
    "guide/bowls/": (("bowls", "Glazed bowls", BOWLS), ("slow", "Let it come down", SLOW)),
    "guide/trays/": tuple(
        (f"tray-{number}", f"Tray {number}", f"<p>Tray {number} is slid out of its rail, and wiped with a cloth.</p>")
        for number in range(24)
    ),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kiln_index(tmp_path_factory, "bundled", PAGES)


class Reads:
    """Which chunks are read from the index, a collection for each read."""

    def __init__(self, opened: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reads: list[set[str]] = []
        read = type(opened).wordpieces

        async def counted(opened: OpenIndex, ids: Collection[str]) -> dict[str, bytes]:
            if ids:
                self.reads.append({*ids})
            return await read(opened, ids)

        monkeypatch.setattr(type(opened), "wordpieces", counted)


async def found(opened: OpenIndex, question: str, *, late: bool = True, language: str = "en") -> RankedSections:
    corpus = await Corpus.of(opened)
    compared = LateInteraction(bundled_embedder()) if late else None
    ready = SearchIndex(opened, corpus, Scopes(opened.manifest), bundled_embedder(), compared)
    return await search_plan(ready, make_plan(Question(question), language, corpus.statistics))


def ask(index: Path, question: str = QUESTION, *, late: bool = True) -> RankedSections:
    async def answered() -> RankedSections:
        opened = await open_index(index)
        ranked = await found(opened, question, late=late)
        await opened.close()
        return ranked

    return asyncio.run(answered())


def anchors(ranked: RankedSections) -> list[str]:
    return [hit.anchor for hit in ranked.hits]


def test_the_section_that_meets_every_word_comes_before_the_one_that_repeats_some(index: Path) -> None:
    assert anchors(ask(index, late=False))[0] == "bowls"
    compared = ask(index)
    assert anchors(compared)[0] == "slow"
    by_anchor = {hit.anchor: hit.signals.get("word_similarity", 0.0) for hit in compared.hits}
    assert by_anchor["slow"] > by_anchor["bowls"]


def test_hits_are_ordered_without_the_comparison_for_confidence(index: Path) -> None:
    first, second, third = ask(index).hits[:3]
    hits = [
        replace(hit, score=score, signals={"body": 0.1, "word_similarity": added})
        for hit, score, added in ((first, 0.9, 0.4), (second, 0.8, 0.1), (third, 0.6, 0.0))
    ]
    assert [hit.score for hit in in_order_before_comparison(hits)] == [0.8, 0.6, 0.9]


def test_scores_are_raised_by_no_more_than_sections_differ(index: Path) -> None:
    compared, plain = ask(index), ask(index, late=False)
    added = {hit.address: hit.signals.get("word_similarity", 0.0) for hit in compared.hits}
    assert min(added.values()) >= 0
    scores = {hit.address: hit.score for hit in plain.hits}
    shared = [hit for hit in compared.hits if hit.address in scores and "same_page" not in hit.signals]
    assert shared
    for hit in shared:
        assert hit.score >= scores[hit.address] - 1e-9


@pytest.mark.parametrize("damaged", [b"", b"\xff\xff"])
def test_an_index_without_words_keeps_the_order(index: Path, damaged: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ask(index, late=False)

    async def none(_opened: OpenIndex, ids: Collection[str]) -> dict[str, bytes]:
        return dict.fromkeys(ids, damaged) if damaged else {}

    monkeypatch.setattr("trueref_core.generations.open_generation.OpenIndex.wordpieces", none)
    compared = ask(index)
    assert anchors(compared) == anchors(plain)
    assert not any("word_similarity" in hit.signals for hit in compared.hits)


@pytest.mark.anyio
@pytest.mark.parametrize(("question", "language"), [(QUESTION, "de"), ("\u5982\u4f55\u51b7\u5374", "en")])
async def test_nothing_is_read_where_words_cannot_be_compared(
    index: Path, question: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await open_index(index)
    reads = Reads(opened, monkeypatch)
    await found(opened, question, language=language)
    await opened.close()
    assert reads.reads == []


@pytest.mark.anyio
async def test_no_chunk_is_read_twice_and_none_by_the_embedder(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In two rounds, and for the passages of the cards as well."""
    monkeypatch.setattr(gaps, "MISSING_FROM", 0.1)
    opened = await open_index(index)
    reads = Reads(opened, monkeypatch)
    with counted_runs() as read:
        ranked = await found(opened, MISSING)
        late = LateInteraction(bundled_embedder())
        ready = SearchIndex(opened, await Corpus.of(opened), Scopes(opened.manifest), bundled_embedder(), late)
        assert await passage_comparison(ready, [ranked])
    await opened.close()
    assert ranked.gaps
    assert sum(map(len, reads.reads)) == len({chunk for chunks in reads.reads for chunk in chunks})
    assert len(read) <= 2


def test_only_the_best_sections_are_compared(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    late = LateInteraction.word_similarities

    def counted(self: LateInteraction, question: object, texts: Sequence[object]) -> object:
        compared.append(len(texts))
        return late(self, question, texts)  # type: ignore[arg-type]

    monkeypatch.setattr(LateInteraction, "word_similarities", counted)
    monkeypatch.setattr(section_comparison, "SECTIONS_COMPARED", 4)
    ranked = ask(index)
    assert 0 < max(compared) <= 4 * section_comparison.CHUNKS_COMPARED
    # The tenth section was not compared, and its score is that of the search alone.
    assert "word_similarity" not in ranked.hits[-1].signals
