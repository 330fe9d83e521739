"""The texts of a generation's pages in one file, `text.json`: what is exported for language models and as Markdown.

A text is the cleaned content of a page as Markdown. It holds no links: where the site leads is in the manifest.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from trueref_core.errors import REBUILD, IndexDamaged

PageKey = tuple[str, str]


class TextRow(msgspec.Struct, frozen=True):
    """One page in the file."""

    site: str
    page: str
    text: str


def encode_texts(texts: Mapping[PageKey, str]) -> bytes:
    """`text.json`: rows in the order of their keys. Equal texts give equal bytes."""
    rows = [TextRow(site, page, text) for (site, page), text in sorted(texts.items())]
    return msgspec.json.encode(rows) + b"\n"


def decode_texts(data: bytes, source: str = "text.json") -> dict[PageKey, str]:
    """The texts by site and page, in the order of the file. `source` names it in errors. Raises `IndexDamaged`."""
    try:
        rows = msgspec.json.decode(data, type=list[TextRow])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IndexDamaged(f"{source} does not hold the texts of pages ({error}). {REBUILD}") from error
    return {(row.site, row.page): row.text for row in rows}
