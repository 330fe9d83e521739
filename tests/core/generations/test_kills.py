"""Builds that are killed, and builds at the same time, in processes of their own."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import SEED
from tests.core.samples import content, id_of
from tests.killing import IS_COUNTED, kill_at, spread_shares, ticks_used

from trueref_core.generations.publication import publish
from trueref_core.generations.served_generation import open_index, read_current

if not IS_COUNTED:
    pytest.skip("needs Linux, which forks processes and counts what they do", allow_module_level=True)

# Loading LanceDB takes seconds: done once, before the builders are forked. A line names an index and what each
# builder publishes there, one builder a word and one letter a generation.
BUILDERS = """
import os, sys
from pathlib import Path
from tests.core.samples import content
from tests.killing import ticks_used
from trueref_core.errors import IndexLocked
from trueref_core.generations.publication import publish
from trueref_core.tables.table_writer import lancedb_module

def build(index, notes):
    for note in notes:
        try:
            print("published", publish(Path(index), content(note)).generation.id, flush=True)
        except IndexLocked:
            print("locked", flush=True)
    print("used", ticks_used("self"), flush=True)

lancedb_module()
for line in sys.stdin:
    index, *builders = line.split()
    pids = []
    for notes in builders:
        pid = os.fork()
        if not pid:
            build(index, notes)
            os._exit(0)
        pids.append(pid)
    print("started", *pids, flush=True)
    for pid in pids:
        os.waitpid(pid, 0)
    print("ended", flush=True)
"""


class Builders:
    """The process that forks builders."""

    def __init__(self) -> None:
        command = [sys.executable, "-W", "ignore", "-c", BUILDERS]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start(self, index: Path, *notes: str) -> list[int]:
        assert self.process.stdin
        self.process.stdin.write(f"{index} {' '.join(notes)}\n")
        self.process.stdin.flush()
        return [int(pid) for pid in self.lines_to("started")[-1].split()[1:]]

    def lines_to(self, word: str) -> list[str]:
        assert self.process.stdout
        lines: list[str] = []
        while not lines or not lines[-1].startswith(word):
            lines.append(self.process.stdout.readline())
            assert lines[-1], "the builders have ended"
        return lines


@pytest.fixture(scope="module")
def builders() -> Iterator[Builders]:
    started = Builders()
    yield started
    started.process.communicate()


def served(index: Path) -> str:
    async def load() -> str:
        opened = await open_index(index)
        assert await opened.search_text("install", limit=1)
        await opened.close()
        return opened.generation.id

    return asyncio.run(load())


@pytest.mark.parametrize("notes", ["abcd", pytest.param("abcdefghijkl", marks=pytest.mark.long)])
def test_a_killed_build_leaves_a_whole_generation(builders: Builders, tmp_path: Path, notes: str) -> None:
    chance = random.Random(SEED)
    publish(tmp_path, content("0"))
    builders.start(tmp_path, "1")
    whole = int(builders.lines_to("used")[-1].split()[1])
    builders.lines_to("ended")
    possible, killed = {id_of(content("1"))}, list[float]()
    for note, share in zip(notes, spread_shares(len(notes), chance), strict=True):
        (pid,) = builders.start(tmp_path, note)
        used = kill_at(pid, int(share * whole), ticks_used)
        if len(builders.lines_to("ended")) == 1:
            killed.append(used / whole)
        possible.add(id_of(content(note)))
        assert served(tmp_path) in possible
    print(f"of {len(notes)} killed", len(killed), "at", *(f"{share:.0%}" for share in killed))
    assert killed
    last = publish(tmp_path, content("last")).generation.id
    assert served(tmp_path) == last
    assert not list((tmp_path / "builds").glob(".building-*"))
    assert {path.name for path in tmp_path.iterdir()} <= {".gitignore", "builds", "current.json", "intact.json", "lock"}


@pytest.mark.slow
def test_of_two_builds_at_once_a_whole_generation_is_served(builders: Builders, tmp_path: Path) -> None:
    builders.start(tmp_path, "abc", "def")
    lines = [line.split() for line in builders.lines_to("ended")]
    published = {line[1] for line in lines if line[0] == "published"}
    assert sum(line[0] in {"published", "locked"} for line in lines) == 6
    assert served(tmp_path) == read_current(tmp_path)
    assert read_current(tmp_path) in published
