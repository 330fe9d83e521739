"""Fetches files by addresses that a maintainer gave. No address from a page or a request is ever fetched.

Not httpx, which only the extra `serve` brings: `trueref check` compares links with a published manifest without it.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from trueref_core.errors import OptionError
from trueref_core.version import __version__

TIMEOUT_SECONDS: Final = 10.0
"""How long a server may be silent."""
CHUNK_BYTES: Final = 1024**2
UNCHANGED: Final = 304

FETCH_ERRORS: Final = (OSError, http.client.HTTPException)
"""What `fetch` raises if a server or the network fails."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The response of a server. `data` is None if it says that the copy which the request named is still right."""

    data: bytes | None
    etag: str = ""
    last_modified: str = ""


class TooLarge(OSError):
    """A file is larger than it may be."""


class _WebOnly(urllib.request.HTTPRedirectHandler):
    """Follows redirects to http and https only: urllib would also open `ftp` addresses."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: object,
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        check_address(newurl, "A redirect")
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def fetch(url: str, *, most_bytes: int, seconds: float, headers: Mapping[str, str] | None = None) -> Fetched:
    """The file at an address.

    Args:
        url: An address that passed `check_address`.
        most_bytes: How large it may be.
        seconds: How long it may take in all.
        headers: More headers, such as `If-None-Match`.

    Raises:
        OptionError: A redirect leads to something that is no web address.
        OSError: The server or the network failed, or one of the limits was met. See `FETCH_ERRORS`.
    """
    all_headers = {"User-Agent": f"trueref/{__version__}", **(headers or {})}
    request = urllib.request.Request(url, headers=all_headers)  # noqa: S310 - the scheme was checked
    try:
        with urllib.request.build_opener(_WebOnly).open(request, timeout=TIMEOUT_SECONDS) as response:
            data = _read(response, most_bytes, seconds)
            return Fetched(data, response.headers.get("ETag") or "", response.headers.get("Last-Modified") or "")
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == UNCHANGED and headers:
            return Fetched(None)
        raise


def check_address(url: str, what: str) -> None:
    """Raises `OptionError` unless `url` is an http or https address; `what` begins the message."""
    if not is_web_address(url):
        raise OptionError(f"{what} is an http or https address, and {url} is not.")


def is_web_address(url: str) -> bool:
    """Whether a text is an http or https address with a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def reason(error: Exception) -> str:
    """Why fetching failed, for a person."""
    if isinstance(error, urllib.error.HTTPError):
        return f"the server answers {error.code}"
    cause = getattr(error, "reason", None) or error
    return str(getattr(cause, "strerror", None) or cause or type(error).__name__)


def _read(response: http.client.HTTPResponse, most_bytes: int, seconds: float) -> bytes:
    """The body of a response, within its limits."""
    parts: list[bytes] = []
    size, deadline = 0, time.monotonic() + seconds
    # `read` would wait for a whole chunk from a server that sends one byte now and then, beyond the deadline.
    while part := response.read1(CHUNK_BYTES):
        size += len(part)
        if time.monotonic() > deadline:
            raise TimeoutError(f"it took more than {seconds:g} s")
        if size > most_bytes:
            raise TooLarge(f"it is larger than {most_bytes / 1024**2:.3g} MB")
        parts.append(part)
    if response.length:
        # `read1` raises nothing when a response breaks off.
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(parts)
