"""What readers say of answers, from the request to the database; and that it changes no answer."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.server.connecting import PREFIX, connect, connected, events_of
from tests.server.model.test_answerer import GOOD, answering, saying
from tests.server.test_answer_cache import QUESTION, ask, counts, without_own
from tests.waiting import wait_for_the_store

from trueref_core import extras
from trueref_core.errors import ExtraMissing, OptionError
from trueref_server.service import Service
from trueref_server.serving.app import open_service
from trueref_server.settings import load_settings
from trueref_server.store.database import Database

if TYPE_CHECKING:
    import httpx

    from trueref_server.store.entries import AnswerEntry, Rating

pytestmark = pytest.mark.anyio

FEEDBACK = f"{PREFIX}/feedback"


@asynccontextmanager
async def storing(index: Path, store: str, **given: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server with a store. What it was sent is written when the block has ended."""
    others = threading.enumerate()
    async with connect(index, store=store, **given) as client:
        yield client
    wait_for_the_store(others)


async def rate(client: httpx.AsyncClient, answer_id: str, **fields: Any) -> int:
    return (await client.post(FEEDBACK, json={"answer_id": answer_id, **fields})).status_code


def kept(store: str) -> list[AnswerEntry]:
    database = Database(store)
    try:
        return list(database.answers(0))
    finally:
        database.close()


def ratings(store: str) -> list[tuple[str, int, bool, str, str]]:
    database = Database(store)
    try:
        found = database.ratings(0)
    finally:
        database.close()
    return [(rating.answer_id, rating.source, rating.helpful, rating.reason, rating.comment) for rating in found]


async def test_the_store_has_what_became_of_each_question(index: Path, store_url: str) -> None:
    async with storing(index, store_url, cache_answers=5) as client:
        first = await ask(client, page="install/", version="2.0", language="en")
        again = await ask(client, page="install/", version="2.0", language="en")
        nothing = await ask(client, "zxqv wuggle frobnitz")
    entries = kept(store_url)
    # By their ids: of two answers in one millisecond, none is the earlier one.
    by_id = {entry.answer_id: entry for entry in entries}
    assert len(entries) == len(by_id) == 3
    made, repeated, missed = (by_id[answer["answer_id"]] for answer in (first, again, nothing))
    assert made.at <= repeated.at <= missed.at
    assert (made.verdict, made.mode, made.cached, repeated.cached) == ("answer", "extractive", False, True)
    assert (made.page, made.version, made.language) == ("install/", "2.0", "en")
    assert made.confidence == pytest.approx(first["confidence"])
    assert made.milliseconds == pytest.approx(first["timings"]["total"])
    assert made.checked == first["references"]["checked"]
    assert [(source.n, source.page, source.anchor) for source in made.sources] == [
        (source["n"], source["page"], source["anchor"]) for source in first["sources"]
    ]
    assert {source.n for source in made.sources if source.is_cited} == set(first["citations"])
    assert (missed.verdict, missed.sources) == ("not-found", ())
    assert all(entry.question is None for entry in entries), "texts are kept only where that is switched on"


async def test_texts_are_kept_where_that_is_switched_on(index: Path, store_url: str) -> None:
    async with storing(index, store_url, question_days=7) as client:
        await ask(client)
    assert [entry.question for entry in kept(store_url)] == [QUESTION]
    async with storing(index, store_url):
        pass
    assert [entry.question for entry in kept(store_url)] == [None], "switched off, those that are there go"


async def test_ratings_of_an_answer_and_of_a_source_are_kept_and_counted(index: Path, store_url: str) -> None:
    async with storing(index, store_url) as client:
        answer = await ask(client)
        assert answer["feedback"] is True
        name = answer["answer_id"]
        # As the widget sends it: the verdict, then the verdict with a reason.
        assert await rate(client, name, helpful=False) == 200
        assert await rate(client, name, helpful=False, reason="It is of another version.") == 200
        assert await rate(client, name, helpful=False) == 200
        assert await rate(client, name, helpful=True, source=1, comment="This one\x00 is right \U0001f600") == 200
        found = await counts(client)
        assert await rate(client, "0" * 16, helpful=True) == 200
    assert ratings(store_url) == [
        (name, 0, False, "It is of another version.", ""),
        (name, 1, True, "", "This one\ufffd is right \U0001f600"),
    ]
    assert (found["trueref_ratings_total,false,answer"], found["trueref_ratings_total,true,source"]) == (3, 1)


async def test_another_verdict_takes_the_reason_of_the_first_away(index: Path, store_url: str) -> None:
    async with storing(index, store_url) as client:
        name = (await ask(client))["answer_id"]
        await rate(client, name, helpful=False, reason="It is wrong.")
        await rate(client, name, helpful=True)
    assert ratings(store_url) == [(name, 0, True, "", "")]


async def test_a_question_without_an_answer_is_kept_as_a_failure(tmp_path: Path, store_url: str) -> None:
    async with storing(tmp_path / "none", store_url) as client:
        assert (await client.post(f"{PREFIX}/ask", json={"question": QUESTION})).status_code == 503
        assert (await counts(client))["trueref_http_errors_total,503"] == 1
    database = Database(store_url)
    assert [failure.code for failure in database.failures(0)] == ["index-unavailable"]
    database.close()


async def test_a_stream_is_kept_too(index: Path, store_url: str) -> None:
    async with storing(index, store_url) as client:
        stream = (await client.post(f"{PREFIX}/ask", json={"question": QUESTION, "stream": True})).text
        name = events_of(stream)[-1][1]["answer_id"]
        assert await rate(client, name, helpful=True) == 200
    assert ratings(store_url) == [(name, 0, True, "", "")]


async def test_without_a_store_nothing_is_kept_and_nobody_asked(index: Path) -> None:
    async with connect(index) as client:
        answer = await ask(client)
        assert answer["feedback"] is False
        response = await client.post(FEEDBACK, json={"answer_id": answer["answer_id"], "helpful": True})
        assert response.status_code == 404
        assert response.json()["error"]["message"] == "This server keeps no feedback."


class Full(Service):
    """A service whose store takes nothing just now."""

    def rate(self, _rating: Rating) -> bool:
        return False


async def test_a_rating_that_is_not_kept_just_now_is_refused_with_when_to_try_again(index: Path) -> None:
    settings = load_settings({}, options={"index": index})
    async with connected(settings, Full(settings)) as client:
        refused = await client.post(FEEDBACK, json={"answer_id": "0" * 16, "helpful": True})
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (503, "busy")
    assert refused.headers["retry-after"] == str(error["retry_after"])


@pytest.mark.parametrize(
    "body",
    [
        {"helpful": True},
        {"answer_id": "a" * 16},
        {"answer_id": "A" * 16, "helpful": True},
        {"answer_id": "a" * 17, "helpful": True},
        {"answer_id": "a" * 16 + "\n", "helpful": True},
        {"answer_id": "a" * 16, "helpful": "yes"},
        {"answer_id": "a" * 16, "helpful": True, "source": 0},
        {"answer_id": "a" * 16, "helpful": True, "reason": "a" * 1001},
        {"answer_id": "a" * 16, "helpful": True, "address": "192.0.2.1"},
    ],
)
async def test_a_body_that_is_no_feedback_is_refused(index: Path, tmp_path: Path, body: dict[str, Any]) -> None:
    async with storing(index, f"sqlite:///{tmp_path / 'insight.db'}") as client:
        assert (await client.post(FEEDBACK, json=body)).status_code == 422


async def test_ratings_change_no_answer(index: Path, tmp_path: Path) -> None:
    """Not the order of the sections either: who presses a button is no judge of all readers."""
    store = f"sqlite:///{tmp_path / 'insight.db'}"
    async with storing(index, store) as client:
        before = await ask(client)
        for number in range(20):
            answer = await ask(client)
            await rate(client, answer["answer_id"], helpful=bool(number % 3))
            await rate(client, answer["answer_id"], helpful=False, source=1)
    async with storing(index, store) as client:
        after = await ask(client)
    assert len(ratings(store)) == 40
    assert without_own(after) == without_own(before)


async def test_nothing_that_tells_readers_apart_is_kept(index: Path, tmp_path: Path) -> None:
    path = tmp_path / "insight.db"
    async with storing(index, f"sqlite:///{path}", trusted_proxies="192.0.2.0/24") as client:
        headers = {"X-Forwarded-For": "198.51.100.77", "User-Agent": "Browser of somebody", "Cookie": "name=somebody"}
        response = await client.post(f"{PREFIX}/ask", json={"question": "Dark mode for Alice?"}, headers=headers)
        await client.post(FEEDBACK, json={"answer_id": response.json()["answer_id"], "helpful": True}, headers=headers)
    raw = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert response.json()["answer_id"].encode() in raw
    for private in (b"198.51.100", b"192.0.2", b"somebody", b"Alice"):
        assert private not in raw


async def test_tokens_of_a_model_are_counted(index: Path) -> None:
    async with answering(index, saying(GOOD)) as (client, _):
        await ask(client)
        found = await counts(client)
    assert found["trueref_model_tokens_total,sent"] > 100
    assert 0 < found["trueref_model_tokens_total,received"] < 100


def test_a_missing_driver_of_a_database_is_told_with_the_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(extras.PACKAGES, "postgres", ("no_such_driver",))
    with pytest.raises(ExtraMissing) as said:
        open_service(load_settings({"TRUEREF_STORE": "postgresql://127.0.0.1/docs"}))
    assert str(said.value) == (
        "`store` needs the extra `postgres`, of which no_such_driver is not installed: pip install 'trueref[postgres]'"
    )


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("mysql://a/b", "TRUEREF_STORE: is none of sqlite:///FILE and postgresql://"),
        ("insight.db", "TRUEREF_STORE: is none of sqlite:///FILE and postgresql://"),
        ("sqlite:///none/insight.db", "The store none/insight.db cannot be written: the folder none does not exist."),
        ("postgresql://a:b:c@d:e/f", "The address of the store cannot be read"),
    ],
)
def test_an_address_of_a_store_that_cannot_be_is_refused(value: str, line: str) -> None:
    with pytest.raises(OptionError, match=line):
        open_service(load_settings({"TRUEREF_STORE": value}))


async def test_a_file_that_is_no_database_costs_a_line(
    index: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "insight.db"
    path.write_bytes(b"no database\n" * 1000)
    async with storing(index, f"sqlite:///{path}") as client:
        assert (await ask(client))["verdict"] == "answer"
    assert path.read_bytes() == b"no database\n" * 1000, "it is left alone"
    said = {record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING}
    assert said == {"The store cannot be used; answers are given all the same: file is not a database"}
