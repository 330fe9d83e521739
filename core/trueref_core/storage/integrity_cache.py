"""A cache of verified files of an index, so that a build need not compare all of them with their sums again.

A file whose size, time or inode changed is compared again, as git does it for its work tree. A failing disk changes a
byte and none of these. That is noticed by everyone who opens the index for questions, and by a build before it writes
the content of the file anywhere else; both delete this cache.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.errors import IndexDamaged
from trueref_core.storage.atomic_files import damaged, files_below, replace_file, verify

FILE: Final = "intact.json"

TICK: Final = 2_000_000_000
"""The coarsest resolution of times in a file system, in nanoseconds: that of FAT."""

Look = tuple[int, int, int]
"""Inode, size in bytes, and time of the last change in nanoseconds."""


class Memory(msgspec.Struct, frozen=True):
    """`intact.json`: the looks of the files of one generation when they were compared."""

    generation: str
    looks: dict[str, Look]


def verify_remembered(index: Path, build: Path) -> None:
    """Compare the files of a build with its sums, except those that look the same as when they were compared before.

    Raises:
        IndexDamaged: A file was changed, is missing or was not listed. The message names it.
    """
    remembered = _known(index, build.name)
    looks: dict[str, Look] = {}

    def looks_the_same(name: str, path: Path) -> bool:
        # The look is taken before the file is read: if it is changed meanwhile, the next build sees another look.
        looks[name] = _look(path, build, name)
        return remembered.get(name) == looks[name]

    verify(build, is_known=looks_the_same)
    settled = _settled(looks)
    # Written only if it changed: a build without changes should touch no disk.
    if settled != remembered:
        _write(index, build.name, settled)


def _look(path: Path, build: Path, name: str) -> Look:
    """The look of a file, which changes when it is written again. Raises `IndexDamaged` if it cannot be read."""
    try:
        stat = path.stat()
    except OSError as error:
        raise damaged(build, name, f"cannot be read ({error.strerror})") from error
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _settled(looks: Mapping[str, Look]) -> dict[str, Look]:
    """The looks of files that were not written just now. A second change within the same tick would look the same."""
    latest = time.time_ns() - TICK
    return {name: look for name, look in looks.items() if look[2] < latest}


def remember(index: Path, build: Path) -> None:
    """Record the files of a new build as verified. If that fails, the next build compares them."""
    with suppress(OSError, IndexDamaged):
        looks = {name: _look(path, build, name) for name, path in files_below(build).items()}
        _write(index, build.name, _settled(looks))


def _write(index: Path, generation: str, looks: Mapping[str, Look]) -> None:
    """Writes the cache. A failure only costs the next build some time."""
    with suppress(OSError):
        replace_file(index / FILE, msgspec.json.encode(Memory(generation, dict(looks))) + b"\n")


def forget(index: Path) -> None:
    """Delete the cache, because a file is damaged that it calls verified. The next build compares every file."""
    with suppress(OSError):
        (index / FILE).unlink(missing_ok=True)


def _known(index: Path, generation: str) -> Mapping[str, Look]:
    """The recorded looks of a generation; none if the cache is of another one or cannot be read."""
    try:
        memory = msgspec.json.decode((index / FILE).read_bytes(), type=Memory)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return memory.looks if memory.generation == generation else {}
