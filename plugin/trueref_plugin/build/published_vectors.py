"""Takes vectors from an index that was published elsewhere, for machines without an index, such as those of CI."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec

from trueref_core.embedding.bundled_model import BUNDLED_NAME
from trueref_core.embedding.packed_wordpieces import unpack
from trueref_core.errors import IndexDamaged, OptionError, TruerefError
from trueref_core.generations.served_generation import (
    GENERATION_ID,
    read_generation,
    served_build,
    unverified_vectors,
    verified_vectors,
)
from trueref_core.records import Generation, TextVectors
from trueref_core.storage.sealed_folders import SUMS, read_sums
from trueref_core.version import require_schema
from trueref_plugin.progress import Reporter
from trueref_plugin.web_files import FETCH_ERRORS, TooLarge, fetch, reason

WORTH_ASKING: Final = 40
"""Fewer new texts than this are embedded in less time than a published index takes to download."""
MAX_BYTES: Final = 1024**3
"""How many bytes the fetched files of a published index may have together."""
SECONDS: Final = 300.0
"""How many seconds fetching these files may take together."""
MAX_LIST_BYTES: Final = 4 * 1024**2
"""How many bytes a file may have that is not part of a table, such as the list of checksums."""

_ADDRESS_SAFE: Final = "%/:?#[]@!$&'()*+,;=~"
# The names of files that LanceDB makes. Strict, because a name from the web becomes part of a path and of an address.
_TABLE_FILE: Final = re.compile(r"tables/chunks\.lance/(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-][A-Za-z0-9._-]*")


# This function is long because of its documentation.
def reused_vectors(
    source: str, embedder: str, dimensions: int, text_hashes: Collection[str], report: Reporter
) -> dict[str, TextVectors]:
    """The vectors that a published index has for some texts, by text hash.

    If the index cannot be read, `report` receives a warning and the result is empty.

    Args:
        source: Folder of an index, or the address under which that folder is published.
        embedder: Name of the embedder of this build. Vectors of another embedder are not taken.
        dimensions: Length of the embedder's vectors. Vectors of another length, or with values that are not finite, are
            not taken.
        text_hashes: The hashes of the texts that need a vector.
        report: Receives notes and warnings.
    """
    if len(text_hashes) < WORTH_ASKING:
        return {}
    try:
        read_published = _vectors_at_address if "://" in source else _vectors_in_folder
        published = read_published(source, embedder, text_hashes)
        # Vectors of other texts are ignored: an index that others made must not replace vectors that exist already.
        requested = {key: vectors for key, vectors in published.items() if key in text_hashes}
        usable = {key: vectors for key, vectors in requested.items() if _is_usable(vectors, embedder, dimensions)}
    except TruerefError as error:
        problem = str(error)
    except FETCH_ERRORS as error:
        problem = f"{reason(error)}."
    except Exception as error:
        # LanceDB does not document which errors it raises for damaged tables, and its messages name files of a
        # temporary folder. Reuse only saves time, so a damaged table of another index must not end the build.
        problem = f"its vectors cannot be read ({type(error).__name__})."
    else:
        if unusable_count := len(requested) - len(usable):
            report.warn(
                f"{unusable_count} vectors from {source} are not reused: their length or number type differs, some of "
                "their numbers are not finite, or their wordpieces are damaged."
            )
        report.note(f"Reused {len(usable)} of {len(text_hashes)} vectors from {source}.")
        return usable
    report.warn(f"Nothing is reused from {source}: {problem}")
    return {}


def _is_usable(vectors: TextVectors, embedder: str, dimensions: int) -> bool:
    """Whether the embedder of this build could have made vectors: by their length, their type and their values."""
    import numpy as np

    vector, wordpieces = vectors.vector, vectors.wordpieces
    is_vector = vector.shape == (dimensions,) and vector.dtype == np.float32 and bool(np.isfinite(vector).all())
    # The types of the columns are those of the published table, which anybody may have made.
    if not is_vector or not isinstance(wordpieces, bytes):  # pyright: ignore[reportUnnecessaryIsInstance]
        return False
    return unpack(wordpieces, dimensions) is not None if embedder == BUNDLED_NAME else not wordpieces


def _vectors_in_folder(source: str, embedder: str, text_hashes: Collection[str]) -> dict[str, TextVectors]:
    """The vectors that an index in a folder has for some texts."""
    index = Path(source).expanduser()
    _require_embedder(read_generation(index), embedder)
    return verified_vectors(served_build(index), text_hashes)


def _vectors_at_address(source: str, embedder: str, text_hashes: Collection[str]) -> dict[str, TextVectors]:
    """The vectors that an index on the web has for some texts. Its tables are downloaded and verified."""
    base = quote(source.rstrip("/"), safe=_ADDRESS_SAFE)
    download = _Download()
    current = download.get(f"{base}/current.json", MAX_LIST_BYTES)
    try:
        generation_id = msgspec.json.decode(current, type=_CurrentId).generation
    except (msgspec.DecodeError, UnicodeDecodeError):
        generation_id = ""
    # The pattern is strict because the id becomes part of an address.
    if not GENERATION_ID.fullmatch(generation_id):
        raise IndexDamaged(f"{base}/current.json does not name a generation.")
    build_url = f"{base}/builds/{generation_id}"
    with tempfile.TemporaryDirectory(prefix="trueref-") as folder:
        copy = Path(folder)
        (copy / SUMS).write_bytes(download.get(f"{build_url}/{SUMS}", MAX_LIST_BYTES))
        try:
            sums = read_sums(copy)
        except IndexDamaged as error:
            raise IndexDamaged(f"{build_url}/{SUMS} is not a list of SHA-256 sums.") from error
        _require_embedder(_generation(build_url, download.verified(build_url, "generation.json", sums)), embedder)
        # The names come from the web and become paths, so that only names which LanceDB could have written are taken.
        for file in filter(_TABLE_FILE.fullmatch, sums):
            path = copy / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(download.verified(build_url, file, sums))
        return unverified_vectors(copy, text_hashes)


def _require_embedder(generation: Generation, embedder: str) -> None:
    """Refuses an index of another layout, without vectors, or with vectors of another embedder."""
    require_schema(generation.schema, "it")
    if not generation.vectors:
        raise OptionError(f"it has no vectors (embedder {generation.embedder}).")
    if generation.embedder != embedder:
        raise OptionError(f"its vectors are of the embedder {generation.embedder}, and this build uses {embedder}.")


class _Download:
    """Fetches the files of one index. `SECONDS` and `MAX_BYTES` limit all of them together."""

    def __init__(self) -> None:
        self._deadline = time.monotonic() + SECONDS
        self._bytes_left = MAX_BYTES

    def get(self, url: str, max_bytes: int) -> bytes:
        """Fetches one file. Its size counts towards `MAX_BYTES`."""
        limit = min(max_bytes, self._bytes_left)
        try:
            data = fetch(url, max_bytes=limit, seconds=self._deadline - time.monotonic()).data or b""
        except TooLarge as error:
            raise TooLarge(f"{url} is larger than the {limit / 1024**2:.3g} MB that may still be fetched") from error
        except TimeoutError as error:
            if time.monotonic() < self._deadline:
                raise
            raise TimeoutError(f"it took more than {SECONDS:g} s in all") from error
        self._bytes_left -= len(data)
        return data

    def verified(self, build: str, file: str, sums: dict[str, str]) -> bytes:
        """Fetches one file of a generation. Raises `IndexDamaged` if its checksum is not the listed one."""
        # Only files of tables may be large. Any other file that is large is not what its name says.
        limit = MAX_BYTES if _TABLE_FILE.fullmatch(file) else MAX_LIST_BYTES
        data = self.get(f"{build}/{quote(file)}", limit)
        if sha256(data).hexdigest() != sums.get(file):
            raise IndexDamaged(f"{build}/{file} does not have the sum that {SUMS} lists.")
        return data


class _CurrentId(msgspec.Struct):
    """The content of `current.json`: the id of the served generation."""

    generation: str


def _generation(build: str, data: bytes) -> Generation:
    """Decodes `generation.json` of a published index."""
    try:
        return msgspec.json.decode(data, type=Generation)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IndexDamaged(f"{build}/generation.json was written by another version of Trueref.") from error
