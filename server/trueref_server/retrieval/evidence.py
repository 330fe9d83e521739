"""Gathers what an answer may rest on: the chunk finds, the section answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from trueref_server.records import Evidence, Hit
from trueref_server.retrieval.confidence import confidence
from trueref_server.retrieval.corpus import CHUNKS_MOST

if TYPE_CHECKING:
    from trueref_core.opened import OpenIndex
    from trueref_server.retrieval.signals import Asked

SECTIONS: Final = 5
"""One section answers, four stand beside it."""


async def gather(index: OpenIndex, asked: Asked, hits: Sequence[Hit]) -> Evidence:
    """The best sections whole, with the confidence that they answer the question."""
    top = tuple(hits[:SECTIONS])
    keys = [(hit.site, hit.chunk.section_id) for hit in top]
    found = await index.sections(dict(zip(keys, (hit.chunk.id for hit in top), strict=True)), most=CHUNKS_MOST)
    sections = tuple(found[key] for key in keys)
    # Not on the event loop: long sections take milliseconds that other readers would wait.
    return Evidence(asked.plan, tuple(hits), sections, await asyncio.to_thread(confidence, asked, hits))
