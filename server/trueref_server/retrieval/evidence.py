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
    from trueref_server.retrieval.late import LateInteraction
    from trueref_server.retrieval.signals import Asked

SECTIONS: Final = 10
"""Sections whose passages compete: in so many the right one is found for 86 of 100 questions, in three for 75."""


async def gather(index: OpenIndex, asked: Asked, hits: Sequence[Hit], late: LateInteraction | None) -> Evidence:
    """The best sections whole, with the confidence that they answer the question.

    Args:
        index: The open generation.
        asked: What was asked.
        hits: What was found, best first.
        late: Compares them word by word with the question; None for an embedder that this was not fitted with.
    """
    top = tuple(hits[:SECTIONS])
    keys = [(hit.site, hit.chunk.section_id) for hit in top]
    found = await index.sections(dict(zip(keys, (hit.chunk.id for hit in top), strict=True)), most=CHUNKS_MOST)
    sections = tuple(found[key] for key in keys)
    # Not on the event loop: to read five texts takes milliseconds that other readers would wait.
    return Evidence(asked.plan, tuple(hits), sections, await asyncio.to_thread(confidence_of, asked, hits, late))


def confidence_of(asked: Asked, hits: Sequence[Hit], late: LateInteraction | None) -> float:
    """The confidence of some hits, compared word by word where that is possible. Takes some 25 ms of a thread."""
    return confidence(asked, hits, late.met(asked, hits) if late else None)
