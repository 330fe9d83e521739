"""Generations on disk: published whole, served one at a time, kept until no reader can need them.

    current.json            which generation is served, and when earlier ones stopped being it
    history.json            what earlier ones had and the served one has not (see history.py)
    builds/<id>/            one generation, never changed once it has this name
        tables/             LanceDB
        manifest.json  ledger.json  generation.json
        SHA256SUMS          of every file above
    lock  .gitignore

A build writes into `builds/.building-*`, renames, and replaces `current.json`: a kill at any moment leaves what was
served. Finding out that nothing changed imports no lancedb. Other rooms import from here; content.py, served.py and
opened.py hold the parts.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex

from trueref_core.content import IndexContent, describe, encoded, generation_id, ordered, stacked_vectors
from trueref_core.errors import IndexDamaged, IndexIncompatible, IndexLocked
from trueref_core.manifest import Manifest
from trueref_core.opened import OpenIndex
from trueref_core.queries import Filters
from trueref_core.records import Generation
from trueref_core.served import (
    GENERATION_ID,
    Current,
    Retired,
    decode_generation,
    index_folder,
    open_index,
    read_current,
    read_generation,
    read_intact,
    read_ledger,
    read_manifest,
    read_served,
    served_build,
    stored_vectors,
)
from trueref_core.storage import replace_file, seal, sync_folder, verify, write_file, writing
from trueref_core.succession import keep_history
from trueref_core.tables import Scored
from trueref_core.version import SCHEMA_VERSION

__all__ = [
    "Filters",
    "IndexContent",
    "OpenIndex",
    "Published",
    "Scored",
    "build_lock",
    "generation_id",
    "index_folder",
    "open_index",
    "publish",
    "read_current",
    "read_generation",
    "read_intact",
    "read_ledger",
    "read_manifest",
    "served_build",
    "stored_vectors",
]

BUILDING = ".building-"
SERVED_RECENTLY = 600.0  # seconds


@dataclass(frozen=True, slots=True)
class Published:
    """What came of publishing: the generation that is served now, and whether the index was changed for it."""

    generation: Generation
    changed: bool


def publish(index: Path, content: IndexContent) -> Published:
    """Make content the served generation of an index, creating the index where there is none.

    A generation that is already there is kept if its files are the ones that were written, else written again.

    Args:
        index: The index folder.
        content: What to publish. With `vectors`, every chunk's text hash has one.

    Raises:
        IndexLocked: Another build is writing to the index.
        IndexUnwritable: The folder cannot be written, or the disk is full. What was served still is.
    """
    new = generation_id(content)
    if served := _served_intact(index, new):
        return Published(served, changed=False)
    with build_lock(index), writing(index):
        builds = index / "builds"
        builds.mkdir(exist_ok=True)
        _sweep_unfinished(builds)
        is_missing = not _is_intact(builds / new)
        if is_missing:
            _write_build(builds, new, content)
        previous = _current_or_none(index)
        is_other = previous is None or previous.generation != new
        if is_other:
            keep_history(index, builds / previous.generation if previous else None, builds / new)
            current = _succeeding(builds, previous, new)
            replace_file(index / "current.json", encoded(current) + b"\n")
            _sweep_retired(builds, current)
        _sweep_unfinished(builds)
    return Published(decode_generation(builds / new), changed=is_missing or is_other)


@contextmanager
def build_lock(index: Path, wait_seconds: float = 0.0) -> Generator[None]:
    """Hold the right to write to an index. The same thread may enter it again.

    Raises:
        IndexLocked: Another build held it for all of `wait_seconds`.
        IndexUnwritable: The folder cannot be created or written.
    """
    from filelock import FileLock, Timeout

    with writing(index):
        index.mkdir(parents=True, exist_ok=True)
        ignore = index / ".gitignore"
        if not ignore.exists():
            write_file(ignore, b"*\n")
        lock = FileLock(str(index.resolve() / "lock"), is_singleton=True)
        try:
            lock.acquire(timeout=wait_seconds)
        except Timeout as error:
            message = f"Another build is writing to the index at {index}. Wait until it has ended, then build again."
            raise IndexLocked(message) from error
    try:
        yield
    finally:
        lock.release()


def _current_or_none(index: Path) -> Current | None:
    """What a build goes on from: a `current.json` that it cannot read is replaced."""
    try:
        return read_served(index)
    except (IndexDamaged, IndexIncompatible):
        return None


def _served_intact(index: Path, wanted: str) -> Generation | None:
    """The served generation where it is the wanted one and not damaged."""
    try:
        return read_intact(index) if read_current(index) == wanted else None
    except (IndexDamaged, IndexIncompatible):
        return None


def _is_intact(build: Path) -> bool:
    try:
        verify(build)
    except IndexDamaged:
        return False
    return True


def _succeeding(builds: Path, previous: Current | None, new: str) -> Current:
    now = time.time()
    if previous is None:
        # Nothing served, or a damaged current.json: whatever is there may have been served until now.
        found = sorted(entry.name for entry in builds.iterdir() if GENERATION_ID.fullmatch(entry.name))
        retired = [Retired(name, now) for name in found]
    else:
        # A clock that was ahead must not keep a generation for years.
        earlier = (Retired(item.generation, min(item.until, now)) for item in previous.previous)
        retired = [Retired(previous.generation, now), *earlier]
    kept = (item for item in retired if item.generation != new and (builds / item.generation).is_dir())
    return Current(SCHEMA_VERSION, new, tuple(kept))


def _sweep_unfinished(builds: Path) -> None:
    """Remove what killed builds left. The lock is held, so none of them is alive."""
    for entry in list(builds.iterdir()):
        if entry.name.startswith(BUILDING):
            shutil.rmtree(entry, ignore_errors=True)


def _sweep_retired(builds: Path, current: Current) -> None:
    """Remove generations that no reader can need: all but the last two and those served within ten minutes."""
    recent = [item for item in current.previous if time.time() - item.until < SERVED_RECENTLY]
    kept = {current.generation, *(item.generation for item in [*current.previous[:1], *recent])}
    for entry in list(builds.iterdir()):
        if GENERATION_ID.fullmatch(entry.name) and entry.name not in kept:
            # Windows keeps files that a reader has open; the next build tries again.
            shutil.rmtree(entry, ignore_errors=True)


def _write_build(builds: Path, new: str, content: IndexContent) -> None:
    # Not `mkdtemp`: the server that reads the index may be another user.
    temporary = builds / f"{BUILDING}{new}-{token_hex(4)}"
    temporary.mkdir()
    try:
        _write_files(temporary, ordered(content), describe(content, new))
        seal(temporary)
        if (builds / new).exists():
            # A damaged one. Its name must be free; until the rename, `current.json` may name nothing.
            (builds / new).rename(builds / f"{BUILDING}damaged-{new}")
        temporary.rename(builds / new)
        sync_folder(builds)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _write_files(folder: Path, content: IndexContent, generation: Generation) -> None:
    from trueref_core.tables import write_tables

    manifest = Manifest(generation.id, content.sites, content.pages, content.anchors)
    write_file(folder / "manifest.json", manifest.encode())
    write_file(folder / "ledger.json", encoded(content.documents) + b"\n")
    write_file(folder / "generation.json", encoded(generation) + b"\n")
    records = {name: getattr(content, name) for name in ("pages", "anchors", "links", "documents")}
    row = asdict(generation) | {
        "sites": encoded(generation.sites).decode(),
        "counts": encoded(generation.counts).decode(),
    }
    write_tables((folder / "tables").absolute(), records, content.chunks, stacked_vectors(content), row)
