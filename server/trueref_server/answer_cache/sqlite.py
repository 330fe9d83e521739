"""Keeps answers in a SQLite file. Several processes of one machine may share it, and it outlives a restart."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from trueref_core.errors import OptionError
from trueref_server.answer_cache.backend import BackendError

APPLICATION: Final = 0x54524143
"""`TRAC`, in the header of the file. It tells the cache from databases of other programs, which are left alone."""
TABLE_VERSION: Final = 1
"""The version of the table. If the file has another one, its answers are dropped."""
BUSY_SECONDS: Final = 0.25
"""An answer waits at most this long for another process that writes."""
DAY_SECONDS: Final = 86_400
PRIVATE: Final = 0o600
"""The answers show what was asked: only the user of the server may read them."""

TABLE: Final = """
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer BLOB NOT NULL, made REAL NOT NULL, used REAL NOT NULL);
CREATE INDEX IF NOT EXISTS answers_used ON answers (used);
"""

REMOVE_SURPLUS: Final = """
DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used DESC LIMIT -1 OFFSET ?)
"""


class SqliteBackend:
    """Answers in one file, which is created if it is missing. A damaged file is renamed, and a new one is created.

    Args:
        path: The file. SQLite keeps two more files beside it while it is open.
        size: How many answers are kept; the one unused for longest is removed first.
        days: How long an answer is kept at most.
        now: Seconds since the epoch.

    Raises:
        OptionError: The file cannot be written, or is the database of another program.
    """

    def __init__(self, path: Path, size: int, days: int, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._size = size
        self._days = days
        self._now = now
        self._lock = threading.Lock()
        try:
            self._connection = self._open()
        except sqlite3.Error as error:
            raise OptionError(f"The cache {path} cannot be used: {error}. Name another file.") from error
        except OSError as error:
            raise OptionError(f"The cache {path} cannot be written: {error.strerror}. Name another file.") from error

    def get(self, key: str) -> bytes | None:
        """The bytes under a key, unless they are too old."""
        with self._locked_connection() as connection:
            # A damaged row may have another type. Its bytes are compared with their digest later.
            query = "SELECT CAST(answer AS BLOB) FROM answers WHERE key = ? AND made > ?"
            row = connection.execute(query, (key, self._oldest())).fetchone()
            if row is None:
                return None
            # The answer is returned even if another process holds the lock, so that the use cannot be noted.
            with suppress(sqlite3.OperationalError):
                connection.execute("UPDATE answers SET used = ? WHERE key = ?", (self._now(), key))
            return bytes(row[0])

    def put(self, key: str, value: bytes) -> None:
        """Keep bytes, and remove answers that are too old or too many."""
        now = self._now()
        with self._locked_connection() as connection:
            # This takes the write lock at once: a transaction that begins by reading may be refused when it writes.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", (key, value, now, now))
            connection.execute("DELETE FROM answers WHERE made <= ?", (self._oldest(),))
            connection.execute(REMOVE_SURPLUS, (self._size,))
            connection.execute("COMMIT")

    def remove(self, key: str) -> None:
        """Forget a key."""
        with self._locked_connection() as connection:
            connection.execute("DELETE FROM answers WHERE key = ?", (key,))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _oldest(self) -> float:
        """The time at or before which an answer is too old."""
        return self._now() - self._days * DAY_SECONDS

    @contextmanager
    def _locked_connection(self) -> Generator[sqlite3.Connection]:
        """The connection for one statement or transaction; one thread at a time, errors as `BackendError`."""
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                self._recover(error)
                raise BackendError(str(error)) from error

    def _recover(self, error: sqlite3.Error) -> None:
        """Prepare for the next answer: end the transaction, and open the file again if it seems to be damaged."""
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        # SQLite raises OperationalError for a locked file, a full disk or missing permission, where this connection
        # works again later, and also where only a new one does: for a missing table, and for files that somebody
        # emptied.
        if isinstance(error, sqlite3.OperationalError) and not (
            "no such table" in str(error) or getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_IOERR
        ):
            return
        self._connection.close()
        with suppress(sqlite3.Error, OSError):
            self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        """Open the file; if it is damaged, rename it and create a new one."""
        connection = self._connect()
        try:
            self._prepare(connection)
        except sqlite3.DatabaseError as error:
            connection.close()
            # A locked file, a full disk or missing permission is no damage: to rename the file would lose good answers.
            if isinstance(error, sqlite3.OperationalError):
                raise
            self._rename_damaged()
            connection = self._connect()
            self._prepare(connection)
        return connection

    def _connect(self) -> sqlite3.Connection:
        """A connection for all threads that commits each statement by itself. A missing file is created."""
        self._path.touch(PRIVATE)
        return sqlite3.connect(self._path, BUSY_SECONDS, isolation_level=None, check_same_thread=False)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the table ready; raises `DatabaseError` for a damaged file, `OptionError` for another program's."""
        application, tables = (
            connection.execute(query).fetchone()[0]
            for query in ("PRAGMA application_id", "SELECT count(*) FROM sqlite_master")
        )
        # Checked before anything is written: a mistyped path may lead to the database of another program.
        if tables and application != APPLICATION:
            connection.close()
            raise OptionError(f"{self._path} is the database of another program. Name another file for the cache.")
        if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("the file is damaged")
        # Several servers of one machine may share the file, and with WAL readers do not wait for a writer.
        connection.execute("PRAGMA journal_mode = WAL")
        # A power failure may lose the last answers, which are made anew at the next question.
        connection.execute("PRAGMA synchronous = OFF")
        if connection.execute("PRAGMA user_version").fetchone()[0] != TABLE_VERSION:
            connection.execute("DROP TABLE IF EXISTS answers")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {TABLE_VERSION}")
        connection.executescript(TABLE)

    def _rename_damaged(self) -> None:
        """Rename the damaged file and SQLite's files beside it, since the owner may want to look at them."""
        for suffix in ("", "-wal", "-shm"):
            file = self._path.with_name(self._path.name + suffix)
            if file.exists():
                file.replace(file.with_name(f"{self._path.name}.damaged{suffix}"))
