"""The store by itself: what is written is read again, what is too old goes, and nothing waits for the database."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.given_answers import given_answer
from tests.server.test_feedback import kept, ratings
from tests.services import end_connections, free_port, postgresql_server
from tests.waiting import wait_for_the_store, wait_until

from trueref_server.records import Answer, Question, ReferenceCounts, Source
from trueref_server.store import store as store_module
from trueref_server.store.database import DAY_MILLISECONDS, Database, EntryRefused, StoreError
from trueref_server.store.entries import AnswerEntry, FailureEntry, Rating, RatingEntry, answer_entry, storable
from trueref_server.store.store import MAX_WAITING, InsightStore

NOW = 1_790_000_000_000
"""Milliseconds since the epoch."""

ANY_TEXT = st.text(st.characters(), max_size=30) | st.text(
    st.sampled_from("a\x00\ud800\udfff\n'%:\U0001f600"), max_size=8
)
SOURCES = st.builds(
    Source,
    n=st.integers(1, 999),
    title=ANY_TEXT,
    section=ANY_TEXT,
    breadcrumb=st.just(()),
    kind=st.sampled_from(["guide", "api"]),
    page=ANY_TEXT,
    anchor=ANY_TEXT,
    href=st.just(""),
    url=st.none(),
    quote=st.just(""),
)
ANSWERS = st.builds(
    Answer,
    answer_id=st.integers(0, 2**64 - 1).map("{:016x}".format),
    text=ANY_TEXT,
    excerpts=st.just(()),
    sources=st.lists(SOURCES, max_size=3, unique_by=lambda source: source.n).map(tuple),
    more=st.just(()),
    citations=st.lists(st.integers(1, 999), max_size=3).map(tuple),
    verdict=st.sampled_from(["answer", "closest", "not-found"]),
    confidence=st.floats(0, 1),
    references=st.builds(ReferenceCounts, st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)),
    mode=st.sampled_from(["extractive", "model"]),
    note=ANY_TEXT,
    read_as=ANY_TEXT,
    marks=st.just(()),
    fallback=st.sampled_from(["", "error"]),
    cached=st.booleans(),
    updating=st.booleans(),
    generation=st.just("g"),
    timings=st.floats(0, 1e6).map(lambda total: {"total": total}),
)
QUESTIONS = st.builds(Question, ANY_TEXT, st.just(()), st.none() | ANY_TEXT, st.none() | ANY_TEXT, st.none() | ANY_TEXT)


@pytest.fixture
def database(store_url: str) -> Iterator[Database]:
    database = Database(store_url)
    yield database
    database.close()


def an_answer(number: int = 1, at: int = NOW, question: str | None = "Why?") -> AnswerEntry:
    answer = given_answer(f"{number:016x}", ReferenceCounts(3, 1, 1))
    return replace(answer_entry(Question(question or ""), answer, at, with_text=True), question=question)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(question=QUESTIONS, answer=ANSWERS, with_text=st.booleans(), at=st.integers(0, 2**42), reason=ANY_TEXT)
def test_what_is_written_is_read_again(
    database: Database, question: Question, answer: Answer, with_text: bool, at: int, reason: str
) -> None:
    database.purge(2**60, 1, 1)
    entry = answer_entry(question, answer, at, with_text=with_text)
    rating = RatingEntry(answer.answer_id, at, 0, True, storable(reason), "")
    failure = FailureEntry(at, "internal")
    assert database.write([entry, rating, failure]) == 0
    (read,) = database.answers(0)
    assert replace(read, sources=()) == replace(entry, sources=())
    assert {source.n: source for source in read.sources} == {source.n: source for source in entry.sources}
    assert (read.question is None) == (not with_text)
    assert (database.ratings(0), database.failures(0)) == ([rating], [failure])
    assert (list(database.answers(at + 1)), database.ratings(at + 1), database.failures(at + 1)) == ([], [], [])


@given(ANY_TEXT)
def test_any_text_is_stored_without_what_a_database_refuses(text: str) -> None:
    storable(text).encode()
    assert "\0" not in storable(text)
    assert storable(storable(text)) == storable(text)


def test_entries_are_written_all_or_none(database: Database) -> None:
    database.write([an_answer(1)])
    with pytest.raises(EntryRefused):
        database.write([an_answer(2), an_answer(1)])
    assert [entry.answer_id for entry in database.answers(0)] == [an_answer(1).answer_id]


@pytest.mark.parametrize(
    ("store_days", "question_days", "left"),
    [
        (90, 0, [(1, None), (2, None), (3, None), (4, None)]),
        (90, 5, [(1, None), (2, None), (3, None), (4, "Why?")]),
        (90, 6, [(1, None), (2, None), (3, "Why?"), (4, "Why?")]),
        (30, 90, [(2, "Why?"), (3, "Why?"), (4, "Why?")]),
        (1, 90, [(4, "Why?")]),
    ],
)
def test_entries_and_texts_that_are_too_old_are_removed(
    database: Database, store_days: int, question_days: int, left: list[tuple[int, str | None]]
) -> None:
    ages = {1: 40, 2: 10, 3: 5, 4: 0}
    for number, days in ages.items():
        at = NOW - days * DAY_MILLISECONDS
        rating = RatingEntry(an_answer(number).answer_id, at, 0, True, "", "")
        database.write([an_answer(number, at), rating, FailureEntry(at, "internal")])
    database.purge(NOW, store_days, question_days)
    assert [(int(entry.answer_id, 16), entry.question) for entry in database.answers(0)] == left
    assert [int(rating.answer_id, 16) for rating in database.ratings(0)] == [number for number, _ in left]
    assert len(database.failures(0)) == len(left)


def test_what_is_removed_is_not_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "insight.db"
    database = Database(f"sqlite:///{path}")
    database.write([an_answer(number, question=f"A secret of {number}") for number in range(50)])
    database.purge(NOW, 90, 0)
    database.close()
    assert path.stat().st_mode & 0o777 == 0o600
    assert b"secret" not in path.read_bytes()
    assert not path.with_name("insight.db-wal").exists()


class Losses:
    def __init__(self) -> None:
        self.counted: dict[str, int] = {}

    def __call__(self, reason: str, number: int) -> None:
        self.counted[reason] = self.counted.get(reason, 0) + number


def an_answer_to(store: InsightStore, number: int) -> None:
    answer = given_answer(f"{number:016x}")
    store.answered(Question("Why?"), answer)


def test_the_server_removes_what_is_too_old(store_url: str) -> None:
    """At its start, before anybody asks, and with the hours that pass."""
    database = Database(store_url)
    database.write([an_answer(1, NOW - 8 * DAY_MILLISECONDS), an_answer(2, NOW - 6 * DAY_MILLISECONDS)])
    database.close()
    clock = [NOW / 1000]
    store = InsightStore(Database(store_url), 30, 7, Losses(), lambda: clock[0])
    wait_until(lambda: [entry.question for entry in kept(store_url)] == [None, "Why?"])
    clock[0] += 2 * 86_400
    an_answer_to(store, 3)
    store.close()
    assert [entry.question for entry in kept(store_url)] == [None, None, "Why?"]


def test_ratings_without_an_answer_are_counted(store_url: str) -> None:
    losses = Losses()
    store = InsightStore(Database(store_url), 30, 0, losses)
    assert store.rated(Rating("0" * 16, helpful=True))
    store.close()
    assert losses.counted == {"unknown-answer": 1}
    assert ratings(store_url) == []


def test_one_entry_that_is_refused_takes_no_other_with_it(store_url: str, caplog: pytest.LogCaptureFixture) -> None:
    losses = Losses()
    store = InsightStore(Database(store_url), 30, 0, losses)
    for number in (1, 2, 1, 3):
        an_answer_to(store, number)
    store.close()
    assert sorted(int(entry.answer_id, 16) for entry in kept(store_url)) == [1, 2, 3]
    assert losses.counted == {"refused": 1}
    # The driver has a line of its own where several entries were sent in one go.
    (line,) = (record.getMessage() for record in caplog.records if record.name == "trueref.server")
    assert line.startswith("The store refused an entry: ")


class Stuck(Database):
    """A database that hangs until it is let go."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.is_free = threading.Event()

    def purge(self, now: int, store_days: int, question_days: int) -> None:
        self.is_free.wait()
        super().purge(now, store_days, question_days)


def test_a_database_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    url, losses = f"sqlite:///{tmp_path / 'insight.db'}", Losses()
    database = Stuck(url)
    store = InsightStore(database, 30, 0, losses)
    for number in range(MAX_WAITING + 50):
        an_answer_to(store, number)
    assert losses.counted == {"full": 50}
    assert not store.rated(Rating("0" * 16, helpful=True))
    database.is_free.set()
    store.close()
    wait_for_the_store()
    assert len(kept(url)) == MAX_WAITING


def test_a_server_that_stops_says_that_its_database_was_too_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(store_module, "CLOSE_SECONDS", 0.05)
    url, losses = f"sqlite:///{tmp_path / 'insight.db'}", Losses()
    database = Stuck(url)
    store = InsightStore(database, 30, 0, losses)
    an_answer_to(store, 1)
    store.close()
    assert [record.getMessage() for record in caplog.records] == [
        "The database of the store took more than 0.05 s: what was asked last may be lost."
    ]
    database.is_free.set()
    wait_for_the_store()
    assert len(kept(url)) == 1


@pytest.mark.long
def test_entries_wait_for_a_database_that_comes_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Entries wait for it, and the log has a line."""
    monkeypatch.setattr(store_module, "RETRY_SECONDS", 0.05)
    losses = Losses()
    nowhere = f"postgresql://trueref@127.0.0.1:{free_port()}/postgres"
    store = InsightStore(Database(nowhere), 30, 0, losses)
    an_answer_to(store, 1)
    wait_until(lambda: bool(caplog.records))
    store.close()
    assert losses.counted == {"full": 1}
    with postgresql_server() as url:
        database = Database(url)
        store = InsightStore(database, 30, 0, losses)
        an_answer_to(store, 1)
        wait_until(lambda: len(kept(url)) == 1)
        end_connections(url)
        an_answer_to(store, 2)
        store.close()
        assert len(kept(url)) == 2
    assert losses.counted == {"full": 1}
    lines = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(lines) == 1
    assert lines[0].startswith("The store cannot be used; answers are given all the same: connection failed: ")


def test_a_write_that_fails_for_now_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(store_module, "RETRY_SECONDS", 0.01)
    path = tmp_path / "insight.db"
    url = f"sqlite:///{path}"
    failures = iter([StoreError("down"), StoreError("down")])

    class Failing(Database):
        def write(self, entries: object) -> int:
            for failure in failures:
                raise failure
            write: Callable[[object], int] = super().write  # type: ignore[assignment]
            return write(entries)

    losses = Losses()
    store = InsightStore(Failing(url), 30, 0, losses)
    an_answer_to(store, 1)
    wait_until(lambda: path.exists() and len(kept(url)) == 1)
    store.close()
    assert losses.counted == {}
    assert len(caplog.records) == 1
