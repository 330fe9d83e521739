"""Writes entries to a database and reads them: SQLite or PostgreSQL, through SQLAlchemy."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, Executable, create_engine, delete, event, insert, inspect, select, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError

from trueref_core.errors import OptionError
from trueref_server.store.entries import AnswerEntry, FailureEntry, RatingEntry, SourceEntry, StoreEntry
from trueref_server.store.schema import ANSWERS, FAILURES, METADATA, RATINGS, SCHEMA, SOURCES, VERSION
from trueref_server.store.upgrades import OtherVersion, require_current, upgrade, version_of

DAY_MILLISECONDS: Final = 86_400_000
CONNECT_SECONDS: Final = 5
ROWS_AT_ONCE: Final = 1000
PRIVATE: Final = 0o600
"""The file may hold what readers wrote: only the user of the server may read it."""


class StoreError(Exception):
    """The database cannot be used at the moment. The message is for the log, and has no password."""


class EntryRefused(StoreError):
    """The database refuses an entry, and would refuse it at any later try."""


class Database:
    """The tables of one database. It connects at the first use. One thread at a time may use it.

    Args:
        url: `sqlite:///FILE`, or `postgresql://USER:PASSWORD@HOST/DATABASE`.

    Raises:
        OptionError: The address cannot be read, or the folder of the file is missing.
    """

    def __init__(self, url: str) -> None:
        self._engine = _engine(_database_url(url))
        self._is_prepared = False

    def write(self, entries: Sequence[StoreEntry]) -> int:
        """Write entries, all of them or none.

        Returns:
            The number of ratings whose answer the database does not have.

        Raises:
            EntryRefused: One of the entries can never be written.
            StoreError: The database cannot be used at the moment.
        """
        with self._writing() as connection:
            # In the order of the entries, since a rating may come right after its answer.
            return sum(_write_group(connection, kind, list(group)) for kind, group in groupby(entries, type))

    def purge(self, now: int, store_days: int, question_days: int) -> None:
        """Remove entries and question texts that are too old. If `question_days` is 0, remove all question texts.

        Args:
            now: Milliseconds since the epoch.
            store_days: Days that answers, ratings and failures are kept.
            question_days: Days that question texts are kept.

        Raises:
            StoreError: The database cannot be used at the moment.
        """
        oldest, oldest_text = now - store_days * DAY_MILLISECONDS, now - question_days * DAY_MILLISECONDS
        # With 0 days every text is removed: an owner who takes the setting away wants no text left.
        too_old = ANSWERS.c.at <= oldest_text if question_days else ANSWERS.c.at.is_not(None)
        with self._writing() as connection:
            connection.execute(delete(ANSWERS).where(ANSWERS.c.at <= oldest))
            connection.execute(delete(FAILURES).where(FAILURES.c.at <= oldest))
            with_text = update(ANSWERS).where(ANSWERS.c.question.is_not(None), too_old)
            connection.execute(with_text.values(question=None))

    def answers(self, since: int) -> Iterator[AnswerEntry]:
        """The answers since a time, oldest first.

        Raises:
            StoreError: The database cannot be used at the moment.
        """
        query = select(ANSWERS).where(ANSWERS.c.at >= since).order_by(ANSWERS.c.at, ANSWERS.c.answer_id)
        with self._reading() as connection:
            if connection is None:
                return
            rows = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query).mappings()
            for batch in rows.partitions(ROWS_AT_ONCE):
                sources = _sources_by_answer(connection, [row["answer_id"] for row in batch])
                for row in batch:
                    values: dict[str, Any] = dict(row)
                    yield AnswerEntry(**values, sources=sources.get(row["answer_id"], ()))

    def ratings(self, since: int) -> list[RatingEntry]:
        """The ratings of answers since a time.

        Raises:
            StoreError: The database cannot be used at the moment.
        """
        query = select(RATINGS).join(ANSWERS).where(ANSWERS.c.at >= since).order_by(RATINGS.c.at)
        return [RatingEntry(**row) for row in self._rows(query)]

    def failures(self, since: int) -> list[FailureEntry]:
        """The questions without an answer since a time.

        Raises:
            StoreError: The database cannot be used at the moment.
        """
        query = select(FAILURES.c.at, FAILURES.c.code).where(FAILURES.c.at >= since).order_by(FAILURES.c.at)
        return [FailureEntry(**row) for row in self._rows(query)]

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def _rows(self, query: Executable) -> list[dict[str, Any]]:
        """The rows of a query, each with the names of its columns; empty if nothing was ever written."""
        with self._reading() as connection:
            return [] if connection is None else [dict(row) for row in connection.execute(query).mappings()]

    @contextmanager
    def _writing(self) -> Generator[Connection]:
        """A transaction that writes; the first one makes or upgrades the tables."""
        with self._transaction() as connection:
            if not self._is_prepared:
                # In one transaction: a step that fails leaves the tables of the earlier release as they were
                # (`docs/decisions/store-upgrades.md`).
                if inspect(connection).has_table(SCHEMA.name):
                    upgrade(connection)
                METADATA.create_all(connection)
                if version_of(connection) is None:
                    connection.execute(insert(SCHEMA).values(version=VERSION))
            yield connection
        # Set after the commit: an entry that is refused rolls back what its transaction did to the tables.
        self._is_prepared = True

    @contextmanager
    def _reading(self) -> Generator[Connection | None]:
        """A connection for reading; None if nothing was ever written, since reading creates no tables."""
        with self._transaction() as connection:
            has_tables = inspect(connection).has_table(SCHEMA.name) and require_current(connection)
            yield connection if has_tables else None

    @contextmanager
    def _transaction(self) -> Generator[Connection]:
        """A transaction, whose errors are raised as the errors of this module."""
        try:
            with self._engine.begin() as connection:
                yield connection
        # Told apart from a database that is down: every later try of such an entry would fail, too.
        except (DataError, IntegrityError) as error:
            raise EntryRefused(_message_of(error)) from error
        except OtherVersion as error:
            raise StoreError(str(error)) from error
        except DBAPIError as error:
            # Tables that were dropped while the server runs are created again at the next write.
            self._is_prepared = False
            raise StoreError(_message_of(error)) from error


def _write_group(connection: Connection, kind: type[StoreEntry], entries: list[Any]) -> int:
    """Write entries of one kind, and return how many of them are ratings of no answer."""
    if kind is RatingEntry:
        return sum(not _write_rating(connection, entry) for entry in entries)
    if kind is FailureEntry:
        connection.execute(insert(FAILURES), [asdict(entry) for entry in entries])
        return 0
    rows = [asdict(entry) for entry in entries]
    sources = [source | {"answer_id": row["answer_id"]} for row in rows for source in row.pop("sources")]
    connection.execute(insert(ANSWERS), rows)
    if sources:
        connection.execute(insert(SOURCES), sources)
    return 0


def _write_rating(connection: Connection, entry: RatingEntry) -> bool:
    """Write a rating in place of the earlier one; False if the database does not have the answer.

    If the same rating comes again without a reason, the earlier reason stays: the reader pressed the button twice.
    """
    if connection.scalar(select(ANSWERS.c.at).where(ANSWERS.c.answer_id == entry.answer_id)) is None:
        return False
    is_same = (RATINGS.c.answer_id == entry.answer_id) & (RATINGS.c.source == entry.source)
    earlier = connection.execute(select(RATINGS).where(is_same)).mappings().first()
    values = asdict(entry)
    if earlier is None:
        connection.execute(insert(RATINGS).values(values))
        return True
    if earlier["helpful"] == entry.helpful:
        values |= {name: values[name] or earlier[name] for name in ("reason", "comment")}
    connection.execute(update(RATINGS).where(is_same).values(values))
    return True


def _sources_by_answer(connection: Connection, answers: Sequence[str]) -> dict[str, tuple[SourceEntry, ...]]:
    """The sources of some answers, by the id of the answer."""
    query = select(SOURCES).where(SOURCES.c.answer_id.in_(answers)).order_by(SOURCES.c.answer_id, SOURCES.c.n)
    rows = [dict(row) for row in connection.execute(query).mappings()]
    return {
        answer: tuple(SourceEntry(**{name: row[name] for name in row if name != "answer_id"}) for row in group)
        for answer, group in groupby(rows, lambda row: str(row["answer_id"]))
    }


def _database_url(text: str) -> URL:
    """The address of a database for SQLAlchemy; raises `OptionError` if it cannot be used."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        # The message does not quote the address, which may have a password.
        raise OptionError("The address of the store cannot be read: is it like sqlite:///insight.db?") from error
    if url.drivername == "postgresql":
        # SQLAlchemy's own default is psycopg2, which the extra does not install.
        return url.set(drivername="postgresql+psycopg")
    path = Path(url.database or "").expanduser()
    if not path.parent.is_dir():
        raise OptionError(f"The store {path} cannot be written: the folder {path.parent} does not exist.")
    return url.set(database=str(path))


def _engine(url: URL) -> Engine:
    """The engine that connects to a database when it is first used."""
    if url.get_backend_name() != "sqlite":
        # One connection, since one thread uses it. It is tested before each use, since a database server may have
        # restarted.
        return create_engine(
            url, pool_size=1, max_overflow=0, pool_pre_ping=True, connect_args={"connect_timeout": CONNECT_SECONDS}
        )
    engine = create_engine(url)
    file = Path(url.database or "")

    @event.listens_for(engine, "do_connect")
    def make_private(*_: object) -> None:  # pyright: ignore[reportUnusedFunction]
        # The file is created here, since SQLite would create it readable for others.
        file.touch(PRIVATE)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        # With `secure_delete` what is removed is overwritten: no question can be read from free pages of the file.
        for pragma in ("journal_mode = WAL", "secure_delete = ON", "foreign_keys = ON", "synchronous = NORMAL"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _message_of(error: DBAPIError) -> str:
    """The first line of the driver's message. SQLAlchemy's own message would quote the entry."""
    return (str(error.orig).strip() or type(error).__name__).splitlines()[0]
