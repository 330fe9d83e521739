"""Serves the widget's files from a fixed table: no name from a request reaches the file system."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import Request


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file in memory, with its entity tag."""

    body: bytes
    media_type: str
    tag: str


class WidgetFiles:
    """The files of the widget package, read once.

    Args:
        names: The files that may be asked for.
        read: Returns the content of the one with a name.
    """

    def __init__(self, names: Sequence[str], read: Callable[[str], bytes]) -> None:
        self.names = names
        self._read = read

    @cached_property
    def files(self) -> dict[str, StaticFile]:
        """The files by their names."""
        return {name: _static_file(name, self._read(name)) for name in self.names}

    def response(self, name: str, request: Request) -> Response | None:
        """The file with that name, 304 if the client has it, None if there is none."""
        file = self.files.get(name)
        if file is None:
            return None
        # The names carry no hash, so a browser asks each time whether the file is still the same.
        headers = {"ETag": file.tag, "Cache-Control": "public, max-age=0, must-revalidate"}
        if has_tag(request, file.tag):
            return Response(status_code=304, headers=headers)
        return Response(file.body, headers=headers, media_type=file.media_type)


def has_tag(request: Request, tag: str) -> bool:
    """Whether the client says that it holds the version with this entity tag."""
    client_tags = request.headers.get("if-none-match", "")
    return client_tags.strip() == "*" or tag in [word.strip().removeprefix("W/") for word in client_tags.split(",")]


def _static_file(name: str, body: bytes) -> StaticFile:
    """A file with its media type, and a tag that is the same on every server."""
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return StaticFile(body, media_type, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
