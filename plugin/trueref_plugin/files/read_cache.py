"""A cache of parsed files beside the index: a file that did not change is not parsed again.

It is only a cache: it may be deleted at any time, and no server needs it. Every row has a checksum, so that a damaged
row is not used. The cache is not part of a generation, because a new entry in the navigation changes every file, but no
generation.
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
"""The cache forgets a file that this many builds in a row did not have. It is more than one build, because `mkdocs
build` and `mkdocs serve` write different bytes for the same page, and an author uses both in turn."""

T = TypeVar("T")

_SUM_BYTES: Final = 16
_LAYOUT: Final = """
CREATE TABLE IF NOT EXISTS files (
  site TEXT NOT NULL, digest TEXT NOT NULL, recipe TEXT NOT NULL, missed INTEGER NOT NULL, summary BLOB NOT NULL,
  content BLOB NOT NULL, PRIMARY KEY (site, digest, recipe)
)"""
# `typeof`, because in a damaged file a column may have another type than that of the layout, and SQLite does not check
# it. The plus before `site` turns the index off: most rows are read, and reading all rows in the order in which they
# are stored is faster than reading them in the order of the index.
_SUMMARIES: Final = """
SELECT digest, missed, summary FROM files WHERE +site = ? AND recipe = ?
AND typeof(digest) = 'text' AND typeof(summary) = 'blob' AND typeof(missed) = 'integer'"""
_CONTENT: Final = "SELECT content FROM files WHERE site = ? AND digest = ? AND recipe = ? AND typeof(content) = 'blob'"
_FAULTS: Final = (sqlite3.Error, UnicodeError)
"""What sqlite3 raises for a damaged file. `UnicodeError`: its messages quote content that Python cannot always
decode."""


class ReadCache:
    """The cache as one build uses it.

    Args:
        index: Folder of the index; None keeps the cache in memory, for this build alone.
        selector: The content selector. Rows that were read with another selector are not used.
        site: The name that the options give the site. Rows of other sites of the index are not changed.
    """

    def __init__(self, index: Path | None, selector: str | None, site: str = "") -> None:
        self._file = index / FILE if index is not None else Path(":memory:")
        self._site = site
        self._recipe = f"{__version__} {READER_VERSION} {selector or ''}"
        self._summaries: dict[str, bytes] = {}
        self._new_rows: dict[str, tuple[bytes, bytes]] = {}
        self._missed: dict[str, int] = {}
        with suppress(*_FAULTS), self._database() as database:
            for digest, missed, summary in database.execute(_SUMMARIES, (self._site, self._recipe)):
                # All summaries are loaded at once and kept encoded: a build without changes needs all of them, but no
                # content.
                self._summaries[digest] = summary
                self._missed[digest] = missed

    def summary(self, digest: str) -> PageSummary | None:
        """The summary of a file with this digest, None if it is not in the cache."""
        return self._opened(self._summaries.get(digest, b""), digest, PageSummary)

    def content(self, digest: str) -> ParsedPage | None:
        """The content of a file with this digest, None if it is not in the cache."""
        if digest in self._new_rows:
            return self._opened(self._new_rows[digest][1], digest, ParsedPage)
        with suppress(*_FAULTS), self._database() as database:
            row = database.execute(_CONTENT, (self._site, digest, self._recipe)).fetchone()
            return self._opened(row[0], digest, ParsedPage) if row else None
        return None

    def put(self, digest: str, summary: PageSummary, content: ParsedPage) -> None:
        """Adds a file. `save` writes it to the disk."""
        self._new_rows[digest] = (self._sealed(summary, digest), self._sealed(content, digest))

    def save(self, digests: Iterable[str]) -> None:
        """Writes new files to the disk, if there are any, and forgets files that no build has had for long.

        It is called once in a build, and raises no error: without the new rows, the next build only has to parse the
        files again.

        Args:
            digests: The digests of all files of this build.
        """
        if not self._new_rows:
            # The counts of missed files alone are not worth a write: a build without changes writes nothing.
            return
        digests = set(digests)
        # Only counts that change are updated, because SQLite writes the whole row again, with the content of the page.
        missed = {digest: 0 if digest in digests else count + 1 for digest, count in self._missed.items()}
        changed = {digest: count for digest, count in missed.items() if count != self._missed[digest]}
        try:
            self._write(changed)
        except _FAULTS as error:
            # `OperationalError` means an error of the disk, after which the database is kept. Only with the code
            # SQLITE_ERROR it means that the tables are not those of the layout.
            if not isinstance(error, sqlite3.OperationalError) or error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
                # The file is not a database, or a damaged one.
                self.forget()

    def _write(self, missed: Mapping[str, int]) -> None:
        """Writes new rows and changed counts in one transaction, and deletes what is not needed any more."""
        key, new_rows = (self._site, self._recipe), self._new_rows.items()
        rows = [(self._site, digest, self._recipe, 0, summary, content) for digest, (summary, content) in new_rows]
        with self._database() as database, database:
            database.executemany(
                "UPDATE files SET missed = ? WHERE digest = ? AND site = ? AND recipe = ?",
                [(count, digest, *key) for digest, count in missed.items()],
            )
            database.executemany("REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", rows)
            # Deleted by key: with a condition on `missed`, SQLite would read all rows.
            database.executemany(
                "DELETE FROM files WHERE digest = ? AND site = ? AND recipe = ?",
                [(digest, *key) for digest, count in missed.items() if count >= BUILDS_KEPT],
            )
            database.execute("DELETE FROM files WHERE site = ? AND recipe != ?", key)

    @contextmanager
    def _database(self) -> Generator[sqlite3.Connection]:
        """The open database. The table is created if it is missing."""
        with closing(sqlite3.connect(self._file, timeout=5)) as database:
            # Waiting for the disk would take longer than parsing. After a power cut, the checksums show damaged rows.
            database.execute("PRAGMA synchronous = OFF")
            database.execute(_LAYOUT)
            yield database

    def forget(self) -> None:
        """Deletes the database. The next build begins a new one."""
        # The journal too: SQLite would play it back into the next database of this name.
        for file in (self._file, self._file.with_name(f"{FILE}-journal")):
            with suppress(OSError):
                file.unlink(missing_ok=True)

    def _sealed(self, value: object, digest: str) -> bytes:
        """The encoded value, with its checksum in front."""
        data = msgspec.msgpack.encode(value)
        return self._sum(data, digest, type(value)) + data

    def _opened(self, sealed: bytes, digest: str, value_type: type[T]) -> T | None:
        """Decodes what `_sealed` returned; None if the checksum is wrong."""
        data = sealed[_SUM_BYTES:]
        if not data or self._sum(data, digest, value_type) != sealed[:_SUM_BYTES]:
            return None
        try:
            return msgspec.msgpack.decode(data, type=value_type)
        except msgspec.DecodeError:
            return None

    def _sum(self, data: bytes, digest: str, value_type: type[object]) -> bytes:
        """The checksum of an encoded value and its keys."""
        # It covers the keys too, so that a value is not used for another file or other options if a key is damaged.
        owner = f"{self._recipe}\n{digest}\n{value_type.__name__}\n"
        return blake2b(owner.encode() + data, digest_size=_SUM_BYTES).digest()


def forget_site(index: Path, site: str) -> None:
    """Deletes the rows of a site. `site` is the name that its options give it."""
    if not (index / FILE).is_file():
        return
    with suppress(*_FAULTS), closing(sqlite3.connect(index / FILE, timeout=5)) as database, database:
        database.execute("DELETE FROM files WHERE site = ?", (site,))
