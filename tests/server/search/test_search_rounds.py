"""Retrieval over small real indexes: what is found, in how many rounds, and what is read for it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest
from tests.server.handmade import chunk
from tests.server.kiln_site import GUIDE, PAGES, kiln_index, write_site
from tests.sharing import bundled_embedder
from tests.waiting import wait_until_async

from trueref_core.generations.served_generation import open_index
from trueref_core.tables.filters import Filters
from trueref_plugin.build.build import index_site
from trueref_server.corpus import corpus as corpus_module
from trueref_server.corpus.corpus import MAX_CHUNKS, Corpus
from trueref_server.corpus.words import stem
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking.rank import hits_of, linking_sections, relate_sections, score_sections
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Hit, Question
from trueref_server.search import gaps as gaps_module
from trueref_server.search.gaps import assess
from trueref_server.search.hybrid_search import Query, Searcher
from trueref_server.search.search import RankedSections, SearchIndex, search_plan
from trueref_server.service import Service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.generations.open_generation import OpenIndex

Result = TypeVar("Result")


@pytest.fixture(scope="module", params=["lexical", "bundled"])
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kiln_index(tmp_path_factory, request.param)


@pytest.fixture(scope="module")
def lexical(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kiln_index(tmp_path_factory, "lexical")


class Opened:
    """An open index with all that a search needs."""

    def __init__(self, index: OpenIndex, corpus: Corpus, embedder: Embedder | None) -> None:
        self.index, self.corpus, self.embedder = index, corpus, embedder

    def asked(self, text: str) -> WeightedQuestion:
        return WeightedQuestion(make_plan(Question(text), "en", self.corpus.statistics), self.corpus.statistics)

    async def find(self, text: str, filters: Filters = Filters(), limit: int = 10) -> RankedSections:  # noqa: B008
        plan = self.asked(text).plan
        ready = SearchIndex(self.index, self.corpus, Scopes(self.index.manifest), self.embedder)
        return await search_plan(ready, plan, [filters], limit=limit)

    async def first_round(self, text: str, limit: int = 10) -> list[Hit]:
        """What the question alone finds, as `search_plan` looks at it before it assesses it."""
        asked = self.asked(text)
        plan = asked.plan
        searcher = Searcher(self.index, self.corpus, self.embedder, (plan.query, *plan.parts))
        words = " ".join([plan.query, *plan.identifiers])
        queries = [Query(plan.query, words), *(Query(part, "", "part", 30) for part in plan.parts)]
        candidates = await searcher.search(queries, Filters())
        scored = score_sections(asked, candidates.values())
        links = await self.corpus.links(self.index, linking_sections(scored))
        return hits_of(relate_sections(asked, scored, links), limit)


@asynccontextmanager
async def opened(path: Path) -> AsyncGenerator[Opened]:
    index = await open_index(path)
    try:
        embedder = bundled_embedder() if index.generation.vectors else None
        yield Opened(index, await Corpus.of(index), embedder)
    finally:
        await index.close()


def run(path: Path, ask: Callable[[Opened], Coroutine[None, None, Result]]) -> Result:
    async def go() -> Result:
        async with opened(path) as ready:
            return await ask(ready)

    return asyncio.run(go())


def places(hits: list[Hit]) -> list[str]:
    return [f"{hit.page}#{hit.anchor}" for hit in hits]


TWO_TOPICS = [
    "What is a proxy and how do I export temperatures as a table?",
    "How do I install behind a corporate proxy, and how do I export recorded temperatures as a table?",
    "Our corporate proxy has its own certificate. Can recorded temperatures be exported as a table?",
]


@pytest.mark.slow
@pytest.mark.parametrize("text", TWO_TOPICS)
def test_both_halves_of_a_question_are_among_the_first_five(index: Path, text: str) -> None:
    found = run(index, lambda ready: ready.find(text))
    assert {"guide/install/#proxy", "guide/export/#csv"} <= set(places(found.hits)[:5])
    assert len(found.question.plan.parts) == 2


@pytest.mark.parametrize(
    "text", ["kiln.set_hold_limit", "What does kiln.set_hold_limit do?", "set hold limit of a kiln", "HoldTooLong"]
)
def test_an_identifier_that_only_one_page_has_finds_it_first(index: Path, text: str) -> None:
    assert places(run(index, lambda ready: ready.find(text)).hits)[0] == "api/#kiln.set_hold_limit"


def test_sections_that_say_the_same_are_one_hit_that_names_the_others(index: Path) -> None:
    hits = run(index, lambda ready: ready.find("What does --quiet do?")).hits
    quiet = [hit for hit in hits if hit.anchor.endswith("--quiet")]
    assert len(quiet) == 1
    (hit,) = quiet
    named = {hit.anchor, *(anchor for _, _, anchor in hit.twins)}
    assert named == {"fire--quiet", "cool--quiet", "dry--quiet"}


MISSING = "Are kiln shelves loaded evenly before a slow firing, wadding included?"
"""The first hits hold all of it but one word of seven."""


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """One missing word starts a second round."""
    monkeypatch.setattr(gaps_module, "MISSING_FROM", 0.1)


def test_one_missing_word_of_many_starts_no_second_round(index: Path) -> None:
    assert not run(index, lambda ready: ready.find(MISSING)).gaps


@pytest.mark.usefixtures("eager")
def test_what_the_first_round_misses_starts_another(lexical: Path) -> None:
    first = run(lexical, lambda ready: ready.first_round(MISSING))
    assert "guide/wadding/#wadding" not in places(first)[:5]
    found = run(lexical, lambda ready: ready.find(MISSING, limit=99))
    assert found.gaps.terms == ("wad",)
    how = {f"{hit.page}#{hit.anchor}": hit.retrieval_type for hit in found.hits}
    assert how["guide/heat/#heat"] == "search"
    assert how["guide/heat/#soak"] == "child"
    assert how["guide/drying/#drying-rack"] == "linked"
    assert how["guide/steps/#steps-2"] == "next"
    assert places(found.hits)[0] == places(first)[0]


@pytest.mark.usefixtures("eager")
def test_each_found_section_says_by_which_query_it_was_found(lexical: Path) -> None:
    found = run(lexical, lambda ready: ready.find(MISSING, limit=99))
    by = {f"{hit.page}#{hit.anchor}": hit.retrieval_query for hit in found.hits}
    assert by["guide/heat/#heat"] == found.question.plan.query
    assert by["guide/heat/#soak"] == "guide/heat/#heat"


def lacking(*words: str) -> WeightedQuestion:
    """What is asked with these words, of a site of 400 sections where each is rare, and held by none of the hits."""
    plan = replace(make_plan(Question(" ".join(["shelves", *words])), "en"), parts=())
    counts = Counter(dict.fromkeys(plan.terms, 4))
    return WeightedQuestion(plan, corpus_module.Statistics(sections=400, section_counts=counts))


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        # Rare words all tell as much: from half of them on, the missing ones are searched for.
        (("shelves", "kiln"), ("wadding", "cones")),
        (("shelves",), ("wadding",)),
        (("shelves", "kiln", "cones"), ()),
    ],
)
def test_half_of_what_is_asked_has_to_be_missing(words: tuple[str, ...], missing: tuple[str, ...]) -> None:
    asked = lacking(*words[1:], *(missing or ("wadding",)))
    hit = Hit("demo", "a/", "a", 1.0, (chunk("a/", "a", " ".join(words), 0),))
    gaps = assess(asked, [hit])
    assert set(gaps.terms) == {stem(word, "en") for word in missing}


def test_what_a_conversation_adds_starts_no_second_round() -> None:
    asked = lacking("kiln", "wadding", "cones")
    plan = replace(asked.plan, carried=("wadding", "cones"))
    hit = Hit("demo", "a/", "a", 1.0, (chunk("a/", "a", "shelves kiln", 0),))
    assert assess(asked, [hit])
    assert not assess(replace(asked, plan=plan), [hit])


@pytest.mark.parametrize(
    "text",
    [
        "How do I install behind a corporate proxy?",
        "What does --quiet do?",
        "export as a table",
        # Words that no page has start no round: there is nothing to find.
        "How do I install behind a corporate zeppelin?",
        *TWO_TOPICS,
    ],
)
def test_a_first_round_that_suffices_is_the_only_one(index: Path, text: str) -> None:
    async def both(ready: Opened) -> tuple[RankedSections, list[Hit]]:
        return await ready.find(text), await ready.first_round(text)

    found, first = run(index, both)
    assert not found.gaps
    assert places(found.hits) == places(first)
    assert {hit.retrieval_type for hit in found.hits} <= {"search", "part"}


@pytest.mark.usefixtures("eager")
def test_a_second_round_keeps_what_the_first_one_found(index: Path) -> None:
    texts = [
        MISSING,
        "Is wadding sieved twice with amber ash and feldspar and whiting?",
        "Does the corporate proxy want a certificate of the system store, wadding too?",
        "Boards of plywood, greenware and raku in the logbook",
    ]

    async def both(ready: Opened) -> list[tuple[bool, list[str], list[str]]]:
        rounds = []
        for text in texts:
            found, first = await ready.find(text), await ready.first_round(text)
            rounds.append((bool(found.gaps), places(first), places(found.hits)))
        return rounds

    rounds = run(index, both)
    assert any(has_gaps for has_gaps, _, _ in rounds)
    for _, first, final in rounds:
        assert first[0] in final[:2]
        assert set(first[:3]) <= set(final)


@pytest.mark.usefixtures("eager")
def test_gaps_are_what_the_first_hits_lack(lexical: Path) -> None:
    async def look(ready: Opened) -> tuple[object, object]:
        asked = ready.asked(MISSING)
        hits = await ready.first_round(MISSING)
        return assess(asked, hits), assess(asked, [])

    gaps, nothing = run(lexical, look)
    assert gaps.terms == ("wad",)  # type: ignore[attr-defined]
    assert "wad" in nothing.terms  # type: ignore[attr-defined]


@pytest.mark.usefixtures("eager")
def test_filters_hold_for_related_sections_too(tmp_path: Path) -> None:
    pages = {f"{version}/{page}": sections for version in ("1.0", "2.0") for page, sections in PAGES.items()}
    # The page of one version links to the other one.
    (anchor, title, _), *rest = GUIDE["guide/heat/"]
    link = "<a href='../../../1.0/guide/drying/#drying-rack'>More</a>"
    shelves = GUIDE["guide/heat/"][0][2].partition("<a")[0]
    pages["2.0/guide/heat/"] = ((anchor, title, f"{shelves}{link}</p>"), *rest)
    del pages["2.0/logbook/"], pages["1.0/logbook/"]
    site = write_site(tmp_path / "site", pages, {"1.0/": "1.0", "2.0/": "2.0"})
    index_site(site, index=tmp_path / "index", name="kiln", embedder="lexical")

    async def ask(ready: Opened) -> tuple[RankedSections, RankedSections]:
        own = Filters(editions=(("kiln", "2.0"),))
        return await ready.find(MISSING, own, limit=99), await ready.find(MISSING, limit=99)

    own, free = run(tmp_path / "index", ask)
    assert own.gaps
    assert {hit.page.partition("/")[0] for hit in own.hits} == {"2.0"}
    assert "child" in {hit.retrieval_type for hit in own.hits}
    assert {hit.page.partition("/")[0] for hit in free.hits} == {"1.0", "2.0"}


def test_of_a_very_long_section_the_place_that_was_found_is_read(index: Path) -> None:
    hit = run(index, lambda ready: ready.find("Which day did peacock raku come out with copper flashes?")).hits[0]
    assert (hit.page, hit.anchor) == ("logbook/", "logbook")
    assert len(hit.chunks) == MAX_CHUNKS
    assert "Peacock raku" in " ".join(chunk.text for chunk in hit.chunks)


def test_a_very_long_section_is_read_around_each_place_anew(lexical: Path) -> None:
    async def ask(ready: Opened) -> list[RankedSections]:
        # One after the other: the first must not be kept for the second.
        return [await ready.find(text) for text in ("Entry 5 cone", "peacock raku flashes", "Run 97 ended")]

    texts = [" ".join(chunk.text for chunk in found.hits[0].chunks) for found in run(lexical, ask)]
    assert "Peacock raku" in texts[1]
    assert "Run 97 ended" in texts[2]


SAMPLED = ("corporate proxy certificate", "kiln.set_hold_limit", "What does --quiet do?", MISSING, "peacock raku")


def test_a_large_index_is_read_when_it_is_searched(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [places(run(index, lambda ready, text=text: ready.find(text)).hits) for text in SAMPLED]  # type: ignore[misc]
    monkeypatch.setattr(corpus_module, "SECTIONS_IN_MEMORY", 8)

    async def ask(ready: Opened) -> list[list[str]]:
        assert ready.corpus.statistics.sections == 8
        # At once: each drops sections that the others hold.
        found = await asyncio.gather(*(ready.find(text) for text in SAMPLED))
        again = [await ready.find(text) for text in SAMPLED]
        assert [places(one.hits) for one in again] == [places(one.hits) for one in found]
        return [places(one.hits) for one in found]

    sampled = run(index, ask)
    for complete, read in zip(whole[:3], sampled[:3], strict=True):
        assert complete[0] in read[:3]
        assert len(read) == len(complete)


def test_the_sample_of_a_large_index_is_the_same_each_time(lexical: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_module, "SECTIONS_IN_MEMORY", 10)

    async def words(ready: Opened) -> dict[str, int]:
        return dict(ready.corpus.statistics.words)

    assert run(lexical, words) == run(lexical, words)


def test_reading_a_corpus_leaves_other_readers_their_turn(lexical: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_module, "READ_AT_ONCE", 1)

    async def read() -> tuple[int, int]:
        index = await open_index(lexical)
        turns = 0
        is_read = False

        async def others() -> None:
            nonlocal turns
            while not is_read:
                turns += 1
                await asyncio.sleep(0)

        waiting = asyncio.create_task(others())
        await Corpus.of(index)
        is_read = True
        await waiting
        await index.close()
        return turns, len(index.rows.sections)

    turns, sections = asyncio.run(read())
    assert turns >= sections


def test_questions_while_a_build_publishes_are_answered_from_one_generation_each(tmp_path: Path) -> None:
    """Questions while a build publishes: each is answered from one generation, whole."""
    site = write_site(tmp_path / "site", GUIDE)
    path = tmp_path / "index"
    index_site(site, index=path, name="kiln", embedder="lexical")

    async def ask() -> tuple[list[str], list[str], set[str]]:
        service = Service(Settings(index=path, cache_answers=0))
        question = Question("Where is the corporate proxy set?")
        before = [result.href for result in await service.search(question)]
        old = asyncio.gather(*(service.ask_whole(question) for _ in range(5)))
        pages = {page: sections for page, sections in GUIDE.items() if page != "guide/install/"}
        pages["moved/"] = GUIDE["guide/install/"]
        (site / "guide/install/index.html").unlink()
        write_site(site, pages)
        building = asyncio.to_thread(index_site, site, index=path, name="kiln", embedder="lexical")
        built = asyncio.ensure_future(building)
        served = set()
        while not built.done():
            answer = await service.ask_whole(question)
            served.add(answer.sources[0].page)
        for answer in await old:
            assert answer.sources[0].page == "guide/install/"

        async def serves_the_new() -> bool:
            served.add((await service.ask_whole(question)).sources[0].page)
            return "moved/" in served

        await wait_until_async(serves_the_new)
        after = [result.href for result in await service.search(question)]
        await service.close()
        return before, after, served

    before, after, served = asyncio.run(ask())
    assert before[0] == "guide/install/#proxy"
    assert after[0] == "moved/#proxy"
    assert served == {"guide/install/", "moved/"}
