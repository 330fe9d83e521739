"""Vectors of an index that was published elsewhere, for machines that have no index of their own yet."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import msgspec

from trueref_core.errors import IndexDamaged, IndexFault
from trueref_core.generations import GENERATION_ID, published_vectors, read_sums, stored_vectors
from trueref_core.records import Generation
from trueref_plugin.report import Reporter
from trueref_plugin.web import FETCH_ERRORS, fetch, reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORTH_ASKING: Final = 40
"""Fewer new texts than this are embedded in less time than a published index takes to arrive."""
MOST_BYTES: Final = 1024**3
SECONDS: Final = 120.0

# Names of files that LanceDB makes; they become part of a path and of an address.
_TABLE_FILE: Final = re.compile(r"tables/chunks\.lance/(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-][A-Za-z0-9._-]*")


def reused_vectors(
    source: str, embedder: str, text_hashes: Collection[str], report: Reporter
) -> dict[str, NDArray[np.float32]]:
    """The vectors that a published index has of some texts, by text hash.

    Where it cannot be had, `report` is told and nothing is reused: a first build has nothing to go on from.

    Args:
        source: Folder of an index, or the address under which that folder is published.
        embedder: Name of the embedder; vectors of another one are not taken.
        text_hashes: The texts.
        report: Told what happens.
    """
    if len(text_hashes) < WORTH_ASKING:
        return {}
    try:
        found = _fetched(source, embedder, text_hashes) if "://" in source else _stored(source, embedder, text_hashes)
    except IndexFault as error:
        report.warn(f"Nothing is reused of {source}: {error}")
        return {}
    except FETCH_ERRORS as error:
        report.warn(f"Nothing is reused of {source}: {reason(error)}.")
        return {}
    report.note(f"Reused {len(found)} of {len(text_hashes)} vectors of {source}.")
    return found


def _stored(source: str, embedder: str, text_hashes: Collection[str]) -> dict[str, NDArray[np.float32]]:
    return stored_vectors(Path(source).expanduser(), embedder, text_hashes)


def _fetched(source: str, embedder: str, text_hashes: Collection[str]) -> dict[str, NDArray[np.float32]]:
    base = source.rstrip("/")
    current = _get(f"{base}/current.json")
    try:
        name = msgspec.json.decode(current, type=_Current).generation
    except (msgspec.DecodeError, UnicodeDecodeError):
        name = ""
    if not GENERATION_ID.fullmatch(name):
        raise IndexDamaged(f"{base}/current.json does not name a generation.")
    build = f"{base}/builds/{name}"
    with tempfile.TemporaryDirectory(prefix="trueref-") as folder:
        copy = Path(folder)
        (copy / "SHA256SUMS").write_bytes(_get(f"{build}/SHA256SUMS"))
        sums = read_sums(copy)
        generation = _generation(build, _verified(build, "generation.json", sums))
        if generation.embedder != embedder or not generation.vectors:
            return {}
        for file in filter(_TABLE_FILE.fullmatch, sums):
            path = copy / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_verified(build, file, sums))
        return published_vectors(copy, text_hashes)


class _Current(msgspec.Struct):
    generation: str


def _generation(build: str, data: bytes) -> Generation:
    try:
        return msgspec.json.decode(data, type=Generation)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IndexDamaged(f"{build}/generation.json was written by another version of Trueref.") from error


def _verified(build: str, file: str, sums: dict[str, str]) -> bytes:
    data = _get(f"{build}/{quote(file)}")
    if sha256(data).hexdigest() != sums.get(file):
        raise IndexDamaged(f"{build}/{file} is not the one that was written.")
    return data


def _get(url: str) -> bytes:
    return fetch(url, most_bytes=MOST_BYTES, seconds=SECONDS).data or b""
