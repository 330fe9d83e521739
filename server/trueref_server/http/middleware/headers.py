"""Checks headers of requests, and adds those that every response of the API carries."""

from __future__ import annotations

import logging
from collections.abc import Sequence
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

MAX_ORIGIN = 200
"""The log shows at most this many characters of an origin."""

SET_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
DEFAULT_HEADERS = {
    "Cache-Control": "no-store",
    # No response of the API is a page. Opened in a browser, it may load nothing and be framed nowhere.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class SecurityHeaders:
    """Adds security headers to every response. An endpoint may set those of `DEFAULT_HEADERS` itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application with the headers added to what it sends."""

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(SET_HEADERS)
                for name, value in DEFAULT_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, add)


class Cors(CORSMiddleware):
    """Starlette's CORS middleware, with refusals as JSON errors, and with a warning in the log.

    The warning is for who runs the server: a browser does not tell the page why a request was refused, so that readers
    see no button, or a panel without a reason.

    Args:
        app: The application.
        origins: The other sites whose pages may read the responses; `*` is every site.
    """

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=("GET", "POST"),
            # Browsers send a preflight for a range of the last bytes, and for a range of a file that has not changed.
            allow_headers=("Range", "If-Range"),
            # With Accept-Ranges the widget fetches only the ranges of a document that it shows. Content-Range says
            # which bytes came, or how many there are.
            expose_headers=("Retry-After", "Accept-Ranges", "Content-Range", "ETag"),
            max_age=3600,
        )

    async def simple_response(self, scope: Scope, receive: Receive, send: Send, request_headers: Headers) -> None:
        """Answer a request that needs no preflight."""
        # With POST browsers name the origin of the server's own site, too, which need not be in the list.
        if scope["method"] == "GET":
            self._log_refused(request_headers)
        await super().simple_response(scope, receive, send, request_headers)

    def preflight_response(self, request_headers: Headers) -> Response:
        """Answer a preflight, in which a browser asks what another site may send."""
        self._log_refused(request_headers)
        response = super().preflight_response(request_headers)
        if response.status_code == 200:
            return response
        code, hint = self._reason(request_headers)
        # The headers of the content describe Starlette's text, which the JSON replaces.
        headers = {name: value for name, value in response.headers.items() if not name.startswith("content-")}
        message = bytes(response.body).decode()
        return error_response(400, message, hint=hint, code=code, headers=headers)

    def _reason(self, headers: Headers) -> tuple[str, str]:
        """The code and the hint for a preflight that is refused."""
        if not self.is_allowed_origin(headers["origin"]):
            return "origin-not-allowed", "Add the origin of the site to TRUEREF_ALLOWED_ORIGINS."
        methods, names = " or ".join(self.allow_methods), ", ".join(self.allow_headers)
        hint = f"Send {methods}, with no other headers than {names}, and not from a public into a private network."
        return "request-not-allowed", hint

    @cached_property
    def _log(self) -> logging.Logger:
        """A log that writes the same warning once a minute at most."""
        return rare_logger(logger)

    def _log_refused(self, headers: Headers) -> None:
        """Log that a page may not read the answer, at most once a minute."""
        origin = headers.get("origin")
        if origin is not None and not self.is_allowed_origin(origin):
            shown = visible(shortened(origin, MAX_ORIGIN))
            self._log.warning("Browsers block answers for pages of %s: add it to TRUEREF_ALLOWED_ORIGINS", shown)


class SmugglingGuard:
    """Answers 400 to a request with a `Content-Length` beside a `Transfer-Encoding`, and ends its connection.

    Otherwise requests could be smuggled: a proxy before this server may use the other header of the two, and take the
    end of one request for the beginning of another. RFC 9112, section 6.1, lets a server refuse such a request.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, unless the request has both headers."""
        if scope["type"] == "http" and {b"content-length", b"transfer-encoding"} <= {
            name for name, _ in scope["headers"]
        }:
            refused = error_response(400, TWO_LENGTHS, hint="Send one of them.", headers={"Connection": "close"})
            await SecurityHeaders(refused)(scope, receive, send)
        else:
            await self.app(scope, receive, send)
