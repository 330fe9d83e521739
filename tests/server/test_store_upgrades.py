"""A store of an earlier release: its tables are brought to those of this one, and a newer one is left alone.

`store_versions/` has a store of each layout, as a release left it. It never changes: a new layout is a new file.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.running import run
from tests.server.test_answer_cache import ask
from tests.server.test_feedback import kept, storing
from tests.server.test_store import NOW, an_answer
from tests.services import program

from trueref_server.store import database as database_module
from trueref_server.store import upgrades
from trueref_server.store.database import DAY_MILLISECONDS, Database, EntryRefused, StoreError
from trueref_server.store.entries import FailureEntry, RatingEntry
from trueref_server.store.schema import METADATA, VERSION

VERSIONS = Path(__file__).with_name("store_versions")
OLD_ID = "00000000000000aa"


def write_version(url: str, version: int) -> None:
    """Make a store as the release with that layout left it."""
    if url.startswith("sqlite"):
        shutil.copyfile(VERSIONS / f"{version}.sqlite.db", url.removeprefix("sqlite:///"))
        return
    file = VERSIONS / f"{version}.postgresql.sql"
    restore = [program("psql"), "-q", "-v", "ON_ERROR_STOP=1", "-d", url, "-f", str(file)]
    subprocess.run(restore, check=True, capture_output=True)


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_every_earlier_layout_becomes_this_one(store_url: str, version: int, tmp_path: Path) -> None:
    """Whoever changes the tables has to write a step, and the layout as it was stays here."""
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
    # All of it goes at once, what belongs to an answer with it, so that the same can be written again.
    database.purge(NOW + 9 * DAY_MILLISECONDS, 1, 1)
    assert (list(database.answers(0)), database.failures(0)) == ([], [])
    assert database.write([old]) == 0
    assert (list(database.answers(0)), database.ratings(0)) == ([old], [])
    database.close()
    # A database without an index answers the same, only later: SQLite has the name of each in its file.
    if store_url.startswith("sqlite"):
        data = Path(store_url.removeprefix("sqlite:///")).read_bytes()
        names = [str(index.name) for table in METADATA.tables.values() for index in table.indexes]
        assert names
        assert [name for name in names if name.encode() not in data] == []


LATER: Mapping[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE trueref_answers ADD COLUMN release VARCHAR(32) NOT NULL DEFAULT 'once'",
        "CREATE INDEX trueref_answers_release ON trueref_answers (release)",
    ),
    2: ("UPDATE trueref_answers SET page = page || release",),
}
"""The steps of two releases to come. The second one needs the first, and whoever reads the answers sees its effect."""


@contextmanager
def release_with(steps: Mapping[int, tuple[str, ...]]) -> Iterator[None]:
    """Makes Trueref the release that has these steps, for as long as the block runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upgrades, "STEPS", steps)
        for module in (upgrades, database_module):
            patch.setattr(module, "VERSION", 1 + len(steps))
        yield


def pages_of(url: str) -> list[str]:
    """The pages of the answers in a store, as far as this release reads it."""
    return [entry.page for entry in kept(url)]


def test_steps_are_taken_in_order_and_once(store_url: str) -> None:
    write_version(store_url, 1)
    with release_with(LATER):
        for _ in range(2):
            database = Database(store_url)
            database.purge(NOW, 30, 30)
            database.close()
        assert pages_of(store_url) == ["once"]
    with pytest.raises(StoreError, match="its tables have version 3, and this release of Trueref reads up to 1"):
        kept(store_url)


def test_a_step_that_fails_changes_nothing(store_url: str) -> None:
    """The earlier release reads what it read before, and a release with the right step takes it."""
    write_version(store_url, 1)
    before = kept(store_url)
    wrong = ("UPDATE trueref_answers SET page = 'changed'", "UPDATE trueref_nothing SET x = 1")
    database = Database(store_url)
    with release_with({1: (*LATER[1], *wrong)}), pytest.raises(StoreError, match="trueref_nothing"):
        database.purge(NOW, 30, 30)
    assert kept(store_url) == before
    with release_with(LATER):
        database.purge(NOW, 30, 30)
        assert pages_of(store_url) == ["once"]
    database.close()


def test_an_upgrade_that_an_entry_took_back_is_made_again(store_url: str) -> None:
    """An entry that is refused ends the transaction in which the tables were upgraded."""
    write_version(store_url, 1)
    before = kept(store_url)
    database = Database(store_url)
    with release_with(LATER), pytest.raises(EntryRefused):
        database.write([an_answer(2), an_answer(2)])
    assert kept(store_url) == before
    with release_with(LATER):
        database.purge(NOW, 30, 30)
        assert pages_of(store_url) == ["once"]
    database.close()


def test_servers_that_start_together_upgrade_once(store_url: str) -> None:
    write_version(store_url, 1)
    together, said = threading.Barrier(4), list[str]()

    def start() -> None:
        database = Database(store_url)
        together.wait()
        try:
            database.purge(NOW, 30, 30)
        except StoreError as error:
            said.append(str(error))
        database.close()

    with release_with(LATER):
        threads = [threading.Thread(target=start) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # SQLite lets the others wait for its file, or says that it is busy: then the server tries again.
        assert set(said) <= {"database is locked"}
        assert pages_of(store_url) == ["once"]


def test_who_only_reads_upgrades_nothing(store_url: str) -> None:
    write_version(store_url, 1)
    before = kept(store_url)
    older = r"version 1, and this release of Trueref reads 3: start a server of this release"
    with release_with(LATER), pytest.raises(StoreError, match=older):
        kept(store_url)
    assert kept(store_url) == before


def newer(tmp_path: Path) -> Path:
    """A store that a release to come has upgraded."""
    path = tmp_path / "insight.db"
    write_version(f"sqlite:///{path}", 1)
    with release_with(LATER):
        database = Database(f"sqlite:///{path}")
        database.purge(NOW, 30, 30)
        database.close()
    return path


def test_the_report_of_a_newer_store_is_one_line(tmp_path: Path) -> None:
    done = run("report", "--store", f"sqlite:///{newer(tmp_path)}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "trueref: The database cannot be read: its tables have version 3, and this release of Trueref reads up to "
        f"{VERSION}: install the newer release again, or name another store\n"
    )


@pytest.mark.anyio
async def test_a_server_with_a_newer_store_answers_and_leaves_it_alone(
    index: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = newer(tmp_path)
    before = path.read_bytes()
    async with storing(index, f"sqlite:///{path}") as client:
        assert (await ask(client))["verdict"] == "answer"
    said = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert said == [
        "The store cannot be used; answers are given all the same: its tables have version 3, and this release of "
        f"Trueref reads up to {VERSION}: install the newer release again, or name another store"
    ]
    assert path.read_bytes() == before
    with release_with(LATER):
        assert pages_of(f"sqlite:///{path}") == ["once"]
