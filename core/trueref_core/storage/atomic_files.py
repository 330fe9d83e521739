"""Writes files completely or not at all, and says why if the disk refuses."""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from trueref_core.errors import IndexUnwritable


@contextmanager
def writing(index: Path) -> Generator[None]:
    """Turn `OSError`s while an index is written into `IndexUnwritable`, with one line for a person."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            message = f"The disk is full: the index at {index} was not changed. Free some space and build again."
        elif error.errno == errno.EFBIG:
            message = (
                f"The index at {index} was not changed: one of its files would be larger than this system lets a "
                "process write. Raise that limit (`ulimit -f`), or choose another folder for the index."
            )
        else:
            message = (
                f"The index at {index} cannot be written ({error.strerror or error}). Choose another folder for it."
            )
        raise IndexUnwritable(message) from error


def write_file(path: Path, data: bytes) -> None:
    """Write a file that nobody reads yet, and wait until it is on the disk."""
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file that others may be reading: they see the old one or the new one, even after a crash."""
    # The name is always the same, so a file that a killed build left is overwritten by the next one. The lock of the
    # index keeps two builds from using it at the same time.
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        write_file(temporary, data)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make new names in a folder survive a power cut. Windows does this by itself and cannot sync a folder."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
