"""Serves PDFs that no site publishes, by an opaque id, whole or in ranges of bytes. Browsers show them inline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread
from starlette.responses import Response

from trueref_server.http.responses.file_responses import RangedFileResponse
from trueref_server.http.responses.widget_files import has_tag

if TYPE_CHECKING:
    from starlette.requests import Request

MEDIA_TYPE = "application/pdf"
# Chromium and Firefox show a PDF under this policy. Its content runs without an origin and can load nothing.
POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"


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
    return RangedFileResponse(
        path,
        headers=headers,
        media_type=MEDIA_TYPE,
        filename=name,
        stat_result=status,
        content_disposition_type="inline",
    )
