"""`history.json`: the pages and anchors of earlier builds that the served one no longer has, with their successors.

It lies beside `current.json`, outside of the generations, and says nothing of time: equal builds in equal order give
equal bytes. It is a help and no truth: what cannot be read is left out with a note, and never ends a build or a server.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Container, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.matching.page_match import spelling
from trueref_core.storage.atomic_files import replace_file

HISTORY_FILE: Final = "history.json"
SET_ASIDE: Final = "history.damaged.json"
HISTORY_SCHEMA: Final = 1

MOST_ENTRIES: Final = 20_000
"""Entries that are kept; of more, the oldest are dropped. About 3 MB of JSON."""

logger = logging.getLogger("trueref.history")


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A page of an earlier build, or with `anchor` a place on it, that is not there now.

    `to_page` and `to_anchor` are where it is now; `to_page` is None where nothing proves that, and `to_anchor` "" for
    the page itself. `proof` says why, in words. What is `hidden` is never published.
    """

    site: str
    page: str
    anchor: str = ""
    to_page: str | None = None
    to_anchor: str = ""
    proof: str = ""
    hidden: bool = False


class History:
    """What earlier builds had, the longest gone first.

    Attributes:
        entries: One for each page or anchor.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: tuple[Entry, ...] = tuple(entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and other.entries == self.entries

    def __hash__(self) -> int:
        return hash(self.entries)

    def find(self, site: str, page: str, anchor: str = "") -> Entry | None:
        """What became of a page, or of an anchor of it. None where no earlier build had it, or this one has it."""
        return self._by_place.get((site, page, anchor)) if self.entries else None

    def page_spelled(self, site: str, path: str) -> Entry | None:
        """What became of the page that a path means when suffix, case and slashes do not count."""
        return self._by_spelling.get((site, spelling(path))) if self.entries else None

    def published(
        self,
        sites: Container[str],
        pages: Container[tuple[str, str]],
        hidden: Container[tuple[str, str]] = frozenset(),
    ) -> History:
        """What may be published: no hidden places, and no successors that are not published.

        Args:
            sites: The sites that are published.
            pages: Their pages, by site and page.
            hidden: Pages that exist and are not published: what they had when they were shown would name them.
        """
        return History(
            entry
            for entry in self.entries
            if not entry.hidden
            and entry.site in sites
            and (entry.site, entry.page) not in hidden
            and (entry.to_page is None or (entry.site, entry.to_page) in pages)
        )

    @cached_property
    def _by_place(self) -> Mapping[tuple[str, str, str], Entry]:
        return {(entry.site, entry.page, entry.anchor): entry for entry in self.entries}

    @cached_property
    def _by_spelling(self) -> Mapping[tuple[str, str], Entry]:
        # A spelling that two pages share names neither of them.
        by_spelling: dict[tuple[str, str], Entry] = {}
        ambiguous: set[tuple[str, str]] = set()
        for entry in self.entries:
            if not entry.anchor:
                key = (entry.site, spelling(entry.page))
                ambiguous |= {key} if key in by_spelling else set()
                by_spelling[key] = entry
        return {key: entry for key, entry in by_spelling.items() if key not in ambiguous}


class HistoryFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`history.json`. `digest` is the SHA-256 of `entries` as they stand there."""

    schema: int
    digest: str
    entries: msgspec.Raw


def encode(history: History) -> bytes:
    """`history.json`. Equal histories give equal bytes."""
    return _framed(msgspec.json.encode(history.entries))


def decode(data: bytes) -> History:
    """A history from the bytes of its file.

    Raises:
        ValueError: They are not what `encode` wrote, or another schema's.
    """
    try:
        file = msgspec.json.decode(data, type=HistoryFile)
    except msgspec.DecodeError as error:
        # No `ValueError` in every version of msgspec that is allowed.
        raise ValueError(str(error)) from error
    if file.schema != HISTORY_SCHEMA:
        raise ValueError(f"it has schema {file.schema}, this version reads {HISTORY_SCHEMA}")
    # The whole frame and not the digest alone: a byte may change that JSON makes nothing of.
    if _framed(bytes(file.entries)) != data:
        raise ValueError("it is not the one that was written")
    return History(msgspec.json.decode(file.entries, type=tuple[Entry, ...]))


def read_history(index: Path) -> History:
    """The history of an index. One that cannot be read counts as empty, with a note in the log."""
    try:
        return _read(index)
    except (OSError, ValueError) as error:
        logger.warning("%s is not used: %s. The next build sets it aside.", index / HISTORY_FILE, _why(error))
        return History()


def take_history(index: Path) -> History:
    """The history of an index, for a build that holds the lock. One that cannot be read is set aside, and said so."""
    path = index / HISTORY_FILE
    try:
        return _read(index)
    except (OSError, ValueError) as error:
        aside = path.with_name(SET_ASIDE)
        try:
            path.replace(aside)
        except OSError:
            aside = path
        logger.warning("%s is set aside as %s: %s. A new history begins.", path, aside.name, _why(error))
        return History()


def write(index: Path, history: History) -> None:
    """Replace the history of an index whose build lock is held. One that says the same is not touched."""
    path, data = index / HISTORY_FILE, encode(history)
    if not path.exists() and not history.entries:
        return
    if not path.is_file() or path.read_bytes() != data:
        replace_file(path, data)


def _read(index: Path) -> History:
    """The history of an index, empty where it has none. Raises `OSError` or `ValueError`."""
    try:
        data = (index / HISTORY_FILE).read_bytes()
    except FileNotFoundError:
        return History()
    return decode(data)


def _framed(entries: bytes) -> bytes:
    """The file around the entries, with their digest before them."""
    digest = hashlib.sha256(entries).hexdigest()
    return b'{"schema":%d,"digest":"%s","entries":%s}\n' % (HISTORY_SCHEMA, digest.encode(), entries)


def _why(error: Exception) -> str:
    """The cause of an error in words, without the path that the message names already."""
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
