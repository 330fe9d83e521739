"""The texts of a generation's pages in one file, `text.json`: what is exported for language models and as Markdown.

A text is the cleaned content of a page as Markdown. It holds no links: where the site leads is in the manifest.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from trueref_core.content import PageKey
from trueref_core.errors import REBUILD, IndexDamaged
from trueref_core.pagefile import encode_pages, raw_pages


def encode_texts(texts: Mapping[PageKey, str], kept: Mapping[PageKey, msgspec.Raw] | None = None) -> bytes:
    """`text.json`: rows in the order of their keys; `kept` are more of them as they are in an earlier file."""
    return encode_pages(texts, kept)


def decode_texts(data: bytes, source: str = "text.json") -> dict[PageKey, str]:
    """The texts by site and page, in the order of the file. `source` names it in errors. Raises `IndexDamaged`."""
    try:
        return {key: msgspec.json.decode(raw, type=str) for key, raw in raw_pages(data).items()}
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IndexDamaged(f"{source} does not hold the texts of pages ({error}). {REBUILD}") from error
