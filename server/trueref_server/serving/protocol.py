"""HTTP/1.1 connections with a time limit for what the application does not read, and a limit on their number.

uvicorn would wait for ever for the end of the headers, and for the end of a body that comes after the response to it;
it would refuse a connection in plain text without Retry-After. If all connections are taken, the one without a request
for longest is closed for the new one: browsers keep connections open after a page is loaded, and an attacker who wants
to keep others out would do the same.
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
    """Closes a connection that does not send the whole headers of its first or next request in time.

    What still comes of the body of a request that is answered already counts for the time of the next request.
    """

    max_connections = 512
    """The most connections that are open at the same time."""

    _deadline: asyncio.TimerHandle | None = None
    _idle_since: float = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock. If there are too many connections and none is idle, refuse the requests of this one."""
        super().connection_made(transport)
        self._idle_since = time.monotonic()
        if len(self.connections) > self.max_connections and not self._make_room():
            # uvicorn's own refusal is plain text without Retry-After.
            self.app = _too_many_connections
        self._start_clock()

    def data_received(self, data: bytes) -> None:
        """Stop the clock once the headers are complete. Start it when something comes after the response."""
        super().data_received(data)
        if not self._is_idle():
            self._stop_clock()
        elif self._deadline is None:
            self._start_clock()

    def on_response_complete(self) -> None:
        """Note the time since which the connection has no request."""
        super().on_response_complete()
        self._idle_since = time.monotonic()

    def send_400_response(self, msg: str) -> None:
        """Refuse an invalid request. If its response has begun, only the end of the connection can tell."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def _should_upgrade(self) -> bool:
        """Stay with HTTP/1.1, whatever else a client offers: uvicorn would tell the operator to install a library."""
        return False

    def _is_idle(self) -> bool:
        """Whether no request is being answered, and the headers of the next one are not complete."""
        # Ours is DONE while the rest of a body is still to come after the response.
        return self.conn.their_state is h11.IDLE or self.conn.our_state is h11.DONE

    def _make_room(self) -> bool:
        """Close the connection that has been idle for longest; False if every connection has a request."""
        connections = cast("set[TimedProtocol]", self.connections)
        idle = [other for other in connections if other is not self and other._is_idle()]
        if not idle:
            return False
        longest_idle = min(idle, key=lambda other: other._idle_since)
        longest_idle.transport.abort()
        # uvicorn itself removes the connection only later.
        self.connections.discard(longest_idle)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().connection_lost(exc)

    def _start_clock(self) -> None:
        """Close the connection after `HEADER_SECONDS`, unless the clock is stopped before."""
        self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop_clock(self) -> None:
        """Cancel the timer that would close the connection, if one runs."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


async def _too_many_connections(scope: Scope, receive: Receive, send: Send) -> None:
    """The application of a connection that is over the limit."""
    message = "The server has as many connections open as it may have."
    await busy_response(503, message, RETRY_SECONDS, {"Connection": "close"})(scope, receive, send)
