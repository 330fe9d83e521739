"""Writes the exports of an index into the site that it was made from, where other tools find them."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.addresses import ASSETS
from trueref_core.errors import OptionError, SiteError
from trueref_core.export.export_files import (
    INVENTORY,
    LLMS,
    LLMS_FULL,
    MANIFEST,
    SEARCH,
    URLS,
    Export,
    ExportedFile,
    export_files,
    needs_texts,
)
from trueref_core.export.inventory import read_lines
from trueref_core.export.published_site import find_site
from trueref_core.export.urls import NO_BASE_URL
from trueref_core.generations.served_generation import read_build_texts, read_manifest_file, served_build
from trueref_plugin.build.site_assets import replace_in_site
from trueref_plugin.build.static_answer_files import static_files
from trueref_plugin.progress import Reporter

FOREIGN: Final = "objects.inv"
"""The inventory that Sphinx and mkdocstrings write. Its entries are merged into ours, and the file is not changed."""
WRITTEN: Final = f"{ASSETS}exports.json"
"""The list of the files that a build wrote, with their digests. A later build may replace or delete only these."""
_OF_EACH_SITE: Final = frozenset((MANIFEST, URLS, INVENTORY, LLMS, LLMS_FULL, f"{SEARCH}index.json"))
"""The files that every site has if they are exported at all. Others go with a page or with a word of the site."""


def write_exports(
    site: Path, index: Path, exports: Sequence[Export], report: Reporter, name: str | None = None
) -> list[str]:
    """Writes exports into a site folder, and returns the paths of the written files.

    A file that another program put there is never overwritten: a note names it. Files that an earlier build wrote and
    this build does not write are deleted, even if `exports` is empty; a note names them.

    Args:
        site: The site folder.
        index: The index that was made from it.
        exports: Which exports to write.
        report: Receives a note about each file that is left out, with the reason, and about exports that are deleted.
        name: Name of the site in the index; None if the index has one site.

    Raises:
        IndexFault: The index cannot be read.
        OptionError: The index has no site of that name.
        SiteError: A file cannot be written.
    """
    if not exports:
        return _write(site, (), report)
    build = served_build(index)
    manifest_file = read_manifest_file(build)
    texts = read_build_texts(build) if needs_texts(exports) else {}
    foreign_entries = _foreign_entries(site, report) if "inventory" in exports else []
    site_record = find_site(manifest_file, name)
    if "urls" in exports and site_record.base_url is None:
        report.note(f"{URLS} is not written. {NO_BASE_URL.format(name=site_record.name)}")
    # All files are made before one is written, so that an error while making them leaves the site unchanged.
    files = list(export_files(exports, manifest_file, texts, foreign_entries, site_record.name))
    if "search" in exports:
        files += static_files(index, site_record.name)
    return _write(site, files, report)


def _foreign_entries(site: Path, report: Reporter) -> list[str]:
    """The lines of the inventory that another tool put into the site; none if there is no such file."""
    path = site / FOREIGN
    if not path.is_file():
        return []
    try:
        return read_lines(path.read_bytes(), FOREIGN)
    except (OptionError, OSError) as error:
        report.warn(f"{FOREIGN} of the site is not merged into the inventory: {error}")
        return []


def _write(site: Path, files: Sequence[ExportedFile], report: Reporter) -> list[str]:
    """Writes files. Turns an error of the file system into a `SiteError` that says what to do."""
    try:
        return _replace(site, files, report)
    except OSError as error:
        message = f"The exports cannot be written into {site} ({error.strerror or error})."
        raise SiteError(f"{message} Free its disk or its permissions, or leave out `exports`.") from error


def _replace(site: Path, files: Sequence[ExportedFile], report: Reporter) -> list[str]:
    """Deletes files of an earlier build that this build does not write, and writes those of this build."""
    earlier_digests = _earlier_digests(site)
    files_to_write: list[ExportedFile] = []
    for file in files:
        earlier_digest = earlier_digests.get(file.path, "")
        if not file.path.startswith(ASSETS) and _is_foreign(site / file.path, earlier_digest, file.data):
            report.note(f"{file.path} is left as it is: something else put it into the site.")
        else:
            files_to_write.append(file)
    digests = {file.path: _digest(file.data) for file in files_to_write}
    # Deleting comes first: if writing fails, no export must still show a page that was hidden meanwhile.
    deleted = _OF_EACH_SITE.intersection(_delete_outdated(site, earlier_digests, digests))
    if deleted:
        names = ", ".join(sorted(deleted))
        report.note(
            f"Deleted from {site}, since this build does not export them: {names}. "
            "To keep them, name their exports with --exports, or as `exports` in mkdocs.yml."
        )
    if not files:
        (site / WRITTEN).unlink(missing_ok=True)
        return []
    # Until all files are written, the list has the old and the new digest of each file. If this build is killed, the
    # next build recognises the files that were replaced and those that were not.
    _replace_list(site, {path: f"{earlier_digests.get(path, '')} {digest}".strip() for path, digest in digests.items()})
    for file in files_to_write:
        replace_in_site(site, site / file.path, file.data)
    _replace_list(site, digests)
    return list(digests)


def _delete_outdated(site: Path, earlier_digests: Mapping[str, str], current_files: Container[str]) -> list[str]:
    """Deletes the files that an earlier build wrote and this one does not: they may show a page that is hidden now.

    Returns their paths in the site. A file whose bytes were changed since then belongs to another program, and is kept.
    """
    root = site.resolve()
    deleted: list[str] = []
    for name, digests in earlier_digests.items():
        path = site / name
        # Other programs can write to the list: a path in it must not lead out of the site, not even by a symbolic link.
        is_inside = "\0" not in name and path.parent.resolve().is_relative_to(root)
        if name not in current_files and is_inside and path.is_file() and _digest(path.read_bytes()) in digests.split():
            path.unlink()
            deleted.append(name)
    return deleted


def _replace_list(site: Path, digests: Mapping[str, str]) -> None:
    """Writes the list of written files."""
    replace_in_site(site, site / WRITTEN, msgspec.json.encode(digests, order="deterministic") + b"\n")


def _is_foreign(path: Path, digests: str, data: bytes) -> bool:
    """Whether there is a file or folder at a path that no earlier build wrote."""
    if not path.is_file():
        return path.exists()
    existing = path.read_bytes()
    # A file with exactly our bytes counts as ours: a build that was killed before it wrote the list leaves such a file.
    return existing != data and _digest(existing) not in digests.split()


def _earlier_digests(site: Path) -> dict[str, str]:
    """The list that an earlier build left: digests by path."""
    try:
        return msgspec.json.decode((site / WRITTEN).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        # Without the list no file is known to be ours.
        return {}


def _digest(data: bytes) -> str:
    """The SHA-256 sum of a file's bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
