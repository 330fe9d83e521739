"""Builders in processes of their own, forked where LanceDB is loaded already, and a reader that never stops."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.killing import bytes_written

from trueref_core.links.resolve import resolve

# A line of JSON names what a fork has to do, and its arguments. What it does is counted from the fork on, so that all it
# imports is loaded before.
BUILDERS = """
import json, os, sys
import trueref_plugin.build.build
from tests.killing import ticks_used
from tests.plugin.forked import JOBS
from trueref_core.tables.table_writer import lancedb_module

lancedb_module()
for line in sys.stdin:
    job, arguments = json.loads(line)
    pid = os.fork()
    if not pid:
        try:
            JOBS[job](**arguments)
        finally:
            print("used", ticks_used("self"), flush=True)
            os._exit(0)
    print("started", pid, flush=True)
    os.waitpid(pid, 0)
    print("ended", flush=True)
"""

READER = """
import asyncio, sys
from pathlib import Path
from tests.plugin.forked import read_all_the_time

asyncio.run(read_all_the_time(Path(sys.argv[1])))
"""


def build_site(site: str, index: str, name: str | None = None) -> None:
    """A build, and the line that a person would see."""
    from trueref_core.errors import TruerefError
    from trueref_plugin.build.build import index_site

    try:
        print("built", index_site(Path(site), index=Path(index), embedder="lexical", name=name).generation.id)
    except TruerefError as error:
        print("refused", error)


def build_limited(site: str, index: str, size: int) -> None:
    """A build whose files may not be larger than some bytes: a full disk for who may not mount one."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    build_site(site, index)


def remember_reads(index: str, step: int) -> None:
    """Saves a memory of reads that takes a while to write."""
    from trueref_plugin.files.read_cache import ReadCache

    memory = ReadCache(Path(index), None)
    for number in range(40):
        memory.put(f"{step}-{number}", *remembered(f"{step}-{number}"))
    print("saving", bytes_written("self"), flush=True)
    memory.save([])
    print("saved", bytes_written("self"), flush=True)


def remembered(digest: str) -> tuple[Any, Any]:
    """What `remember_reads` has read of a file with this digest."""
    from trueref_plugin.files.page_summary import summarize
    from trueref_plugin.reading.parsed import Block, Head, ParsedPage, ParsedSection

    blocks = (Block("prose", f"Text of {digest}. " * 10_000, 0),)
    parsed = ParsedPage(Head(), digest, "main", (ParsedSection("", 0, digest, (), -1),), blocks, ())
    return summarize(parsed), parsed


def hold_lock(index: str) -> None:
    """Holds the lock of an index until it is killed."""
    import signal

    from trueref_core.generations.publication import build_lock

    with build_lock(Path(index)):
        print("held", flush=True)
        signal.pause()


JOBS = {"build": build_site, "limited": build_limited, "reads": remember_reads, "hold": hold_lock}


async def read_all_the_time(index: Path) -> None:
    """Asks an index as a server does until the input ends: one that goes over to what is new, and one opened afresh."""
    import asyncio

    from trueref_server.index.live_index import ServedIndex

    served, seen, faults, reads = ServedIndex(index), set[str](), list[str](), 0
    ended = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    print("reading", flush=True)
    while not ended.done():
        try:
            async with served.lease() as opened:
                faults += await contradictions(opened)
            seen.add(await read_afresh(index, faults))
        except Exception as error:
            faults.append(repr(error))
        reads += 1
        print("read", flush=True)
    await served.close()
    print(json.dumps({"reads": reads, "faults": faults, "generations": len(seen)}), flush=True)


async def read_afresh(index: Path, faults: list[str]) -> str:
    """Opens what is served, and gives its id."""
    from trueref_core.generations.served_generation import open_index

    opened = await open_index(index)
    try:
        faults += await contradictions(opened)
    finally:
        await opened.close()
    return opened.generation.id


async def contradictions(opened: Any) -> list[str]:
    """What in an open index does not belong to one generation, or cannot be read."""
    from trueref_core.links.resolve import ResolveContext

    ids = {opened.path.name, opened.generation.id, opened.manifest.generation_id}
    wrong = [] if len(ids) == 1 else [f"generations are mixed: {sorted(ids)}"]
    counts = opened.generation.counts
    counted = (len(opened.rows.ids), sum(len(opened.manifest.anchors(page.page)) for page in opened.manifest.pages()))
    if counted != (counts["chunks"], counts["anchors"]):
        wrong.append(f"{opened.generation.id} has {counted} chunks and anchors, and says {counts}")
    hits = await opened.search_text("about number", limit=5)
    chunks = await opened.chunks([hit.id for hit in hits])
    if len(hits) < 5 or len(chunks) < 5:
        wrong.append(f"{opened.generation.id} found {len(hits)} and gave {len(chunks)}")
    sections = await opened.sections({(it.site, it.section_id): it.id for it in chunks.values()}, most=10)
    for chunk in chunks.values():
        link = opened.manifest.href(chunk.page, chunk.anchor, chunk.site)
        context = ResolveContext(site=chunk.site)
        if (
            resolve(opened.manifest, link, context).status != "exact"
            or chunk not in sections[chunk.site, chunk.section_id]
        ):
            wrong.append(f"{opened.generation.id} has {link} in its tables only")
    return wrong


class Builders:
    """The process that forks builders."""

    def __init__(self) -> None:
        command = [sys.executable, "-W", "ignore", "-c", BUILDERS]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start(self, job: str, **arguments: Any) -> int:
        """Begins a job, and gives the process that does it."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps([job, arguments]) + "\n")
        self._process.stdin.flush()
        return int(self.lines_to("started")[-1].split()[1])

    def lines_to(self, word: str) -> list[str]:
        """What is printed up to a line that begins with a word."""
        assert self._process.stdout
        lines: list[str] = []
        while not lines or not lines[-1].startswith(word):
            lines.append(self._process.stdout.readline())
            assert lines[-1], "the builders have ended"
        return lines

    def run(self, job: str, **arguments: Any) -> str:
        """Does a job to its end, and gives the line that it printed."""
        self.start(job, **arguments)
        return self.lines_to("ended")[0].strip()

    def ticks_of(self, job: str, **arguments: Any) -> int:
        """Does a job to its end, and gives the processor time that it took, in hundredths of a second."""
        self.start(job, **arguments)
        return int(self.lines_to("ended")[-2].split()[1])

    def close(self) -> None:
        """Ends the process; a job that runs is left alone."""
        self._process.kill()
        self._process.communicate()


class Reading:
    """A process that asks an index all the time. `seen` holds what it saw when the block of `reading` has ended."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.seen: dict[str, Any] = {}

    def wait_for_read(self) -> None:
        """Wait for one more read, so that as many were made as were waited for, however busy the machine is."""
        assert self._process.stdout
        assert self._process.stdout.readline() == "read\n"

    def end(self) -> None:
        """End the process, and take what it saw."""
        out, _ = self._process.communicate()
        self.seen.update(json.loads(out.splitlines()[-1]))


@contextmanager
def reading(index: Path) -> Iterator[Reading]:
    """A process that asks the index all the time, for as long as the block runs."""
    command = [sys.executable, "-W", "ignore", "-c", READER, str(index)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    reader = Reading(process)
    try:
        assert process.stdout
        assert process.stdout.readline() == "reading\n"
        yield reader
        reader.end()
    finally:
        process.kill()
        process.communicate()
