"""Builds of a site that are killed at moments all over them while a reader asks. TRUEREF_KILLS says how often."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.conftest import SEED
from tests.killing import IS_COUNTED, bytes_written, kill_at, spread_shares, ticks_used
from tests.plugin.build.test_incremental import Site
from tests.plugin.build.test_many_sites import Sites
from tests.plugin.forked import Builders, reading, remembered

from trueref_core.errors import IndexLocked
from trueref_core.generations.served_generation import read_current
from trueref_plugin.build.site_removal import drop_site
from trueref_plugin.files.read_cache import FILE, ReadCache
from trueref_plugin.progress import LineReporter

pytestmark = [pytest.mark.long]

if not IS_COUNTED:
    pytest.skip("needs Linux, which forks processes and counts what they do", allow_module_level=True)

KILLS = int(os.environ.get("TRUEREF_KILLS") or 20)


@pytest.fixture(scope="module")
def builders() -> Iterator[Builders]:
    started = Builders()
    yield started
    started.close()


class Moments:
    """Shares of a whole run at which jobs are killed, all over it. A share is tried again where a job was faster."""

    def __init__(self, chance: random.Random, number: int = KILLS) -> None:
        self._left, self.reached = deque(spread_shares(number, chance)), list[float]()

    def kill(self, builders: Builders, pid: int, whole: int) -> int | None:
        """Kills a job at the next moment.

        Args:
            builders: The process that has begun the job.
            pid: The job.
            whole: The processor time of a whole run, in hundredths of a second.

        Returns:
            The processor time of the whole run where the job was faster, else None.
        """
        used = kill_at(pid, int(self._left[0] * whole), ticks_used)
        if printed := builders.lines_to("ended")[:-1]:
            self._left.rotate(-1)
            return ticks_printed(printed[-1], whole)
        self._left.popleft()
        self.reached.append(used / whole)
        return None

    @property
    def are_left(self) -> bool:
        """Whether there is a moment at which no job was killed yet."""
        return bool(self._left)

    def check_spread(self) -> None:
        """Some were killed in the first half of what they do, some in the second one."""
        print("killed at", *(f"{share:.0%}" for share in sorted(self.reached)))
        assert min(self.reached) < 0.5 < max(self.reached)


def ticks_printed(line: str, otherwise: int) -> int:
    """The processor time in the last line of a job; what is given where it was killed after its work and before that."""
    return int(line.split()[1]) if line.startswith("used") else otherwise


def edit(site: Site, chance: random.Random, step: int) -> str:
    """Changes some pages; more than a quarter of them make the next build a whole one."""
    kind = chance.choice(("changed", "whole")) if step >= 0 else ("changed", "whole")[step]
    for number in chance.sample(range(20), 9 if kind == "whole" else chance.choice((1, 2))):
        anchor = chance.choice(("", f"step-{step}"))
        site.write(f"p{number:02}", site.body(number, f"Words of step {step}.", anchor))
    return kind


@pytest.mark.timeout(600 + 6 * KILLS)
def test_a_reader_sees_no_fault_while_builds_are_killed(builders: Builders, tmp_path: Path) -> None:
    chance, site = random.Random(SEED), Site(tmp_path)
    arguments = {"site": str(site.site), "index": str(site.index)}
    site.build()
    whole = {edit(site, chance, step): builders.ticks_of("build", **arguments) for step in (-2, -1)}
    killed, step, moments = {"changed": 0, "whole": 0}, 0, Moments(chance)
    with reading(site.index) as reader:
        while moments.are_left:
            kind = edit(site, chance, step)
            if used := moments.kill(builders, builders.start("build", **arguments), whole[kind]):
                whole[kind] = used
            else:
                killed[kind] += 1
                reader.wait_for_read()
            step += 1
    seen = reader.seen
    print(f"{step} builds, killed {killed}, the reader saw {seen}")
    moments.check_spread()
    assert seen["faults"] == []
    assert seen["reads"] >= KILLS
    assert min(killed.values()) > KILLS / 10
    edit(site, chance, step)
    assert builders.run("build", **arguments) == f"built {read_current(site.index)}"
    site.check_same_as_whole()
    check_no_leftovers(site.index)


def check_no_leftovers(index: Path) -> None:
    """Only what belongs to an index is there, and only the generations that it speaks of."""
    assert {path.name for path in index.iterdir()} <= {
        ".gitignore",
        "builds",
        "current.json",
        "history.json",
        "intact.json",
        "lock",
        "updating",
        FILE,
    }
    current = msgspec.json.decode((index / "current.json").read_bytes())
    spoken_of = {current["generation"], *(item["generation"] for item in current["previous"])}
    assert {path.name for path in (index / "builds").iterdir()} <= spoken_of


def test_a_write_to_the_read_cache_that_is_killed_leaves_what_was_in_it(builders: Builders, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    builders.start("reads", index=str(tmp_path), step=0)
    begin, end = (int(builders.lines_to(word)[-1].split()[1]) for word in ("saving", "saved"))
    builders.lines_to("ended")
    cut_off, step, whole = list[float](), 0, end - begin
    while len(cut_off) < KILLS:
        step += 1
        pid = builders.start("reads", index=str(tmp_path), step=step)
        before = int(builders.lines_to("saving")[-1].split()[1])
        written = kill_at(pid, before + chance.random() * whole, bytes_written) - before
        # A later write takes rows out of the file besides, and so writes more than the first one.
        whole = max(whole, written)
        was_saved = bool(builders.lines_to("ended")[:-1])
        if (tmp_path / f"{FILE}-journal").exists():
            cut_off.append(written / whole)
        memory = ReadCache(tmp_path, None)
        known = [memory.summary(f"{step}-{number}") for number in range(40)]
        assert known.count(None) in ((0,) if was_saved else (0, 40))
        for digest in (f"{step}-0", f"{step - 1}-39"):
            assert (memory.summary(digest), memory.content(digest)) in (remembered(digest), (None, None))
    print(f"{step} writes, killed between their first byte and their last at", *(f"{it:.0%}" for it in sorted(cut_off)))
    builders.run("reads", index=str(tmp_path), step=step + 1)
    memory = ReadCache(tmp_path, None)
    digest = f"{step + 1}-7"
    assert (memory.summary(digest), memory.content(digest)) == remembered(digest)
    assert not (tmp_path / f"{FILE}-journal").exists()


def test_a_builder_that_is_killed_lets_go_of_the_lock(
    builders: Builders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, notes = Site(tmp_path), list[str]()
    site.build()
    site.write("p04", site.body(4, "New words."))
    pid = builders.start("hold", index=str(site.index))
    builders.lines_to("held")
    with monkeypatch.context() as patch:
        patch.setattr("trueref_plugin.build.build.LOCK_SECONDS", 0.2)
        with pytest.raises(IndexLocked) as caught:
            site.build()
    assert str(caught.value) == (
        f"Another build is writing to the index at {site.index}. Wait until it has ended, then build again."
    )

    def kill_the_other(line: str) -> None:
        notes.append(line)
        os.kill(pid, signal.SIGKILL)

    assert site.build(report=LineReporter(kill_the_other, notes.append)).changed
    builders.lines_to("ended")
    assert notes == [f"Waiting for another build that writes to the index at {site.index}."]
    site.check_same_as_whole()


@pytest.mark.timeout(600 + 6 * KILLS)
def test_a_killed_build_of_a_second_site_leaves_the_first_as_it_was(builders: Builders, tmp_path: Path) -> None:
    """Whenever a build is killed, the index holds both sites or the first one, and the first one as it was."""
    chance, sites = random.Random(SEED), Sites(tmp_path)
    sites.build("one", base_url=None)
    arguments = {"site": str(sites.folder / "two"), "index": str(sites.index), "name": "two"}
    whole, came, moments = builders.ticks_of("build", **arguments), 0, Moments(chance)
    drop_site(sites.index, "two")
    with reading(sites.index) as reader:
        while moments.are_left:
            reader.wait_for_read()
            whole = moments.kill(builders, builders.start("build", **arguments), whole) or whole
            came += "two" in sites.names
            assert sites.names in (["one"], ["one", "two"])
            if "two" in sites.names:
                drop_site(sites.index, "two")
    seen = reader.seen
    print(f"{KILLS} killed, {came} had published, the reader saw {seen}"[:1_000])
    moments.check_spread()
    assert seen["faults"] == []
    assert seen["reads"]
    builders.run("build", **arguments)
    sites.check_same_as_anew(base_url=None)
    check_no_leftovers(sites.index)


def test_builds_of_two_sites_at_once_publish_both(tmp_path: Path) -> None:
    """The second one waits, and keeps what the first one has published."""
    sites = Sites(tmp_path)
    command = [sys.executable, "-m", "trueref", "index", "--index", str(sites.index), "--embedder", "lexical"]
    both = [
        subprocess.Popen([*command, str(tmp_path / name), "--name", name], stderr=subprocess.PIPE, text=True)
        for name in ("one", "two")
    ]
    logs = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], logs
    assert sites.names == ["one", "two"]
    sites.check_same_as_anew(base_url=None)
    check_no_leftovers(sites.index)


def test_of_two_builds_at_once_the_second_finds_nothing_to_do(tmp_path: Path) -> None:
    """The second one waits, and finds that nothing is left to do."""
    site = Site(tmp_path)
    command = [sys.executable, "-m", "trueref", "index", str(site.site), "--index", str(site.index)]
    both = [subprocess.Popen([*command, "--embedder", "lexical"], stderr=subprocess.PIPE, text=True) for _ in range(2)]
    logs = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], logs
    assert sorted(bool("Index published" in text) for text in logs) == [False, True], logs
    assert sum("Index unchanged" in text for text in logs) == 1, logs
    site.check_same_as_whole()
    check_no_leftovers(site.index)
