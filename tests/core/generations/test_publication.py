from __future__ import annotations

import asyncio
import errno
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.core.samples import (
    CHUNKS,
    DOCUMENTS,
    PAGES,
    TEXTS,
    builds_of,
    content,
    files_of,
    id_of,
    opens,
    rewrite_current,
    text_only,
    vectors,
)

from trueref_core.errors import IndexDamaged, IndexUnwritable
from trueref_core.generations.publication import publish
from trueref_core.generations.served_generation import (
    open_index,
    read_build_texts,
    read_current,
    read_generation,
    read_ledger,
    read_manifest,
    served_build,
    verified_vectors,
)
from trueref_core.storage.integrity_cache import FILE

# What is published


def test_the_files_of_an_index_are_those_of_the_layout(built: Path) -> None:
    new = read_current(built)
    names = {name.replace(str(new), "ID") for name in files_of(built) if "/tables/" not in name}
    assert names == {".gitignore", "current.json", "intact.json"} | {
        f"builds/ID/{name}"
        for name in (
            "manifest.json",
            *(f"{kind}/0000.json" for kind in ("anchors", "links", "texts")),
            "states.json",
            "ledger.json",
            "generation.json",
            "SHA256SUMS",
        )
    }
    tables = {path.name for path in (served_build(built) / "tables").iterdir()}
    assert tables == {f"{name}.lance" for name in ("pages", "anchors", "chunks", "links", "documents", "generation")}
    assert (built / ".gitignore").read_text() == "*\n"


def test_every_part_of_a_generation_is_read_as_it_was_published(built: Path) -> None:
    generation = read_generation(built)
    assert (generation.id, generation.embedder, generation.vectors) == (id_of(content()), "test/one", True)
    assert generation.counts == {"anchors": 8, "chunks": 8, "documents": 1, "links": 1, "pages": 8, "sites": 1}
    assert read_ledger(built) == DOCUMENTS
    assert read_build_texts(served_build(built)) == TEXTS
    assert set(read_manifest(built).pages()) == set(PAGES)
    assert opens(built) == generation.id


def test_vectors_are_kept_for_reuse(built: Path) -> None:
    stored, given = verified_vectors(served_build(built), None), vectors()
    assert stored.keys() == given.keys()
    assert all(np.array_equal(stored[key].vector, given[key].vector) for key in given)
    assert {key: found.wordpieces for key, found in stored.items()} == {
        key: found.wordpieces for key, found in given.items()
    }


def test_vectors_of_a_damaged_index_are_not_reused(index: Path) -> None:
    next((served_build(index) / "tables" / "chunks.lance" / "data").iterdir()).write_bytes(b"")
    with pytest.raises(IndexDamaged):
        verified_vectors(served_build(index), None)


def test_a_chunk_without_a_vector_is_refused_and_nothing_is_published(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="8 chunks have no vector, the first is c000"):
        publish(tmp_path, replace(content(), vectors={}))
    assert read_current(tmp_path) is None
    assert builds_of(tmp_path) == set()


# The id


def test_the_id_does_not_depend_on_order_or_time() -> None:
    one = content()
    # The file of a page changes with every entry of the navigation, and at every checkout.
    later = tuple(
        replace(item, file_hash="other", last_modified="2030", updated_at="2030", created_at="2030")
        for item in DOCUMENTS
    )
    other = replace(one, pages=PAGES[::-1], chunks=CHUNKS[::-1], documents=later, vectors={})
    assert id_of(other) == id_of(one)


@pytest.mark.parametrize(
    "changes",
    [
        {"recipes": {"docs": "x"}},
        {"embedder": "test/two"},
        {"dimensions": 9},
        {"vectors": None},
        {"pages": PAGES[1:]},
        {"anchors": ()},
        {"links": ()},
        {"chunks": (replace(CHUNKS[0], text="other"), *CHUNKS[1:])},
        {"documents": (replace(DOCUMENTS[0], chunk_count=5),)},
        {"texts": {("docs", "setup/"): "# Another"}},
    ],
)
def test_the_id_depends_on_content(changes: dict[str, Any]) -> None:
    assert id_of(replace(content(), **changes)) != id_of(content())


def test_the_id_is_the_same_in_every_interpreter() -> None:
    code = "from tests.core.samples import content, id_of; print(id_of(content()))"
    ids = {
        subprocess.check_output([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, text=True) for seed in "12"
    }
    assert ids == {id_of(content()) + "\n"}


# Publishing again


def test_the_same_content_writes_nothing(index: Path) -> None:
    # The files are copies here, so that they are compared with their sums once.
    publish(index, content())
    before = files_of(index)
    assert not publish(index, content()).changed
    assert not publish(index, replace(content(), vectors={})).changed
    # Which files were compared is noted once they are two seconds old: on a slow machine that is during this test.
    assert files_of(index) | {FILE: b""} == before | {FILE: b""}


def test_finding_out_that_nothing_changed_imports_no_lancedb(index: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom tests.core.samples import content\n"
        "from trueref_core.generations.publication import publish\n"
        "from trueref_core.generations.served_generation import read_ledger, read_manifest\n"
        "from trueref_core.links.resolve import resolve\n"
        f"index = Path({str(index)!r})\n"
        "assert not publish(index, content()).changed\nresolve(read_manifest(index), 'setup/')\nread_ledger(index)\n"
        "print([name for name in ('lancedb', 'pyarrow', 'fastembed', 'onnxruntime') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_vectors_that_come_later_are_another_generation(tmp_path: Path) -> None:
    first = publish(tmp_path, text_only())
    second = publish(tmp_path, content())
    assert (first.generation.vectors, second.generation.vectors) == (False, True)
    assert first.generation.id != second.generation.id
    assert second.changed


def test_going_back_points_to_what_is_there(index: Path) -> None:
    first = read_generation(index)
    publish(index, content("x"))
    back = publish(index, content())
    assert (back.changed, back.generation) == (True, first)
    assert opens(index) == first.id


def test_going_back_to_a_damaged_generation_writes_it_again(index: Path) -> None:
    first = served_build(index)
    publish(index, content("x"))
    (first / "manifest.json").write_bytes(b"{}")
    publish(index, content())
    assert opens(index) == first.name


def test_a_damaged_generation_is_written_again(index: Path) -> None:
    (served_build(index) / "tables" / "extra").write_bytes(b"")
    with pytest.raises(IndexDamaged):
        opens(index)
    assert publish(index, content()).changed
    opens(index)
    assert builds_of(index) == {id_of(content())}


def test_a_damaged_current_json_is_replaced(index: Path) -> None:
    old = read_current(index)
    (index / "current.json").write_bytes(b"{")
    published = publish(index, content("x"))
    assert published.changed
    assert builds_of(index) == {old, published.generation.id}


# Sweeping


def test_readers_keep_what_they_opened(index: Path) -> None:
    async def read_while_publishing() -> None:
        opened = await open_index(index)
        for note in "xyz":
            await asyncio.to_thread(publish, index, content(note))
        assert await opened.search_text("install", limit=1)
        assert await opened.chunks(["c001"])
        await opened.close()

    asyncio.run(read_while_publishing())


def test_older_generations_are_swept_after_ten_minutes(index: Path) -> None:
    first = str(read_current(index))
    second = publish(index, content("x")).generation.id
    third = publish(index, content("y")).generation.id
    assert builds_of(index) == {first, second, third}
    long_ago = time.time() - 601
    rewrite_current(index, previous=[{"generation": name, "until": long_ago} for name in (second, first)])
    fourth = publish(index, content("z")).generation.id
    assert builds_of(index) == {third, fourth}


def test_the_last_two_are_kept_however_old(index: Path) -> None:
    first = str(read_current(index))
    second = publish(index, content("x")).generation.id
    rewrite_current(index, previous=[{"generation": first, "until": 0}])
    third = publish(index, content("y")).generation.id
    assert builds_of(index) == {second, third}


def test_what_nobody_needs_goes_before_anything_is_written(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that died between its last two steps has left a whole generation that was never served."""
    shutil.copytree(index / "builds" / str(read_current(index)), index / "builds" / ("0" * 24))
    there: list[set[str]] = []

    def no_room(*_: object) -> None:
        there.append(builds_of(index))
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("trueref_core.generations.publication.write_build", no_room)
    with pytest.raises(IndexUnwritable):
        publish(index, content("x"))
    assert there == [{str(read_current(index))}]


def test_a_clock_that_was_ahead_keeps_nothing_for_years(index: Path) -> None:
    first = str(read_current(index))
    second = publish(index, content("x")).generation.id
    rewrite_current(index, previous=[{"generation": first, "until": time.time() + 10**9}])
    publish(index, content("y"))
    previous = msgspec.json.decode((index / "current.json").read_bytes())["previous"]
    assert [item["generation"] for item in previous] == [second, first]
    assert all(item["until"] <= time.time() for item in previous)


def test_leftovers_are_swept_and_other_files_are_not(index: Path) -> None:
    (index / "builds" / ".building-dead").mkdir()
    (index / "builds" / ".building-dead" / "data").write_bytes(b"x")
    (index / "builds" / ("0" * 24)).mkdir()
    (index / "builds" / "mine").mkdir()
    old = read_current(index)
    new = publish(index, content("x")).generation.id
    assert builds_of(index) == {"mine", old, new}
