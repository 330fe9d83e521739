"""Fetches files by addresses that a maintainer gave. No address from a page or a request is ever fetched.

It uses urllib and not httpx, because only the extra `serve` installs httpx, and `trueref check` fetches published
manifests without that extra.
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
READ_BYTES: Final = 1024**2
"""Bytes that are read from a response at once, at most."""
NOT_MODIFIED: Final = 304

FETCH_ERRORS: Final = (OSError, http.client.HTTPException)
"""What `fetch` raises if a server or the network fails."""


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """The response of a server. `data` is None if the file did not change since the copy that the request named."""

    data: bytes | None
    etag: str = ""
    last_modified: str = ""


class TooLarge(OSError):
    """A file is larger than `fetch` was allowed to read."""


class _WebRedirectHandler(urllib.request.HTTPRedirectHandler):
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
        check_address(newurl, "The target of a redirect")
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def fetch(url: str, *, max_bytes: int, seconds: float, headers: Mapping[str, str] | None = None) -> FetchedFile:
    """Fetches the file at an address.

    Args:
        url: An address that passed `check_address`.
        max_bytes: How large the file may be.
        seconds: How long fetching it may take in all.
        headers: Further headers of the request, such as `If-None-Match`.

    Raises:
        OptionError: A redirect leads to an address that is not http or https.
        OSError: The server or the network failed, or a limit was exceeded. See `FETCH_ERRORS`.
    """
    all_headers = {"User-Agent": f"trueref/{__version__}", **(headers or {})}
    request = urllib.request.Request(url, headers=all_headers)  # noqa: S310 - the scheme was checked
    try:
        with urllib.request.build_opener(_WebRedirectHandler).open(request, timeout=TIMEOUT_SECONDS) as response:
            data = _read(response, max_bytes, seconds)
            return FetchedFile(data, response.headers.get("ETag") or "", response.headers.get("Last-Modified") or "")
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == NOT_MODIFIED and headers:
            return FetchedFile(None)
        raise


def check_address(url: str, what: str) -> None:
    """Raises `OptionError` unless `url` is an http or https address; `what` names the address in the message."""
    if not is_web_address(url):
        raise OptionError(f"{what} must be an http or https address, which {url} is not.")


def is_web_address(url: str) -> bool:
    """Whether a text is an http or https address with a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def reason(error: Exception) -> str:
    """The reason why fetching failed, as the end of a sentence for a person."""
    if isinstance(error, urllib.error.HTTPError):
        return f"the server answers {error.code}"
    cause = getattr(error, "reason", None) or error
    return str(getattr(cause, "strerror", None) or cause or type(error).__name__)


def _read(response: http.client.HTTPResponse, max_bytes: int, seconds: float) -> bytes:
    """The body of a response. Raises one of `FETCH_ERRORS` if it exceeds a limit or breaks off."""
    parts: list[bytes] = []
    size, deadline = 0, time.monotonic() + seconds
    # `read1` returns the bytes that are there. `read` would wait for all `READ_BYTES`, beyond the deadline if a server
    # sends one byte now and then.
    while part := response.read1(READ_BYTES):
        size += len(part)
        if time.monotonic() > deadline:
            raise TimeoutError(f"it took more than {seconds:g} s")
        if size > max_bytes:
            raise TooLarge(f"it is larger than {max_bytes / 1024**2:.3g} MB")
        parts.append(part)
    if response.length:
        # `read1` raises nothing when a response breaks off.
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(parts)
