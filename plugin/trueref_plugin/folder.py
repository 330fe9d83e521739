"""Finds the pages of a finished site on disk."""

from __future__ import annotations

import mimetypes
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from trueref_core.errors import SiteError

PAGE_TYPES: Final = ("text/html", "text/markdown", "text/x-rst")
"""Types of files that become pages."""

_SUFFIX: Final = re.compile(r"\.[A-Za-z]{2,5}\Z")
_SUFFIXES: Final = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One HTML file. `file` is relative to the site folder with forward slashes; `modified` is seconds since 1970."""

    file: str
    data: bytes
    modified: float

    @property
    def digest(self) -> str:
        """A 128-bit hash of the content, in hexadecimal."""
        return blake2b(self.data, digest_size=16).hexdigest()


def list_pages(site: Path) -> list[str]:
    """The HTML files of a site, sorted, relative to it. Hidden folders and links to folders are not entered.

    Raises:
        SiteError: The folder is missing, is no folder, or holds no HTML file.
    """
    if not site.is_dir():
        what = "is not a folder" if site.exists() else "does not exist"
        raise SiteError(f"The site folder {site} {what}. Build the site first, then name its output folder.")
    files = sorted(_walk(site))
    if not files:
        raise SiteError(
            f"The site folder {site} holds no HTML file. Build the site first, then name its output folder."
        )
    return files


def list_files(site: Path) -> frozenset[str]:
    """All files of a site, relative to it and with forward slashes; hidden ones too, since they are deployed."""
    return frozenset(
        (Path(folder) / name).relative_to(site).as_posix() for folder, _, files in os.walk(site) for name in files
    )


def list_untyped_files(site: Path) -> list[str]:
    """The files that are no pages and whose name tells no type, such as `LICENSE`, sorted, relative to the site.

    A link to another file is known for one by its name, whether the file is there or not.
    """
    return sorted(
        (Path(folder) / name).relative_to(site).as_posix()
        for folder, _, files in os.walk(site)
        for name in files
        if mimetypes.guess_type(name)[0] is None and not _SUFFIX.search(name)
    )


def is_typed(path: str) -> bool:
    """Whether a path is that of a file which is no page by its name: a picture, an archive, `objects.inv`."""
    kind = mimetypes.guess_type(path)[0]
    # Not the end of `changelog/1.2` or of `v1.x`, which are pages.
    return kind not in PAGE_TYPES if kind else _SUFFIX.search(path) is not None


def read_page(site: Path, file: str) -> SourceFile:
    """One file with its content.

    Raises:
        OSError: The file cannot be read.
    """
    path = site / file
    return SourceFile(file, path.read_bytes(), path.stat().st_mtime)


def printable(file: str) -> str:
    """A name as it can be shown: bytes that are not UTF-8 stand there as escapes."""
    return os.fsencode(file).decode("utf-8", "backslashreplace")


def _walk(site: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(site):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if name.lower().endswith(_SUFFIXES):
                yield (Path(folder) / name).relative_to(site).as_posix()
