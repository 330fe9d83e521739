"""Marks chunks whose text the site has already said: one option on 55 command pages, say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from trueref_core.records import Chunk
from trueref_plugin.cutting.cut import digest

TWIN_LEAST: Final = 40
"""Shorter texts agree by chance."""


def mark_twins(chunks: Iterable[Chunk]) -> list[Chunk]:
    """The chunks with `twin_of` set to the first one with the same words, per site, version and language.

    Case, white space and marks of formatting do not count; titles do not either, since they are what differs.
    """
    first: dict[str, str] = {}
    marked: list[Chunk] = []
    for chunk in chunks:
        words = " ".join(chunk.text.lower().replace("`", "").split())
        if len(words) >= TWIN_LEAST:
            key = digest(chunk.site, chunk.version, chunk.language, words)
            twin = first.setdefault(key, chunk.id)
            if twin != chunk.id:
                chunk = replace(chunk, twin_of=twin)
        marked.append(chunk)
    return marked
