"""The values of each page that a generation keeps in parts: its anchors, its edges and its text."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from trueref_core.generations.content import IndexContent
from trueref_core.manifest.codec import anchor_rows
from trueref_core.records import Link, LinkKind, LinkStatus, PageKey
from trueref_core.storage.page_parts import Parts, by_page

ANCHORS: Final = "anchors"
LINKS: Final = "links"
TEXTS: Final = "texts"

KINDS: Final = {ANCHORS: "anchors", LINKS: "links", TEXTS: "text"}
"""The kinds of values, which are the folders of parts in a build, each with the digest's field in `PageState`."""

LinkRow = tuple[str, str, str, LinkKind, str, LinkStatus]
"""An edge without the page that it begins on."""

_link_row = attrgetter("from_anchor", "to_page", "to_anchor", "kind", "text", "status")


def page_values(content: IndexContent) -> dict[str, Mapping[PageKey, Any]]:
    """The values of the pages in ordered content that are not kept, in the form in which they are written, by kind."""
    return {
        ANCHORS: {key: anchor_rows(anchors) for key, anchors in by_page(content.anchors).items()},
        LINKS: {key: list(map(_link_row, links)) for key, links in by_page(content.links).items()},
        TEXTS: content.texts,
    }


def decode_links(parts: Parts) -> list[Link]:
    """All edges, in the order of the pages that they begin on. Raises `IndexDamaged`."""
    return [
        Link(site, page, from_anchor, to_page, to_anchor, kind, text, status)
        for (site, page), rows in parts.decoded(list[LinkRow]).items()
        for from_anchor, to_page, to_anchor, kind, text, status in rows
    ]
