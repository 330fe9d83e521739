"""Questions to an index of more chunks than are compared one by one, with that limit lowered to none."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.server.handmade import PAGES, publish_demo

from trueref_core.generations.open_generation import OpenIndex
from trueref_core.generations.served_generation import open_index
from trueref_core.tables import table_writer
from trueref_core.tables.chunk_rows import SectionKey
from trueref_core.tables.filters import Filters
from trueref_server.corpus import corpus as corpus_module
from trueref_server.corpus.corpus import Corpus
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.records import Question
from trueref_server.search import hybrid_search
from trueref_server.search.hybrid_search import Query, Searcher
from trueref_server.search.search import SearchIndex, search_plan

pytestmark = pytest.mark.anyio

ZEBRAS = {f"zebras/{number}/": {"": f"Every page of the docs has zebra number {number}."} for number in range(30)}


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(table_writer, "MAX_FLAT", 0)
    publish_demo(tmp_path / "index", ZEBRAS)
    return tmp_path / "index"


@pytest.mark.parametrize("page", PAGES)
async def test_a_question_finds_its_section(large: Path, page: str) -> None:
    opened = await open_index(large)
    corpus = await Corpus.of(opened)
    assert opened.table.is_large
    for anchor, text in PAGES[page].items():
        plan = make_plan(Question(text), "en", corpus.statistics)
        found = await search_plan(SearchIndex(opened, corpus, Scopes(opened.manifest), None), plan)
        assert (found.hits[0].page, found.hits[0].anchor) == (page, anchor)
    await opened.close()


async def test_no_more_sections_are_read_than_may_be(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hybrid_search, "MAX_READ", 3)
    monkeypatch.setattr(hybrid_search, "READ_MORE", 3)
    opened = await open_index(large)
    corpus = await Corpus.of(opened)
    searcher = Searcher(opened, corpus, None, ())
    found = await searcher.search([Query("", "zebra number"), Query("", "twelve megabytes", "part")], Filters())
    assert len(found) == 3
    # The best of each search is among them.
    assert {one.address[1].partition("/")[0] for one in found.values()} == {"zebras", "install"}
    monkeypatch.setattr(hybrid_search, "READ_MORE", 2)
    assert len(await searcher.search([Query("", "zebra number", "missing")], Filters())) == 2
    await opened.close()


async def test_words_that_are_everywhere_are_left_out_unless_there_are_no_others(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await open_index(large)
    corpus = await Corpus.of(opened)
    searcher = Searcher(opened, corpus, None, ())
    asked: list[str] = []
    match = opened.table.match

    async def noted(words: str, **options: Any) -> Any:
        asked.append(words)
        return await match(words, **options)

    monkeypatch.setattr(opened.table, "match", noted)
    for words in ("Which zebra has the palette?", "the zebra of"):
        await searcher.search([Query("", words)], Filters())
    assert asked == ["Which palette?", "the zebra of"]
    assert await searcher.search([Query("", "zebra")], Filters())
    await opened.close()


async def test_links_of_a_large_index_are_read_once_a_page(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_module, "SECTIONS_IN_MEMORY", 5)
    opened = await open_index(large)
    corpus = await Corpus.of(opened)
    asked: list[object] = []
    links = opened.table.links

    async def counting(pages: Collection[tuple[str, str]] | None = None) -> list[tuple[str, str, str, str, str]]:
        asked.append(pages)
        return await links(pages)

    monkeypatch.setattr(opened.table, "links", counting)
    dark = ("demo", "setup/colors/", "dark-mode")
    for _ in range(2):
        found = await corpus.links(opened, [dark, ("demo", "install/", "")])
        assert found == {dark: {("demo", "install/", "with-pip")}}
    assert asked == [{("demo", "setup/colors/"), ("demo", "install/")}, set()]
    await opened.close()


async def test_sections_that_left_are_read_again(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_module, "SECTIONS_IN_MEMORY", 5)
    opened = await open_index(large)
    corpus = await Corpus.of(opened)
    keys = sorted(opened.rows.sections)
    for _ in range(2):
        for start in range(0, len(keys), 7):
            wanted = keys[start : start + 7]
            found = await corpus.sections(opened, dict.fromkeys(wanted, ""))
            assert [section.chunks[0].section_id for section in found.values()] == [key[1] for key in wanted]
    read: list[SectionKey] = []
    sections = OpenIndex.sections

    async def noted(self: OpenIndex, wanted: Mapping[SectionKey, str], **options: Any) -> Any:
        read.extend(wanted)
        return await sections(self, wanted, **options)

    monkeypatch.setattr(OpenIndex, "sections", noted)
    await corpus.sections(opened, dict.fromkeys(keys, ""))
    # The last five were kept.
    assert read == keys[:-5]
    await opened.close()
