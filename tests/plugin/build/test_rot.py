"""A disk that changes bytes without a trace: what is made from an index is right, or it is refused."""

from __future__ import annotations

import errno
import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import SEED
from tests.core.samples import opens
from tests.plugin.build.test_incremental import Site

from trueref_core.errors import IndexDamaged
from trueref_core.generations.served_generation import build_folder, served_build
from trueref_core.storage.integrity_cache import TICK
from trueref_core.storage.sealed_folders import verify

PLACES = int(os.environ.get("TRUEREF_ROT", "12"))


class OldSite(Site):
    """A site whose index was made long enough ago for its files to be remembered."""

    def build(self, index: Path | None = None, **options: Any) -> Any:
        done = super().build(index, **options)
        for file in served_build(index or self.index).rglob("*"):
            if file.is_file() and file.stat().st_nlink == 1:
                os.utime(file, ns=(0, file.stat().st_mtime_ns - 2 * TICK))
        return done


def rot(file: Path, place: int) -> None:
    """Changes one bit and nothing that can be seen without reading the file."""
    before, data = file.stat(), bytearray(file.read_bytes())
    data[place] ^= 1
    with file.open("r+b") as stream:
        stream.write(data)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def remembered(folder: Path) -> OldSite:
    site = OldSite(folder)
    site.build()
    site.build()
    assert (site.index / "intact.json").is_file()
    return site


@pytest.mark.long
def test_a_rotten_table_never_gets_a_right_sum(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    site = remembered(tmp_path)
    for number in range(PLACES):
        files = sorted(path for path in (served_build(site.index) / "tables").rglob("*") if path.is_file())
        file = chance.choices(files, [path.stat().st_size for path in files])[0]
        rot(file, chance.randrange(file.stat().st_size))
        for step in range(2):
            site.write("p04", site.body(4, f"Words {number} {step}."))
            assert site.build().changed
        try:
            verify(served_build(site.index))
        except IndexDamaged:
            # Of a table that was only linked: a server says so, and then every file is compared.
            with pytest.raises(IndexDamaged):
                opens(site.index)
            assert site.build().changed
        site.check_same_as_whole()
        assert opens(site.index)
        site.build()


def test_vectors_of_a_rotten_file_are_made_again(tmp_path: Path) -> None:
    site = OldSite(tmp_path, embedder="bundled")
    site.build()
    site.build()
    data = max((served_build(site.index) / "tables/chunks.lance/data").iterdir(), key=lambda file: file.stat().st_size)
    rot(data, data.stat().st_size // 2)
    assert site.build(base_url="https://other.example/").changed
    site.check_same_as_whole(base_url="https://other.example/")


@pytest.mark.parametrize("kind", ["texts", "anchors", "links", "tables"])
def test_a_rotten_file_that_has_to_be_copied_gets_no_sum_of_its_own(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    site = OldSite(tmp_path)
    for number in range(20, 70):
        site.write(f"p{number}", site.body(number))
    site.build()
    site.build()
    monkeypatch.setattr(os, "link", refuse)
    files = sorted(path for path in (served_build(site.index) / kind).rglob("*") if path.is_file())
    largest = max(files, key=lambda file: file.stat().st_size)
    rot(largest, largest.stat().st_size // 2)
    site.write("p04", site.body(4, "New words."))
    assert site.build().changed
    verify(served_build(site.index))
    site.check_same_as_whole()


def test_a_generation_is_compared_again_when_it_was_written_just_now(tmp_path: Path) -> None:
    """Two changes within a tick of the file system have the same time."""
    site = Site(tmp_path)
    done = site.build()
    file = build_folder(site.index, done.generation.id) / "ledger.json"
    rot(file, file.stat().st_size // 2)
    assert site.build().changed
    opens(site.index)
