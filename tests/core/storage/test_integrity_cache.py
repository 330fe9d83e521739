"""What a build need not read again, and what it does when that was wrong."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from tests.core.samples import content, opens

from trueref_core.errors import IndexDamaged
from trueref_core.generations.publication import publish
from trueref_core.generations.served_generation import read_intact, served_build
from trueref_core.storage import integrity_cache
from trueref_core.storage.integrity_cache import FILE, TICK


@pytest.fixture
def index(built: Path, tmp_path: Path) -> Path:
    copy = shutil.copytree(built, tmp_path / "index")
    for path in served_build(copy).rglob("*"):
        if path.is_file():
            os.utime(path, ns=(0, time.time_ns() - 2 * TICK))
    read_intact(copy)
    return copy


def rot(path: Path) -> None:
    """Changes a byte as a failing disk does: nothing but the content is another."""
    before, data = path.stat(), bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    with path.open("r+b") as stream:
        stream.write(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_ino == before.st_ino


def test_files_that_look_as_they_did_are_not_read(index: Path) -> None:
    rot(served_build(index) / "ledger.json")
    assert read_intact(index).id == served_build(index).name


@pytest.mark.parametrize("name", ["ledger.json", "anchors/0000.json"])
def test_a_file_that_was_written_is_read(index: Path, name: str) -> None:
    file = served_build(index) / name
    file.write_bytes(file.read_bytes()[:-1] + b" ")
    with pytest.raises(IndexDamaged, match="has changed since it was written"):
        read_intact(index)


@pytest.mark.parametrize("data", [b"", b"{}", b"[", b'{"generation": 1}', b"\xff"])
def test_a_memory_that_cannot_be_read_counts_for_nothing(index: Path, data: bytes) -> None:
    rot(served_build(index) / "ledger.json")
    (index / FILE).write_bytes(data)
    with pytest.raises(IndexDamaged, match=r"ledger\.json has changed since it was written"):
        read_intact(index)


def test_what_a_reader_finds_damaged_is_looked_at_by_the_next_build(index: Path) -> None:
    rot(served_build(index) / "ledger.json")
    with pytest.raises(IndexDamaged):
        opens(index)
    with pytest.raises(IndexDamaged):
        read_intact(index)
    publish(index, content())
    opens(index)


def test_what_was_written_just_now_is_read_again(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine may need more than the two seconds for what follows.
    monkeypatch.setattr(integrity_cache, "TICK", 3600 * 10**9)
    publish(index, content("x"))
    rot(served_build(index) / "ledger.json")
    with pytest.raises(IndexDamaged):
        read_intact(index)


def test_a_link_that_leads_nowhere_is_damage(index: Path) -> None:
    (served_build(index) / "links" / "0001.json").symlink_to("nowhere")
    with pytest.raises(IndexDamaged):
        read_intact(index)


def test_an_index_that_cannot_be_written_is_read(index: Path) -> None:
    (index / FILE).unlink()
    (index / FILE).mkdir()
    assert read_intact(index).id == served_build(index).name
