"""`history.json`: the pages and anchors of earlier builds that the served one no longer has, with their successors.

The file lies beside `current.json`, outside of the generations, and has no times in it, so equal builds in equal order
give equal bytes. It improves corrections of links, but nothing else depends on it: a history that cannot be read counts
as empty, with a line in the log, and never stops a build or a server.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.matching.page_match import spelling
from trueref_core.storage.atomic_files import replace_file

HISTORY_FILE: Final = "history.json"
SET_ASIDE: Final = "history.damaged.json"
HISTORY_SCHEMA: Final = 1

MAX_ENTRIES: Final = 20_000
"""Most entries that are kept, about 3 MB of JSON. If there are more, the oldest are dropped."""

logger = logging.getLogger("trueref.history")


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A page of an earlier build that does not exist now, or an anchor on it if `anchor` is not "".

    `to_page` and `to_anchor` are its successor; `to_page` is None if nothing proves one, and `to_anchor` is "" for the
    page itself. `proof` is the proof in words. Entries that are `hidden` are never published.
    """

    site: str
    page: str
    anchor: str = ""
    to_page: str | None = None
    to_anchor: str = ""
    proof: str = ""
    hidden: bool = False


class History:
    """The pages and anchors of earlier builds, the longest gone first.

    Attributes:
        entries: One for each page or anchor.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: tuple[Entry, ...] = tuple(entries)

    def find(self, site: str, page: str, anchor: str = "") -> Entry | None:
        """The entry for a page, or for an anchor on it; None if there is none.

        There is none if no earlier build had the page or anchor, or if this one still has it.
        """
        return self._by_address.get((site, page, anchor)) if self.entries else None

    def page_spelled(self, site: str, path: str) -> Entry | None:
        """The entry for the page that a path names without regard to suffix, case and slashes."""
        return self._by_spelling.get((site, spelling(path))) if self.entries else None

    @cached_property
    def _by_address(self) -> Mapping[tuple[str, str, str], Entry]:
        """The entries by site, page and anchor."""
        return {(entry.site, entry.page, entry.anchor): entry for entry in self.entries}

    @cached_property
    def _by_spelling(self) -> Mapping[tuple[str, str], Entry]:
        """The pages by their address without suffix, case and slashes."""
        # A spelling that two pages share is left out, since it does not tell which of them is meant.
        by_spelling: dict[tuple[str, str], Entry] = {}
        ambiguous: set[tuple[str, str]] = set()
        for entry in self.entries:
            if not entry.anchor:
                key = (entry.site, spelling(entry.page))
                ambiguous |= {key} if key in by_spelling else set()
                by_spelling[key] = entry
        return {key: entry for key, entry in by_spelling.items() if key not in ambiguous}


class HistoryFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `history.json`. `digest` is the SHA-256 of the bytes of `entries`."""

    schema: int
    digest: str
    entries: msgspec.Raw


def encode(history: History) -> bytes:
    """The bytes of `history.json`. Equal histories give equal bytes."""
    return _with_digest(msgspec.json.encode(history.entries))


def decode(data: bytes) -> History:
    """A history from the bytes of its file.

    Raises:
        ValueError: The bytes are not what `encode` wrote, or have another schema.
    """
    try:
        file = msgspec.json.decode(data, type=HistoryFile)
    except msgspec.DecodeError as error:
        # Not every supported version of msgspec makes `DecodeError` a `ValueError`.
        raise ValueError(str(error)) from error
    if file.schema != HISTORY_SCHEMA:
        raise ValueError(f"it has schema {file.schema}, this version reads {HISTORY_SCHEMA}")
    # The whole file is compared, not only the digest: the digest does not cover white space around the entries.
    if _with_digest(bytes(file.entries)) != data:
        raise ValueError("it has changed since it was written")
    return History(msgspec.json.decode(file.entries, type=tuple[Entry, ...]))


def read_history(index: Path) -> History:
    """The history of an index. If the file cannot be read, it counts as empty, with a line in the log."""
    try:
        return _read(index)
    except (OSError, ValueError) as error:
        logger.warning("%s is not used: %s. The next build sets it aside.", index / HISTORY_FILE, _cause(error))
        return History()


def read_or_reset_history(index: Path) -> History:
    """The history of an index, for a build that holds the lock.

    A file that cannot be read is renamed to `SET_ASIDE`, with a line in the log, and the history begins empty.
    """
    path = index / HISTORY_FILE
    try:
        return _read(index)
    except (OSError, ValueError) as error:
        renamed_file = path.with_name(SET_ASIDE)
        try:
            path.replace(renamed_file)
        except OSError:
            renamed_file = path
        logger.warning("%s is set aside as %s: %s. A new history begins.", path, renamed_file.name, _cause(error))
        return History()


def write_history(index: Path, history: History) -> None:
    """Replace the history of an index whose lock the caller holds. A file with the same content is not touched."""
    path, data = index / HISTORY_FILE, encode(history)
    # A first build leaves no empty file behind.
    if not path.exists() and not history.entries:
        return
    if not path.is_file() or path.read_bytes() != data:
        replace_file(path, data)


def _read(index: Path) -> History:
    """The history of an index, empty if there is no file. Raises `OSError` or `ValueError`."""
    try:
        data = (index / HISTORY_FILE).read_bytes()
    except FileNotFoundError:
        return History()
    return decode(data)


def _with_digest(entries: bytes) -> bytes:
    """The content of the file, with the digest of the entries in front of them."""
    digest = hashlib.sha256(entries).hexdigest()
    return b'{"schema":%d,"digest":"%s","entries":%s}\n' % (HISTORY_SCHEMA, digest.encode(), entries)


def _cause(error: Exception) -> str:
    """The cause of an error in words, without the path that the message names already."""
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
