"""Fetches published manifests, and keeps a copy of each in the user's cache for the next check and for work offline."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.errors import OptionError
from trueref_core.storage.atomic_files import replace_file
from trueref_plugin.web_files import FETCH_ERRORS, Fetched, TooLarge, check_address, fetch, reason

TOTAL_SECONDS: Final = 60.0
"""How long a manifest may take in all."""
MOST_BYTES: Final = 64 * 1024**2
"""A manifest of 20,000 anchors has about 4 MB."""


class CopyInfo(msgspec.Struct, frozen=True):
    """The address of a copy, and the headers by which the server recognises whether it is still current."""

    url: str
    etag: str = ""
    last_modified: str = ""


def fetch_manifest(url: str, note: Callable[[str], None]) -> bytes:
    """The file at an address, or the copy of it if the server says that it is unchanged.

    If the network or the server fails, the copy is used too, and `note` takes a line.

    Raises:
        OptionError: The address cannot be used, the file is too large, or it cannot be fetched and there is no copy.
    """
    check_address(url, "A manifest that is not a file")
    folder = cache_folder() / "manifests"
    name = sha256(url.encode()).hexdigest()[:32]
    # By a digest of the address: it may hold characters that no file name can have.
    copy, info_file = folder / f"{name}.json", folder / f"{name}.about.json"
    copy_info = _read_copy_info(info_file, url) if copy.is_file() else None
    try:
        fetched = _get(url, copy_info)
    except TooLarge as error:
        raise OptionError(f"{url} is no manifest of a site: {error}.") from error
    except FETCH_ERRORS as error:
        if copy_info is None:
            raise OptionError(f"{url} cannot be fetched: {reason(error)}.") from error
        note(f"{url} cannot be fetched ({reason(error)}): the copy of an earlier check is used.")
        return copy.read_bytes()
    if fetched.data is None:
        if copy_info is None:
            raise OptionError(f"{url} cannot be fetched: the server says that it is unchanged, and no copy is here.")
        return copy.read_bytes()
    # If the copy cannot be written, this check is not affected: the next one fetches again.
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(copy, fetched.data)
        replace_file(info_file, msgspec.json.encode(CopyInfo(url, fetched.etag, fetched.last_modified)))
    return fetched.data


def cache_folder(platform: str = sys.platform) -> Path:
    """Where a user's programs keep what they can fetch again, by the rule of each system.

    Ours, since the library for it takes a megabyte of the forty that a plain installation may have.

    Raises:
        OptionError: The user has no home folder, as in a container that runs under any number.
    """
    if platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local") / "trueref" / "Cache"
    if platform == "darwin":
        return _home() / "Library" / "Caches" / "trueref"
    configured = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG specification has relative paths ignored.
    return (configured if configured.is_absolute() else _home() / ".cache") / "trueref"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise OptionError("There is no home folder to keep copies of manifests in. Set HOME to a folder.") from None


def _get(url: str, copy_info: CopyInfo | None) -> Fetched:
    """Asks the server for a file, unless it is the same as a copy."""
    headers = {"Accept": "application/json"}
    if copy_info and copy_info.etag:
        headers["If-None-Match"] = copy_info.etag
    if copy_info and copy_info.last_modified:
        headers["If-Modified-Since"] = copy_info.last_modified
    return fetch(url, most_bytes=MOST_BYTES, seconds=TOTAL_SECONDS, headers=headers)


def _read_copy_info(info_file: Path, url: str) -> CopyInfo | None:
    """The address and headers of a copy, from the file beside it; None if that is unreadable or of another address."""
    try:
        copy_info = msgspec.json.decode(info_file.read_bytes(), type=CopyInfo)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return copy_info if copy_info.url == url else None
