"""Finds and reads the files of a finished site on disk."""

from __future__ import annotations

import errno
import mimetypes
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from trueref_core.errors import SiteError
from trueref_plugin.progress import Reporter
from trueref_plugin.reading.guarding.child import PageRefused

PAGE_TYPES: Final = ("text/html", "text/markdown", "text/x-rst")
"""Types of files that become pages."""

_SUFFIX: Final = re.compile(r"\.[A-Za-z]{2,5}\Z")
_SUFFIXES: Final = (".html", ".htm")
_TWINS: Final = (".html.md", ".htm.md")
"""Suffixes of the Markdown copies of pages that an export writes beside them: see `trueref_core.export`."""
PDF_SUFFIX: Final = ".pdf"

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The content of one file. `modified` is seconds since 1970."""

    data: bytes
    modified: float


@dataclass(frozen=True, slots=True)
class SiteFiles:
    """The files of a site that matter to its index, sorted, relative to it and with forward slashes.

    `pages` are the HTML files. `untyped` are files that are no pages although a link to them looks like one to a page:
    `LICENSE`, `notes.md`, HTML in a hidden folder. The name of any other file shows that it is no page, so it need not
    be listed. `pdfs` become pages too if they can be read.
    """

    pages: tuple[str, ...]
    untyped: tuple[str, ...]
    pdfs: tuple[str, ...] = ()


def find_files(site: Path) -> SiteFiles:
    """The files of a site. Pages in hidden folders do not count, and links to folders are not entered.

    Raises:
        SiteError: The folder is missing, is no folder, or holds no HTML file.
    """
    if not site.is_dir():
        problem = "is not a folder" if site.exists() else "does not exist"
        raise SiteError(f"The site folder {site} {problem}. Build the site first, then name its output folder.")
    pages: list[str] = []
    untyped: list[str] = []
    pdfs: list[str] = []
    for folder, files in _walk(site):
        # Files in hidden folders are deployed as well, so links to them are valid, but they are no documentation.
        is_hidden = folder.startswith(".") or "/." in folder
        for name in files:
            if name.lower().endswith(_SUFFIXES) and not is_hidden:
                pages.append(folder + name)
            elif name.lower().endswith(PDF_SUFFIX):
                if not is_hidden:
                    pdfs.append(folder + name)
            elif not is_typed(name):
                untyped.append(folder + name)
    if not pages:
        raise SiteError(
            f"The site folder {site} holds no HTML file. Build the site first, then name its output folder."
        )
    return SiteFiles(tuple(sorted(pages)), tuple(sorted(untyped)), tuple(sorted(pdfs)))


def list_files(site: Path) -> frozenset[str]:
    """All files of a site, relative to it and with forward slashes; hidden ones too, since they are deployed."""
    return frozenset(folder + name for folder, files in _walk(site) for name in files)


def is_typed(path: str) -> bool:
    """Whether the name of a file shows that it is no page: a picture, an archive, `objects.inv`."""
    if path.lower().endswith(_TWINS):
        # Exports write these after the index is made. A link to one must have the same status before and after.
        return True
    kind = mimetypes.guess_type(path)[0]
    # A suffix has letters only: `changelog/1.2` and `v1.x` are pages.
    return kind not in PAGE_TYPES if kind else _SUFFIX.search(path) is not None


def read_page(site: Path, file: str) -> SourceFile:
    """One file with its content.

    Raises:
        OSError: The file cannot be read, is a link to one outside of the site, or no file.
    """
    path = site / file
    check_inside(site, path)
    check_ordinary(path)
    return SourceFile(path.read_bytes(), path.stat().st_mtime)


def read_each(
    stage: str, files: Sequence[T], read: Callable[[T], R], report: Reporter, name: Callable[[T], str] = str
) -> tuple[list[R], list[tuple[str, str]]]:
    """Reads files one by one, and warns of those that cannot be read.

    Args:
        stage: What the report calls this.
        files: The files.
        read: Reads one of them.
        report: Takes progress and warnings.
        name: Gives the name of a file.

    Returns:
        What was read; and the file and the reason of each that was left out.
    """
    reads: list[R] = []
    refused: list[tuple[str, str]] = []
    report.start(stage, len(files))
    for file in files:
        shown = printable(name(file))
        try:
            if shown != name(file):
                raise PageRefused("its name is not UTF-8, so that no address leads to it")
            reads.append(read(file))
        except OSError as error:
            refused.append((shown, f"it cannot be opened ({error.strerror or error})"))
        except PageRefused as error:
            refused.append((shown, str(error)))
        report.advance()
    report.finish()
    for shown, reason in refused:
        report.warn(f"{shown} was left out: {reason}.")
    return reads, refused


def check_inside(site: Path, path: Path) -> None:
    """Refuses a symbolic link out of the site: the file behind it was not built to be published.

    Raises:
        OSError: The path is such a link, or one that leads nowhere.
    """
    # Links to folders are not entered, so only the file itself can be a link. Not `Path.resolve`, whose error for a
    # link to itself is no OSError before Python 3.13.
    if path.is_symlink() and not Path(os.path.realpath(path, strict=True)).is_relative_to(site.resolve()):
        raise PermissionError(
            errno.EPERM, "it is a link to a file outside of the site; copy the site with `cp -RL` if it belongs there"
        )


def check_ordinary(path: Path) -> None:
    """Refuses what only has the name of a file: a named pipe gives nothing, and a device no end.

    Raises:
        OSError: The path is no file, or nothing is there.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is a pipe, a socket or a device")


def printable(file: str) -> str:
    """A file name that can be shown: bytes that are not UTF-8 become escapes."""
    return os.fsencode(file).decode("utf-8", "backslashreplace")


def _walk(site: Path) -> Iterator[tuple[str, list[str]]]:
    """Each folder of a site, relative to it, with a slash at its end and "" for the site itself, and its files."""
    start = len(os.fspath(site))
    for folder, _, files in os.walk(site):
        # Strings, not paths: a `Path` for each of ten thousand files takes a quarter of a second.
        inner = folder[start:].replace(os.sep, "/").strip("/")
        yield f"{inner}/" if inner else "", files
