from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.connecting import PREFIX

from trueref_server.events import DeltaEvent, ErrorEvent, Event, pieces
from trueref_server.http.responses.sse import EventStream, encode_event
from trueref_server.records import ErrorDetail
from trueref_server.serving.app import create_app, open_service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    from starlette.types import Message


@given(st.text())
def test_an_event_is_one_line_of_json(text: str) -> None:
    encoded = encode_event(DeltaEvent(text)).decode()
    assert encoded.count("\n") == 3
    assert encoded.endswith("\n\n")
    assert "\r" not in encoded
    assert json.loads(encoded.split("\ndata: ")[1]) == {"text": text}


def test_an_event_is_written_with_its_name() -> None:
    assert encode_event(ErrorEvent(ErrorDetail("a", "b", "c"))).startswith(b"event: error\ndata: {")


@given(st.lists(st.sampled_from(["a", "\n", "\n\n", "```", " ", "\r\n", "b c."])).map("".join))
def test_the_pieces_of_any_text_join_to_it(text: str) -> None:
    assert "".join(pieces(text)) == text
    assert all(pieces(text))


def test_pieces_are_paragraphs_and_whole_code_blocks() -> None:
    text = "One.\n\nTwo:\n\n```py\na\n\nb\n```\n\nThree."
    assert pieces(text) == ["One.\n\n", "Two:\n\n", "```py\na\n\nb\n```\n\n", "Three."]


def test_pieces_are_found_in_linear_time() -> None:
    assert len(pieces("a\n\n" * 200_000)) == 200_000


class Reader:
    """A client of one response, who may leave after a number of events."""

    def __init__(self, leave_after: int | None = None, body: bytes | None = None) -> None:
        self.leave_after = leave_after
        self.body = body
        self.bodies: list[bytes] = []
        self.left = asyncio.Event()
        self.ended = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.body":
            self.bodies.append(message["body"])
            self.ended = self.ended or not message["more_body"]
        if self.leave_after is not None and len(self.bodies) >= self.leave_after:
            self.left.set()
        await asyncio.sleep(0)

    async def receive(self) -> Message:
        if self.body is not None:
            body, self.body = self.body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}


async def answer(reader: Reader, events: AsyncGenerator[Event]) -> None:
    await EventStream(events)({"type": "http"}, reader.receive, reader.send)


@pytest.mark.anyio
async def test_work_ends_when_the_reader_leaves() -> None:
    closed = False

    async def endless() -> AsyncGenerator[Event]:
        nonlocal closed
        try:
            while True:
                yield DeltaEvent("more")
                await asyncio.sleep(0)
        finally:
            closed = True

    reader = Reader(leave_after=3)
    await answer(reader, endless())
    assert closed
    assert not reader.ended


@pytest.mark.anyio
async def test_work_ends_when_the_reader_leaves_while_nothing_is_sent() -> None:
    closed = False

    async def stuck() -> AsyncGenerator[Event]:
        nonlocal closed
        try:
            yield DeltaEvent("one")
            await asyncio.Event().wait()
        finally:
            closed = True

    await answer(Reader(leave_after=1), stuck())
    assert closed


@pytest.mark.anyio
async def test_a_failure_becomes_an_event_that_tells_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    async def failing() -> AsyncGenerator[Event]:
        yield DeltaEvent("one")
        raise ZeroDivisionError("secret")

    reader = Reader()
    await answer(reader, failing())
    assert reader.bodies[1].startswith(b'event: error\ndata: {"error":{"code":"internal"')
    assert b"secret" not in b"".join(reader.bodies)
    assert "secret" in caplog.text
    assert reader.ended


@pytest.mark.anyio
async def test_a_slot_comes_back_when_the_reader_leaves(index: Path) -> None:
    """Driven as a server would: the reader leaves after the first event of a stream, with one slot in all."""
    body = json.dumps({"question": "dark mode", "stream": True}).encode()
    settings = Settings(index=index, max_answers=1)
    service = open_service(settings)
    app = create_app(settings, service=service)
    for _ in range(3):
        reader = Reader(leave_after=1, body=body)
        await app(post(body), reader.receive, reader.send)
        assert reader.bodies[0].startswith(b"event: sources")
    await service.close()


def post(body: bytes) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": f"{PREFIX}/ask",
        "raw_path": f"{PREFIX}/ask".encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())],
        "client": ("192.0.2.1", 1),
        "server": ("docs.test", 80),
    }
