"""Sends files, whole or in ranges of bytes. Nothing is sent before the file is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import FileResponse

from trueref_server.http.responses.error_responses import Refusal, error_response

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send


class FileGone(Refusal):
    """A file was deleted, or its permissions were changed, after it was looked up. Nothing was sent."""

    def __init__(self) -> None:
        super().__init__(404, "The file is no longer there.", "It may have changed since: ask again for its address.")


class RangeRefused(Exception):
    """Starlette refuses a range. `content_range` says how long the file is; None if the header cannot be understood."""

    def __init__(self, content_range: bytes | None) -> None:
        super().__init__(content_range)
        self.content_range = content_range


class RangedFileResponse(FileResponse):
    """Starlette's `FileResponse`, but it raises `FileGone` before anything is sent if the file is gone.

    A range that the file does not have is refused as a JSON error. A `Range` header that cannot be understood, or that
    counts in another unit than bytes, is ignored, as RFC 9110, section 14.2, demands.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file, or the ranges that the client asks for."""
        try:
            await self._send_once_open(scope, receive, send)
        except RangeRefused as refused:
            if refused.content_range is None:
                without_range = [header for header in scope["headers"] if header[0] != b"range"]
                await self._send_once_open({**scope, "headers": without_range}, receive, send)
                return
            headers = {"Content-Range": refused.content_range.decode("ascii")}
            response = error_response(416, "The file has no such range of bytes.", headers=headers)
            await response(scope, receive, send)

    async def _send_once_open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file. The beginning of the response is held back until the file is open."""
        start: Message | None = None
        has_begun = False

        async def hold_back_start(message: Message) -> None:
            nonlocal start, has_begun
            if message["type"] == "http.response.start":
                if message["status"] in (400, 416):
                    raise RangeRefused(dict(message["headers"]).get(b"content-range"))
                start = message
                return
            has_begun = True
            if start is not None:
                await send(start)
                start = None
            await send(message)

        try:
            await super().__call__(scope, receive, hold_back_start)
        except OSError as error:
            if has_begun:
                raise
            raise FileGone from error
