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

from trueref_core.addresses import HTML_SUFFIXES
from trueref_core.errors import SiteError
from trueref_plugin.progress import Reporter
from trueref_plugin.reading.guarding.child import PageRefused

PAGE_TYPES: Final = ("text/html", "text/markdown", "text/x-rst")
"""Types of files that become pages."""

_SUFFIX: Final = re.compile(r"\.[A-Za-z]{2,5}\Z")
_MARKDOWN_COPIES: Final = tuple(f"{suffix}.md" for suffix in HTML_SUFFIXES)
"""Suffixes of the Markdown copies of pages that an export writes beside them: see `trueref_core.export`."""
PDF_SUFFIX: Final = ".pdf"

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The content of one file. `modified` is the time of its last change, in seconds since 1970."""

    data: bytes
    modified: float


@dataclass(frozen=True, slots=True)
class SiteFiles:
    """The files of a site that its index depends on, sorted, relative to the site and with forward slashes.

    `pages` are the HTML files. A folder that cannot be listed is among them, with a slash at its end: reading it fails
    as reading a page may, so it is reported like a page that was left out. `page_like` are files that are not pages,
    although a link to them looks like a link to a page: `LICENSE`, `notes.md`, HTML in a hidden folder. `pdfs` become
    pages too if they can be read. Other files are not listed, because their names show that they are not pages.
    """

    pages: tuple[str, ...]
    page_like: tuple[str, ...]
    pdfs: tuple[str, ...] = ()


def find_files(site: Path) -> SiteFiles:
    """Finds the files of a site. HTML in hidden folders does not become pages, and links to folders are not followed.

    Raises:
        SiteError: The folder is missing, is not a folder, cannot be listed, or has no HTML file.
    """
    if not site.is_dir():
        problem = "is not a folder" if site.exists() else "does not exist"
        raise SiteError(f"The site folder {site} {problem}. Build the site first, then name its output folder.")
    pages: list[str] = []
    page_like: list[str] = []
    pdfs: list[str] = []
    unlisted: list[OSError] = []
    for folder, files in _walk(site, unlisted.append):
        # Files in hidden folders are deployed too, so links to them are valid, but they are not documentation.
        is_hidden = _is_hidden(folder)
        for name in files:
            if name.lower().endswith(HTML_SUFFIXES) and not is_hidden:
                pages.append(folder + name)
            elif name.lower().endswith(PDF_SUFFIX):
                if not is_hidden:
                    pdfs.append(folder + name)
            elif not is_asset_name(name):
                page_like.append(folder + name)
    if not pages:
        if unlisted:
            reason = f"{unlisted[0].filename} cannot be opened ({unlisted[0].strerror})"
            raise SiteError(f"The site folder {site} holds no HTML file that can be read: {reason}.")
        raise SiteError(
            f"The site folder {site} holds no HTML file. Build the site first, then name its output folder."
        )
    folders = (f"{_relative(site, error.filename)}/" for error in unlisted)
    pages.extend(folder for folder in folders if not _is_hidden(folder))
    return SiteFiles(tuple(sorted(pages)), tuple(sorted(page_like)), tuple(sorted(pdfs)))


def list_files(site: Path) -> frozenset[str]:
    """All files of a site, relative to it and with forward slashes. Hidden files are deployed, so they count."""
    return frozenset(folder + name for folder, files in _walk(site) for name in files)


def is_asset_name(path: str) -> bool:
    """Whether the name of a file shows that it is no page: a picture, an archive, `objects.inv`."""
    if path.lower().endswith(_MARKDOWN_COPIES):
        # Exports write these copies after the index is made. A link to a copy must have the same status before and
        # after.
        return True
    media_type = mimetypes.guess_type(path)[0]
    # A suffix has letters only: `changelog/1.2` and `v1.x` are pages.
    return media_type not in PAGE_TYPES if media_type else _SUFFIX.search(path) is not None


def read_page(site: Path, file: str) -> SourceFile:
    """Reads one file of a site.

    Raises:
        OSError: The file cannot be read, is a link to a file outside of the site, or is not a regular file.
    """
    path = site / file
    check_inside(site, path)
    check_regular_file(path)
    return SourceFile(path.read_bytes(), path.stat().st_mtime)


def read_each(
    stage: str, files: Sequence[T], read: Callable[[T], R], report: Reporter, name: Callable[[T], str] = str
) -> tuple[list[R], list[tuple[str, str]]]:
    """Reads files one after the other, and warns of files that cannot be read.

    Args:
        stage: Name of this stage in the report.
        files: The files.
        read: Reads one file. It may raise `OSError` and `PageRefused`.
        report: Receives progress and warnings.
        name: Returns the name of a file.

    Returns:
        What `read` returned for each file; and (file, reason) for each file that was left out.
    """
    reads: list[R] = []
    refused: list[tuple[str, str]] = []
    report.start(stage, len(files))
    for file in files:
        shown_name = printable(name(file))
        try:
            if shown_name != name(file):
                raise PageRefused("its name is not UTF-8, so that no address leads to it")
            reads.append(read(file))
        except OSError as error:
            refused.append((shown_name, f"it cannot be opened ({error.strerror or error})"))
        except PageRefused as error:
            refused.append((shown_name, str(error)))
        report.advance()
    report.finish()
    for shown_name, reason in refused:
        report.warn(f"{shown_name} was left out: {reason}.")
    return reads, refused


def check_inside(site: Path, path: Path) -> None:
    """Refuses a symbolic link to a file outside of the site, which was not meant to be published.

    Raises:
        OSError: The path is such a link, or a link that leads nowhere.
    """
    # Links to folders are not followed, so only the file itself can be a link. `Path.resolve` is not used for it:
    # before Python 3.13, its error for a link to itself is not an OSError.
    if path.is_symlink() and not Path(os.path.realpath(path, strict=True)).is_relative_to(site.resolve()):
        raise PermissionError(
            errno.EPERM, "it is a link to a file outside of the site; copy the site with `cp -RL` if it belongs there"
        )


def check_regular_file(path: Path) -> None:
    """Refuses everything but regular files: reading a named pipe may wait forever, and reading a device may never end.

    Raises:
        OSError: The path is not a regular file, or does not exist. For a folder it says why that cannot be listed.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        # Raises what it raised when the site was listed.
        next(path.iterdir(), None)
        raise IsADirectoryError(errno.EISDIR, "it is a folder that could not be listed a moment ago")
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a pipe, a socket or a device")


def printable(file: str) -> str:
    """A file name that can be printed: bytes that are not UTF-8 are replaced by escapes."""
    return os.fsencode(file).decode("utf-8", "backslashreplace")


def _walk(site: Path, unlisted: Callable[[OSError], object] | None = None) -> Iterator[tuple[str, list[str]]]:
    """Each folder of a site with the names of its files.

    A folder is relative and ends with a slash, or is "" (the site). `unlisted` receives the error of each folder that
    cannot be listed, and that therefore is not among them.
    """
    for folder, _, files in os.walk(site, onerror=unlisted):
        inner = _relative(site, folder)
        yield f"{inner}/" if inner else "", files


def _relative(site: Path, folder: str) -> str:
    """The path of a folder below a site, with forward slashes; "" for the site."""
    # Strings and not `Path`: objects of `Path` for ten thousand files take a quarter of a second to make.
    return folder[len(os.fspath(site)) :].replace(os.sep, "/").strip("/")


def _is_hidden(folder: str) -> bool:
    """Whether a relative folder of a site is hidden, or lies in a hidden one."""
    return folder.startswith(".") or "/." in folder
