from __future__ import annotations

import asyncio
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.samples import CHUNKS, DIMENSIONS, chunk, content, text_only, vectors, wordpieces_of
from tests.work import is_linear

from trueref_core.errors import IndexIncompatible
from trueref_core.generations.open_generation import OpenIndex
from trueref_core.generations.publication import publish
from trueref_core.generations.served_generation import open_index
from trueref_core.records import Anchor, Chunk, Document, Link, Page
from trueref_core.tables import table_writer
from trueref_core.tables.filters import Filters
from trueref_core.tables.table_writer import from_arrow, to_arrow

texts = st.text(st.characters(codec="utf-8"), max_size=8)
by_hint: dict[Any, st.SearchStrategy[Any]] = {
    str: texts,
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
    tuple[str, ...]: st.lists(texts, max_size=3).map(tuple),
}


def records(record_type: type[Any]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(record_type)
    return st.builds(record_type, **{f.name: by_hint.get(hints[f.name], texts) for f in fields(record_type)})


@pytest.mark.parametrize("record_type", [Page, Anchor, Chunk, Link, Document])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_records_come_back_as_they_were(record_type: type[Any], data: st.DataObject) -> None:
    rows = data.draw(st.lists(records(record_type), max_size=3))
    assert from_arrow(to_arrow(rows, record_type), record_type) == rows


def test_a_wrong_type_is_refused() -> None:
    import pyarrow

    with pytest.raises(pyarrow.ArrowException):
        to_arrow([chunk(0, tokens="five")], Chunk)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "index"
    publish(folder, content())
    return folder


def asked(index: Path, question: Any) -> Any:
    async def ask() -> Any:
        opened_index = await open_index(index)
        try:
            return await question(opened_index)
        finally:
            await opened_index.close()

    return asyncio.run(ask())


def found(index: Path, query: str, filters: Filters | None = None, limit: int = 10) -> list[str]:
    scored = asked(index, lambda it: it.search_text(query, limit=limit, filters=filters))
    assert [item.score for item in scored] == sorted((item.score for item in scored), reverse=True)
    return [item.id for item in scored]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("--no-deps", "c000"),
        ("what does --no-deps do?", "c000"),
        ("no-deps", "c000"),
        ("foo.bar_baz", "c002"),
        ("FOO.BAR_BAZ", "c002"),
        ("mkdocs.yml", "c002"),
        ("`mkdocs.yml`", "c002"),
        ("zensical.yml", "c003"),
        ("安装", "c006"),
        ("文档", "c006"),
        ("quoting", "c007"),
        ("O'Reilly", "c007"),
        ("packages", "c001"),
    ],
)
def test_a_text_search_finds_the_chunk_first(index: Path, query: str, first: str) -> None:
    assert found(index, query)[0] == first


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        "?!",
        "--",
        "\0",
        "\x01\x02",
        "\ud800",
        "()",
        '"',
        "中" * 0,
        "~",
        "*",
        "\u200b",
        "'; DROP TABLE chunks; --" * 0,
    ],
)
def test_nothing_to_search_for_finds_nothing(index: Path, query: str) -> None:
    assert found(index, query) == []


@pytest.mark.parametrize(
    "query",
    [
        'install"', "+install -shell", "install AND", "NOT install", "title:install", "install~2", "install*", "(install",
        "install\0shell", "install\ud800", "install^5", "inst\u0000all install", "[install TO shell]", "install \\", "install'--",
    ],
)  # fmt: skip
def test_the_syntax_of_queries_is_searched_as_text(index: Path, query: str) -> None:
    assert "c000" in found(index, query)


@pytest.mark.parametrize("word", ["install ", "x", "安装", "a.b-c_d ", "(", "\0a"])
def test_long_queries_take_linear_time(index: Path, word: str) -> None:
    assert is_linear(lambda query: found(index, query), word, longest=50_000)


def test_the_scores_of_columns_are_summed(index: Path) -> None:
    """`primary color` is in the title of one chunk; the other has it in its text only."""

    def score(query: str, chunk_id: str) -> float:
        scored = asked(index, lambda it: it.search_text(query, limit=10))
        return next((item.score for item in scored if item.id == chunk_id), 0.0)

    assert found(index, "primary color") == ["c004", "c005"]
    title = score("install", "c001")
    both = score("install", "c000")
    assert title > 0
    assert both > title


@pytest.mark.parametrize(
    ("changes", "query"),
    [
        ({"title": "Quagga"}, "quagga"),
        ({"breadcrumb": ("Setup", "Quagga")}, "quagga"),
        ({"text": "The quagga is here."}, "quagga"),
        ({"text": "These quaggas are here."}, "quagga"),
        ({"aliases": ("quagga",)}, "quagga"),
        ({"text": "Файлы зашифрованы.", "language": "ru"}, "файл"),
    ],
)
def test_a_word_is_found_wherever_a_chunk_has_it(tmp_path: Path, changes: dict[str, Any], query: str) -> None:
    publish(tmp_path, replace(text_only(), chunks=(*CHUNKS, chunk(8, **changes))))
    assert found(tmp_path, query) == ["c008"]


def test_filters_apply_before_the_limit(index: Path) -> None:
    assert found(index, "quoted it's install", Filters((("docs", "2.0"),)), limit=1) == ["c007"]
    assert found(index, "安装", Filters((("docs", "1.0"),), ("zh",))) == ["c006"]
    assert found(index, "install", Filters(languages=("de",))) == []
    assert found(index, "primary", Filters(page="setup/colors/")) == ["c004", "c005"]


@pytest.mark.parametrize("in_memory", [True, False])
def test_vector_search_is_exact(index: Path, in_memory: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_writer, "MAX_FLAT", 20_000 if in_memory else 0)
    stored = vectors()
    asking = np.ones(DIMENSIONS, np.float32) / np.sqrt(np.float32(DIMENSIONS))

    async def nearest(it: OpenIndex) -> Any:
        assert (it.matrix is not None) == in_memory
        own = await it.search_vector(stored["hash3"].vector, limit=1)
        zh = await it.search_vector(asking, limit=5, filters=Filters(languages=("zh",)))
        return own, zh, await it.search_vector(asking, limit=50)

    own, zh, everything = asked(index, nearest)
    assert (own[0].id, round(own[0].score, 5)) == ("c003", 1.0)
    assert [item.id for item in zh] == ["c006"]
    cosines = {item.id: float(stored[item.text_hash].vector @ asking) for item in CHUNKS}
    assert [item.id for item in everything] == sorted(cosines, key=lambda found_id: -cosines[found_id])
    assert all(abs(item.score - cosines[item.id]) < 1e-5 for item in everything)


def test_vectors_of_another_size_are_refused(index: Path) -> None:
    with pytest.raises(IndexIncompatible, match="test/one, 8 components"):
        asked(index, lambda it: it.search_vector(np.zeros(3, np.float32), limit=1))


def test_chunks_come_back_whole(index: Path) -> None:
    assert asked(index, lambda it: it.chunks(["c002", "c006", "unknown", "c002"])) == {
        "c002": CHUNKS[2],
        "c006": CHUNKS[6],
    }
    assert asked(index, lambda it: it.chunks([])) == {}


def test_sections_hold_all_their_chunks_in_order(index: Path) -> None:
    keys = [
        ("docs", "setup/#install"),
        ("docs", "setup/colors/#primary"),
        ("docs", "no/#thing"),
        ("other", "setup/#install"),
    ]
    sections = asked(index, lambda it: it.sections(dict.fromkeys(keys, "c000"), most=9))
    assert {key: [item.id for item in items] for key, items in sections.items()} == {
        keys[0]: ["c000", "c001", "c002", "c003"],
        keys[1]: ["c004", "c005"],
    }


@pytest.mark.parametrize(
    ("around", "most", "ids"),
    [
        ("c000", 2, ["c000", "c001"]),
        ("c002", 2, ["c001", "c002"]),
        ("c003", 2, ["c002", "c003"]),
        ("c003", 3, ["c001", "c002", "c003"]),
        ("unknown", 1, ["c000"]),
        ("c005", 1, ["c000"]),
    ],
)
def test_of_a_long_section_the_chunks_around_the_one_found_are_read(
    index: Path, around: str, most: int, ids: list[str]
) -> None:
    key = ("docs", "setup/#install")
    section = asked(index, lambda it: it.sections({key: around}, most=most))[key]
    assert [item.id for item in section] == ids


def test_the_wordpieces_of_chunks_are_found_by_their_ids(index: Path) -> None:
    wanted = ["c003", "c000", "none", "c003"]
    stored = {item.id: wordpieces_of(item) for item in CHUNKS}
    assert asked(index, lambda it: it.wordpieces(wanted)) == {name: stored[name] for name in ("c000", "c003")}
    assert asked(index, lambda it: it.wordpieces([])) == {}


def test_a_section_is_in_the_order_of_its_page_however_it_was_given(tmp_path: Path) -> None:
    shuffled = replace(content(), chunks=tuple(reversed(CHUNKS)))
    publish(tmp_path, shuffled)
    key = ("docs", "setup/#install")
    section = asked(tmp_path, lambda it: it.sections({key: "c000"}, most=9))[key]
    assert [item.position for item in section] == [0, 1, 2, 3]


def test_a_text_only_generation_has_no_vector_column(tmp_path: Path) -> None:
    publish(tmp_path, text_only())

    async def found(it: OpenIndex) -> Any:
        with pytest.raises(IndexIncompatible, match="0 components"):
            await it.search_vector(vectors()["hash3"].vector, limit=1)
        return it.generation.vectors, it.table.dimensions, await it.search_text("install", limit=1)

    has_vectors, dimensions, hits = asked(tmp_path, found)
    assert (has_vectors, dimensions) == (False, 0)
    assert asked(tmp_path, lambda it: it.wordpieces(["c000"])) == {}
    assert [hit.id for hit in hits] == ["c000"]


def test_an_empty_site_can_be_published_and_searched(tmp_path: Path) -> None:
    publish(tmp_path, replace(content(), chunks=(), links=(), documents=(), anchors=(), vectors={}))
    assert asked(tmp_path, lambda it: it.search_vector(np.zeros(DIMENSIONS, np.float32), limit=3)) == []
    assert found(tmp_path, "install") == []
    assert asked(tmp_path, lambda it: it.sections({("docs", "setup/#install"): "c000"}, most=9)) == {}


def test_many_chunks_of_any_text_can_be_published(tmp_path: Path) -> None:
    odd = ["", "\0", "\n", "a" * 100_000, "\u202e", "🦆", "e\u0301", "'\"", "中" * 3000]
    chunks = tuple(chunk(number, text=text, aliases=(text[:50],)) for number, text in enumerate(odd))
    publish(tmp_path, replace(content(), chunks=chunks, vectors=vectors(chunks)))
    back = asked(tmp_path, lambda it: it.chunks([item.id for item in chunks]))
    assert tuple(back.values()) == chunks or set(back) == {item.id for item in chunks}
    assert all(back[item.id] == item for item in chunks)
