"""Errors as JSON: `{"error": {"code", "message", "hint"}}`, for every status, with no traceback in any of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from trueref_core.errors import EmbedderError, IndexFault, TruerefError
from trueref_server.rare_log import RepeatedWarningFilter
from trueref_server.records import ErrorDetail

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger("trueref.server")
index_logger = logging.getLogger("trueref.server.index")
# At most once a minute: every request meets the fault of an index.
index_logger.addFilter(RepeatedWarningFilter(60.0))

RETRY_SECONDS: Final = 5
"""When it is worth trying again, if an index that can be read may be published until then, or the store be emptied."""

CODES_AND_HINTS = {
    400: ("malformed", "Send a JSON object in UTF-8."),
    403: ("no-session", "Get a session with a POST to `session` under the prefix, and send it as `session`."),
    404: ("not-found", "The addresses of this API are listed in openapi.json under its prefix."),
    405: ("method-not-allowed", "Use a method that the Allow header names."),
    408: ("body-too-slow", "Send the whole body at once."),
    413: ("body-too-long", "Send a shorter text, or fewer exchanges of the conversation."),
    415: ("not-json", "Send the body as application/json."),
    416: (
        "no-such-range",
        "Ask for bytes that the Content-Range header of this answer has, or for the whole file.",
    ),
    422: ("invalid", ""),
    429: ("too-many-requests", ""),
    500: ("internal", "Try again. If it stays, the server's log has the cause."),
    503: ("busy", ""),
}
"""The code and the hint of an error by its status, unless a response has its own."""


class ErrorBody(msgspec.Struct, frozen=True):
    """The body of every response that is not a success."""

    error: ErrorDetail


class Refusal(Exception):
    """Raised by an endpoint to answer with an error. `seconds` says after which time it is worth trying again."""

    def __init__(self, status: int, message: str, hint: str = "", seconds: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.hint = hint
        self.seconds = seconds


def error_response(
    status: int, message: str, *, hint: str = "", code: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """An error as a response. `code` and `hint` default to those of the status."""
    return _response(status, _detail(status, message, hint, code), headers)


def busy_response(status: int, message: str, seconds: int, headers: Mapping[str, str] | None = None) -> Response:
    """An error that passes by itself. The body has the seconds, too: pages of other origins cannot read the header."""
    hint = f"Try again in {seconds} seconds." if seconds > 1 else "Try again in a second."
    detail = replace(_detail(status, message, hint), retry_after=seconds)
    return _response(status, detail, {**(headers or {}), "Retry-After": str(seconds)})


def _detail(status: int, message: str, hint: str = "", code: str = "") -> ErrorDetail:
    """The content of an error; code and hint are those usual for the status unless they are given."""
    usual_code, usual_hint = CODES_AND_HINTS.get(status, ("error", ""))
    return ErrorDetail(code or usual_code, message, hint or usual_hint)


def _response(status: int, detail: ErrorDetail, headers: Mapping[str, str] | None) -> Response:
    """A response whose body is the error as JSON."""
    body = msgspec.json.encode(ErrorBody(detail))
    return Response(body, status, headers, media_type="application/json")


NO_INDEX = "The server has no index that it can read."
"""What a client is told of a missing or damaged index: the exact message would name folders of the server."""


def detail_of(error: Exception) -> tuple[int, ErrorDetail]:
    """The status and detail for an exception.

    The cause of a fault of the server is logged and not sent: readers can do nothing about it.
    """
    if isinstance(error, Refusal):
        return error.status, replace(_detail(error.status, str(error), error.hint), retry_after=error.seconds)
    # Before `TruerefError`, their base class: these are faults of the server, not of the question.
    if isinstance(error, IndexFault | EmbedderError):
        index_logger.warning(str(error))
        return 503, ErrorDetail("index-unavailable", NO_INDEX, "The server's log says why, and what to do about it.")
    if isinstance(error, TruerefError):
        return 422, _detail(422, str(error))
    logger.error("A request failed", exc_info=error)
    return 500, _detail(500, "The server failed to answer.")


async def on_http_exception(request: Request, error: Exception) -> Response:
    """Answer a request that Starlette's routing refuses: an unknown address, a wrong method."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        message = "There is nothing at this address."
    elif error.status_code == 405:
        message = f"{request.method} is not possible here."
    else:
        message = error.detail
    return error_response(error.status_code, message, headers=error.headers)


class ErrorResponses:
    """Turns an exception of an endpoint into a JSON error, if no response has begun.

    `count` is called with the status of every error. It is called here, since the limits refuse requests in middleware,
    before they reach an endpoint.
    """

    def __init__(self, app: ASGIApp, count: Callable[[int], None]) -> None:
        self.app = app
        self.count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, and answer with an error if it raises an exception."""
        has_begun = False

        async def send_and_count(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                if message["status"] >= 400:
                    self.count(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, send_and_count)
        except Exception as error:
            if has_begun or scope["type"] != "http":
                # Only a broken connection can still tell the client that the response is incomplete.
                raise
            status, detail = detail_of(error)
            # Only 503 passes by itself: the next build may publish an index that can be read.
            headers = {"Retry-After": str(RETRY_SECONDS)} if status == 503 else None
            await _response(status, detail, headers)(scope, receive, send_and_count)
            # An error that is kept and raised for every request would keep the frames of all of them in memory.
            error.__traceback__ = None
