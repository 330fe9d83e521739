"""Generations on disk: published whole, served one at a time, kept until no reader can need them.

    current.json            which generation is served, and until when earlier ones were
    history.json            pages and anchors that only earlier generations had (see `manifest.history`)
    builds/<id>/            one generation, never changed once it has this name: see `generation_writer`
    lock  .gitignore

A build writes into `builds/.building-*`, renames that, and replaces `current.json`: a kill at any moment leaves the
generation that was served before. Finding out that nothing changed imports no lancedb.
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
from trueref_core.generations.content import IndexContent, generation_id, ordered, page_states
from trueref_core.generations.generation_writer import BUILDING, write_build
from trueref_core.generations.history_update import keep_history
from trueref_core.generations.page_digests import PageState, encoded
from trueref_core.generations.served_generation import (
    GENERATION_ID,
    Current,
    Retired,
    decode_generation,
    read_current,
    read_intact,
    read_served,
)
from trueref_core.records import Generation
from trueref_core.storage.atomic_files import replace_file, verify, writing
from trueref_core.storage.integrity_cache import cache_as_verified
from trueref_core.storage.page_parts import PageKey
from trueref_core.version import SCHEMA_VERSION

SERVED_RECENTLY = 600.0
"""Seconds for which a generation that is no longer served stays on disk: readers may have it open, and a preview may
still build on it."""


@dataclass(frozen=True, slots=True)
class Published:
    """The result of publishing: the generation that is served now, and whether the index was changed for it."""

    generation: Generation
    changed: bool


# Long by its documentation, and by a reason at every step after which the build may be killed.
@without_collecting()
def publish(index: Path, content: IndexContent, *, rewrite: bool = False) -> Published:
    """Make content the served generation of an index, creating the index if there is none.

    A generation with the same id is kept if its files are intact, else written again.

    Args:
        index: The index folder.
        content: What to publish. With `vectors`, every chunk's text hash has one. The generation whose pages it keeps,
            if any, is intact.
        rewrite: Write it again even if the same content is served, since its vectors may differ.

    Raises:
        IndexLocked: Another build is writing to the index.
        IndexUnwritable: The folder cannot be written, or the disk is full. The earlier generation is still served.
    """
    content = ordered(content)
    states = page_states(content)
    new = generation_id(content, states)
    # Asked without the lock: generations never change, so a build with the same content waits for nobody.
    served = _served_intact(index, new)
    if served and not rewrite:
        return Published(served, changed=False)
    if served:
        # Written under another id: readers have the files of the served one open.
        content = replace(content, rebuilt=new)
        new = generation_id(content, states)
    with build_lock(index), writing(index):
        builds = index / "builds"
        builds.mkdir(exist_ok=True)
        _sweep_unfinished(builds)
        previous = _current_or_none(index)
        if previous is not None:
            # Swept before anything is written: on a full disk, generations that nobody needs must make room.
            _sweep_retired(builds, previous, {new, content.kept.generation if content.kept else new})
        # It may exist from an earlier build with the same content, if a change was reverted.
        is_missing = not _is_intact(builds / new)
        if is_missing:
            write_build(builds, new, content, states)
            cache_as_verified(index, builds / new)
        is_other = previous is None or previous.generation != new
        if is_other:
            _serve(index, previous, new, has_same_anchors=_has_same_anchors(content, states, previous))
        _sweep_unfinished(builds)
    return Published(decode_generation(builds / new), changed=is_missing or is_other)


def _serve(index: Path, previous: Current | None, new: str, *, has_same_anchors: bool) -> None:
    """Make a complete generation the served one."""
    builds = index / "builds"
    # The history is written first. After a kill in between, its entries are ahead of the manifest and have no effect.
    # In the other order the changes between the two generations would never get into it.
    if not has_same_anchors:
        keep_history(index, builds / previous.generation if previous else None, builds / new)
    current = _succeeding(builds, previous, new)
    replace_file(index / "current.json", encoded(current) + b"\n")
    _sweep_retired(builds, current, {new})


@contextmanager
def build_lock(index: Path, wait_seconds: float = 0.0, waiting: Callable[[], None] = lambda: None) -> Generator[None]:
    """Hold the right to write to an index. The same thread may enter it again.

    Args:
        index: The index folder, made if it is missing.
        wait_seconds: How long to wait for another build.
        waiting: Called once if there is another build to wait for.

    Raises:
        IndexLocked: Another build held it for all of `wait_seconds`.
        IndexUnwritable: The folder cannot be created or written.
    """
    from filelock import FileLock, Timeout

    with writing(index):
        index.mkdir(parents=True, exist_ok=True)
        # A singleton, so that `publish` can enter the lock that its caller holds already.
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
            # An index is rebuilt from the site, and does not belong into version control.
            if not ignore.exists():
                replace_file(ignore, b"*\n")
        yield
    finally:
        lock.release()


def _current_or_none(index: Path) -> Current | None:
    """The content of `current.json`; None if it cannot be read: a build replaces it then."""
    try:
        return read_served(index)
    except (IndexDamaged, IndexIncompatible):
        return None


def _served_intact(index: Path, wanted: str) -> Generation | None:
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


def _succeeding(builds: Path, previous: Current | None, new: str) -> Current:
    """The content of `current.json` when `new` is served. The generation before it is listed as served until now."""
    now = time.time()
    if previous is None:
        # There is no `current.json` or it is damaged: any generation in the folder may have been served until now.
        builds_there = sorted(entry.name for entry in builds.iterdir() if GENERATION_ID.fullmatch(entry.name))
        retired = [Retired(name, now) for name in builds_there]
    else:
        # At most until now: a clock that was ahead once must not keep a generation for years.
        earlier = (Retired(item.generation, min(item.until, now)) for item in previous.previous)
        # The latest comes first, which `_sweep_retired` relies on.
        retired = [Retired(previous.generation, now), *earlier]
    on_disk = (item for item in retired if item.generation != new and (builds / item.generation).is_dir())
    return Current(SCHEMA_VERSION, new, tuple(on_disk))


def _has_same_anchors(content: IndexContent, states: Mapping[PageKey, PageState], previous: Current | None) -> bool:
    """Whether the served generation has the same pages with the same anchors: then the history stays as it is."""
    kept = content.kept
    if kept is None or previous is None or previous.generation != kept.generation:
        return False
    # By the digests of anchors alone: texts and links do not matter to the history.
    before = {key: state.anchors for key, state in kept.before.items()}
    return before == {key: state.anchors for key, state in states.items()}


def _sweep_unfinished(builds: Path) -> None:
    """Remove the folders of killed builds. The caller holds the lock, so none of these builds is alive."""
    for entry in list(builds.iterdir()):
        if entry.name.startswith(BUILDING):
            shutil.rmtree(entry, ignore_errors=True)


def _sweep_retired(builds: Path, current: Current, wanted: set[str]) -> None:
    """Remove generations that no reader needs: all but the last two and those that were served within ten minutes."""
    recent = [item for item in current.previous if time.time() - item.until < SERVED_RECENTLY]
    still_needed = {current.generation, *(item.generation for item in [*current.previous[:1], *recent])} | wanted
    for entry in list(builds.iterdir()):
        if GENERATION_ID.fullmatch(entry.name) and entry.name not in still_needed:
            # Errors are ignored: Windows keeps files that a reader has open, and the next build tries again.
            shutil.rmtree(entry, ignore_errors=True)
