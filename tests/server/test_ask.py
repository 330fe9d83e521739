from __future__ import annotations

import asyncio
import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.server.connecting import PREFIX, connect, events_of

if TYPE_CHECKING:
    import httpx

pytestmark = pytest.mark.anyio

ASK = f"{PREFIX}/ask"
QUESTION = "How do I switch on dark mode?"
LONG = "x" * 2001


async def test_an_answer_in_one_piece_has_text_sources_verdict_and_timings(client: httpx.AsyncClient) -> None:
    answer = (await client.post(ASK, json={"question": QUESTION})).json()
    assert "Dark mode is switched on with the palette toggle." in answer["text"]
    assert answer["sources"][0]["href"] == "setup/colors/#dark-mode"
    assert answer["sources"][0]["url"] == "https://docs.example.org/demo/setup/colors/#dark-mode"
    assert answer["verdict"] == "answer"
    assert answer["mode"] == "extractive"
    assert answer["timings"]["total"] >= answer["timings"]["search"] > 0


async def test_an_answer_as_a_stream_begins_with_its_sources_and_ends_with_the_whole(client: httpx.AsyncClient) -> None:
    response = await client.post(ASK, json={"question": QUESTION, "stream": True})
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["x-accel-buffering"] == "no"
    events = events_of(response.text)
    names = [name for name, _ in events]
    assert names[0] == "sources"
    assert names[-1] == "done"
    assert set(names[1:-1]) == {"delta"}
    done = events[-1][1]
    assert events[0][1]["sources"] == done["sources"]
    assert "".join(data["text"] for name, data in events if name == "delta") == done["text"]


async def test_stream_and_piece_say_the_same(client: httpx.AsyncClient) -> None:
    whole = (await client.post(ASK, json={"question": QUESTION})).json()
    stream = await client.post(ASK, json={"question": QUESTION, "stream": True})
    done = events_of(stream.text)[-1][1]
    for answer in (whole, done):
        del answer["answer_id"], answer["timings"]
    assert done == whole


@pytest.mark.parametrize(
    "question", ["\N{THINKING FACE}", "?", "a" * 2000, "--no-deps", "'; DROP TABLE chunks", "\x00"]
)
async def test_odd_questions_get_an_answer(client: httpx.AsyncClient, question: str) -> None:
    response = await client.post(ASK, json={"question": question})
    assert response.status_code == 200
    assert response.json()["verdict"] in ("answer", "closest", "not-found")


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, "question"),
        ({"question": ""}, "question"),
        ({"question": " \n\t "}, "question"),
        ({"question": LONG}, "2001 characters, more than 2000"),
        ({"question": 1}, "$.question"),
        ({"question": None}, "$.question"),
        ({"question": "a", "stream": "yes"}, "$.stream"),
        ({"question": "a", "history": [{"answer": "b"}]}, "$.history[0]"),
        ({"question": "a", "history": [{"question": "b"}] * 11}, "11 exchanges, more than 10"),
        ({"question": "a", "history": [{"question": "b", "answer": "c" * 20_000}]}, "20001 characters"),
        ({"question": "a", "page": "x" * 3000}, "$.page"),
        ({"question": "a", "model": "b"}, "model"),
        ([], "object"),
    ],
)
async def test_a_wrong_field_is_named_with_a_hint(client: httpx.AsyncClient, body: Any, named: str) -> None:
    response = await client.post(ASK, json=body)
    assert response.status_code == 422
    error = response.json()["error"]
    assert error["code"] == "invalid"
    assert named in error["message"]
    assert error["hint"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"question", b'{"question": "\xff"}', b'{"question": "\\ud800"}', b"\xef\xbb\xbf{}"]
)
async def test_a_body_that_is_not_json_is_refused(client: httpx.AsyncClient, body: bytes) -> None:
    response = await client.post(ASK, content=body, headers={"content-type": "application/json"})
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "malformed"


async def test_deep_nesting_is_refused(client: httpx.AsyncClient) -> None:
    body = b'{"question": "a", "other": ' + b"[" * 60_000
    response = await client.post(ASK, content=body, headers={"content-type": "application/json"})
    assert response.status_code in (400, 422)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
async def test_other_content_types_are_refused(client: httpx.AsyncClient, content_type: str) -> None:
    response = await client.post(ASK, content=b'{"question": "a"}', headers={"content-type": content_type})
    assert response.status_code == 415


async def test_a_content_type_with_a_charset_is_taken(client: httpx.AsyncClient) -> None:
    headers = {"content-type": "Application/JSON; charset=utf-8"}
    response = await client.post(ASK, content=b'{"question": "dark mode"}', headers=headers)
    assert response.status_code == 200


async def test_conversation_and_place_are_taken(client: httpx.AsyncClient) -> None:
    body = {
        "question": "And dark mode?",
        "history": [{"question": "How do I set colors?", "answer": "In the configuration [1]."}],
        "page": "setup/colors/",
        "version": None,
        "language": "en",
    }
    assert (await client.post(ASK, json=body)).status_code == 200


async def test_without_an_index_a_question_is_refused_whole_and_streamed(tmp_path: Path) -> None:
    async with connect(tmp_path / "none") as client:
        for stream in (False, True):
            response = await client.post(ASK, json={"question": QUESTION, "stream": stream})
            assert response.status_code == 503
            assert response.json()["error"] == {
                "code": "index-unavailable",
                "message": "The server has no index that it can read.",
                "hint": "The server's log says why, and what to do about it.",
                "retry_after": None,
            }
            assert response.headers["retry-after"]


async def test_as_many_questions_are_answered_at_once_as_there_are_slots(index: Path) -> None:
    """Of many questions at once, as many as there are slots are answered, and a slot comes back after each."""
    async with connect(index, max_answers=2, max_answers_of_network=2) as client:
        await client.get(f"{PREFIX}/readyz")
        for _ in range(2):
            responses = await asyncio.gather(*(client.post(ASK, json={"question": QUESTION}) for _ in range(6)))
            assert sorted(response.status_code for response in responses) == [200] * 2 + [429] * 4
            busy = next(response for response in responses if response.status_code == 429)
            assert busy.json()["error"] == {
                "code": "too-many-requests",
                "message": "The server is busy with other answers.",
                "hint": "Try again in 2 seconds.",
                "retry_after": 2,
            }
            assert busy.headers["retry-after"] == "2"


async def test_the_log_says_once_when_few_slots_are_left(index: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with connect(index, max_answers=5, max_answers_of_network=5) as client:
            await client.get(f"{PREFIX}/readyz")
            for _ in range(2):
                await asyncio.gather(*(client.post(ASK, json={"question": QUESTION}) for _ in range(4)))
            assert "the limit is max_answers" not in caplog.text
            for _ in range(2):
                await asyncio.gather(*(client.post(ASK, json={"question": QUESTION}) for _ in range(5)))
    assert caplog.text.count("5 of 5 answers are under way: the limit is max_answers") == 1


async def test_one_network_holds_a_part_of_the_answers_in_flight(index: Path) -> None:
    """Half of the slots are left for others, however many questions it sends; and all come back."""
    async with connect(index, max_answers=5, trusted_proxies="192.0.2.0/24") as client:
        await client.get(f"{PREFIX}/readyz")

        async def ask(network: int, host: int) -> httpx.Response:
            # Neighbours share a network; `X-Forwarded-For` is believed from the proxy that the client stands for.
            headers = {"x-forwarded-for": f"198.51.{network}.{host}"}
            return await client.post(ASK, json={"question": QUESTION}, headers=headers)

        for _ in range(3):
            greedy = [ask(1, host) for host in range(12)]
            *refused, first, second = await asyncio.gather(*greedy, ask(2, 1), ask(3, 1))
            statuses = sorted(response.status_code for response in refused)
            assert statuses == [200] * 3 + [429] * 9
            assert (first.status_code, second.status_code) == (200, 200)
            busy = next(response for response in refused if response.status_code == 429)
            assert busy.json()["error"]["message"] == "The server is busy with other answers to this network."
            assert busy.headers["retry-after"] == "2"


async def test_a_failure_in_the_middle_of_a_stream_is_an_event(
    index: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    copy = tmp_path / "index"
    shutil.copytree(index, copy)
    async with connect(copy) as client:
        await client.get(f"{PREFIX}/readyz")
        shutil.rmtree(copy / "builds")
        response = await client.post(ASK, json={"question": QUESTION, "stream": True})
    name, data = events_of(response.text)[-1]
    assert name == "error"
    assert data["error"]["code"] == "index-unavailable"
    assert data["error"]["message"] == "The server has no index that it can read."
    assert "The index is damaged: " in caplog.text
    assert "Traceback" not in response.text
