"""Builds that find no room: what was served still is, the message is one line, and with room again the build succeeds."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import pytest
from tests.conftest import SEED
from tests.core.generations.test_damage import mounted
from tests.core.samples import builds_of, opens
from tests.plugin.build.test_incremental import Site
from tests.plugin.forked import Builders

from trueref_core.errors import IndexUnwritable
from trueref_core.generations.served_generation import read_current
from trueref_plugin.files.read_cache import FILE, ReadCache

CHANGES = {"changed": [4], "whole": range(9)}
"""Pages to edit: more than a quarter of them make the build a whole one."""
STEP = 16 * 1024


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted(folder, "size=64m")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def resize(disk: Path, size: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)


def used(disk: Path) -> int:
    status = os.statvfs(disk)
    return (status.f_blocks - status.f_bfree) * status.f_frsize


def digest(site: Site, name: str) -> str:
    return blake2b((site.site / f"{name}.html").read_bytes(), digest_size=16).hexdigest()


def refusal(site: Site) -> str:
    """Builds, and gives what a person is told where that is not possible."""
    try:
        assert site.build().changed
    except IndexUnwritable as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", CHANGES)
def test_a_disk_that_is_full_at_any_moment_leaves_what_was_served(disk: Path, tmp_path: Path, kind: str) -> None:
    """Room is added step by step, so that the disk is full at one file after the other."""
    site = Site(tmp_path)
    site.index = disk / "index"
    site.build()
    served, refused, size = read_current(site.index), 0, used(disk)
    for number in CHANGES[kind]:
        site.write(f"p{number:02}", site.body(number, "New words."))
    resize(disk, size)
    while message := refusal(site):
        assert (
            message == f"The disk is full: the index at {site.index} was not changed. Free some space and build again."
        )
        # Of a generation that is whole, only current.json may have had no room yet.
        wanted = builds_of(site.index) - {served}
        assert opens(site.index) == served
        assert len(wanted) <= 1
        # What was remembered before is not thrown away for want of room.
        assert ReadCache(site.index, None).summary(digest(site, "p15")) is not None
        refused, size = refused + 1, size + STEP
        resize(disk, size)
    print(f"refused {refused} times, then {(size - used(disk)) // 1024} KB were left")
    assert refused >= 4
    new = opens(site.index)
    assert new != served
    assert builds_of(site.index) == {served, new}
    resize(disk, 64 * 2**20)
    site.check_same_as_whole()


def test_a_first_build_on_a_full_disk_is_refused_and_can_be_made_again(disk: Path, tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.index = disk / "index"
    for size in (4096, 3 * 4096, 20 * 4096):
        resize(disk, size)
        with pytest.raises(IndexUnwritable, match="disk is full"):
            site.build()
        assert read_current(site.index) is None
    resize(disk, 64 * 2**20)
    site.build()
    site.check_same_as_whole()
    assert (site.index / ".gitignore").read_text() == "*\n"


@pytest.mark.long
@pytest.mark.parametrize("kind", CHANGES)
def test_a_limit_on_the_size_of_files_leaves_what_was_served(tmp_path: Path, kind: str) -> None:
    """A limit on the size of files stops a build at any of them, and needs no right to mount anything."""
    pytest.importorskip("resource", reason="this system has no limits on the size of files")
    chance, site = random.Random(SEED), Site(tmp_path)
    site.build()
    served, refused = read_current(site.index), 0
    for number in CHANGES[kind]:
        site.write(f"p{number:02}", site.body(number, "New words."))
    builders = Builders()
    for size in (1, *(chance.randrange(5000) for _ in range(8)), 30_000):
        line = builders.run("limited", site=str(site.site), index=str(site.index), size=size)
        if line.startswith("built"):
            continue
        assert line == (
            f"refused The index at {site.index} was not changed: one of its files would be larger than this system "
            "lets a process write. Raise that limit (`ulimit -f`), or choose another folder for the index."
        )
        assert opens(site.index) == served
        assert builds_of(site.index) == {served}
        refused += 1
    builders.close()
    # 30,000 bytes are enough for a generation, and not for what is remembered of the pages.
    assert refused >= 5
    assert line == f"built {read_current(site.index)}"
    assert not site.build().changed
    assert ReadCache(site.index, None).summary(digest(site, "p04")) is not None
    assert not (site.index / f"{FILE}-journal").exists()
    site.check_same_as_whole()


def test_an_index_that_becomes_read_only_is_served_and_not_written(disk: Path, tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.index = disk / "index"
    site.build()
    served = read_current(site.index)
    site.write("p04", site.body(4, "New words."))
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    with pytest.raises(IndexUnwritable) as caught:
        site.build()
    assert str(caught.value) == (
        f"The index at {site.index} cannot be written (Read-only file system). Choose another folder for it."
    )
    assert opens(site.index) == served
    subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
    assert site.build().changed
    site.check_same_as_whole()


def as_user(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a command as someone to whom the permissions of files apply. Root is that without two of its powers."""
    powers = "-dac_override,-dac_read_search"
    limits = [f"--bounding-set={powers}", f"--inh-caps={powers}"]
    prefix = ["setpriv", *limits] if os.geteuid() == 0 else []
    return subprocess.run([*prefix, *map(str, command)], capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="permissions and powers are other ones there")
@pytest.mark.parametrize("folder", [".", "builds"])
def test_an_index_that_its_user_may_not_write_is_refused_in_one_line(tmp_path: Path, folder: str) -> None:
    site = Site(tmp_path)
    site.build()
    served = read_current(site.index)
    site.write("p04", site.body(4, "New words."))
    (site.index / folder).chmod(0o500)
    done = as_user(sys.executable, "-m", "trueref", "index", site.site, "--index", site.index, "--embedder", "lexical")
    assert (done.returncode, done.stdout) == (2, "")
    message = f"The index at {site.index} cannot be written (Permission denied). Choose another folder for it."
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert opens(site.index) == served
    (site.index / folder).chmod(0o700)
    assert site.build().changed
    site.check_same_as_whole()
