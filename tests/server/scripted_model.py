"""A server that speaks Chat Completions as a script says: the adversary of the tests, over a real connection."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

Piece = str | dict[str, Any]
"""A piece of an answer, or a whole chunk of the protocol where it says more than a piece of text."""


@dataclass(frozen=True)
class Raw:
    """A body that is no stream of the protocol, or a broken one."""

    body: bytes
    media_type: str = "text/event-stream"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])


Script = Callable[[list[dict[str, str]]], "Sequence[Piece] | Raw | int"]
"""From the messages to the pieces of the answer, to a body as it is, or to the status of a refusal."""


@dataclass
class ScriptedModel:
    """Where it listens, what it was asked, how many of its streams began, and how many were left before their end."""

    script: Script
    pause: float = 0.0
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    begun: int = 0
    left: int = 0

    async def complete(self, request: Request) -> Response:
        body = await request.json()
        self.asked.append(body | {"authorization": request.headers.get("authorization", "")})
        said = self.script(body["messages"])
        if isinstance(said, int):
            return JSONResponse({"error": {"message": "refused"}}, said)
        if isinstance(said, Raw):
            return Response(said.body, said.status, said.headers, said.media_type)
        return _ClosedStream(self._stream(said), media_type="text/event-stream")

    async def _stream(self, pieces: Sequence[Piece]) -> AsyncGenerator[str]:
        done = False
        self.begun += 1
        try:
            yield _chunk({"role": "assistant", "content": None})
            for piece in pieces:
                await asyncio.sleep(self.pause)
                yield _chunk({"content": piece}) if isinstance(piece, str) else f"data: {json.dumps(piece)}\n\n"
            # Some servers send the count of tokens like this.
            yield 'data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[]}\n\n'
            yield "data: [DONE]\n"
            done = True
        finally:
            self.left += not done


class _ClosedStream(StreamingResponse):
    """A stream that is closed when its reader leaves, wherever it is then.

    Between two pieces nothing waits in the generator that the end of the connection would interrupt: it would end when
    it is collected as garbage, which may be never.
    """

    def __init__(self, pieces: AsyncGenerator[str], media_type: str) -> None:
        super().__init__(pieces, media_type=media_type)
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._pieces):
            await super().__call__(scope, receive, send)


def chunk(delta: dict[str, Any], finish_reason: str | None = None, **fields: Any) -> dict[str, Any]:
    """A chunk of the protocol; `fields` are those beside its choices."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice], **fields}


def _chunk(delta: dict[str, Any]) -> str:
    return f"data: {json.dumps(chunk(delta))}\n\n"


@contextmanager
def scripted_model(script: Script, pause: float = 0.0) -> Generator[ScriptedModel]:
    """A running server on a free port of this machine."""
    model = ScriptedModel(script, pause)
    app = Starlette(routes=[Route("/v1/chat/completions", model.complete, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    ready = threading.Event()
    started = server.startup

    async def startup(*given: Any, **named: Any) -> None:
        await started(*given, **named)
        ready.set()

    server.startup = startup  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    ready.wait()
    model.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/v1"
    try:
        yield model
    finally:
        server.should_exit = True
        thread.join()
