"""Answers that are kept in SQLite and in Redis: shared, bounded, and never in the way of an answer."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.server.connecting import PREFIX, connect, connected, events_of
from tests.server.given_answers import given_answer
from tests.server.handmade import publish_demo
from tests.server.test_answer_cache import QUESTION, ask, counts, without_own
from tests.services import free_port, redis_server

from trueref_core.errors import ExtraMissing, OptionError
from trueref_server.answer_cache import sqlite
from trueref_server.answer_cache.backend import Backend, BackendError
from trueref_server.answer_cache.cache import REST_SECONDS, AnswerCache, open_cache, packed, unpacked
from trueref_server.answer_cache.sqlite import SqliteBackend
from trueref_server.service import Service
from trueref_server.settings import load_settings
from trueref_server.store.database import Database
from trueref_server.store.entries import FailureEntry

if TYPE_CHECKING:
    import httpx

pytestmark = pytest.mark.anyio

DAY = 86_400.0


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000_000_000.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with redis_server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=pytest.mark.long)])
def cache(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty cache."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'answers.db'}"
    url: str = request.getfixturevalue("redis_url")
    client_of(url).flushall()
    return url


def client_of(url: str) -> Any:
    from redis import Redis

    return Redis.from_url(url)


def backend_of(cache: str, size: int = 100, days: int = 30) -> Backend:
    if cache.startswith("sqlite"):
        return SqliteBackend(Path(cache.removeprefix("sqlite:///")), size, days, Clock())
    from trueref_server.answer_cache.redis import RedisBackend

    return RedisBackend(cache, size, days, Clock())


async def test_a_restart_and_a_second_server_have_the_answer(index: Path, cache: str) -> None:
    async with (
        connect(index, cache_answers=10, cache=cache) as client,
        connect(index, cache_answers=10, cache=cache) as other,
    ):
        first = await ask(client)
        assert not first["cached"]
        again = await ask(other)
    async with connect(index, cache_answers=10, cache=cache) as restarted:
        later = await ask(restarted)
    assert again["cached"]
    assert later["cached"]
    assert without_own(again) == without_own(later) == without_own(first)
    assert len({answer["answer_id"] for answer in (first, again, later)}) == 3


async def test_an_answer_kept_in_a_backend_is_streamed_as_it_was_made(index: Path, cache: str) -> None:
    async with connect(index, cache_answers=10, cache=cache) as client:
        streams = [(await client.post(f"{PREFIX}/ask", json={"question": QUESTION, "stream": True})).text for _ in "12"]
        made, kept = (events_of(stream) for stream in streams)
        assert [event for event in kept if event[0] != "done"] == [event for event in made if event[0] != "done"]
        assert (made[-1][1]["cached"], kept[-1][1]["cached"]) == (False, True)
        found = await counts(client)
    assert (found["trueref_cache_lookups_total,miss"], found["trueref_cache_lookups_total,hit"]) == (1, 1)


async def test_a_new_generation_needs_no_flush(tmp_path: Path, cache: str) -> None:
    publish_demo(tmp_path / "index")
    async with connect(tmp_path / "index", cache_answers=10, cache=cache) as client:
        first = await ask(client)
        publish_demo(tmp_path / "index", {"extra/": {"": "The palette of a site may have a third mode."}})
        while (again := await ask(client))["generation"] == first["generation"]:
            assert again["cached"]
        assert not again["cached"]


async def test_other_settings_of_the_answerer_have_answers_of_their_own(index: Path, cache: str) -> None:
    async with connect(index, cache_answers=10, cache=cache) as client:
        await ask(client)
    async with connect(index, cache_answers=10, cache=cache, weights={"*": 0.5}) as other:
        assert not (await ask(other))["cached"]
    async with connect(index, cache_answers=9, cache=cache, max_answers=3) as client:
        assert (await ask(client))["cached"], "these change no answer"


def test_the_answer_longest_unused_gives_way(cache: str) -> None:
    backend = backend_of(cache, size=2)
    for key in "ab":
        backend.put(key, key.encode())
    assert backend.get("a") == b"a"
    backend.put("c", b"c")
    assert [backend.get(key) for key in "abc"] == [b"a", None, b"c"]
    backend.put("c", b"other")
    assert [backend.get(key) for key in "ac"] == [b"a", b"other"]
    backend.remove("a")
    assert [backend.get(key) for key in "ac"] == [None, b"other"]
    backend.close()


def test_an_old_answer_is_not_given(tmp_path: Path) -> None:
    clock = Clock()
    path = tmp_path / "answers.db"
    backend = SqliteBackend(path, 10, 2, clock)
    backend.put("a", b"a")
    clock.now += 2 * DAY
    assert backend.get("a") is None
    backend.put("b", b"b")
    # It is gone, and not only too old to be given.
    clock.now -= 2 * DAY
    assert backend.get("a") is None
    assert backend.get("b") == b"b"
    backend.close()


@pytest.mark.long
def test_redis_removes_an_old_answer_itself(redis_url: str) -> None:
    backend = backend_of(redis_url, days=2)
    backend.put("a", b"a")
    assert 0 < client_of(redis_url).ttl("trueref:answer:a") <= 2 * DAY
    backend.close()


@asynccontextmanager
async def with_clock(index: Path, backend: Backend, clock: Clock) -> AsyncIterator[httpx.AsyncClient]:
    settings = load_settings({}, options={"index": index, "rate_per_minute": 0})
    async with connected(settings, Service(settings, cache=AnswerCache(settings, backend, clock))) as client:
        yield client


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.long
async def test_redis_that_is_down_costs_a_line(index: Path, caplog: pytest.LogCaptureFixture) -> None:
    port, clock = free_port(), Clock()
    async with with_clock(index, backend_of(f"redis://127.0.0.1:{port}/0"), clock) as client:
        for _ in range(3):
            assert not (await ask(client))["cached"]
            clock.now += REST_SECONDS
        assert len(warnings_of(caplog)) == 1
        assert "cannot be used, so questions are answered without it: Error 111 connecting" in warnings_of(caplog)[0]
        with redis_server(port):
            assert [(await ask(client))["cached"] for _ in range(2)] == [False, True]
        assert [(await ask(client))["cached"] for _ in range(2)] == [False, False]
        found = await counts(client)
    # While it rests after a failure it is not asked, and that is told as an error as well.
    assert found == found | {"trueref_cache_lookups_total,error": 5, "trueref_cache_lookups_total,hit": 1}


@pytest.mark.long
async def test_something_else_under_a_key_of_redis_is_no_answer(index: Path, redis_url: str) -> None:
    clock = Clock()
    client_of(redis_url).flushall()
    async with with_clock(index, backend_of(redis_url), clock) as client:
        await ask(client)
        (name,) = client_of(redis_url).keys("trueref:answer:*")
        client_of(redis_url).delete(name)
        client_of(redis_url).lpush(name, "no answer")
        assert not (await ask(client))["cached"]


def test_every_flipped_bit_of_an_answer_is_noticed() -> None:
    whole = packed(given_answer())
    assert unpacked(whole) == given_answer()
    for position in range(len(whole)):
        for bit in range(8):
            flipped = bytearray(whole)
            flipped[position] ^= 1 << bit
            assert unpacked(bytes(flipped)) is None
    assert unpacked(b"") is None


async def test_a_damaged_answer_is_made_anew(index: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "answers.db"
    given: dict[str, Any] = {"cache_answers": 10, "cache": f"sqlite:///{path}"}
    async with connect(index, **given) as client:
        first = await ask(client)
    whole = path.read_bytes()
    assert b'"href":"' in whole
    # It can still be read as an answer.
    path.write_bytes(re.sub(rb'("href":").', rb"\1x", whole))
    async with connect(index, **given) as client:
        assert [(again := await ask(client))["cached"] for _ in range(2)] == [False, True]
    assert without_own(again) == without_own(first)
    assert warnings_of(caplog) == ["An answer in the cache was damaged and was deleted: its question is answered again"]


def overwritten(raw: bytes) -> bytes:
    return b"\xff" * len(raw)


def cut(raw: bytes) -> bytes:
    return raw[: len(raw) // 2]


def scratched(raw: bytes) -> bytes:
    return raw[:4096] + b"\xff" * (len(raw) - 4096)


@pytest.mark.parametrize("damage", [overwritten, cut, scratched])
async def test_a_damaged_file_is_set_aside(index: Path, tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "answers.db"
    given: dict[str, Any] = {"cache_answers": 10, "cache": f"sqlite:///{path}"}
    async with connect(index, **given) as client:
        await ask(client)
    path.write_bytes(damage(path.read_bytes()))
    async with connect(index, **given) as client:
        assert [(await ask(client))["cached"] for _ in range(2)] == [False, True]
    assert path.with_name("answers.db.damaged").exists()


@pytest.mark.parametrize("damage", [overwritten, lambda _: b""], ids=["overwritten", "emptied"])
async def test_a_file_that_is_damaged_while_it_is_used_is_made_again(
    index: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: Callable[[bytes], bytes]
) -> None:
    path, clock = tmp_path / "answers.db", Clock()
    async with with_clock(index, backend_of(f"sqlite:///{path}"), clock) as client:
        await ask(client)
        # What another server writes makes this one read the file again instead of what it remembers of it.
        other = backend_of(f"sqlite:///{path}")
        other.put("a", b"a")
        other.close()
        for file in (path, path.with_name("answers.db-wal")):
            file.write_bytes(damage(file.read_bytes()))
        seen = []
        for _ in range(3):
            seen.append((await ask(client))["cached"])
            clock.now += REST_SECONDS
    assert seen == [False, False, True]
    assert len(warnings_of(caplog)) == 1


async def test_a_table_that_another_release_drops_is_made_again(
    index: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As where a release with another layout is started beside this one."""
    path, clock = tmp_path / "answers.db", Clock()
    async with with_clock(index, backend_of(f"sqlite:///{path}"), clock) as client:
        await ask(client)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sqlite, "TABLE_VERSION", 2)
            patch.setattr(sqlite, "TABLE", "CREATE TABLE IF NOT EXISTS newer (key TEXT PRIMARY KEY);")
            backend_of(f"sqlite:///{path}").close()
        seen = []
        for _ in range(3):
            seen.append((await ask(client))["cached"])
            clock.now += REST_SECONDS
    assert seen == [False, False, True]
    assert warnings_of(caplog) == [
        "The cache of answers cannot be used, so questions are answered without it: no such table: answers"
    ]


LOCK = """
import fcntl, sys

with open(sys.argv[1], "r+b") as file:
    # The byte that stands for the right to write: see "WAL Locks" in SQLite's description of its file format.
    fcntl.lockf(file, fcntl.LOCK_EX, 1, 120)
    print("locked", flush=True)
    sys.stdin.read()
"""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another process that holds the lock of a file for writing, for as long as the block runs."""
    command = [sys.executable, "-I", "-S", "-c", LOCK, f"{path}-shm"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "locked\n"
        yield
        process.communicate()


async def test_a_file_that_is_locked_is_read_and_written_to_later(
    index: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, clock = tmp_path / "answers.db", Clock()
    async with with_clock(index, backend_of(f"sqlite:///{path}"), clock) as client:
        await ask(client)
        with locked(path):
            assert (await ask(client))["cached"], "who only reads does not wait"
            assert not (await ask(client, "What is a palette?"))["cached"]
        clock.now += REST_SECONDS
        assert [(await ask(client, "What is a palette?"))["cached"] for _ in range(2)] == [False, True]
    assert warnings_of(caplog) == [
        "The cache of answers cannot be used, so questions are answered without it: database is locked"
    ]


def test_only_the_user_of_the_server_may_read_it(tmp_path: Path) -> None:
    backend = backend_of(f"sqlite:///{tmp_path / 'answers.db'}")
    backend.put("a", b"a")
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {
        "answers.db": 0o600,
        "answers.db-wal": 0o600,
        "answers.db-shm": 0o600,
    }
    backend.close()


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    store = Database(f"sqlite:///{path}")
    store.write([FailureEntry(1, "internal")])
    store.close()
    before = path.read_bytes()
    with pytest.raises(OptionError, match=r"other\.db is the database of another program"):
        open_cache(load_settings({"TRUEREF_CACHE": f"sqlite:///{path}"}))
    assert path.read_bytes() == before


def test_a_file_that_cannot_be_made_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"cannot be written: No such file or directory\. Name another file\."):
        open_cache(load_settings({"TRUEREF_CACHE": f"sqlite:///{tmp_path}/none/answers.db"}))


@pytest.mark.parametrize("value", ["disk", "sqlite:///", "sqlite://answers.db", "answers.db", "http://127.0.0.1"])
def test_an_address_of_no_known_cache_is_refused(value: str) -> None:
    with pytest.raises(OptionError, match="TRUEREF_CACHE: is none of memory, sqlite:///FILE and redis"):
        load_settings({"TRUEREF_CACHE": value})


def test_a_password_stays_out_of_what_is_printed() -> None:
    settings = load_settings(
        {"TRUEREF_CACHE": "redis://:secret@127.0.0.1/0", "TRUEREF_STORE": "postgresql://a:secret@b/c"}
    )
    assert "secret" not in repr(settings)


@pytest.mark.parametrize("password", ["xyz/secret", "xyz#secret", "xyz?secret"])
def test_a_password_that_breaks_the_address_stays_out_of_the_message(password: str) -> None:
    """The library of Redis quotes what it takes for the port."""
    with pytest.raises(OptionError, match="%2F") as refused:
        backend_of(f"redis://:{password}@127.0.0.1:6379/0")
    assert "xyz" not in str(refused.value)


def test_a_missing_client_of_redis_is_told_with_the_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from trueref_core import extras

    monkeypatch.setitem(extras.PACKAGES, "redis", ("no_such_client",))
    with pytest.raises(ExtraMissing) as said:
        open_cache(load_settings({"TRUEREF_CACHE": "redis://127.0.0.1/0"}))
    assert str(said.value) == (
        "`cache` with redis needs the extra `redis`, of which no_such_client is not installed: pip install 'trueref[redis]'"
    )


def test_a_backend_that_was_closed_raises_its_own_error(tmp_path: Path) -> None:
    backend = backend_of(f"sqlite:///{tmp_path / 'answers.db'}")
    backend.close()
    with pytest.raises(BackendError):
        backend.get("a")
