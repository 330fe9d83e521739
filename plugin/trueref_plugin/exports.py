"""Writes the exports of an index into the site that it was made from, where other tools find them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.errors import OptionError, SiteError
from trueref_core.export.files import FOLDER, URLS, Export, Exported, export_files, needs_texts
from trueref_core.export.inventory import read_lines
from trueref_core.export.published import published_site
from trueref_core.export.urls import NO_BASE_URL
from trueref_core.served import read_build_texts, read_manifest_file, served_build
from trueref_plugin.report import Reporter

FOREIGN: Final = "objects.inv"
"""The inventory that Sphinx and mkdocstrings write: its entries are merged, and the file is left alone."""
WRITTEN: Final = f"{FOLDER}exports.json"
"""What was written outside of `FOLDER`, with digests: a later build may replace it, and nothing else."""


def write_exports(
    site: Path, index: Path, exports: Sequence[Export], report: Reporter, name: str | None = None
) -> list[str]:
    """Writes files into a site folder, and gives their paths.

    A file that something else put there is never overwritten: a line says that it was left.

    Args:
        site: The site folder.
        index: The index that was made from it.
        exports: Which files.
        report: Told what is left out, and why.
        name: Name of the site in the index; None for the only one.

    Raises:
        IndexFault: The index cannot be read.
        OptionError: It holds no such site.
        SiteError: A file cannot be written.
    """
    if not exports:
        return []
    build = served_build(index)
    file = read_manifest_file(build)
    texts = read_build_texts(build) if needs_texts(exports) else {}
    foreign = _foreign(site, report) if "inventory" in exports else []
    shown = published_site(file, name).site
    if "urls" in exports and shown.base_url is None:
        report.note(f"{URLS} is not written. {NO_BASE_URL.format(name=shown.name)}")
    return _write(site, export_files(exports, file, texts, foreign, shown.name), report)


def _foreign(site: Path, report: Reporter) -> list[str]:
    path = site / FOREIGN
    if not path.is_file():
        return []
    try:
        return read_lines(path.read_bytes(), FOREIGN)
    except (OptionError, OSError) as error:
        report.warn(f"{FOREIGN} of the site is not merged into the inventory: {error}")
        return []


def _write(site: Path, files: Iterable[Exported], report: Reporter) -> list[str]:
    earlier = _earlier(site)
    digests = dict(earlier)
    written: list[str] = []
    try:
        for file in files:
            path = site / file.path
            own = file.path.startswith(FOLDER)
            if not own and _is_foreign(path, earlier.get(file.path), file.data):
                report.note(f"{file.path} is left as it is: something else put it into the site.")
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
            written.append(file.path)
            if not own:
                digests[file.path] = _digest(file.data)
        (site / FOLDER).mkdir(parents=True, exist_ok=True)
        (site / WRITTEN).write_bytes(msgspec.json.encode(digests, order="deterministic") + b"\n")
    except OSError as error:
        message = f"The exports cannot be written into {site} ({error.strerror or error})."
        raise SiteError(f"{message} Free its disk or its permissions, or leave out `exports`.") from error
    return written


def _is_foreign(path: Path, digest: str | None, data: bytes) -> bool:
    """Whether a file is there that no earlier build wrote."""
    if not path.is_file():
        return path.exists()
    there = path.read_bytes()
    return there != data and _digest(there) != digest


def _earlier(site: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode((site / WRITTEN).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        # Without the list every file is somebody else's.
        return {}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
