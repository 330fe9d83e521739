"""What files held when they were last read, kept beside the index: a file that did not change is not parsed again.

A memory and nothing more. It may be deleted at any time, it is never copied to a server, and a row that is not the one
that was written is not used.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from trueref_core.version import READER_VERSION, __version__
from trueref_plugin.reading.parsed import ParsedPage
from trueref_plugin.summary import PageSummary

FILE: Final = "reads.sqlite"
BUILDS_KEPT: Final = 4
"""Builds after which a file that was not seen again is forgotten. `build` and `serve` give files of other bytes."""

T = TypeVar("T")

_SUM: Final = 16
_LAYOUT: Final = """
CREATE TABLE IF NOT EXISTS reads (
  digest TEXT NOT NULL, recipe TEXT NOT NULL, build INTEGER NOT NULL, summary BLOB NOT NULL, content BLOB NOT NULL,
  PRIMARY KEY (digest, recipe)
)"""


class Reads:
    """The memory of earlier reads, for one build.

    Args:
        index: Folder of the index; None remembers for this build alone.
        selector: The content selector: another one reads other things.
    """

    def __init__(self, index: Path | None, selector: str | None) -> None:
        self._file = index / FILE if index is not None else Path(":memory:")
        self._recipe = f"{__version__} {READER_VERSION} {selector or ''}"
        self._known: dict[str, bytes] = {}
        self._new: dict[str, tuple[bytes, bytes]] = {}
        self._build = 0
        with suppress(sqlite3.Error), closing(self._connect()) as database:
            found = database.execute("SELECT digest, build, summary FROM reads WHERE recipe = ?", (self._recipe,))
            for digest, build, summary in found:
                self._known[digest] = summary
                self._build = max(self._build, build)

    def summary(self, digest: str) -> PageSummary | None:
        """The summary of a file with this digest, None where it is not known."""
        return _opened(self._known.get(digest, b""), digest, PageSummary)

    def content(self, digest: str) -> ParsedPage | None:
        """What a file with this digest holds, None where it is not known."""
        if digest in self._new:
            return _opened(self._new[digest][1], digest, ParsedPage)
        with suppress(sqlite3.Error), closing(self._connect()) as database:
            query = "SELECT content FROM reads WHERE digest = ? AND recipe = ?"
            row = database.execute(query, (digest, self._recipe)).fetchone()
            return _opened(row[0], digest, ParsedPage) if row else None
        return None

    def put(self, digest: str, summary: PageSummary, content: ParsedPage) -> None:
        """Remembers what a file holds, until `save`."""
        self._new[digest] = (_sealed(summary, digest), _sealed(content, digest))

    def save(self, seen: Iterable[str]) -> None:
        """Writes down what is new, if anything is, and forgets what no build has seen for long.

        Nothing is raised where that fails: the next build reads the files again.

        Args:
            seen: The digests of all files of this build.
        """
        if not self._new:
            return
        build = self._build + 1
        try:
            self._write(build, set(seen) - self._new.keys())
        except sqlite3.DatabaseError:
            # Not a database, or a damaged one: begun anew by the next build.
            with suppress(OSError):
                self._file.unlink()
        self._known |= {digest: summary for digest, (summary, _) in self._new.items()}
        self._build = build

    def _write(self, build: int, seen: set[str]) -> None:
        rows = [(digest, self._recipe, build, summary, content) for digest, (summary, content) in self._new.items()]
        with closing(self._connect()) as database, database:
            database.executemany("REPLACE INTO reads VALUES (?, ?, ?, ?, ?)", rows)
            database.executemany(
                "UPDATE reads SET build = ? WHERE digest = ? AND recipe = ?",
                [(build, digest, self._recipe) for digest in seen],
            )
            database.execute("DELETE FROM reads WHERE build <= ? OR recipe != ?", (build - BUILDS_KEPT, self._recipe))

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._file, timeout=5)
        # What a power cut leaves half-written is noticed by the sums and read again.
        database.execute("PRAGMA synchronous = OFF")
        database.execute(_LAYOUT)
        return database


def _sealed(value: object, digest: str) -> bytes:
    data = msgspec.msgpack.encode(value)
    return _sum(data, digest) + data


def _opened(sealed: bytes, digest: str, value_type: type[T]) -> T | None:
    data = sealed[_SUM:]
    if not data or _sum(data, digest) != sealed[:_SUM]:
        return None
    try:
        return msgspec.msgpack.decode(data, type=value_type)
    except msgspec.DecodeError:
        return None


def _sum(data: bytes, digest: str) -> bytes:
    return blake2b(data, key=digest.encode(), digest_size=_SUM).digest()
