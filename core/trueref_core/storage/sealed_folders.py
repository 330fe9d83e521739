"""Seals a folder with the SHA-256 sums of its files, and verifies by them that nobody changed a file since."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from trueref_core.errors import REBUILD, IndexDamaged
from trueref_core.storage.atomic_files import sync_folder, write_file

SUMS = "SHA256SUMS"
"""The name of the file with the sums of a folder, in the form that `sha256sum --check` reads."""

SUM_LINE = re.compile(r"([0-9a-f]{64})  ([^\n]+)")
"""A line of this file: the sum of a file, two spaces and the name of the file."""


def link_file(folder: Path, name: str, target: Path, sums: Mapping[str, str]) -> None:
    """Create a hard link to a file of a sealed folder, or a copy if the file system has no hard links.

    Raises:
        IndexDamaged: The copy differs from the file that was sealed. It must not be kept: `seal` would make a new sum
            of it, which matches.
        OSError: Neither a link nor a copy can be made.
    """
    try:
        os.link(folder / name, target)
    except OSError:
        shutil.copyfile(folder / name, target)
        if sum_of(target, folder, name) != sums.get(name):
            raise damaged(folder, name, "has changed since it was written") from None


def seal(folder: Path, linked_from: Path | None = None) -> None:
    """Write the SHA-256 sums of all files below a folder, after all of these files are on the disk.

    Hard links to files in `linked_from`, a sealed and verified folder, get the sums that these files have there.
    """
    sums: dict[str, str] = {}
    linked_sums = read_sums(linked_from) if linked_from is not None else {}
    for name, path in files_below(folder).items():
        if linked_from is not None and name in linked_sums and _is_link(path, linked_from / name):
            sums[name] = linked_sums[name]
            continue
        # Opened for writing too: Windows syncs no file that is open for reading only.
        with path.open("r+b") as stream:
            sums[name] = hashlib.file_digest(stream, "sha256").hexdigest()
            os.fsync(stream.fileno())
    for inner, _, _ in os.walk(folder):
        sync_folder(Path(inner))
    write_file(folder / SUMS, "".join(f"{digest}  {name}\n" for name, digest in sums.items()).encode())
    sync_folder(folder)


def _is_link(path: Path, other: Path) -> bool:
    """Whether two names are the same file on disk."""
    try:
        return path.samefile(other)
    except OSError:
        return False


def verify(folder: Path, below: str = "", is_known: Callable[[str, Path], bool] = lambda _name, _path: False) -> None:
    """Compare the files of a generation with its sums.

    Args:
        folder: The folder of the generation.
        below: Only files whose names begin with this are compared; "" for all.
        is_known: Called with the name and path of a file; True if the file need not be read, since it was compared
            before.

    Raises:
        IndexDamaged: A file was changed, is missing or was not listed. The message names the file.
    """
    sums = {name: expected for name, expected in read_sums(folder).items() if name.startswith(below)}
    files = {name: path for name, path in files_below(folder).items() if name.startswith(below)}
    for name in sorted(sums.keys() | files.keys()):
        if name not in sums:
            raise damaged(folder, name, "was not there when the index was built")
        if name not in files:
            raise damaged(folder, name, "is missing")
        if not is_known(name, files[name]) and sum_of(files[name], folder, name) != sums[name]:
            raise damaged(folder, name, "has changed since it was written")


def read_verified(folder: Path, name: str) -> bytes:
    """The bytes of one file, compared with its sum. Raises `IndexDamaged`."""
    return read_summed(folder, name, read_sums(folder))


def read_summed(folder: Path, name: str, sums: Mapping[str, str] | None) -> bytes:
    """The bytes of one file, compared with the sum of this name if sums are given. Raises `IndexDamaged`."""
    try:
        data = (folder / name).read_bytes()
    except OSError as error:
        raise unreadable(folder / name, error) from error
    if sums is not None and hashlib.sha256(data).hexdigest() != sums.get(name):
        raise damaged(folder, name, "has changed since it was written")
    return data


def read_sums(folder: Path) -> dict[str, str]:
    """The sums of a folder by file name, relative and with forward slashes. Raises `IndexDamaged`."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise unreadable(folder / SUMS, error) from error
    except UnicodeDecodeError as error:
        raise damaged(folder, SUMS, "has changed since it was written") from error
    matches = [SUM_LINE.fullmatch(line) for line in lines[:-1]]
    if lines[-1] or not all(matches):
        raise damaged(folder, SUMS, "has changed since it was written")
    return {match[2]: match[1] for match in matches if match}


def damaged(folder: Path, name: str, problem: str) -> IndexDamaged:
    """The error for a file of a generation that is missing or differs from what was written."""
    return IndexDamaged(f"The index is damaged: {folder / name} {problem}. {REBUILD}")


def unreadable(path: Path, error: OSError) -> IndexDamaged:
    """The error for a file or folder of an index that cannot be read. Another build is no help against permissions."""
    problem = f"{path} cannot be read ({error.strerror})."
    if isinstance(error, PermissionError):
        return IndexDamaged(f"{problem} Let this user read the folder of the index, and all that is in it.")
    return IndexDamaged(f"The index is damaged: {problem} {REBUILD}")


def sum_of(path: Path, folder: Path, name: str) -> str:
    """The SHA-256 sum of one file of a generation. Raises `IndexDamaged` if it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(folder / name, error) from error


def files_below(folder: Path) -> dict[str, Path]:
    """The files of a generation without its sums, by name, relative and with forward slashes."""
    # `os.walk` and strings: `Path.rglob` takes three times as long, and a large index has a thousand files.
    start = len(os.fspath(folder)) + 1
    paths = sorted(f"{inner}{os.sep}{name}" for inner, _, files in os.walk(folder) for name in files)
    return {name: Path(path) for path in paths if (name := path[start:].replace(os.sep, "/")) != SUMS}
