"""Endpoints of models that fail, and readers who leave: the docs answer, and no request goes on."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.server.connecting import connect
from tests.server.model.test_answerer import GOOD, QUESTION, answering, ask, saying
from tests.server.scripted_model import Piece, Raw, chunk, scripted_model
from tests.waiting import wait_until

from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

pytestmark = pytest.mark.anyio

STREAM = "text/event-stream"
MB = 1 << 20


def event(value: object) -> str:
    return f"data: {json.dumps(value)}\n\n"


SAID = event(chunk({"content": GOOD}))
END = "data: [DONE]\n\n"


@pytest.mark.parametrize(
    ("body", "media_type", "message"),
    [
        # Half a sentence may say the opposite of the whole one.
        (SAID + event(chunk({"content": " Never run"})), STREAM, "it broke off before"),
        (SAID + 'data: {"choices": [{"delta": {"content": "Da', STREAM, "incomplete JSON"),
        (SAID + event({"error": {"message": "overloaded secret-key"}}), STREAM, "it says that it failed"),
        (SAID + event({"error": "overloaded"}), STREAM, "it says that it failed"),
        ("<h1>Welcome</h1>", "text/html", "it sent text/html and no text: check TRUEREF_MODEL_URL"),
        (json.dumps({"error": {"message": "no"}}), "application/json", "it says that it failed"),
        ("", STREAM, "it sent no text"),
        (event(5) + END, STREAM, "it sent no text"),
        (event(chunk({"tool_calls": [{"index": 0, "function": {"name": "rm"}}]}, "tool_calls")), STREAM, "no text"),
        (event(chunk({"refusal": "I cannot help."})) + END, STREAM, "its model declined to answer"),
        (event(chunk({}, "length")) + END, STREAM, "it sent no text"),
        (f"data: {'[' * 200_000}\n\n", STREAM, "incomplete JSON"),
        (f"data: {' ' * 10 * MB}{SAID[6:]}{END}", STREAM, "an event of more than 4 MB"),
        (event(chunk({"content": "x" * 10 * MB})) + END, STREAM, "an event of more than 4 MB"),
        (f": {' ' * MB}\n" * 70, STREAM, "more than 64 MB"),
        (" " * 10 * MB, "application/json", "an event of more than 4 MB"),
    ],
)
async def test_a_body_that_is_no_whole_answer_leaves_the_answer_to_the_docs(
    index: Path, body: str, media_type: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with answering(index, lambda _: Raw(body.encode(), media_type)) as (client, _):
            answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert message in caplog.text
    assert "secret-key" not in caplog.text


NO_CHUNKS: list[object] = [5, None, [], "x", {}, {"choices": 5}, {"choices": {}}, {"choices": [None]}]
NO_TEXTS: list[object] = [5, None, {}, [5, {"type": "thinking", "text": "Hm."}]]


@pytest.mark.parametrize(
    "odd",
    [
        *map(event, NO_CHUNKS),
        *(event(chunk({"content": content})) for content in NO_TEXTS),
        event(chunk({}, usage={"prompt_tokens": "x", "completion_tokens": -5})),
        ": a comment\n\nevent: ping\nid: 5\n\n\n\n",
        SAID.replace(GOOD, "").replace("data: ", "data:").replace("\n", "\r\n"),
    ],
)
async def test_what_is_no_chunk_of_an_answer_is_left_out(index: Path, odd: str) -> None:
    async with answering(index, lambda _: Raw(f"{odd}{SAID}{odd}{END}".encode())) as (client, _):
        answer = await ask(client)
    assert (answer["mode"], answer["fallback"], answer["text"]) == ("model", "", GOOD)


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (json.dumps({"choices": [{"message": {"content": GOOD}, "finish_reason": "stop"}]}), "application/json"),
        (event(chunk({"content": [{"type": "text", "text": GOOD}]})) + END, STREAM),
        # Neither is at the end of every stream.
        (SAID + event(chunk({}, "stop")), STREAM),
        (SAID + END.rstrip(), STREAM),
        (SAID + END, "text/plain; charset=utf-8"),
        (f"data: {json.dumps(chunk({'content': GOOD}), indent=1)}".replace("\n", "\ndata: ") + f"\n\n{END}", STREAM),
    ],
)
async def test_an_answer_in_another_shape_is_read(index: Path, body: str, media_type: str) -> None:
    async with answering(index, lambda _: Raw(body.encode(), media_type)) as (client, _):
        answer = await ask(client)
    assert (answer["mode"], answer["fallback"], answer["text"]) == ("model", "", GOOD)


async def test_the_halves_of_a_character_are_put_together(index: Path) -> None:
    halves = event(chunk({"content": f"{GOOD} \ud83d"})) + event(chunk({"content": "\ude00 [1] \ud83d"}))
    async with answering(index, lambda _: Raw(f"{halves}{END}".encode())) as (client, _):
        answer = await ask(client)
    assert (answer["mode"], answer["text"].rstrip()) == ("model", f"{GOOD} \U0001f600 [1]")


async def test_a_refusal_is_logged_with_its_code(index: Path, caplog: pytest.LogCaptureFixture) -> None:
    error = {"message": "The prompt is too long for secret-key", "code": "context_length_exceeded"}
    body = json.dumps({"error": error}).encode()
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with answering(index, lambda _: Raw(body, "application/json", 400)) as (client, _):
            await ask(client)
    assert "HTTP 400 (context_length_exceeded)" in caplog.text
    assert "secret-key" not in caplog.text


@pytest.mark.parametrize("pieces", [(), ("\n",), ("<think>Hm.</think>",), (chunk({"reasoning_content": "Hm."}),)])
async def test_an_endpoint_that_sends_no_text_leaves_the_answer_to_the_docs(
    index: Path, pieces: Sequence[Piece], caplog: pytest.LogCaptureFixture
) -> None:
    """As one does whose address lacks its `/v1`, and which answers with a page of its own."""
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with answering(index, lambda _: pieces) as (client, model):
            answer = await ask(client)
            await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert "it sent no text" in caplog.text
    assert len(model.asked) == 2, "the answer is not kept: the endpoint may be mended"


@pytest.mark.parametrize("status", [401, 404, 429, 500])
async def test_an_endpoint_that_refuses_leaves_the_answer_to_the_docs(
    index: Path, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with answering(index, lambda _: status) as (client, model):
            answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert f"HTTP {status}" in caplog.text
    assert "secret-key" not in caplog.text
    # What may pass is tried again, once.
    assert len(model.asked) == (2 if status in (429, 500) else 1)


@pytest.mark.parametrize(
    ("wait", "times"), [("0.1", 2), ("60", 1), ("999999999", 1), ("Wed, 21 Oct 2026 07:28:00 GMT", 2)]
)
async def test_an_endpoint_that_asks_to_wait_long_keeps_no_reader_waiting(
    index: Path, wait: str, times: int, caplog: pytest.LogCaptureFixture
) -> None:
    """An answer that waits holds the place of another one: `max_answers` of them, and nobody else is answered."""
    refusal = Raw(b"{}", "application/json", 429, {"Retry-After": wait})
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with answering(index, lambda _: refusal, model_seconds=50) as (client, model):
            answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    # Not that it took too long: whoever waits does so until the time of an answer is over.
    assert "HTTP 429" in caplog.text
    assert len(model.asked) == times


@pytest.mark.parametrize("status", [301, 307])
async def test_no_question_goes_to_an_address_that_an_endpoint_redirects_to(
    index: Path, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "trueref.server"), scripted_model(saying(GOOD)) as elsewhere:
        target = {"Location": f"{elsewhere.url}/chat/completions"}
        async with answering(index, lambda _: Raw(b"", "text/plain", status, target)) as (client, _):
            answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert elsewhere.asked == []
    assert f"it redirects (HTTP {status}): set TRUEREF_MODEL_URL to the address" in caplog.text


async def test_an_endpoint_that_is_not_there_leaves_the_answer_to_the_docs(
    index: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with connect(index, model_url="http://127.0.0.1:9/v1", model_name="tiny") as client:
            answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert "it cannot be reached or is no HTTP server (ConnectError): check that it runs" in caplog.text


async def test_a_model_that_is_too_slow_is_left_and_the_docs_answer(index: Path) -> None:
    """Its pieces come one after the other, and would take longer than any machine does to ask for them."""
    async with answering(index, saying(GOOD * 1_000), pause=0.4, model_seconds=1) as (client, model):
        answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    # A busy machine may need so long for the request that the model is never asked.
    await asyncio.to_thread(wait_until, lambda: model.left == len(model.asked))


async def test_a_reader_who_leaves_ends_the_request(index: Path) -> None:
    with scripted_model(saying(f"{GOOD}\n" * 3, 1), pause=0.05) as model:
        given = {"index": index, "model_url": model.url, "model_name": "tiny"}
        service = Service(load_settings({}, options=given))
        events = service.ask(Question(QUESTION))
        async for event in events:
            if event.name == "delta":
                break
        await events.aclose()
        await asyncio.to_thread(wait_until, lambda: model.left)
        await service.close()
