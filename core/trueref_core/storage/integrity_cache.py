"""A cache of verified files of an index, so that a build need not compare all of them with their sums again.

A file is compared again if its size, time or inode changed, as git does for its work tree. A failing disk may change a
byte without changing any of these. Such damage is noticed when the index is opened for questions, and by a build before
it copies the content of the file; both then delete this cache.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.errors import IndexDamaged
from trueref_core.storage.atomic_files import replace_file
from trueref_core.storage.sealed_folders import files_below, unreadable, verify

FILE: Final = "intact.json"

TICK: Final = 2_000_000_000
"""The coarsest resolution of the times of files, in nanoseconds: two seconds, in the file system FAT."""

FileStat = tuple[int, int, int]
"""Inode, size in bytes, and time of the last change in nanoseconds."""


class CacheFile(msgspec.Struct, frozen=True):
    """`intact.json`: inode, size and time that the files of one generation had when they were compared."""

    generation: str
    # The caches that earlier versions wrote have this name. With another one, every file would be compared once more.
    stats: dict[str, FileStat] = msgspec.field(name="looks")


def verify_changed_files(index: Path, build: Path) -> None:
    """Compare the files of a build with its sums, except those that were compared before and have the same stat.

    Raises:
        IndexDamaged: A file was changed, is missing or was not listed. The message names the file.
    """
    cached_stats = _cached_stats(index, build.name)
    stats: dict[str, FileStat] = {}

    def is_unchanged(name: str, path: Path) -> bool:
        # The stat is taken before the file is read: if the file is changed meanwhile, the next build sees another stat.
        stats[name] = _file_stat(path, build, name)
        return cached_stats.get(name) == stats[name]

    verify(build, is_known=is_unchanged)
    stats_to_cache = _older_than_tick(stats)
    # Written only if it changed, so that a build without changes writes nothing.
    if stats_to_cache != cached_stats:
        _write_cache(index, build.name, stats_to_cache)


def _file_stat(path: Path, build: Path, name: str) -> FileStat:
    """The stat of a file. It changes when the file is written. Raises `IndexDamaged` if it cannot be read."""
    try:
        stat = path.stat()
    except OSError as error:
        raise unreadable(build / name, error) from error
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _older_than_tick(stats: Mapping[str, FileStat]) -> dict[str, FileStat]:
    """The stats of files that were not written just now: a second change within the same tick leaves the stat equal."""
    latest = time.time_ns() - TICK
    return {name: stat for name, stat in stats.items() if stat[2] < latest}


def cache_as_verified(index: Path, build: Path) -> None:
    """Write the cache for the files of a new build. If that fails, the next build compares them."""
    with suppress(OSError, IndexDamaged):
        stats = {name: _file_stat(path, build, name) for name, path in files_below(build).items()}
        _write_cache(index, build.name, _older_than_tick(stats))


def _write_cache(index: Path, generation: str, stats: Mapping[str, FileStat]) -> None:
    """Write the cache. A failure is ignored: the next build then takes longer."""
    with suppress(OSError):
        replace_file(index / FILE, msgspec.json.encode(CacheFile(generation, dict(stats))) + b"\n")


def delete_cache(index: Path) -> None:
    """Delete the cache, so that the next build compares every file. Called when a cached file turns out damaged."""
    with suppress(OSError):
        (index / FILE).unlink(missing_ok=True)


def _cached_stats(index: Path, generation: str) -> Mapping[str, FileStat]:
    """The cached stats of a generation; none if the cache is of another generation or cannot be read."""
    try:
        cache = msgspec.json.decode((index / FILE).read_bytes(), type=CacheFile)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return cache.stats if cache.generation == generation else {}
