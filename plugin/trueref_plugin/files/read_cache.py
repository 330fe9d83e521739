"""A cache of parsed files beside the index: a file that did not change is not parsed again.

It is a cache and nothing more: it may be deleted at any time, no server needs it, and every row has a sum, so that a
damaged row is not used. It lies outside of the generations, because a new entry of the navigation changes every file
and no generation.
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
"""A file that this many builds did not see is forgotten. More than one, because `mkdocs build` and `mkdocs serve`
write different bytes for the same page, and a writer changes between them."""

T = TypeVar("T")

_SUM: Final = 16
_LAYOUT: Final = """
CREATE TABLE IF NOT EXISTS files (
  site TEXT NOT NULL, digest TEXT NOT NULL, recipe TEXT NOT NULL, missed INTEGER NOT NULL, summary BLOB NOT NULL,
  content BLOB NOT NULL, PRIMARY KEY (site, digest, recipe)
)"""
# SQLite does not check on reading that a column has the type of the layout: in a damaged file it may have another.
# The plus before `site` turns the index off. Most rows are wanted, and reading them in the order of the index takes
# longer than reading all rows in the order in which they are stored.
_SUMMARIES: Final = """
SELECT digest, missed, summary FROM files WHERE +site = ? AND recipe = ?
AND typeof(digest) = 'text' AND typeof(summary) = 'blob' AND typeof(missed) = 'integer'"""
_CONTENT: Final = "SELECT content FROM files WHERE site = ? AND digest = ? AND recipe = ? AND typeof(content) = 'blob'"
_FAULTS: Final = (sqlite3.Error, UnicodeError)
"""What sqlite3 raises for a damaged file. Its messages quote the content, which Python cannot always decode."""


class Reads:
    """The cache, for one build.

    Args:
        index: Folder of the index; None keeps the cache in memory, for this build alone.
        selector: The content selector. Rows of another one do not count, since it reads other content.
        site: Name that the build was given. Rows of other sites of the index are left alone.
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
                # The summaries of all pages are read at once and kept encoded: a build without changes needs every one
                # of them, and the contents of none.
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
        """Adds a file. `save` writes it down."""
        self._new_rows[digest] = (self._sealed(summary, digest), self._sealed(content, digest))

    def save(self, digests: Iterable[str]) -> None:
        """Writes down the files that are new, if any, and forgets those that no build has seen for long. Called once.

        No error is raised: the next build parses the files again.

        Args:
            digests: The digests of all files of this build.
        """
        if not self._new_rows:
            # Counting missed files alone is not worth a write: a build without changes should touch no disk.
            return
        digests = set(digests)
        # Only counts that change are updated: SQLite writes the whole row, which holds the whole page.
        missed = {digest: 0 if digest in digests else count + 1 for digest, count in self._missed.items()}
        changed = {digest: count for digest, count in missed.items() if count != self._missed[digest]}
        try:
            self._write(changed)
        except _FAULTS as error:
            # Python calls errors of the disk operational, and that of a statement that does not fit the tables.
            if not isinstance(error, sqlite3.OperationalError) or error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
                # No database, or a damaged one.
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
            # By their keys: with a condition on `missed`, SQLite would read all rows.
            database.executemany(
                "DELETE FROM files WHERE digest = ? AND site = ? AND recipe = ?",
                [(digest, *key) for digest, count in missed.items() if count >= BUILDS_KEPT],
            )
            database.execute("DELETE FROM files WHERE site = ? AND recipe != ?", key)

    @contextmanager
    def _database(self) -> Generator[sqlite3.Connection]:
        """An open database with the table in it."""
        with closing(sqlite3.connect(self._file, timeout=5)) as database:
            # Waiting for the disk would take longer than parsing. The sums find whatever a power cut leaves.
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
        """The encoded value with its check sum in front."""
        data = msgspec.msgpack.encode(value)
        return self._sum(data, digest, type(value)) + data

    def _opened(self, sealed: bytes, digest: str, value_type: type[T]) -> T | None:
        """The value in bytes that `_sealed` made, None if their check sum is wrong."""
        data = sealed[_SUM:]
        if not data or self._sum(data, digest, value_type) != sealed[:_SUM]:
            return None
        try:
            return msgspec.msgpack.decode(data, type=value_type)
        except msgspec.DecodeError:
            return None

    def _sum(self, data: bytes, digest: str, value_type: type[object]) -> bytes:
        """A sum over a value and its keys."""
        # The keys are in the sum, because a damaged key column must not make it the value of another file or options.
        owner = f"{self._recipe}\n{digest}\n{value_type.__name__}\n"
        return blake2b(owner.encode() + data, digest_size=_SUM).digest()


def forget_site(index: Path, site: str) -> None:
    """Deletes the rows of a site, by the name that its builds were given."""
    if not (index / FILE).is_file():
        return
    with suppress(*_FAULTS), closing(sqlite3.connect(index / FILE, timeout=5)) as database, database:
        database.execute("DELETE FROM files WHERE site = ?", (site,))
