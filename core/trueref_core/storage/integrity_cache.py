"""Remembers which files of an index are the ones that were written, so that a build need not read all of them again.

A memory and nothing more: a file that has another size, time or inode than it had is compared with its sum again. What
changes a byte and none of these, a failing disk, is found by whoever opens the index for questions, and by a build
before it makes something else of the file; either forgets this memory.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.errors import IndexDamaged
from trueref_core.storage.atomic_files import damaged, files_below, read_sums, replace_file, sum_of

FILE: Final = "intact.json"

TICK: Final = 2_000_000_000
"""Nanoseconds between two times that a file system tells apart, at most: those of FAT."""

Look = tuple[int, int, int]
"""Inode, size in bytes, and time of the last change in nanoseconds."""


class Memory(msgspec.Struct, frozen=True):
    """`intact.json`: the files of one generation as they were when they were compared."""

    generation: str
    looks: dict[str, Look]


def verify_remembered(index: Path, build: Path) -> None:
    """Compare the files of a build with its sums, less those that are as they were when that was done.

    Raises:
        IndexDamaged: A file was changed, is missing or was not listed. The message names it.
    """
    known = _known(index, build.name)
    sums, files = read_sums(build), files_below(build)
    looks: dict[str, Look] = {}
    for name in sorted(sums.keys() | files.keys()):
        if name not in sums:
            raise damaged(build, name, "was not there when the index was built")
        if name not in files:
            raise damaged(build, name, "is missing")
        # Before it is read: one that is changed meanwhile has another look the next time.
        looks[name] = _look(files[name], build, name)
        if known.get(name) != looks[name] and sum_of(files[name], build, name) != sums[name]:
            raise damaged(build, name, "is not the one that was written")
    settled = _settled(looks)
    if settled != known:
        _write(index, build.name, settled)


def _look(path: Path, build: Path, name: str) -> Look:
    """What tells cheaply whether a file was written again. Raises `IndexDamaged` where it is gone."""
    try:
        stat = path.stat()
    except OSError as error:
        raise damaged(build, name, f"cannot be read ({error.strerror})") from error
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _settled(looks: Mapping[str, Look]) -> dict[str, Look]:
    """The looks of files that were not written just now: one more change could have the same time."""
    latest = time.time_ns() - TICK
    return {name: look for name, look in looks.items() if look[2] < latest}


def remember(index: Path, build: Path) -> None:
    """Note that the files of a build are the ones that were written. Where that fails, they are read again."""
    with suppress(OSError, IndexDamaged):
        looks = {name: _look(path, build, name) for name, path in files_below(build).items()}
        _write(index, build.name, _settled(looks))


def _write(index: Path, generation: str, looks: Mapping[str, Look]) -> None:
    with suppress(OSError):
        replace_file(index / FILE, msgspec.json.encode(Memory(generation, dict(looks))) + b"\n")


def forget(index: Path) -> None:
    """Have the next build read every file, because one of them is not what was written."""
    with suppress(OSError):
        (index / FILE).unlink(missing_ok=True)


def _known(index: Path, generation: str) -> Mapping[str, Look]:
    """The looks that were remembered of a generation; none where the memory is of another one or cannot be read."""
    try:
        memory = msgspec.json.decode((index / FILE).read_bytes(), type=Memory)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return memory.looks if memory.generation == generation else {}
