"""Writes the exports of an index into the site that it was made from, where other tools find them."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.errors import OptionError, SiteError
from trueref_core.export.export_files import FOLDER, URLS, Export, Exported, export_files, needs_texts
from trueref_core.export.inventory import read_lines
from trueref_core.export.published_site import find_site
from trueref_core.export.urls import NO_BASE_URL
from trueref_core.generations.served_generation import read_build_texts, read_manifest_file, served_build
from trueref_plugin.build.site_assets import replace_in_site
from trueref_plugin.build.static_answer_files import static_files
from trueref_plugin.progress import Reporter

FOREIGN: Final = "objects.inv"
"""The inventory that Sphinx and mkdocstrings write. Its entries are merged into ours, and the file is left alone."""
WRITTEN: Final = f"{FOLDER}exports.json"
"""The list of files that were written, with digests. A later build may replace or delete these and no others."""


def write_exports(
    site: Path, index: Path, exports: Sequence[Export], report: Reporter, name: str | None = None
) -> list[str]:
    """Writes files into a site folder, and gives their paths.

    A file that something else put there is never overwritten: a note says so. Files that an earlier build wrote and
    this one does not are deleted, also if `exports` is empty.

    Args:
        site: The site folder.
        index: The index that was made from it.
        exports: Which files.
        report: Takes a note of each file that is left out, and why.
        name: Name of the site in the index; None for the only one.

    Raises:
        IndexFault: The index cannot be read.
        OptionError: It holds no such site.
        SiteError: A file cannot be written.
    """
    if not exports:
        return _write(site, (), report)
    build = served_build(index)
    file = read_manifest_file(build)
    texts = read_build_texts(build) if needs_texts(exports) else {}
    foreign = _foreign(site, report) if "inventory" in exports else []
    site_record = find_site(file, name)
    if "urls" in exports and site_record.base_url is None:
        report.note(f"{URLS} is not written. {NO_BASE_URL.format(name=site_record.name)}")
    # All bytes are made before any file is written: an error among them leaves the site as it was.
    files = list(export_files(exports, file, texts, foreign, site_record.name))
    if "search" in exports:
        files += static_files(index, site_record.name)
    return _write(site, files, report)


def _foreign(site: Path, report: Reporter) -> list[str]:
    """The lines of an inventory that another tool put into the site."""
    path = site / FOREIGN
    if not path.is_file():
        return []
    try:
        return read_lines(path.read_bytes(), FOREIGN)
    except (OptionError, OSError) as error:
        report.warn(f"{FOREIGN} of the site is not merged into the inventory: {error}")
        return []


def _write(site: Path, files: Sequence[Exported], report: Reporter) -> list[str]:
    """Writes files; an error of the disk becomes a message that says what to do."""
    try:
        return _replace(site, files, report)
    except OSError as error:
        message = f"The exports cannot be written into {site} ({error.strerror or error})."
        raise SiteError(f"{message} Free its disk or its permissions, or leave out `exports`.") from error


def _replace(site: Path, files: Sequence[Exported], report: Reporter) -> list[str]:
    """Deletes files of an earlier build that this build does not write, and writes those of this build."""
    earlier = _earlier(site)
    files_to_write: list[Exported] = []
    for file in files:
        if not file.path.startswith(FOLDER) and _is_foreign(site / file.path, earlier.get(file.path, ""), file.data):
            report.note(f"{file.path} is left as it is: something else put it into the site.")
        else:
            files_to_write.append(file)
    digests = {file.path: _digest(file.data) for file in files_to_write}
    # Deleting comes first: a page that was hidden since must not stay readable because a later write fails.
    _delete_outdated(site, earlier, digests)
    if not files:
        (site / WRITTEN).unlink(missing_ok=True)
        return []
    # Until all files are written, the list has both digests of each. So the next build knows the files that a killed
    # one replaced, and those that it did not come to.
    _replace_list(site, {path: f"{earlier.get(path, '')} {digest}".strip() for path, digest in digests.items()})
    for file in files_to_write:
        replace_in_site(site, site / file.path, file.data)
    _replace_list(site, digests)
    return list(digests)


def _delete_outdated(site: Path, earlier: Mapping[str, str], current_files: Container[str]) -> None:
    """Deletes the files that an earlier build wrote and this one does not: they may show a page that is hidden now.

    A file whose bytes were changed since then is somebody else's, and stays.
    """
    root = site.resolve()
    for name, digests in earlier.items():
        path = site / name
        # The list lies in a folder that others can write to: no path in it may lead outside, and no link either.
        inside = "\0" not in name and path.parent.resolve().is_relative_to(root)
        if name not in current_files and inside and path.is_file() and _digest(path.read_bytes()) in digests.split():
            path.unlink()


def _replace_list(site: Path, digests: Mapping[str, str]) -> None:
    """Writes the list of written files."""
    replace_in_site(site, site / WRITTEN, msgspec.json.encode(digests, order="deterministic") + b"\n")


def _is_foreign(path: Path, digests: str, data: bytes) -> bool:
    """Whether the path is taken by something that no earlier build wrote."""
    if not path.is_file():
        return path.exists()
    existing = path.read_bytes()
    # A file with exactly our bytes counts as ours: it is what a build leaves that was killed before it wrote the list.
    return existing != data and _digest(existing) not in digests.split()


def _earlier(site: Path) -> dict[str, str]:
    """The list that an earlier build left: digests by path."""
    try:
        return msgspec.json.decode((site / WRITTEN).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        # Without the list every file is somebody else's.
        return {}


def _digest(data: bytes) -> str:
    """The SHA-256 sum of a file's bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
