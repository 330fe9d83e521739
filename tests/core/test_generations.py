from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.core.samples import CHUNKS, DOCUMENTS, PAGES, content, files_of, text_only, vectors

from trueref_core.errors import (
    IndexDamaged,
    IndexFault,
    IndexIncompatible,
    IndexLocked,
    IndexMissing,
    IndexUnwritable,
    OptionError,
)
from trueref_core.generations import (
    build_lock,
    generation_id,
    index_folder,
    open_index,
    publish,
    read_current,
    read_generation,
    read_ledger,
    read_manifest,
    served_build,
    stored_vectors,
)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index that no test changes."""
    index = tmp_path_factory.mktemp("generations") / "index"
    publish(index, content())
    return index


@pytest.fixture
def index(built: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return shutil.copytree(built, tmp_path / "index")


def opens(index: Path) -> str:
    async def load() -> str:
        opened = await open_index(index)
        await opened.close()
        return opened.generation.id

    return asyncio.run(load())


def builds_of(index: Path) -> set[str]:
    return {path.name for path in (index / "builds").iterdir()}


def rewrite_current(index: Path, **changes: Any) -> None:
    path = index / "current.json"
    path.write_bytes(msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | changes))


# What is published


def test_layout(built: Path) -> None:
    new = read_current(built)
    names = {name.replace(str(new), "ID") for name in files_of(built) if "/tables/" not in name}
    assert names == {".gitignore", "current.json"} | {
        f"builds/ID/{name}" for name in ("manifest.json", "ledger.json", "generation.json", "SHA256SUMS")
    }
    tables = {path.name for path in (served_build(built) / "tables").iterdir()}
    assert tables == {f"{name}.lance" for name in ("pages", "anchors", "chunks", "links", "documents", "generation")}
    assert (built / ".gitignore").read_text() == "*\n"


def test_what_was_published_is_read(built: Path) -> None:
    generation = read_generation(built)
    assert (generation.id, generation.embedder, generation.vectors) == (generation_id(content()), "test/one", True)
    assert generation.counts == {"anchors": 8, "chunks": 8, "documents": 1, "links": 1, "pages": 8, "sites": 1}
    assert read_ledger(built) == DOCUMENTS
    assert set(read_manifest(built).pages()) == set(PAGES)
    assert opens(built) == generation.id


def test_vectors_are_kept_for_reuse(built: Path) -> None:
    stored, given = stored_vectors(built, "test/one"), vectors()
    assert stored.keys() == given.keys()
    assert all(np.array_equal(stored[key], given[key]) for key in given)


def test_no_vectors_to_reuse(built: Path, tmp_path: Path) -> None:
    assert stored_vectors(built, "test/another") == {}
    assert stored_vectors(tmp_path, "test/one") == {}
    publish(tmp_path, text_only())
    assert stored_vectors(tmp_path, "test/one") == {}


def test_vectors_of_a_damaged_index_are_not_reused(index: Path) -> None:
    next((served_build(index) / "tables" / "chunks.lance" / "data").iterdir()).write_bytes(b"")
    with pytest.raises(IndexDamaged):
        stored_vectors(index, "test/one")


def test_a_chunk_without_vector_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="8 chunks have no vector, the first is c000"):
        publish(tmp_path, replace(content(), vectors={}))
    assert read_current(tmp_path) is None
    assert builds_of(tmp_path) == set()


# The id


def test_the_id_does_not_depend_on_order_or_time() -> None:
    one = content()
    later = tuple(replace(item, last_modified="2030", updated_at="2030", created_at="2030") for item in DOCUMENTS)
    other = replace(one, pages=PAGES[::-1], chunks=CHUNKS[::-1], documents=later, vectors={})
    assert generation_id(other) == generation_id(one)


@pytest.mark.parametrize(
    "changes",
    [
        {"options": {"note": "x"}},
        {"embedder": "test/two"},
        {"dimensions": 9},
        {"vectors": None},
        {"pages": PAGES[1:]},
        {"anchors": ()},
        {"links": ()},
        {"chunks": (replace(CHUNKS[0], text="other"), *CHUNKS[1:])},
        {"documents": (replace(DOCUMENTS[0], file_hash="h2"),)},
    ],
)
def test_the_id_depends_on_content(changes: dict[str, Any]) -> None:
    assert generation_id(replace(content(), **changes)) != generation_id(content())


def test_the_id_is_the_same_in_every_interpreter() -> None:
    code = "from tests.core.samples import content; from trueref_core.generations import generation_id; print(generation_id(content()))"
    ids = {
        subprocess.check_output([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, text=True) for seed in "12"
    }
    assert ids == {generation_id(content()) + "\n"}


# Publishing again


def test_the_same_content_writes_nothing(index: Path) -> None:
    before = files_of(index)
    assert not publish(index, content()).changed
    assert not publish(index, replace(content(), vectors={})).changed
    assert files_of(index) == before


def test_finding_out_that_nothing_changed_imports_no_lancedb(index: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom tests.core.samples import content\n"
        "from trueref_core.generations import publish, read_ledger, read_manifest, stored_vectors\n"
        f"index = Path({str(index)!r})\n"
        "assert not publish(index, content()).changed\nread_manifest(index).resolve('setup/')\nread_ledger(index)\n"
        "assert stored_vectors(index, 'another') == {}\n"
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
    assert builds_of(index) == {generation_id(content())}


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


# What is not an index


@pytest.mark.parametrize("place", ["missing", "empty", "file", "file/inside"])
def test_no_index(tmp_path: Path, place: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    for read in (read_generation, read_manifest, read_ledger, opens):
        with pytest.raises(IndexMissing, match=r"Build one with `mkdocs build`, or `trueref index SITE`\.$"):
            read(tmp_path / place)
    assert read_current(tmp_path / place) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "\ufeff{}",
        '{"schema": 1}',
        '{"schema": 1, "generation": 7}',
        '{"schema": 1, "generation": "../../elsewhere"}',
        '{"schema": 1, "generation": "/etc"}',
        '{"schema": 1, "generation": ""}',
        '{"schema": 1, "generation": "0000000000000000000000000"}',
        '{"schema": 1, "generation": "00000000000000000000000\\n"}',
        '{"schema": 1, "generation": "000000000000000000000000"}',
    ],
)
def test_a_current_json_that_names_no_generation(index: Path, text: str) -> None:
    (index / "current.json").write_text(text)
    with pytest.raises(IndexDamaged, match=r"Build it again with `mkdocs build`, or `trueref index SITE`\."):
        opens(index)


def test_a_current_json_that_cannot_be_read(index: Path) -> None:
    (index / "current.json").unlink()
    (index / "current.json").mkdir()
    with pytest.raises(IndexDamaged, match="Is a directory"):
        opens(index)


@pytest.mark.parametrize("file", ["current.json", "generation.json"])
def test_another_schema_is_incompatible(index: Path, file: str) -> None:
    from trueref_core.storage import seal

    path = index / file if file == "current.json" else served_build(index) / file
    path.write_bytes(msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | {"schema": 99}))
    if file != "current.json":
        seal(path.parent)
    with pytest.raises(IndexIncompatible, match="has schema 99, this version reads 1"):
        opens(index)
    assert stored_vectors(index, "test/one") == {}
    assert publish(index, content("x")).changed
    opens(index)


@pytest.mark.parametrize("option", ["s3://bucket/docs", "db://x", "file:///x"])
def test_an_index_is_a_folder(option: str) -> None:
    with pytest.raises(OptionError, match="An index is a folder for now"):
        index_folder(option)


def test_an_index_folder_may_be_at_home() -> None:
    assert index_folder("~/x") == Path.home() / "x"
    assert index_folder(".trueref") == Path(".trueref")


# Damage


def test_a_flipped_byte_anywhere_is_found(built: Path, tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    build = shutil.copytree(built, tmp_path / "index") / "builds" / str(read_current(built))
    files = sorted(path for path in build.rglob("*") if path.is_file() and path.stat().st_size)
    for path in [*files, *chance.choices(files, k=max(0, 50 - len(files)))]:
        good = path.read_bytes()
        flipped = bytearray(good)
        flipped[chance.randrange(len(good))] ^= 1 << chance.randrange(8)
        path.write_bytes(flipped)
        with pytest.raises(IndexDamaged, match=path.name if path.name != "SHA256SUMS" else "damaged"):
            opens(tmp_path / "index")
        path.write_bytes(good)
    opens(tmp_path / "index")


@pytest.mark.parametrize("file", ["manifest.json", "ledger.json", "generation.json", "SHA256SUMS"])
@pytest.mark.parametrize("change", ["truncate", "remove", "empty"])
def test_truncated_and_missing_files_are_found(index: Path, file: str, change: str) -> None:
    path = served_build(index) / file
    data = path.read_bytes()
    path.unlink()
    if change != "remove":
        path.write_bytes(data[: len(data) // 2] if change == "truncate" else b"")
    with pytest.raises(IndexDamaged):
        opens(index)


def test_a_missing_build_is_damage(index: Path) -> None:
    shutil.rmtree(served_build(index))
    for read in (read_generation, opens):
        with pytest.raises(IndexDamaged, match="is missing"):
            read(index)
    publish(index, content())
    opens(index)


# What cannot be written


@pytest.mark.parametrize("place", ["file", "file/inside", "file/inside/deep"])
def test_a_folder_that_cannot_be_made(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IndexUnwritable, match="Choose another folder") as caught:
        publish(tmp_path / place, content())
    assert "\n" not in str(caught.value)


def test_proc_is_not_writable() -> None:
    if not Path("/proc/self").exists():
        pytest.skip("this system has no /proc")
    with pytest.raises(IndexUnwritable):
        publish(Path("/proc/trueref"), content())


def mounted(folder: Path, options: str) -> None:
    """Mount a small file system, or skip with the reason: it needs root and Linux."""
    run = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if run.returncode:
        pytest.skip(f"no file system can be mounted here: {run.stderr.strip()}")


@pytest.mark.parametrize("size", ["16k", "64k", "100k"])
def test_a_full_disk_leaves_what_was_served(built: Path, tmp_path: Path, size: str) -> None:
    room = sum(path.stat().st_size // 4096 * 4096 + 4096 for path in built.rglob("*") if path.is_file())
    mounted(tmp_path, f"size={room + int(size[:-1]) * 1024}")
    try:
        index = shutil.copytree(built, tmp_path / "index")
        with pytest.raises(IndexUnwritable, match="disk is full"):
            publish(index, content("x"))
        assert opens(index) == read_current(built)
        assert builds_of(index) == {read_current(built)}
    finally:
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def test_a_read_only_index_can_be_read_and_not_written(built: Path, tmp_path: Path) -> None:
    mounted(tmp_path, "size=4m")
    try:
        index = shutil.copytree(built, tmp_path / "index")
        subprocess.run(["mount", "-o", "remount,ro", str(tmp_path)], check=True)
        assert opens(index) == read_current(built)
        assert not publish(index, content()).changed
        with pytest.raises(IndexUnwritable, match="Read-only file system"):
            publish(index, content("x"))
    finally:
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


# The lock


def test_the_lock_is_held_against_other_threads(index: Path) -> None:
    faults: list[IndexFault] = []

    def build() -> None:
        try:
            publish(index, content("x"))
        except IndexFault as fault:
            faults.append(fault)

    with build_lock(index):
        thread = threading.Thread(target=build)
        thread.start()
        thread.join()
        publish(index, content("y"))
    assert [type(fault) for fault in faults] == [IndexLocked]
    assert str(faults[0]).startswith(f"Another build is writing to the index at {index}.")


def test_waiting_for_the_lock(index: Path) -> None:
    def hold() -> None:
        with build_lock(index):
            held.set()
            time.sleep(0.3)

    held = threading.Event()
    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    with build_lock(index, wait_seconds=10):
        pass
    thread.join()


def test_one_folder_has_one_lock_however_it_is_named(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(index.parent)
    with build_lock(Path("index")):
        publish(index.parent / "." / "index", content("x"))
