"""A reader who leaves at the very moment at which the endpoint answers: the request ends all the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import openai
import pytest

from trueref_server.model.asking.endpoint import ModelEndpoint
from trueref_server.settings import Settings

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Client:
    """What the SDK gives, with an answer of which the headers or the body arrive when `arrived` has a result."""

    def __init__(self, moment: str) -> None:
        self.moment = moment
        self.waiting = asyncio.Event()
        self.arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.went_on = False
        create = SimpleNamespace(create=self.request)
        self.chat = SimpleNamespace(completions=SimpleNamespace(with_streaming_response=create))

    async def wait(self, moment: str) -> None:
        if moment == self.moment:
            self.waiting.set()
            await self.arrived

    @asynccontextmanager
    async def request(self, **_: Any) -> AsyncGenerator[Any]:
        await self.wait("headers")
        yield SimpleNamespace(headers={"content-type": "text/event-stream"}, iter_bytes=self.body)

    async def body(self) -> AsyncGenerator[bytes]:
        await self.wait("body")
        yield b": thinking\n\n"
        self.went_on = True


@pytest.mark.parametrize("moment", ["headers", "body"])
async def test_a_reader_who_leaves_as_the_answer_arrives_ends_the_request(
    monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Without this, the request went on for as long as a model may take, and kept its slot."""
    client = Client(moment)

    def give_client(**_: Any) -> Client:
        return client

    monkeypatch.setattr(openai, "AsyncOpenAI", give_client)
    endpoint = ModelEndpoint(Settings(model_url="http://127.0.0.1:9/v1", model_name="tiny"))
    asking = asyncio.ensure_future(anext(endpoint.stream([], deadline=1e9)))
    await client.waiting.wait()
    client.arrived.set_result(None)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not client.went_on
