"""Serves PDFs that no site publishes, by an opaque id, whole or in ranges, to be shown inline."""

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
# Chromium and Firefox show a PDF under this policy; what is in it runs with no origin and fetches nothing.
POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"


class DocumentResponse(FileResponse):
    """A file of Starlette's, whose refusals of a range have the shape of all other errors."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, in parts if the client asks for them."""
        refused: dict[bytes, bytes] | None = None

        async def watch(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] in (400, 416):
                refused = dict(message["headers"])
            if refused is None:
                await send(message)

        await super().__call__(scope, receive, watch)
        if refused is not None:
            content_range = refused.get(b"content-range")
            headers = {"Content-Range": content_range.decode("ascii")} if content_range is not None else None
            response = error_response(416, "The document has no such range of bytes.", headers=headers)
            await response(scope, receive, send)


async def document_response(request: Request, path: Path, name: str, tag: str) -> Response | None:
    """A file, 304 if the client has it, None if it is gone.

    Args:
        request: What was asked.
        path: The file.
        name: What it is called when somebody saves it.
        tag: Its entity tag: the same bytes have the same one on every server.
    """
    headers = {"ETag": tag, "Cache-Control": "private, max-age=0, must-revalidate", "Content-Security-Policy": POLICY}
    # With a range Starlette decides, which compares the tag with `If-Range`.
    if "range" not in request.headers and has_tag(request, tag):
        return Response(status_code=304, headers=headers)
    try:
        status = await anyio.to_thread.run_sync(path.stat)
    # A build may have swept the generation between the look-up and now.
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
