"""An index that is missing, of another kind, damaged, locked, or in a place that cannot be written."""

from __future__ import annotations

import random
import shutil
import subprocess
import threading
from pathlib import Path

import msgspec
import pytest
from tests.core.samples import builds_of, content, opens

from trueref_core.errors import (
    IndexDamaged,
    IndexFault,
    IndexIncompatible,
    IndexLocked,
    IndexMissing,
    IndexUnwritable,
    OptionError,
)
from trueref_core.generations.publication import build_lock, publish
from trueref_core.generations.served_generation import (
    index_folder,
    read_current,
    read_generation,
    read_ledger,
    read_manifest,
    served_build,
)
from trueref_core.version import SCHEMA_VERSION

# What is not an index


@pytest.mark.parametrize("place", ["missing", "empty", "file", "file/inside"])
def test_where_there_is_no_index_the_command_that_makes_one_is_named(tmp_path: Path, place: str) -> None:
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
        '{"schema": 2}',
        '{"schema": 8, "generation": 7}',
        '{"schema": 8, "generation": "../../elsewhere"}',
        '{"schema": 8, "generation": "/etc"}',
        '{"schema": 8, "generation": ""}',
        '{"schema": 8, "generation": "0000000000000000000000000"}',
        '{"schema": 8, "generation": "00000000000000000000000\\n"}',
        '{"schema": 8, "generation": "000000000000000000000000"}',
    ],
)
def test_a_current_json_that_names_no_generation_is_damage(index: Path, text: str) -> None:
    (index / "current.json").write_text(text)
    with pytest.raises(IndexDamaged, match=r"Build it again with `mkdocs build`, or `trueref index SITE`\."):
        opens(index)


def test_a_current_json_that_cannot_be_read_is_damage_with_its_reason(index: Path) -> None:
    (index / "current.json").unlink()
    (index / "current.json").mkdir()
    with pytest.raises(IndexDamaged, match="Is a directory"):
        opens(index)


@pytest.mark.parametrize("file", ["current.json", "generation.json"])
@pytest.mark.parametrize("schema", [4, 99])
def test_another_schema_is_incompatible(index: Path, file: str, schema: int) -> None:
    from trueref_core.storage.sealed_folders import seal

    path = index / file if file == "current.json" else served_build(index) / file
    path.write_bytes(msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | {"schema": schema}))
    if file != "current.json":
        seal(path.parent)
    with pytest.raises(
        IndexIncompatible, match=f"has schema {schema}, this version reads {SCHEMA_VERSION}. Build it again with"
    ):
        opens(index)
    assert publish(index, content("x")).changed
    opens(index)


@pytest.mark.parametrize("option", ["s3://bucket/docs", "db://x", "file:///x"])
def test_an_index_at_a_uri_is_refused(option: str) -> None:
    with pytest.raises(OptionError, match="An index is a folder for now"):
        index_folder(option)


def test_a_tilde_in_the_path_of_an_index_is_expanded() -> None:
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


def test_a_missing_build_is_damage_that_the_next_build_mends(index: Path) -> None:
    shutil.rmtree(served_build(index))
    for read in (read_generation, opens):
        with pytest.raises(IndexDamaged, match="is missing"):
            read(index)
    publish(index, content())
    opens(index)


def test_a_build_that_cannot_be_read_is_damage_with_its_reason(index: Path) -> None:
    (index / "builds").rename(index / "moved")
    (index / "builds").symlink_to("builds")
    for read in (read_generation, opens):
        with pytest.raises(IndexDamaged, match="cannot be read"):
            read(index)


# What cannot be written


@pytest.mark.parametrize("place", ["file", "file/inside", "file/inside/deep"])
def test_a_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IndexUnwritable, match="Choose another folder") as caught:
        publish(tmp_path / place, content())
    assert "\n" not in str(caught.value)


def test_an_index_under_proc_is_refused_as_unwritable() -> None:
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


def test_a_build_waits_for_the_lock_of_another_and_says_so(index: Path) -> None:
    def hold() -> None:
        with build_lock(index):
            is_locked.set()
            waited_for.wait()

    is_locked, waited_for = threading.Event(), threading.Event()
    thread = threading.Thread(target=hold)
    thread.start()
    is_locked.wait()
    with build_lock(index, wait_seconds=600, waiting=waited_for.set):
        assert waited_for.is_set()
    thread.join()


def test_one_folder_has_one_lock_however_it_is_named(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(index.parent)
    with build_lock(Path("index")):
        publish(index.parent / "." / "index", content("x"))
