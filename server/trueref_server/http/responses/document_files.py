"""Serves PDFs that no site publishes, by an opaque id, whole or in ranges of bytes. Browsers show them inline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread
from starlette.responses import FileResponse, Response

from trueref_server.http.responses.error_responses import error_response
from trueref_server.http.responses.widget_files import has_tag

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Message, Receive, Scope, Send

MEDIA_TYPE = "application/pdf"
# Chromium and Firefox show a PDF under this policy. Its content runs without an origin and can load nothing.
POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"


class DocumentResponse(FileResponse):
    """Starlette's `FileResponse`, with the refusal of a range as a JSON error."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file, or the ranges that the client asks for."""
        refusal_headers: dict[bytes, bytes] | None = None

        async def hold_back_refusal(message: Message) -> None:
            nonlocal refusal_headers
            if message["type"] == "http.response.start" and message["status"] in (400, 416):
                refusal_headers = dict(message["headers"])
            if refusal_headers is None:
                await send(message)

        await super().__call__(scope, receive, hold_back_refusal)
        if refusal_headers is not None:
            content_range = refusal_headers.get(b"content-range")
            headers = {"Content-Range": content_range.decode("ascii")} if content_range is not None else None
            response = error_response(416, "The document has no such range of bytes.", headers=headers)
            await response(scope, receive, send)


async def document_response(request: Request, path: Path, name: str, tag: str) -> Response | None:
    """The response with a file: 304 if the client has it; None if the file is gone.

    Args:
        request: The request.
        path: The file.
        name: The file name for a reader who saves it.
        tag: The entity tag; the same bytes have the same tag on every server.
    """
    headers = {"ETag": tag, "Cache-Control": "private, max-age=0, must-revalidate", "Content-Security-Policy": POLICY}
    # A request with a range is left to Starlette, which compares the tag with `If-Range`.
    if "range" not in request.headers and has_tag(request, tag):
        return Response(status_code=304, headers=headers)
    try:
        status = await anyio.to_thread.run_sync(path.stat)
    # A build may have removed the generation since the look-up.
    except OSError:
        return None
    return DocumentResponse(
        path,
        headers=headers,
        media_type=MEDIA_TYPE,
        filename=name,
        stat_result=status,
        content_disposition_type="inline",
    )
