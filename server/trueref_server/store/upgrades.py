"""Upgrades the tables of an earlier release to those of this release, one version at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, select, text, update

from trueref_server.store.schema import SCHEMA, VERSION

STEPS: Final[Mapping[int, tuple[str, ...]]] = {}
"""The SQL statements that upgrade a version of the tables to the next. Empty while there is only one version.

Both SQLite and PostgreSQL must accept the statements. A new column needs a default, so that a server of the older
release, which may still run beside the new one, can write until it is restarted. In a literal, a colon before a word
needs a backslash, since SQLAlchemy would take the word for a parameter. The reasons are in
`docs/decisions/store-upgrades.md`.
"""


class OtherVersion(Exception):
    """The tables are of another version than this release writes. The message says what to do."""


def version_of(connection: Connection) -> int | None:
    """The version of the tables; None if it was not written yet.

    Raises:
        OtherVersion: A newer release made them.
    """
    version = connection.scalar(select(SCHEMA.c.version))
    if version is not None and version > VERSION:
        raise OtherVersion(
            f"its tables have version {version}, and this release of Trueref reads up to {VERSION}: "
            "install the newer release again, or name another store"
        )
    return version


def upgrade(connection: Connection) -> None:
    """Bring the tables to the version of this release, within the transaction of the connection.

    Raises:
        OtherVersion: A newer release made them.
    """
    # Not Alembic, which needs a table, a folder and a command line of its own: for five tables that one thread writes
    # this loop is enough (`docs/decisions/store-upgrades.md`).
    while (version := version_of(connection)) is not None and version < VERSION:
        # The row of the version is changed first. In SQLite that begins the transaction, which a change of a table
        # alone would not. In PostgreSQL another server waits for the row, and then finds that nothing is left to do.
        claim = update(SCHEMA).where(SCHEMA.c.version == version).values(version=version + 1)
        if connection.execute(claim).rowcount:
            for statement in STEPS[version]:
                connection.execute(text(statement))


def require_current(connection: Connection) -> bool:
    """Whether there are tables to read.

    Raises:
        OtherVersion: The tables are of another release. They are not upgraded, since reading changes nothing.
    """
    version = version_of(connection)
    if version is not None and version < VERSION:
        raise OtherVersion(
            f"its tables have version {version}, and this release of Trueref reads {VERSION}: "
            "start a server of this release with this store once, which upgrades them"
        )
    return version is not None
