"""HTTP/1.1 connections with time limits for slow clients, and a limit on the number of connections.

uvicorn would wait for ever for the end of the headers, for the end of a body that comes after the response to it, and
for a client that does not read its response; it would refuse a connection, and a request that it cannot read, in plain
text. If all connections are taken, the one without a request for longest is closed for the new one: browsers keep
connections open after a page is loaded, and an attacker who wants to keep others out would do the same.
"""

from __future__ import annotations

import asyncio
import socket
import time
from typing import TYPE_CHECKING, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from trueref_server.http.middleware.headers import Cors, SecurityHeaders
from trueref_server.http.responses.error_responses import busy_response, error_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from trueref_server.settings import Settings

HEADER_SECONDS = 10.0
SEND_SECONDS = 30.0
"""Seconds in which a client has to read on once 64 KB of its response wait in this process. A client that reads 10 KB
in a second is in time."""
UNSENT_BYTES = 65_536
"""The most bytes of a response that the system keeps unsent, where it has such a limit. Linux would keep up to 4 MB,
and take no more until a third of that is read: a slow client would be taken for one that does not read."""
RETRY_SECONDS = 5
HEADER_BYTES = 16_384
"""The most bytes of an address and headers together."""
UNREADABLE_HINT = f"Send HTTP/1.1, with an address and headers of at most {HEADER_BYTES:,} bytes together."


def protocol_class(settings: Settings) -> type[TimedProtocol]:
    """The protocol of a server with its limit and its origins. uvicorn makes instances without arguments of ours."""
    # Without the CORS headers, a page of another origin could not read the refusal.
    refusal = SecurityHeaders(Cors(_too_many_connections, settings.allowed_origins))
    return type("Protocol", (TimedProtocol,), {"max_connections": settings.max_connections, "refusal": refusal})


class TimedProtocol(H11Protocol):
    """Closes a connection that does not send the whole headers of its first or next request in time.

    What still comes of the body of a request that is answered already counts for the time of the next request. A
    connection is also closed if its client does not read the response.
    """

    max_connections: int
    """The most connections that are open at the same time."""

    refusal: ASGIApp
    """The application of a connection that is over the limit."""

    _deadline: asyncio.TimerHandle | None = None
    _send_deadline: asyncio.TimerHandle | None = None
    _idle_since: float = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock. If there are too many connections and none is idle, refuse the requests of this one."""
        super().connection_made(transport)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            connection: socket.socket = transport.get_extra_info("socket")
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        self._idle_since = time.monotonic()
        if len(self.connections) > self.max_connections and not self._make_room():
            # uvicorn's own refusal is plain text without Retry-After.
            self.app = self.refusal
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

    def pause_writing(self) -> None:
        """Start the clock for the client to read on: with open connections that it does not read it could take all."""
        super().pause_writing()
        # Not `close`, which waits until all is sent.
        self._send_deadline = self.loop.call_later(SEND_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the clock, since the client has read."""
        self._stop_send_clock()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse an invalid request. If its response has begun, only the end of the connection can tell."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            refused = error_response(400, msg, hint=UNREADABLE_HINT, headers={"Connection": "close"})
            response = h11.Response(status_code=400, headers=refused.raw_headers, reason=b"Bad Request")
            for event in (response, h11.Data(data=bytes(refused.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
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
        """Stop both clocks."""
        self._stop_clock()
        self._stop_send_clock()
        super().connection_lost(exc)

    def _start_clock(self) -> None:
        """Close the connection after `HEADER_SECONDS`, unless the clock is stopped before."""
        self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop_clock(self) -> None:
        """Cancel the timer that would close the connection, if one runs."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _stop_send_clock(self) -> None:
        """Cancel the timer that would end a response which the client does not read, if one runs."""
        if self._send_deadline is not None:
            self._send_deadline.cancel()
            self._send_deadline = None


async def _too_many_connections(scope: Scope, receive: Receive, send: Send) -> None:
    """The application of a connection that is over the limit."""
    message = "The server has as many connections open as it may have."
    await busy_response(503, message, RETRY_SECONDS, {"Connection": "close"})(scope, receive, send)
