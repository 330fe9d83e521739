"""Publishes generations: each is complete when it is published, one is served, and earlier ones stay for their readers.

    current.json            which generation is served, and until when earlier ones were
    history.json            pages and anchors that only earlier generations had (see `manifest.history`)
    builds/<id>/            one generation, never changed once it has this name: see `generation_writer`
    lock  .gitignore

A build writes into a folder `builds/.building-*`, renames it, and then replaces `current.json`. If the build is killed
at any moment, the earlier generation is still served. A build that finds nothing changed does not import lancedb.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from trueref_core.errors import IndexDamaged, IndexIncompatible, IndexLocked
from trueref_core.garbage_collection import without_garbage_collection
from trueref_core.generations.content import IndexContent, generation_id, ordered, page_states
from trueref_core.generations.generation_writer import BUILDING, write_build
from trueref_core.generations.history_update import keep_history
from trueref_core.generations.page_digests import PageState, encoded
from trueref_core.generations.served_generation import (
    GENERATION_ID,
    CurrentFile,
    Retired,
    decode_generation,
    read_current,
    read_intact,
    read_served,
)
from trueref_core.records import Generation, PageKey
from trueref_core.storage.atomic_files import replace_file, writing
from trueref_core.storage.integrity_cache import cache_as_verified
from trueref_core.storage.sealed_folders import verify
from trueref_core.version import SCHEMA_VERSION

SERVED_RECENTLY = 600.0
"""Seconds for which a generation stays on disk after it was served: readers may have it open, and a preview may still
build on it."""


@dataclass(frozen=True, slots=True)
class PublicationResult:
    """The result of publishing: the generation that is served now, and whether the index was changed for it."""

    generation: Generation
    changed: bool


# This function is long because of its documentation, and of the comments at steps between which a build may be killed.
@without_garbage_collection()
def publish(index: Path, content: IndexContent, *, rewrite: bool = False) -> PublicationResult:
    """Make content the served generation of an index, creating the index if there is none.

    If the generation exists already, it is kept if its files are intact, and else written again.

    Args:
        index: The index folder.
        content: The content to publish. If it has `vectors`, they include one for every chunk. The earlier generation
            whose pages it keeps, if any, must be intact.
        rewrite: Write a new generation even if the same content is served, since its vectors may differ.

    Raises:
        IndexLocked: Another build is writing to the index.
        IndexUnwritable: The folder cannot be written, or the disk is full. The earlier generation is still served.
    """
    content = ordered(content)
    states = page_states(content)
    new_id = generation_id(content, states)
    # Without the lock: generations never change, so a build that finds its content served need not wait.
    served = _intact_served_generation(index, new_id)
    if served and not rewrite:
        return PublicationResult(served, changed=False)
    if served:
        # The new generation gets another id, since readers may have the files of the served one open.
        content = replace(content, rebuilt=new_id)
        new_id = generation_id(content, states)
    with build_lock(index), writing(index):
        builds = index / "builds"
        builds.mkdir(exist_ok=True)
        _sweep_unfinished(builds)
        previous = _current_or_none(index)
        if previous is not None:
            # Before anything is written: on a full disk, removing generations that nobody needs makes room.
            _sweep_retired(builds, previous, {new_id, content.kept.generation if content.kept else new_id})
        # The generation may exist from an earlier build with the same content, if a change was reverted.
        is_missing = not _is_intact(builds / new_id)
        if is_missing:
            write_build(builds, new_id, content, states)
            cache_as_verified(index, builds / new_id)
        is_new_generation = previous is None or previous.generation != new_id
        if is_new_generation:
            _serve(index, previous, new_id, has_same_anchors=_has_same_anchors(content, states, previous))
        _sweep_unfinished(builds)
    return PublicationResult(decode_generation(builds / new_id), changed=is_missing or is_new_generation)


def _serve(index: Path, previous: CurrentFile | None, new_id: str, *, has_same_anchors: bool) -> None:
    """Make a complete generation the served one."""
    builds = index / "builds"
    # The history is written first. If the build is killed in between, the new entries have no effect on the served
    # generation. In the other order, the changes between the two generations would be missing from the history.
    if not has_same_anchors:
        keep_history(index, builds / previous.generation if previous else None, builds / new_id)
    current = _current_with(builds, previous, new_id)
    replace_file(index / "current.json", encoded(current) + b"\n")
    _sweep_retired(builds, current, {new_id})


@contextmanager
def build_lock(index: Path, wait_seconds: float = 0.0, waiting: Callable[[], None] = lambda: None) -> Generator[None]:
    """Hold the lock for writing to an index. The same thread may take it again.

    Args:
        index: The index folder, made if it is missing.
        wait_seconds: How long to wait for another build.
        waiting: Called once if there is another build to wait for.

    Raises:
        IndexLocked: Another build held the lock for all of `wait_seconds`.
        IndexUnwritable: The folder cannot be created or written.
    """
    from filelock import FileLock, Timeout

    with writing(index):
        index.mkdir(parents=True, exist_ok=True)
        # A singleton, so that `publish` can take the lock although its caller holds it already.
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
            # An index can be built again from the site, so it does not belong in version control.
            if not ignore.exists():
                replace_file(ignore, b"*\n")
        yield
    finally:
        lock.release()


def _current_or_none(index: Path) -> CurrentFile | None:
    """The content of `current.json`; None if there is none, or if it cannot be read and the build will replace it."""
    try:
        return read_served(index)
    except (IndexDamaged, IndexIncompatible):
        return None


def _intact_served_generation(index: Path, wanted: str) -> Generation | None:
    """The served generation if it is the wanted one and intact, else None."""
    try:
        return read_intact(index) if read_current(index) == wanted else None
    except (IndexDamaged, IndexIncompatible):
        return None


def _is_intact(build: Path) -> bool:
    """Whether a generation exists and all of its files are the ones that were written."""
    try:
        verify(build)
    except IndexDamaged:
        return False
    return True


def _current_with(builds: Path, previous: CurrentFile | None, new_id: str) -> CurrentFile:
    """The content of `current.json` with a new served generation. The one before is listed as served until now."""
    now = time.time()
    if previous is None:
        # There is no `current.json` or it is damaged: any generation in the folder may have been served until now.
        names = sorted(entry.name for entry in builds.iterdir() if GENERATION_ID.fullmatch(entry.name))
        retired = [Retired(name, now) for name in names]
    else:
        # No time later than now: if the clock was once ahead, a generation would be kept for too long.
        older = (Retired(item.generation, min(item.until, now)) for item in previous.previous)
        # `_sweep_retired` relies on the latest coming first.
        retired = [Retired(previous.generation, now), *older]
    on_disk = (item for item in retired if item.generation != new_id and (builds / item.generation).is_dir())
    return CurrentFile(SCHEMA_VERSION, new_id, tuple(on_disk))


def _has_same_anchors(content: IndexContent, states: Mapping[PageKey, PageState], previous: CurrentFile | None) -> bool:
    """Whether the served generation has the same pages with the same anchors, so that the history does not change."""
    kept = content.kept
    if kept is None or previous is None or previous.generation != kept.generation:
        return False
    # Only the digests of anchors are compared: the history does not depend on texts and links.
    before = {key: state.anchors for key, state in kept.before.items()}
    return before == {key: state.anchors for key, state in states.items()}


def _sweep_unfinished(builds: Path) -> None:
    """Remove the folders of unfinished builds. The caller holds the lock, so none of these builds is still running."""
    for entry in list(builds.iterdir()):
        if entry.name.startswith(BUILDING):
            shutil.rmtree(entry, ignore_errors=True)


def _sweep_retired(builds: Path, current: CurrentFile, wanted: set[str]) -> None:
    """Remove generations that no reader needs.

    Those that stay are the served one and the one before it, those that were served within `SERVED_RECENTLY`, and those
    in `wanted`.
    """
    recent = [item for item in current.previous if time.time() - item.until < SERVED_RECENTLY]
    needed = {current.generation, *(item.generation for item in [*current.previous[:1], *recent])} | wanted
    for entry in list(builds.iterdir()):
        if GENERATION_ID.fullmatch(entry.name) and entry.name not in needed:
            # Errors are ignored: Windows keeps files that a reader has open, and the next build tries again.
            shutil.rmtree(entry, ignore_errors=True)
