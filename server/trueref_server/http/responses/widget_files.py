"""Serves the widget's files from a fixed table: no name from a request reaches the file system."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

from starlette.responses import Response

from trueref_widget import FILES, file_bytes

if TYPE_CHECKING:
    from starlette.requests import Request

MEDIA_TYPE = "text/javascript"
"""The widget has no other files."""


def widget_response(request: Request) -> Response | None:
    """The response with the file that the address names: 304 if the client has it; None if there is no such file."""
    name = request.path_params["name"]
    if name not in FILES:
        return None
    body, tag = _read_tagged(name)
    # The file names have no hash, so that a browser has to ask each time whether a file is still the same.
    headers = {"ETag": tag, "Cache-Control": "public, max-age=0, must-revalidate"}
    if has_tag(request, tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=MEDIA_TYPE)


def has_tag(request: Request, tag: str) -> bool:
    """Whether the client says that it has the content with this entity tag."""
    client_tags = request.headers.get("if-none-match", "")
    return client_tags.strip() == "*" or tag in [word.strip().removeprefix("W/") for word in client_tags.split(",")]


@cache
def _read_tagged(name: str) -> tuple[bytes, str]:
    """A file of the widget, with an entity tag that is the same on every server."""
    body = file_bytes(name)
    return body, f'"{hashlib.sha256(body).hexdigest()[:20]}"'
