"""Refuses requests that say in two ways how long they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trueref_server.http.error_responses import error_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

MESSAGE = "A request has a Content-Length or a Transfer-Encoding, and not both."


class OneLength:
    """Answers 400 to a request with a `Content-Length` beside a `Transfer-Encoding`, and ends its connection.

    A proxy before this server may go by the other of the two, and take the end of one request for the beginning of
    another. RFC 9112, section 6.1, lets a server refuse such a request.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application for every other request."""
        if scope["type"] == "http" and {b"content-length", b"transfer-encoding"} <= {
            name for name, _ in scope["headers"]
        }:
            refused = error_response(400, MESSAGE, hint="Send one of them.", headers={"Connection": "close"})
            await refused(scope, receive, send)
        else:
            await self.app(scope, receive, send)
