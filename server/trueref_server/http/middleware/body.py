"""Reads the whole body of a request, and refuses a body that is too long or comes too slowly.

uvicorn passes on a body of any length at any pace. Here the body is read to its end before the application runs, so
that no endpoint gets an unlimited or an incomplete body, chunked or not.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request

from trueref_server.http.responses.error_responses import error_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# The rest of a refused body may be unread, so that the connection cannot carry another request.
CLOSE = {"Connection": "close"}
# Seconds for which the rest of a refused body is read and dropped.
DRAIN_SECONDS = 2.0


class BodyTooLong(Exception):
    """The body is longer than the limit."""


class BodyLimit:
    """Answers 413 to a body over `max_bytes`, and 408 to one that takes over `seconds`."""

    def __init__(self, app: ASGIApp, *, max_bytes: int, seconds: float) -> None:
        self.app = app
        self.max_bytes = max_bytes
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body, then run the application with it."""
        # No endpoint reads a body with these methods.
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            # A declared length is checked before a byte is read. A chunked body declares none, and its bytes are
            # counted.
            declared = request.headers.get("content-length", "0")
            if not declared.isdigit() or len(declared) > 18 or int(declared) > self.max_bytes:
                raise BodyTooLong
            async with asyncio.timeout(self.seconds):
                body = await self._read(request)
        except BodyTooLong:
            message = f"The body is longer than {self.max_bytes} bytes."
            await error_response(413, message, headers=CLOSE)(scope, receive, draining(receive, send))
        except TimeoutError:
            message = f"The body was not complete after {self.seconds:g} seconds."
            await error_response(408, message, headers=CLOSE)(scope, receive, send)
        except ClientDisconnect:
            return
        else:
            await self.app(scope, replay(body, receive), send)

    async def _read(self, request: Request) -> bytes:
        """The whole body. Raises `BodyTooLong` as soon as the limit is passed."""
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > self.max_bytes:
                raise BodyTooLong
        return bytes(body)


def draining(receive: Receive, send: Send) -> Send:
    """A `send` that reads and drops the rest of the request before it ends the response.

    A connection that is closed with unread data is reset, and a client that is still sending would lose the response.
    """

    async def send_then_drain(message: Message) -> None:
        if message["type"] != "http.response.body":
            await send(message)
            return
        await send({"type": "http.response.body", "body": message["body"], "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                while (await receive()).get("more_body", False):
                    pass
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return send_then_drain


def replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body that was read, then the next messages of the connection."""
    is_replayed = False

    async def receive_again() -> Message:
        nonlocal is_replayed
        if is_replayed:
            return await receive()
        is_replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again
