"""Files of a generation that hold one value a page: what did not change is copied as bytes, without being read."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import msgspec

from trueref_core.content import PageKey, PageState, page_key
from trueref_core.records import Link, LinkKind, LinkStatus

LinkRow = tuple[str, str, str, LinkKind, str, LinkStatus]
"""An edge without the page that it begins on."""

link_row = attrgetter("from_anchor", "to_page", "to_anchor", "kind", "text", "status")
"""The `LinkRow` of a `Link`."""


class PageRow(msgspec.Struct, frozen=True, gc=False):
    """The value of one page, still encoded."""

    site: str
    page: str
    value: msgspec.Raw


def encode_pages(values: Mapping[PageKey, Any], kept: Mapping[PageKey, msgspec.Raw] | None = None) -> bytes:
    """A file of these values, in the order of the pages. Equal values give equal bytes.

    Args:
        values: By page, anything that is JSON.
        kept: More of them, as `raw_pages` gave them.
    """
    raws = dict(kept or {})
    raws |= {key: msgspec.Raw(msgspec.json.encode(value, order="deterministic")) for key, value in values.items()}
    return b"[\n%b\n]\n" % b",\n".join(msgspec.json.encode(PageRow(*key, raws[key])) for key in sorted(raws))


def raw_pages(data: bytes) -> dict[PageKey, msgspec.Raw]:
    """The values of a file by page, as they are written. Raises `msgspec.DecodeError`."""
    return {(row.site, row.page): row.value for row in msgspec.json.decode(data, type=list[PageRow])}


def decode_links(data: bytes) -> list[Link]:
    """The edges in the bytes of `links.json`. Raises `msgspec.DecodeError`."""
    return [
        Link(site, page, from_anchor, to_page, to_anchor, kind, text, status)
        for (site, page), raw in raw_pages(data).items()
        for from_anchor, to_page, to_anchor, kind, text, status in msgspec.json.decode(raw, type=list[LinkRow])
    ]


def decode_states(data: bytes) -> dict[PageKey, PageState]:
    """The states in the bytes of `states.json`. Raises `msgspec.DecodeError`."""
    return {page_key(state): state for state in msgspec.json.decode(data, type=list[PageState])}
