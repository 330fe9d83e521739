"""Sends server-sent events. The data of each is one line of JSON.

https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response

from trueref_server.events import DoneEvent, ErrorEvent, Event
from trueref_server.http.responses.error_responses import detail_of
from trueref_server.http.responses.leaving import until_left

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

HEADERS = {
    "Cache-Control": "no-store, no-transform",
    # Otherwise nginx holds a response back until its buffer is full.
    "X-Accel-Buffering": "no",
}


def encode_event(event: Event) -> bytes:
    """The bytes of an event. JSON escapes line breaks inside strings, so that the data is always one line."""
    # No heartbeats and no event ids: an answer takes seconds, and the widget reads a `fetch`, which never asks again by
    # itself (`docs/decisions/streaming-response.md`).
    data = event.answer if isinstance(event, DoneEvent) else event
    return b"event: %b\ndata: %b\n\n" % (event.name.encode(), msgspec.json.encode(data))


class EventStream(Response):
    """Sends events as they come, and stops the work when the reader has gone."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[Event]) -> None:
        self.events = events
        self.background = None
        self.status_code = 200
        self.init_headers(HEADERS)

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Send all events, unless the client disconnects first."""
        await until_left(self._send(send), receive)

    async def _send(self, send: Send) -> None:
        """Send the events one by one. An exception ends the stream with an `error` event."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with aclosing(self.events) as events:
            try:
                async for event in events:
                    await send({"type": "http.response.body", "body": encode_event(event), "more_body": True})
            except OSError:
                # The connection broke, so that no `error` event can be sent.
                raise
            except Exception as error:
                _, detail = detail_of(error)
                await send({"type": "http.response.body", "body": encode_event(ErrorEvent(detail)), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
