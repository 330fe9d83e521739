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
from trueref_plugin.web_files import FETCH_ERRORS, FetchedFile, TooLarge, check_address, fetch, reason

TOTAL_SECONDS: Final = 60.0
"""How many seconds fetching a manifest may take."""
MAX_BYTES: Final = 64 * 1024**2
"""How many bytes a manifest may have: that of 20,000 anchors has about 4 MB."""


def fetch_manifest(url: str, note: Callable[[str], None]) -> bytes:
    """The file at an address, or the copy of an earlier check if the server says that the file is unchanged.

    If the network or the server fails, the copy is used too, and `note` receives a line about it.

    Raises:
        OptionError: The address cannot be used, the file is too large, or it cannot be fetched and there is no copy.
    """
    check_address(url, "A manifest that is not a file")
    # The copy is named by a digest of the address, which may have characters that no file name can have.
    file = cache_folder() / "manifests" / f"{sha256(url.encode()).hexdigest()[:32]}.msgpack"
    copy = _read_copy(file)
    try:
        fetched = _get(url, copy)
    except TooLarge as error:
        raise OptionError(f"{url} is no manifest of a site: {error}.") from error
    except FETCH_ERRORS as error:
        if copy is None or copy.data is None:
            raise OptionError(f"{url} cannot be fetched: {reason(error)}.") from error
        note(f"{url} cannot be fetched ({reason(error)}): the copy of an earlier check is used.")
        return copy.data
    if fetched.data is None:
        if copy is None or copy.data is None:
            raise OptionError(f"{url} cannot be fetched: the server says that it is unchanged, and no copy is here.")
        return copy.data
    # A copy that cannot be written does not affect this check. The next check will fetch the file again.
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, msgspec.msgpack.encode(fetched))
    return fetched.data


def cache_folder(platform: str = sys.platform) -> Path:
    """The folder for files that can be fetched again, by the rules of each operating system.

    We do not use a library for this, because it would take one of the forty megabytes that a plain installation may
    have.

    Raises:
        OptionError: The user has no home folder, for example in a container with a user id that has no account.
    """
    if platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local") / "trueref" / "Cache"
    if platform == "darwin":
        return _home() / "Library" / "Caches" / "trueref"
    configured = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG specification says that relative paths are ignored.
    return (configured if configured.is_absolute() else _home() / ".cache") / "trueref"


def _home() -> Path:
    """The home folder of the user. Raises `OptionError` if there is none."""
    try:
        return Path.home()
    except RuntimeError:
        raise OptionError("There is no home folder to keep copies of manifests in. Set HOME to a folder.") from None


def _get(url: str, copy: FetchedFile | None) -> FetchedFile:
    """Asks the server for a file. If there is a copy, the server need not send a file that is the same."""
    headers = {"Accept": "application/json"}
    if copy and copy.etag:
        headers["If-None-Match"] = copy.etag
    if copy and copy.last_modified:
        headers["If-Modified-Since"] = copy.last_modified
    return fetch(url, max_bytes=MAX_BYTES, seconds=TOTAL_SECONDS, headers=headers)


def _read_copy(file: Path) -> FetchedFile | None:
    """The copy of an earlier check, with the headers by which the server recognises it; None if it cannot be read."""
    try:
        return msgspec.msgpack.decode(file.read_bytes(), type=FetchedFile)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
