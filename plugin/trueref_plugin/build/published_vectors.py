"""Takes vectors from an index that was published elsewhere, for machines that have no index of their own yet (CI)."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import msgspec

from trueref_core.errors import IndexDamaged, OptionError, TruerefError
from trueref_core.generations.served_generation import (
    GENERATION_ID,
    published_vectors,
    read_generation,
    served_build,
    verified_vectors,
)
from trueref_core.records import Generation
from trueref_core.storage.atomic_files import SUMS, read_sums
from trueref_plugin.progress import Reporter
from trueref_plugin.web_files import FETCH_ERRORS, TooLarge, fetch, reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORTH_ASKING: Final = 40
"""Fewer new texts than this are embedded in less time than a published index takes to arrive."""
MOST_BYTES: Final = 1024**3
SECONDS: Final = 300.0
"""How large the files of a published index may be, and how long they may take, all together."""
MOST_OF_A_LIST: Final = 4 * 1024**2
"""Bytes of a file that only lists the other files."""

_ADDRESS_SAFE: Final = "%/:?#[]@!$&'()*+,;=~"
# Names of files that LanceDB makes; they become part of a path and of an address.
_TABLE_FILE: Final = re.compile(r"tables/chunks\.lance/(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-][A-Za-z0-9._-]*")


def reused_vectors(
    source: str, embedder: str, dimensions: int, text_hashes: Collection[str], report: Reporter
) -> dict[str, NDArray[np.float32]]:
    """The vectors that a published index has for some texts, by text hash.

    If it cannot be read, `report` takes a warning and nothing is reused, as in a first build.

    Args:
        source: Folder of an index, or the address under which that folder is published.
        embedder: Name of the embedder; vectors of another one are not taken.
        dimensions: Length of its vectors; others, and those that are not finite, are not taken.
        text_hashes: The texts.
        report: Takes progress, notes and warnings.
    """
    if len(text_hashes) < WORTH_ASKING:
        return {}
    try:
        fetch_vectors = _fetched if "://" in source else _stored
        read_vectors = fetch_vectors(source, embedder, text_hashes)
        # Whatever a foreign index returns besides is ignored: a vector under another hash would be wrong for its text.
        of_these_texts = {key: vector for key, vector in read_vectors.items() if key in text_hashes}
        sound = {key: vector for key, vector in of_these_texts.items() if _is_sound(vector, dimensions)}
    except TruerefError as error:
        problem = str(error)
    except FETCH_ERRORS as error:
        problem = f"{reason(error)}."
    except Exception as error:
        # LanceDB does not document what it raises on tables that others wrote, and its messages name files of a
        # temporary folder. Reuse only saves time, so no fault of a foreign table may end the build.
        problem = f"its vectors cannot be read ({type(error).__name__})."
    else:
        if unsound := len(of_these_texts) - len(sound):
            report.warn(f"{unsound} vectors of {source} are not reused: of another length, or not finite.")
        report.note(f"Reused {len(sound)} of {len(text_hashes)} vectors of {source}.")
        return sound
    report.warn(f"Nothing is reused of {source}: {problem}")
    return {}


def _is_sound(vector: NDArray[np.float32], dimensions: int) -> bool:
    """Whether a vector is one that this build's embedder could have made."""
    import numpy as np

    return vector.shape == (dimensions,) and vector.dtype == np.float32 and bool(np.isfinite(vector).all())


def _stored(source: str, embedder: str, text_hashes: Collection[str]) -> dict[str, NDArray[np.float32]]:
    """Vectors of an index in a folder."""
    index = Path(source).expanduser()
    _require_embedder(read_generation(index), embedder)
    return verified_vectors(served_build(index), text_hashes)


def _fetched(source: str, embedder: str, text_hashes: Collection[str]) -> dict[str, NDArray[np.float32]]:
    """Vectors of an index on the web: its tables are fetched, compared with their sums, and read from a copy."""
    base = quote(source.rstrip("/"), safe=_ADDRESS_SAFE)
    download = _Download()
    current = download.get(f"{base}/current.json", MOST_OF_A_LIST)
    try:
        name = msgspec.json.decode(current, type=_Current).generation
    except (msgspec.DecodeError, UnicodeDecodeError):
        name = ""
    # A strict pattern: the name becomes part of an address.
    if not GENERATION_ID.fullmatch(name):
        raise IndexDamaged(f"{base}/current.json does not name a generation.")
    build = f"{base}/builds/{name}"
    with tempfile.TemporaryDirectory(prefix="trueref-") as folder:
        copy = Path(folder)
        (copy / SUMS).write_bytes(download.get(f"{build}/{SUMS}", MOST_OF_A_LIST))
        try:
            sums = read_sums(copy)
        except IndexDamaged as error:
            raise IndexDamaged(f"{build}/{SUMS} is not the one that was written.") from error
        _require_embedder(_generation(build, download.verified(build, "generation.json", sums)), embedder)
        # The names come from the web and become paths: only those that LanceDB could have written below its table are
        # taken.
        for file in filter(_TABLE_FILE.fullmatch, sums):
            path = copy / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(download.verified(build, file, sums))
        return published_vectors(copy, text_hashes)


def _require_embedder(generation: Generation, embedder: str) -> None:
    """Refuses vectors of another embedder, which cannot be compared with those of this one."""
    if not generation.vectors:
        raise OptionError(f"it has no vectors (embedder {generation.embedder}).")
    if generation.embedder != embedder:
        raise OptionError(f"its vectors are of the embedder {generation.embedder}, and this build uses {embedder}.")


class _Download:
    """Fetches the files of one index, within limits for all of them together: `SECONDS` and `MOST_BYTES`."""

    def __init__(self) -> None:
        self._until = time.monotonic() + SECONDS
        self._bytes_left = MOST_BYTES

    def get(self, url: str, max_bytes: int) -> bytes:
        """One file. Its size is taken off the budget."""
        most = min(max_bytes, self._bytes_left)
        try:
            data = fetch(url, max_bytes=most, seconds=self._until - time.monotonic()).data or b""
        except TooLarge as error:
            raise TooLarge(f"{url} is larger than the {most / 1024**2:.3g} MB that may still be fetched") from error
        except TimeoutError as error:
            if time.monotonic() < self._until:
                raise
            raise TimeoutError(f"it took more than {SECONDS:g} s in all") from error
        self._bytes_left -= len(data)
        return data

    def verified(self, build: str, file: str, sums: dict[str, str]) -> bytes:
        """One file of a generation, compared with its sum. Raises `IndexDamaged`."""
        # Only tables may be large. Every other file is a list, and a large one is not what it claims to be.
        most = MOST_BYTES if _TABLE_FILE.fullmatch(file) else MOST_OF_A_LIST
        data = self.get(f"{build}/{quote(file)}", most)
        if sha256(data).hexdigest() != sums.get(file):
            raise IndexDamaged(f"{build}/{file} is not the one that was written.")
        return data


class _Current(msgspec.Struct):
    generation: str


def _generation(build: str, data: bytes) -> Generation:
    """Decodes `generation.json` of a published index."""
    try:
        return msgspec.json.decode(data, type=Generation)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IndexDamaged(f"{build}/generation.json was written by another version of Trueref.") from error
