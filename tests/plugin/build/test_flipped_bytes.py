"""Single bits that flip in an index: found when it is loaded, named, and mended by the next build.

TRUEREF_FLIPS says how many places of a generation are tried.
"""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest
from tests.conftest import SEED
from tests.core.samples import opens
from tests.plugin.build.test_incremental import Site

from trueref_core.errors import IndexDamaged, IndexFault
from trueref_core.generations.served_generation import read_current, read_manifest, served_build
from trueref_core.storage.sealed_folders import SUMS
from trueref_plugin.files.read_cache import FILE

FLIPS = int(os.environ.get("TRUEREF_FLIPS") or 100)
MENDED = 10
"""So many of the damaged generations are built again; the others are only refused."""


def flip(chance: random.Random, path: Path, count: int = 1) -> None:
    """Changes some bits of a file, which may be another name of one that is to stay as it is."""
    data = bytearray(path.read_bytes())
    for _ in range(count):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.unlink()
    path.write_bytes(data)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site whose generation was changed once, so that half of its files are those of the one before."""
    made = Site(tmp_path_factory.mktemp("flipped"))
    made.build()
    made.write("p04", made.body(4, "New words."))
    made.build()
    assert any(path.stat().st_nlink > 1 for path in served_build(made.index).rglob("*") if path.is_file())
    return made


@pytest.mark.timeout(60 + FLIPS)
def test_a_flipped_bit_anywhere_in_a_generation_is_found_and_mended_by_a_build(site: Site, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    index = shutil.copytree(site.index, tmp_path / "index")
    build, good = served_build(index), read_current(site.index)
    files = sorted(path for path in build.rglob("*") if path.is_file() and path.stat().st_size)
    # Every file once, then places by their number of bytes: most of them are in the tables.
    sizes = [path.stat().st_size for path in files]
    places = [*files, *chance.choices(files, sizes, k=max(0, FLIPS - len(files)))]
    mended = set(chance.sample(range(len(places)), MENDED))
    for number, path in enumerate(places):
        before = path.read_bytes()
        flip(chance, path)
        with pytest.raises(IndexDamaged) as caught:
            opens(index)
        # A damaged file of sums may name any other.
        assert str(path) in str(caught.value) or path.name == SUMS
        if number in mended:
            # Another index beside it: what is tried next has to be the files that are listed above.
            broken = shutil.copytree(index, tmp_path / f"broken{number}")
            assert site.build(broken).changed
            assert opens(broken) == good
            shutil.rmtree(broken)
        path.write_bytes(before)
    print(f"{len(places)} bits in {len(files)} files")
    assert opens(index) == good


def test_a_mended_generation_has_the_rows_of_a_whole_one(site: Site) -> None:
    chance = random.Random(SEED)
    flip(chance, next((served_build(site.index) / "tables" / "chunks.lance" / "data").iterdir()))
    assert site.build().changed
    site.check_same_as_whole()


@pytest.mark.parametrize("name", ["anchors/0000.json", "links/0000.json", "states.json", "manifest.json"])
def test_a_failing_disk_is_found_by_the_build_that_reads_the_file(tmp_path: Path, name: str) -> None:
    """Size and time are as they were, so that the file is not compared with its sum before."""
    changed = Site(tmp_path)
    changed.build()
    file = served_build(changed.index) / name
    before, data = file.stat(), bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    changed.write("p04", changed.body(4, "New words.", anchor="renamed"))
    assert changed.build().changed
    changed.check_same_as_whole()
    opens(changed.index)


def test_a_flipped_bit_in_current_json_serves_the_right_generation_or_none(site: Site, tmp_path: Path) -> None:
    index = shutil.copytree(site.index, tmp_path / "index")
    good, text = read_current(index), (index / "current.json").read_bytes()
    refused = 0
    for place in range(len(text) * 8):
        flipped = bytearray(text)
        flipped[place // 8] ^= 1 << place % 8
        (index / "current.json").write_bytes(flipped)
        try:
            assert served_build(index).name == good
        except IndexFault:
            refused += 1
    # What may flip are the times at which earlier generations were served, their names, and the space around them.
    assert refused > len(text) * 8 / 3
    (index / "current.json").write_bytes(text.replace(b'"generation"', b'"gene2ation"', 1))
    assert site.build(index).changed
    assert opens(index) == good


@pytest.mark.timeout(60 + FLIPS)
def test_a_flipped_bit_in_the_memory_of_reads_changes_no_manifest(site: Site, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    (tmp_path / "index").mkdir()
    remembered = (site.index / FILE).read_bytes()
    good = site.build(tmp_path / "whole").generation.id
    expected = read_manifest(tmp_path / "whole").encode()
    for _ in range(FLIPS // 5):
        index = tmp_path / "index"
        shutil.rmtree(index)
        index.mkdir()
        (index / FILE).write_bytes(remembered)
        flip(chance, index / FILE, chance.choice((1, 1, 20, 1000)))
        assert site.build(index).generation.id == good
        assert read_manifest(index).encode() == expected
        # And what is remembered from here on is right.
        assert not site.build(index).changed
