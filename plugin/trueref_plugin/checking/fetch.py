"""Fetches published manifests, and keeps a copy of each in the user's cache for the next check and for days offline."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
import platformdirs

from trueref_core.errors import OptionError
from trueref_core.storage import replace_file
from trueref_core.version import __version__

TIMEOUT_SECONDS: Final = 10.0
"""How long a server may be silent."""
TOTAL_SECONDS: Final = 60.0
"""How long a manifest may take in all."""
MOST_BYTES: Final = 64 * 1024**2
"""A manifest of 20,000 anchors has about 4 MB."""
CHUNK_BYTES: Final = 1024**2
UNCHANGED: Final = 304


class Kept(msgspec.Struct, frozen=True):
    """What is kept beside a copy: its address, and what the server told to ask for a newer one with."""

    url: str
    etag: str = ""
    last_modified: str = ""


class _WebOnly(urllib.request.HTTPRedirectHandler):
    """Follows redirects to the web, and to nothing else that urllib could open."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: object,
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        _check_address(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def fetch(url: str, note: Callable[[str], None]) -> bytes:
    """The file at an address, or the copy that was kept of it where the server says that it is unchanged.

    Where the network or the server fails, the copy is used all the same, and `note` is told.

    Raises:
        OptionError: The address cannot be used, the file is too large, or it cannot be had and no copy is there.
    """
    _check_address(url)
    folder = Path(platformdirs.user_cache_dir("trueref")) / "manifests"
    name = sha256(url.encode()).hexdigest()[:32]
    copy, about = folder / f"{name}.json", folder / f"{name}.about.json"
    kept = _kept(about, url) if copy.is_file() else None
    try:
        data, told = _get(url, kept)
    except (OSError, http.client.HTTPException) as error:
        if kept is None:
            raise OptionError(f"{url} cannot be fetched: {_reason(error)}.") from error
        note(f"{url} cannot be fetched ({_reason(error)}): the copy of an earlier check is used.")
        return copy.read_bytes()
    if data is None:
        return copy.read_bytes()
    # Without a place to keep it the check is as good, and only asks again.
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(copy, data)
        replace_file(about, msgspec.json.encode(told))
    return data


def _get(url: str, kept: Kept | None) -> tuple[bytes | None, Kept]:
    """The bytes, None where the copy is still right, and what to keep beside them."""
    headers = {"User-Agent": f"trueref/{__version__}", "Accept": "application/json"}
    if kept and kept.etag:
        headers["If-None-Match"] = kept.etag
    if kept and kept.last_modified:
        headers["If-Modified-Since"] = kept.last_modified
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the scheme was checked
    try:
        with urllib.request.build_opener(_WebOnly).open(request, timeout=TIMEOUT_SECONDS) as response:
            told = Kept(url, response.headers.get("ETag") or "", response.headers.get("Last-Modified") or "")
            return _read(url, response), told
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == UNCHANGED and kept:
            return None, kept
        raise


def _read(url: str, response: http.client.HTTPResponse) -> bytes:
    parts: list[bytes] = []
    size, deadline = 0, time.monotonic() + TOTAL_SECONDS
    # `read` would wait for a whole chunk from a server that sends a byte now and then.
    while part := response.read1(CHUNK_BYTES):
        size += len(part)
        if time.monotonic() > deadline:
            raise TimeoutError(f"it took more than {TOTAL_SECONDS:g} s")
        if size > MOST_BYTES:
            raise OptionError(f"{url} is larger than {MOST_BYTES // 1024**2} MB: it is no manifest of a site.")
        parts.append(part)
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(parts)


def _kept(about: Path, url: str) -> Kept | None:
    try:
        kept = msgspec.json.decode(about.read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return kept if kept.url == url else None


def _check_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        usable = False
    if not usable:
        raise OptionError(f"A manifest is a file or an http or https address, and {url} is neither.")


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"the server answers {error.code}"
    reason = getattr(error, "reason", None) or error
    return str(getattr(reason, "strerror", None) or reason or type(error).__name__)
