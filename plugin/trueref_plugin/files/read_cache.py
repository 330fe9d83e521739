"""What files held when they were last read, kept beside the index: a file that did not change is not parsed again.

A memory and nothing more. It may be deleted at any time, it is never copied to a server, and a row that is not the one
that was written is not used.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from trueref_core.version import READER_VERSION, __version__
from trueref_plugin.files.page_summary import PageSummary
from trueref_plugin.reading.parsed import ParsedPage

FILE: Final = "reads.sqlite"
BUILDS_KEPT: Final = 4
"""Builds after which a file that was not seen again is forgotten. `build` and `serve` give files of other bytes."""

T = TypeVar("T")

_SUM: Final = 16
_LAYOUT: Final = """
CREATE TABLE IF NOT EXISTS files (
  site TEXT NOT NULL, digest TEXT NOT NULL, recipe TEXT NOT NULL, missed INTEGER NOT NULL, summary BLOB NOT NULL,
  content BLOB NOT NULL, PRIMARY KEY (site, digest, recipe)
)"""
# SQLite does not check on reading that a column holds what the layout says: in a damaged file it may not.
# The plus keeps it from the index: going through most rows in the order of their digests takes longer than through all.
_KNOWN: Final = """
SELECT digest, missed, summary FROM files WHERE +site = ? AND recipe = ?
AND typeof(digest) = 'text' AND typeof(summary) = 'blob' AND typeof(missed) = 'integer'"""
_CONTENT: Final = "SELECT content FROM files WHERE site = ? AND digest = ? AND recipe = ? AND typeof(content) = 'blob'"
_FAULTS: Final = (sqlite3.Error, UnicodeError)
"""A message about a damaged file quotes what it holds, and Python cannot always decode that."""
_PRIMARY: Final = 0xFF
"""The bits of an error of SQLite that say what is wrong, without the details."""
_OF_THE_DISK: Final = frozenset(
    (
        *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
        *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED),
    )
)
"""Errors that say nothing against what the file holds: it stays as it was before this build."""


class Reads:
    """The memory of earlier reads, for one build.

    Args:
        index: Folder of the index; None remembers for this build alone.
        selector: The content selector: another one reads other things.
        site: Name that the build was given. What other sites of the index have read is left alone.
    """

    def __init__(self, index: Path | None, selector: str | None, site: str = "") -> None:
        self._file = index / FILE if index is not None else Path(":memory:")
        self._site = site
        self._recipe = f"{__version__} {READER_VERSION} {selector or ''}"
        self._known: dict[str, bytes] = {}
        self._new: dict[str, tuple[bytes, bytes]] = {}
        self._missed: dict[str, int] = {}
        with suppress(*_FAULTS), self._database() as database:
            for digest, missed, summary in database.execute(_KNOWN, (self._site, self._recipe)):
                self._known[digest] = summary
                self._missed[digest] = missed

    def summary(self, digest: str) -> PageSummary | None:
        """The summary of a file with this digest, None where it is not known."""
        return self._opened(self._known.get(digest, b""), digest, PageSummary)

    def content(self, digest: str) -> ParsedPage | None:
        """What a file with this digest holds, None where it is not known."""
        if digest in self._new:
            return self._opened(self._new[digest][1], digest, ParsedPage)
        with suppress(*_FAULTS), self._database() as database:
            row = database.execute(_CONTENT, (self._site, digest, self._recipe)).fetchone()
            return self._opened(row[0], digest, ParsedPage) if row else None
        return None

    def put(self, digest: str, summary: PageSummary, content: ParsedPage) -> None:
        """Remembers what a file holds, until `save`."""
        self._new[digest] = (self._sealed(summary, digest), self._sealed(content, digest))

    def save(self, seen: Iterable[str]) -> None:
        """Writes down what is new, if anything is, and forgets what no build has seen for long.

        Nothing is raised where that fails: the next build reads the files again.

        Args:
            seen: The digests of all files of this build.
        """
        if not self._new:
            return
        seen = set(seen)
        # Only what changes is written: a row holds the whole page.
        missed = {digest: 0 if digest in seen else count + 1 for digest, count in self._missed.items()}
        changed = {digest: count for digest, count in missed.items() if count != self._missed[digest]}
        try:
            self._write(changed)
        except _FAULTS as error:
            if getattr(error, "sqlite_errorcode", 0) & _PRIMARY not in _OF_THE_DISK:
                # Not a database, or a damaged one: begun anew by the next build.
                self._forget()
        self._known |= {digest: summary for digest, (summary, _) in self._new.items()}
        self._missed = missed | dict.fromkeys(self._new, 0)

    def _write(self, missed: Mapping[str, int]) -> None:
        key, new = (self._site, self._recipe), self._new.items()
        rows = [(self._site, digest, self._recipe, 0, summary, content) for digest, (summary, content) in new]
        with self._database() as database, database:
            # What versions before the first release wrote.
            database.execute("DROP TABLE IF EXISTS reads")
            database.executemany(
                "UPDATE files SET missed = ? WHERE digest = ? AND site = ? AND recipe = ?",
                [(count, digest, *key) for digest, count in missed.items()],
            )
            database.executemany("REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", rows)
            # By their keys: a condition on `missed` would go through all rows.
            database.executemany(
                "DELETE FROM files WHERE digest = ? AND site = ? AND recipe = ?",
                [(digest, *key) for digest, count in missed.items() if count >= BUILDS_KEPT],
            )
            database.execute("DELETE FROM files WHERE site = ? AND recipe != ?", key)

    @contextmanager
    def _database(self) -> Generator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._file, timeout=5)) as database:
            # What a power cut leaves half-written is noticed by the sums and read again.
            database.execute("PRAGMA synchronous = OFF")
            database.execute(_LAYOUT)
            yield database

    def _forget(self) -> None:
        # The journal of a database that is gone must not be played back into the next one.
        for file in (self._file, self._file.with_name(f"{FILE}-journal")):
            with suppress(OSError):
                file.unlink(missing_ok=True)

    def _sealed(self, value: object, digest: str) -> bytes:
        """A value with the sum that proves it."""
        data = msgspec.msgpack.encode(value)
        return self._sum(data, digest, type(value)) + data

    def _opened(self, sealed: bytes, digest: str, value_type: type[T]) -> T | None:
        """A value whose sum is right, None for any other."""
        data = sealed[_SUM:]
        if not data or self._sum(data, digest, value_type) != sealed[:_SUM]:
            return None
        try:
            return msgspec.msgpack.decode(data, type=value_type)
        except msgspec.DecodeError:
            return None

    def _sum(self, data: bytes, digest: str, value_type: type[object]) -> bytes:
        """A sum over a value and where it belongs."""
        # The whole place of a value: a damaged column must not make it the value of another file, or of other options.
        owner = f"{self._recipe}\n{digest}\n{value_type.__name__}\n"
        return blake2b(owner.encode() + data, digest_size=_SUM).digest()


def forget_site(index: Path, site: str) -> None:
    """Forgets what builds of a site have read, given by the name that they were given."""
    if not (index / FILE).is_file():
        return
    with suppress(*_FAULTS), closing(sqlite3.connect(index / FILE, timeout=5)) as database, database:
        database.execute("DELETE FROM files WHERE site = ?", (site,))
