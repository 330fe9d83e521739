"""A store of an earlier release: its tables are brought to those of this one, and a newer one is left alone.

`store_versions/` has each layout as SQL, as a release wrote it. It never changes: a new layout is a new file.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect, text
from tests.cli.running import run
from tests.server.test_answer_cache import ask
from tests.server.test_feedback import storing
from tests.server.test_store import NOW, an_answer
from tests.services import empty_database

from trueref_server.store import database as database_module
from trueref_server.store import upgrades
from trueref_server.store.database import Database, EntryRefused, StoreError
from trueref_server.store.entries import FailureEntry, RatingEntry
from trueref_server.store.schema import VERSION

VERSIONS = Path(__file__).with_name("store_versions")
OLD_ID = "00000000000000aa"


def write_version(url: str, version: int) -> None:
    """Make a store as the release with that layout left it."""
    kind = url.partition(":")[0]
    statements = (VERSIONS / f"{version}.{kind}.sql").read_text(encoding="utf-8")
    if kind == "sqlite":
        with sqlite3.connect(url.removeprefix("sqlite:///")) as rows:
            rows.executescript(statements)
        rows.close()
        return
    import psycopg

    with psycopg.connect(url) as connection:
        for statement in filter(str.strip, statements.split(";\n")):
            connection.execute(statement.encode())


def layout(url: str) -> Mapping[str, Any]:
    """The tables with their columns, keys and indexes, and the version that they say they have."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        looked = inspect(connection)
        found: dict[str, Any] = {"version": connection.scalar(text("SELECT version FROM trueref_schema"))}
        for table in looked.get_table_names():
            # The order of columns differs where one was added, and the version row was once numbered by the database.
            found[table] = (
                sorted(
                    (column["name"], str(column["type"]), column["nullable"]) for column in looked.get_columns(table)
                ),
                looked.get_pk_constraint(table)["constrained_columns"],
                [
                    (key["constrained_columns"], key["referred_table"], key["options"])
                    for key in looked.get_foreign_keys(table)
                ],
                sorted((str(index["name"]), str(index["column_names"])) for index in looked.get_indexes(table)),
            )
    engine.dispose()
    return found


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_every_earlier_layout_becomes_this_one(store_url: str, version: int, tmp_path: Path) -> None:
    """Whoever changes the tables has to write a step, and the layout as it was stays here as SQL."""
    write_version(store_url, version)
    database = Database(store_url)
    added = an_answer(2, NOW + 5)
    unknown = database.write([added, RatingEntry(OLD_ID, NOW + 6, 1, True, "", ""), FailureEntry(NOW + 7, "internal")])
    old, new = database.answers(0)
    assert (unknown, new) == (0, added)
    assert (old.answer_id, old.question, old.cached, old.milliseconds) == (OLD_ID, "Why?", False, 12.5)
    assert [(source.page, source.anchor, source.is_cited) for source in old.sources] == [("install/", "with-pip", True)]
    assert [(one.source, one.helpful, one.reason) for one in database.ratings(0)] == [
        (0, False, "It is old."),
        (1, True, ""),
    ]
    assert len(database.failures(0)) == 2
    database.close()
    upgraded = layout(store_url)
    if store_url.startswith("sqlite"):
        store_url = f"sqlite:///{tmp_path / 'fresh.db'}"
    else:
        empty_database(store_url)
    fresh = Database(store_url)
    fresh.purge(0, 1, 1)
    fresh.close()
    assert upgraded == layout(store_url)


LATER: Mapping[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE trueref_answers ADD COLUMN release VARCHAR(32) NOT NULL DEFAULT ''",
        "CREATE INDEX trueref_answers_release ON trueref_answers (release)",
    ),
    2: ("UPDATE trueref_answers SET release = 'before'",),
}
"""The steps of two releases to come."""


def becomes_later(monkeypatch: pytest.MonkeyPatch, steps: Mapping[int, tuple[str, ...]]) -> None:
    monkeypatch.setattr(upgrades, "STEPS", steps)
    for module in (upgrades, database_module):
        monkeypatch.setattr(module, "VERSION", 1 + len(steps))


def releases_of(url: str) -> list[Any]:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        found = list(connection.execute(text("SELECT release FROM trueref_answers")).scalars())
    engine.dispose()
    return found


def test_steps_are_taken_in_order_and_once(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_version(store_url, 1)
    becomes_later(monkeypatch, LATER)
    for _ in range(2):
        database = Database(store_url)
        database.purge(NOW, 30, 30)
        database.close()
    assert layout(store_url)["version"] == 3
    assert releases_of(store_url) == ["before"]


def test_a_step_that_fails_changes_nothing(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_version(store_url, 1)
    before = layout(store_url)
    becomes_later(monkeypatch, {1: (*LATER[1], "UPDATE trueref_nothing SET x = 1")})
    database = Database(store_url)
    with pytest.raises(StoreError, match="trueref_nothing"):
        database.purge(NOW, 30, 30)
    assert layout(store_url) == before
    monkeypatch.setattr(upgrades, "STEPS", {1: LATER[1]})
    database.purge(NOW, 30, 30)
    database.close()
    assert releases_of(store_url) == [""]


def test_an_upgrade_that_an_entry_took_back_is_made_again(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that is refused ends the transaction in which the tables were upgraded."""
    write_version(store_url, 1)
    becomes_later(monkeypatch, LATER)
    database = Database(store_url)
    with pytest.raises(EntryRefused):
        database.write([an_answer(2), an_answer(2)])
    assert layout(store_url)["version"] == 1
    database.purge(NOW, 30, 30)
    database.close()
    assert (layout(store_url)["version"], releases_of(store_url)) == (3, ["before"])


def test_servers_that_start_together_upgrade_once(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_version(store_url, 1)
    becomes_later(monkeypatch, LATER)
    together, said = threading.Barrier(4), list[str]()

    def start() -> None:
        database = Database(store_url)
        together.wait()
        try:
            database.purge(NOW, 30, 30)
        except StoreError as error:
            said.append(str(error))
        database.close()

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    # SQLite lets the others wait for its file, or says that it is busy: then the server tries again.
    assert set(said) <= {"database is locked"}
    assert (layout(store_url)["version"], releases_of(store_url)) == (3, ["before"])


def test_who_only_reads_upgrades_nothing(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_version(store_url, 1)
    before = layout(store_url)
    becomes_later(monkeypatch, LATER)
    database = Database(store_url)
    with pytest.raises(
        StoreError, match=r"version 1, and this release of Trueref reads 3: start a server of this release"
    ):
        list(database.answers(0))
    database.close()
    assert layout(store_url) == before


def newer(tmp_path: Path) -> Path:
    path = tmp_path / "insight.db"
    write_version(f"sqlite:///{path}", 1)
    with sqlite3.connect(path) as rows:
        rows.execute("UPDATE trueref_schema SET version = 99")
    rows.close()
    return path


def test_the_report_of_a_newer_store_is_one_line(tmp_path: Path) -> None:
    done = run("report", "--store", f"sqlite:///{newer(tmp_path)}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "trueref: The database cannot be read: its tables have version 99, and this release of Trueref reads up to "
        f"{VERSION}: install the newer release again, or name another store\n"
    )


@pytest.mark.anyio
async def test_a_server_with_a_newer_store_answers_and_leaves_it_alone(
    index: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = newer(tmp_path)
    before = layout(f"sqlite:///{path}")
    async with storing(index, f"sqlite:///{path}") as client:
        assert (await ask(client))["verdict"] == "answer"
    said = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert said == [
        "The store cannot be used; answers are given all the same: its tables have version 99, and this release of "
        f"Trueref reads up to {VERSION}: install the newer release again, or name another store"
    ]
    assert layout(f"sqlite:///{path}") == before
    with sqlite3.connect(path) as rows:
        assert rows.execute("SELECT count(*) FROM trueref_answers").fetchone() == (1,)
    rows.close()
