"""The state of a page, by which a later build decides whether to keep the page, and the digests in the state."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

import msgspec

from trueref_core.records import Anchor, Link, LinkKind, Page, PageKey


class PageState(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What a build needs to know about a page of the earlier generation, to decide whether it can keep the page.

    `anchors`, `links`, `chunks` and `text` are digests of these parts of the page. `linked_pages` are the other pages
    of the site that links in its text lead to, and `next_pages` those that it names as the next one. `missing_paths`
    are the paths of broken links: a page that appears at one of them, or gets the missing anchor, changes the status of
    a link.
    """

    site: str
    page: str
    anchors: str
    links: str
    chunks: str
    text: str
    chunk_count: int = 0
    # The names in `states.json` are part of the format of an index, and of what its id is a digest of.
    linked_pages: tuple[str, ...] = msgspec.field(default=(), name="leads")
    next_pages: tuple[str, ...] = msgspec.field(default=(), name="follows")
    missing_paths: tuple[str, ...] = msgspec.field(default=(), name="misses")


def page_key(record: Page | PageState) -> PageKey:
    """The key of a page over all sites of an index."""
    return record.site, record.page


def misses_of(links: Iterable[Link]) -> tuple[str, ...]:
    """The paths of the edges of one page whose page or anchor is missing."""
    return tuple(sorted({link.to_page for link in links if link.status not in ("ok", "redirect")}))


def other_pages(links: Iterable[Link], kind: LinkKind) -> tuple[str, ...]:
    """The other pages of the site that the edges of one page lead to, sorted. Only edges of one kind count."""
    landing = (link for link in links if link.kind == kind and link.status in ("ok", "redirect"))
    return tuple(sorted({link.to_page for link in landing if link.to_page != link.from_page}))


def anchors_digest(anchors: Iterable[Anchor]) -> str:
    """A digest of the anchors of one page, given in document order. It is the same for any site and address."""
    return digest(encoded(replace(anchor, site="", page="")) for anchor in anchors)


def links_digest(links: Iterable[Link]) -> str:
    """A digest of the edges that begin on one page, in any order."""
    return digest(sorted(map(encoded, links)))


def encoded(value: object) -> bytes:
    """JSON that is the same for equal values."""
    return msgspec.json.encode(value, order="deterministic")


def digest(parts: Iterable[bytes]) -> str:
    """A digest of several parts. A line feed is added to each, so that moving text between parts changes the digest."""
    hasher = hashlib.blake2b(digest_size=16)
    for part in parts:
        hasher.update(part + b"\n")
    return hasher.hexdigest()
