"""Generations on disk: published whole, served one at a time, kept until no reader can need them.

    current.json            which generation is served, and when earlier ones stopped being it
    history.json            what earlier ones had and the served one has not (see `manifest.history`)
    builds/<id>/            one generation, never changed once it has this name: see `generation_writer`
    lock  .gitignore

A build writes into `builds/.building-*`, renames, and replaces `current.json`: a kill at any moment leaves what was
served. Finding out that nothing changed imports no lancedb. Other rooms import from here; the other
modules of this folder hold the parts.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from trueref_core.errors import IndexDamaged, IndexIncompatible, IndexLocked
from trueref_core.garbage_collection import without_collecting
from trueref_core.generations.content import IndexContent, Kept, generation_id, page_states, recipe
from trueref_core.generations.generation_writer import BUILDING, write_build
from trueref_core.generations.history_update import keep_history
from trueref_core.generations.open_generation import OpenIndex
from trueref_core.generations.page_digests import PageState, anchors_digest, encoded, leads_of, links_digest
from trueref_core.generations.served_generation import (
    GENERATION_ID,
    Current,
    Retired,
    build_folder,
    decode_generation,
    index_folder,
    open_index,
    published_vectors,
    read_current,
    read_generation,
    read_graph,
    read_intact,
    read_ledger,
    read_links,
    read_manifest,
    read_parts,
    read_served,
    read_states,
    read_texts,
    served_build,
    stored_vectors,
    verified_vectors,
)
from trueref_core.records import Generation
from trueref_core.storage.atomic_files import read_sums, replace_file, verify, writing
from trueref_core.storage.integrity_cache import forget, remember
from trueref_core.storage.page_parts import PageKey
from trueref_core.tables.chunk_search import Scored
from trueref_core.tables.filters import Filters
from trueref_core.version import SCHEMA_VERSION

__all__ = [
    "GENERATION_ID",
    "Filters",
    "IndexContent",
    "Kept",
    "OpenIndex",
    "PageState",
    "Published",
    "Scored",
    "anchors_digest",
    "build_folder",
    "build_lock",
    "forget",
    "generation_id",
    "index_folder",
    "leads_of",
    "links_digest",
    "open_index",
    "publish",
    "published_vectors",
    "read_current",
    "read_generation",
    "read_graph",
    "read_intact",
    "read_ledger",
    "read_links",
    "read_manifest",
    "read_parts",
    "read_states",
    "read_sums",
    "read_texts",
    "recipe",
    "served_build",
    "stored_vectors",
    "verified_vectors",
]

SERVED_RECENTLY = 600.0  # seconds


@dataclass(frozen=True, slots=True)
class Published:
    """What came of publishing: the generation that is served now, and whether the index was changed for it."""

    generation: Generation
    changed: bool


# Long by what it documents, and by a line of reason at every step that a kill may follow.
@without_collecting()
def publish(index: Path, content: IndexContent, *, rewrite: bool = False) -> Published:
    """Make content the served generation of an index, creating the index where there is none.

    A generation that is already there is kept if its files are the ones that were written, else written again.

    Args:
        index: The index folder.
        content: What to publish. With `vectors`, every chunk's text hash has one. The generation whose pages it keeps,
            if any, is there and intact.
        rewrite: Write it again even where the same content is served: its vectors may be other ones.

    Raises:
        IndexLocked: Another build is writing to the index.
        IndexUnwritable: The folder cannot be written, or the disk is full. What was served still is.
    """
    states = page_states(content)
    new = generation_id(content, states)
    # Without the lock: what is served never changes, so that a build which makes the same waits for nobody.
    served = _served_intact(index, new)
    if served and not rewrite:
        return Published(served, changed=False)
    if served:
        # Under another id: readers have the files of this one open.
        content = replace(content, rebuilt=new)
        new = generation_id(content, states)
    with build_lock(index), writing(index):
        builds = index / "builds"
        builds.mkdir(exist_ok=True)
        _sweep_unfinished(builds)
        previous = _current_or_none(index)
        if previous is not None:
            # Before anything is written: on a full disk, what nobody needs must not be in the way of what is new.
            _sweep_retired(builds, previous, {new, content.kept.generation if content.kept else new})
        # It may be there from an earlier build with the same content, such as before a change that was taken back.
        is_missing = not _is_intact(builds / new)
        if is_missing:
            write_build(builds, new, content, states)
            remember(index, builds / new)
        is_other = previous is None or previous.generation != new
        if is_other:
            _serve(index, previous, new, has_same_places=_has_same_places(content, states, previous))
        _sweep_unfinished(builds)
    return Published(decode_generation(builds / new), changed=is_missing or is_other)


def _serve(index: Path, previous: Current | None, new: str, *, has_same_places: bool) -> None:
    """Make a generation that is there the served one."""
    builds = index / "builds"
    # The history first: entries that are ahead of the manifest count for nothing, and one that lags would be lost.
    if not has_same_places:
        keep_history(index, builds / previous.generation if previous else None, builds / new)
    current = _succeeding(builds, previous, new)
    replace_file(index / "current.json", encoded(current) + b"\n")
    _sweep_retired(builds, current, {new})


@contextmanager
def build_lock(index: Path, wait_seconds: float = 0.0, waiting: Callable[[], None] = lambda: None) -> Generator[None]:
    """Hold the right to write to an index. The same thread may enter it again.

    Args:
        index: The index folder, made where it is missing.
        wait_seconds: How long to wait for another build.
        waiting: Called once where there is one to wait for.

    Raises:
        IndexLocked: Another build held it for all of `wait_seconds`.
        IndexUnwritable: The folder cannot be created or written.
    """
    from filelock import FileLock, Timeout

    with writing(index):
        index.mkdir(parents=True, exist_ok=True)
        lock = FileLock(str(index.resolve() / "lock"), is_singleton=True)
        try:
            with suppress(Timeout):
                lock.acquire(timeout=0)
            if not lock.is_locked:
                waiting()
                lock.acquire(timeout=wait_seconds)
        except Timeout as error:
            message = f"Another build is writing to the index at {index}. Wait until it has ended, then build again."
            raise IndexLocked(message) from error
    try:
        with writing(index):
            ignore = index / ".gitignore"
            if not ignore.exists():
                replace_file(ignore, b"*\n")
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
    """Whether a generation is there and all of its files are the ones that were written."""
    try:
        verify(build)
    except IndexDamaged:
        return False
    return True


def _succeeding(builds: Path, previous: Current | None, new: str) -> Current:
    """What `current.json` says when `new` is served. The one before it is noted as served until now."""
    now = time.time()
    if previous is None:
        # Nothing served, or a damaged current.json: whatever is there may have been served until now.
        builds_there = sorted(entry.name for entry in builds.iterdir() if GENERATION_ID.fullmatch(entry.name))
        retired = [Retired(name, now) for name in builds_there]
    else:
        # A clock that was ahead must not keep a generation for years.
        earlier = (Retired(item.generation, min(item.until, now)) for item in previous.previous)
        retired = [Retired(previous.generation, now), *earlier]
    kept = (item for item in retired if item.generation != new and (builds / item.generation).is_dir())
    return Current(SCHEMA_VERSION, new, tuple(kept))


def _has_same_places(content: IndexContent, states: Mapping[PageKey, PageState], previous: Current | None) -> bool:
    """Whether what is served has the same pages with the same anchors: then the history stays as it is."""
    kept = content.kept
    if kept is None or previous is None or previous.generation != kept.generation:
        return False
    before = {key: state.anchors for key, state in kept.before.items()}
    return before == {key: state.anchors for key, state in states.items()}


def _sweep_unfinished(builds: Path) -> None:
    """Remove what killed builds left. The lock is held, so none of them is alive."""
    for entry in list(builds.iterdir()):
        if entry.name.startswith(BUILDING):
            shutil.rmtree(entry, ignore_errors=True)


def _sweep_retired(builds: Path, current: Current, wanted: set[str]) -> None:
    """Remove generations that no reader can need: all but the last two and those served within ten minutes."""
    recent = [item for item in current.previous if time.time() - item.until < SERVED_RECENTLY]
    kept = {current.generation, *(item.generation for item in [*current.previous[:1], *recent])} | wanted
    for entry in list(builds.iterdir()):
        if GENERATION_ID.fullmatch(entry.name) and entry.name not in kept:
            # Windows keeps files that a reader has open; the next build tries again.
            shutil.rmtree(entry, ignore_errors=True)
