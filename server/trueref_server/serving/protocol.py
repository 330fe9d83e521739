"""HTTP/1.1 connections with a time limit for the headers of a request, and a limit on the number of connections.

uvicorn would wait for the end of the headers for ever, and refuse a connection in plain text without Retry-After. If
all connections are taken, the one that has been without a request for longest is closed for a new one: a browser keeps
its connections open after a page has come, and somebody who wants to keep others out would do the same.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from trueref_server.http.responses.error_responses import busy_response

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

HEADER_SECONDS = 10.0
RETRY_SECONDS = 5


class TimedProtocol(H11Protocol):
    """Closes a connection whose request headers are not complete in time, or which sends nothing at first."""

    max_connections = 512
    """Connections of this server that are answered at the same time."""

    _deadline: asyncio.TimerHandle | None = None
    _waits_since: float = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock. If there are too many connections and none can be closed, refuse the requests of it."""
        super().connection_made(transport)
        self._waits_since = time.monotonic()
        if len(self.connections) > self.max_connections and not self._make_room():
            # uvicorn's own refusal is plain text without Retry-After.
            self.app = _too_many_connections
        self._arm()

    def data_received(self, data: bytes) -> None:
        """Stop the clock once the headers are there; start it when the next request has begun."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._disarm()
        elif self._deadline is None:
            self._arm()

    def on_response_complete(self) -> None:
        """Note since when there is no request."""
        super().on_response_complete()
        self._waits_since = time.monotonic()

    def _should_upgrade(self) -> bool:
        """Stay with HTTP/1.1, whatever else a client offers: uvicorn would tell the operator to install a library."""
        return False

    def _make_room(self) -> bool:
        """Close the connection that has waited longest; False if all have a request."""
        connections = cast("set[TimedProtocol]", self.connections)
        # Idle: no request is being answered, and the headers of none have come whole.
        waiting = [other for other in connections if other is not self and other.conn.their_state is h11.IDLE]
        if not waiting:
            return False
        longest = min(waiting, key=lambda other: other._waits_since)
        longest.transport.abort()
        # uvicorn is told of it only later.
        self.connections.discard(longest)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._disarm()
        super().connection_lost(exc)

    def _arm(self) -> None:
        """Start the clock for the next request, whose connection is closed if it does not begin in time."""
        self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


async def _too_many_connections(scope: Scope, receive: Receive, send: Send) -> None:
    """The application of a connection for which there is no room."""
    message = "The server has as many connections open as it may have."
    await busy_response(503, message, RETRY_SECONDS, {"Connection": "close"})(scope, receive, send)
