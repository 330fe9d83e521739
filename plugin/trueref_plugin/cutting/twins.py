"""Marks chunks that say the same as an earlier one: one option on 55 command pages, one snippet in five guides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from trueref_core.records import Chunk
from trueref_plugin.digests import digest

TWIN_LEAST: Final = 40
"""Shorter texts agree by chance."""


def twin_key(chunk: Chunk) -> str:
    """What chunks with the same words share, per site, version and language; "" for a text too short to be a twin.

    Case, white space and marks of formatting do not count; titles do not either, since they are what differs.
    """
    words = " ".join(chunk.text.lower().replace("`", "").split())
    return digest(chunk.site, chunk.version, chunk.language, words) if len(words) >= TWIN_LEAST else ""


def find_twins(keys: Iterable[tuple[str, str]]) -> dict[str, str]:
    """By the id of a chunk, the first one with its key.

    Args:
        keys: Id and key of every chunk, in the order of the pages.
    """
    first: dict[str, str] = {}
    twins: dict[str, str] = {}
    for chunk, key in keys:
        if key and first.setdefault(key, chunk) != chunk:
            twins[chunk] = first[key]
    return twins
