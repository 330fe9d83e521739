"""Checks headers of requests, and adds those that every response of the API carries."""

from __future__ import annotations

import logging
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware

from trueref_core.text.printable import shortened, visible
from trueref_server.http.responses.error_responses import error_response
from trueref_server.rare_log import rare_logger

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger("trueref.server")

TWO_LENGTHS = "A request has a Content-Length or a Transfer-Encoding, and not both."

ORIGIN_MOST = 200
"""Characters of an origin in the log."""

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
DEFAULTS = {
    "Cache-Control": "no-store",
    # Nothing of the API is a page: opened in a browser, it may load and frame nothing.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class SecurityHeaders:
    """Adds the headers; what is cached and what a document may do, an endpoint may say itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application with the headers added to what it sends."""

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(ALWAYS)
                for name, value in DEFAULTS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, add)


class Cors(CORSMiddleware):
    """Starlette's, with its refusal in the shape of all other errors, and a line in the log for who runs the server.

    A browser keeps the refusal to itself: the page has no button, or a panel that says nothing of the reason.
    """

    async def simple_response(self, scope: Scope, receive: Receive, send: Send, request_headers: Headers) -> None:
        """Answer a request without an earlier one that asks for leave."""
        # Of their own site, browsers name the origin with POST alone.
        if scope["method"] == "GET":
            self._tell_refused(request_headers)
        await super().simple_response(scope, receive, send, request_headers)

    def preflight_response(self, request_headers: Headers) -> Response:
        """Answer a browser that asks what another site may send."""
        self._tell_refused(request_headers)
        response = super().preflight_response(request_headers)
        if response.status_code == 200:
            return response
        hint = "Add the origin of the site to TRUEREF_ALLOWED_ORIGINS."
        # Those of the content belong to Starlette's text, which the JSON replaces.
        headers = {name: value for name, value in response.headers.items() if not name.startswith("content-")}
        message = bytes(response.body).decode()
        return error_response(400, message, hint=hint, code="origin-not-allowed", headers=headers)

    @cached_property
    def _log(self) -> logging.Logger:
        return rare_logger(logger)

    def _tell_refused(self, headers: Headers) -> None:
        """Log that a page may not read the answer, at most once a minute."""
        origin = headers.get("origin")
        if origin is not None and not self.is_allowed_origin(origin):
            shown = visible(shortened(origin, ORIGIN_MOST))
            self._log.warning("Browsers keep answers from pages of %s: add it to TRUEREF_ALLOWED_ORIGINS", shown)


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
            refused = error_response(400, TWO_LENGTHS, hint="Send one of them.", headers={"Connection": "close"})
            await refused(scope, receive, send)
        else:
            await self.app(scope, receive, send)
