"""Tables of more chunks than are compared one by one, with that limit lowered: the same code that a million chunks meet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.core.samples import chunk, content

from trueref_core.generations.content import IndexContent, KeptPages
from trueref_core.generations.open_generation import OpenIndex
from trueref_core.generations.publication import publish
from trueref_core.generations.served_generation import (
    build_folder,
    open_index,
    read_generation,
    read_parts,
    read_states,
    served_build,
)
from trueref_core.records import Chunk, Link, Page, TextVectors
from trueref_core.storage.sealed_folders import read_sums
from trueref_core.tables import chunk_search, table_writer
from trueref_core.tables.filters import Filters

if TYPE_CHECKING:
    from numpy.typing import NDArray

LIMIT = 300
MANY = 800
FEW = 100
DIMENSIONS = 32
A_PAGE = 4

WORDS = "install build serve theme color search plugin anchor link page title table image video hook query".split()


@pytest.fixture(autouse=True)
def lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    """`MERGED_ALWAYS` too: rows that a build adds to a large table stay outside of its indexes."""
    monkeypatch.setattr(table_writer, "MAX_FLAT", LIMIT)
    monkeypatch.setattr(table_writer, "MERGED_ALWAYS", LIMIT)


def vector_of(number: int, dimensions: int = DIMENSIONS) -> NDArray[np.float32]:
    row = np.random.default_rng(number).normal(size=dimensions).astype(np.float32)
    return np.asarray(row / np.linalg.norm(row), dtype=np.float32)


def chunks_of(numbers: Collection[int]) -> tuple[Chunk, ...]:
    """Chunks of four a page; a hundredth of them is of another version, and one page in five has the same title."""
    return tuple(
        chunk(
            number,
            id=f"c{number:05}",
            page=f"p{number // A_PAGE}/",
            section_id=f"p{number // A_PAGE}/#install",
            title="Overview" if number // A_PAGE % 5 == 0 else "Section",
            text=f"The {WORDS[number % 16]} has a {WORDS[number // 16 % 16]}, and word{number} is here alone.",
            position=number % A_PAGE,
            version="2.0" if number % 100 == 7 else "1.0",
            text_hash=f"hash{number}",
        )
        for number in numbers
    )


def content_of(numbers: Collection[int]) -> IndexContent:
    pages = sorted({number // A_PAGE for number in numbers})
    return replace(
        content(),
        pages=tuple(Page("docs", f"p{page}/", f"p{page}/index.html", f"Page {page}") for page in pages),
        anchors=(),
        chunks=chunks_of(numbers),
        links=tuple(
            Link("docs", f"p{page}/", "install", f"p{page // 2}/", "install", "internal", "there", "ok")
            for page in pages
        ),
        documents=(),
        texts={},
        dimensions=DIMENSIONS,
        vectors={f"hash{number}": TextVectors(vector_of(number)) for number in numbers},
    )


def change(index: Path, numbers: Collection[int]) -> None:
    """Publish what a build does of which these numbers are what is left, keeping what the generation before has."""
    before, states, files = read_generation(index), read_states(index), read_parts(build_folder(index))
    wanted = {f"p{number // A_PAGE}/" for number in numbers}
    kept = {key for key in states if key[1] in wanted}
    new = [number for number in numbers if ("docs", f"p{number // A_PAGE}/") not in kept]
    made, everything = content_of(new), content_of(numbers)
    publish(index, replace(made, pages=everything.pages, kept=KeptPages(before.id, states, kept, files)))


def asked(index: Path, question: Callable[[OpenIndex], Any]) -> Any:
    async def ask() -> Any:
        opened = await open_index(index)
        try:
            return await question(opened)
        finally:
            await opened.close()

    return asyncio.run(ask())


def index_files(index: Path, table: str = "chunks") -> dict[str, str]:
    """The sums of the files that indexes of a table have in the served generation, by name."""
    folder = f"tables/{table}.lance/_indices/"
    return {name: digest for name, digest in read_sums(served_build(index)).items() if name.startswith(folder)}


OF_VECTORS, OF_VALUES, OF_RANGES = "index.idx", "bitmap_page_lookup.lance", "page_lookup.lance"
"""The files by which an index of that kind is known: each has one."""

OF_FILTERS = [OF_VALUES] * 3 + [OF_RANGES]
"""The indexes of a large generation for filters: of sites, versions and languages, and of the pages of links."""


def large_indexes(index: Path) -> list[str]:
    """The indexes of the served generation that only a large one needs, each by its file."""
    names = [Path(name).name for table in ("chunks", "links") for name in index_files(index, table)]
    return sorted(name for name in names if name in {OF_VECTORS, OF_VALUES, OF_RANGES})


def nearest(index: Path, number: int, limit: int = 1, filters: Filters | None = None) -> list[str]:
    hits = asked(index, lambda it: it.search_vector(vector_of(number), limit=limit, filters=filters))
    return [hit.id for hit in hits]


def matching(index: Path, query: str, limit: int = 1, filters: Filters | None = None) -> list[str]:
    hits = asked(index, lambda it: it.search_text(query, limit=limit, filters=filters))
    return [hit.id for hit in hits]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large") / "index"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_writer, "MAX_FLAT", LIMIT)
        patch.setattr(table_writer, "PARTITION_VECTORS", MANY // 8)
        publish(folder, content_of(range(MANY)))
    return folder


def test_only_a_large_generation_has_the_indexes_that_it_needs(large: Path, tmp_path: Path) -> None:
    assert large_indexes(large) == sorted([*OF_FILTERS, OF_VECTORS])
    publish(tmp_path, content_of(range(LIMIT)))
    assert large_indexes(tmp_path) == []
    assert asked(tmp_path, has_vectors_in_memory)
    assert not asked(large, has_vectors_in_memory)


async def has_vectors_in_memory(it: OpenIndex) -> bool:
    assert it.table.has_vector_index == (it.matrix is None)
    return it.matrix is not None


def test_the_index_of_vectors_finds_what_comparing_all_finds(large: Path) -> None:
    everything = np.stack([vector_of(number) for number in range(MANY)])
    found = 0
    for question in range(5000, 5020):
        exact = np.argsort(-(everything @ vector_of(question)))[:10].tolist()
        found += len({f"c{number:05}" for number in exact} & set(nearest(large, question, 10)))
    assert found >= 0.95 * 200


def test_scores_are_cosines(large: Path) -> None:
    hits = asked(large, lambda it: it.search_vector(vector_of(5001), limit=5))
    assert [hit.score for hit in hits] == pytest.approx(
        [float(vector_of(int(hit.id[1:])) @ vector_of(5001)) for hit in hits], abs=1e-5
    )


def test_filters_are_kept_to_and_find_all_that_they_allow(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_search, "PROBES", 1)
    newer = Filters((("docs", "2.0"),))
    expected = {f"c{number:05}" for number in range(7, MANY, 100)}
    assert set(nearest(large, 3, 100, newer)) == expected
    assert set(matching(large, "the word is here", 100, newer)) == expected
    assert nearest(large, 3, 10, Filters((("docs", "3.0"),))) == []
    assert matching(large, "word3", 10, Filters(languages=("de",))) == []
    assert set(nearest(large, 3, 10, Filters(page="p0/"))) == {"c00000", "c00001", "c00002", "c00003"}


@pytest.mark.parametrize("number", [0, 399, 799])
def test_full_text_finds_rare_words(large: Path, number: int) -> None:
    assert matching(large, f"where is word{number}?") == [f"c{number:05}"]


def test_a_title_that_many_share_leaves_room_for_texts(large: Path) -> None:
    """A fifth of all chunks is called Overview, and scores more for that than any text does for `install`."""
    chunks = {item.id: item for item in chunks_of(range(MANY))}
    found = [chunks[name] for name in matching(large, "overview install", 10)]
    assert sum(item.title == "Overview" for item in found) >= 2
    assert sum("install" in item.text and item.title != "Overview" for item in found) >= 2


def test_links_are_the_same_by_page_and_all_at_once(large: Path) -> None:
    pages = {("docs", "p3/"), ("docs", "p7/"), ("other", "p7/")}
    everything = asked(large, lambda it: it.table.links())
    found = asked(large, lambda it: it.table.links(pages))
    assert sorted(found) == sorted(link for link in everything if link[:2] in pages)
    assert len(found) == 2
    assert asked(large, lambda it: it.table.links(set())) == []


@pytest.fixture
def grown(tmp_path: Path) -> Path:
    """An index whose last rows are in no index: the files of these are what they were before."""
    publish(tmp_path, content_of(range(MANY)))
    before = index_files(tmp_path)
    change(tmp_path, range(40, MANY + 60))
    assert index_files(tmp_path) == before
    return tmp_path


def test_rows_that_no_index_has_yet_are_found(grown: Path) -> None:
    for number in (MANY, MANY + 30, MANY + 59):
        assert nearest(grown, number) == [f"c{number:05}"]
        assert matching(grown, f"word{number}") == [f"c{number:05}"]
    newer = Filters((("docs", "2.0"),))
    assert "c00807" in nearest(grown, 807, 3, newer)
    assert matching(grown, "word807", 3, newer) == ["c00807"]
    assert asked(grown, lambda it: it.table.links({("docs", "p201/")})) == [
        ("docs", "p201/", "install", "p100/", "install")
    ]


def test_rows_that_are_gone_are_not_found(grown: Path) -> None:
    assert "c00010" not in nearest(grown, 10, 100)
    assert matching(grown, "word10", 5) == []
    assert nearest(grown, 41) == ["c00041"]


def test_a_large_table_that_is_merged_has_all_rows_indexed(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_writer, "MERGED_ALWAYS", 50_000)
    before = index_files(grown)
    change(grown, range(40, MANY + 100))
    assert {OF_VECTORS, OF_VALUES} <= {Path(name).name for name in index_files(grown).keys() - before.keys()}
    assert nearest(grown, MANY + 90) == [f"c{MANY + 90:05}"]


def test_a_generation_that_shrinks_drops_its_indexes_and_one_that_grows_gets_them(tmp_path: Path) -> None:
    publish(tmp_path, content_of(range(FEW)))
    change(tmp_path, range(MANY))
    assert large_indexes(tmp_path) == sorted([*OF_FILTERS, OF_VECTORS])
    assert not asked(tmp_path, has_vectors_in_memory)
    assert nearest(tmp_path, 700) == ["c00700"]
    # Not all that there was at first: that generation is still there.
    change(tmp_path, range(A_PAGE, FEW))
    assert large_indexes(tmp_path) == []
    assert asked(tmp_path, has_vectors_in_memory)
    assert nearest(tmp_path, 70) == ["c00070"]
    assert nearest(tmp_path, 700) != ["c00700"]
    # Their files are gone, too: one folder is left for each field of full text.
    assert len({Path(name).parent for name in index_files(tmp_path)}) == len(table_writer.TEXT_WEIGHTS)


def test_a_large_generation_without_vectors_is_searched_by_text(tmp_path: Path) -> None:
    publish(tmp_path, replace(content_of(range(MANY)), vectors=None))
    assert large_indexes(tmp_path) == sorted(OF_FILTERS)
    assert matching(tmp_path, "word500") == ["c00500"]


def test_vectors_that_no_index_takes_are_compared_one_by_one(tmp_path: Path) -> None:
    """IVF_RQ takes no vectors of 30 components."""
    vectors = {f"hash{number}": TextVectors(vector_of(number, 30)) for number in range(MANY)}
    publish(tmp_path, replace(content_of(range(MANY)), vectors=vectors, dimensions=30))
    hits = asked(tmp_path, lambda it: it.search_vector(vector_of(500, 30), limit=1))
    assert [hit.id for hit in hits] == ["c00500"]


def test_a_large_generation_made_without_indexes_is_compared_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tables have no such index: it was made when there were none."""
    monkeypatch.setattr(table_writer, "MAX_FLAT", MANY)
    publish(tmp_path, content_of(range(MANY)))
    monkeypatch.setattr(table_writer, "MAX_FLAT", LIMIT)
    assert nearest(tmp_path, 500) == ["c00500"]
    assert nearest(tmp_path, 3, 3, Filters(page="p1/")) != nearest(tmp_path, 3, 3)
    assert matching(tmp_path, "word500") == ["c00500"]


def test_a_search_finds_the_same_before_and_after_warming(large: Path) -> None:
    async def ask(it: OpenIndex) -> Any:
        cold = await it.search_vector(vector_of(9), limit=5)
        await it.table.warm()
        return cold, await it.search_vector(vector_of(9), limit=5)

    cold, warm = asked(large, ask)
    assert cold == warm
