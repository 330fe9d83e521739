"""Gathers what an answer may rest on, and says how sure it is that the answer is among it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from trueref_core.records import Chunk
from trueref_server.records import Evidence, Hit, Plan
from trueref_server.retrieval.words import stems

if TYPE_CHECKING:
    from trueref_core.opened import OpenIndex

SECTIONS: Final = 5
"""One section answers, four stand beside it."""

CHUNKS_MOST: Final = 60
"""Chunks of a section that are read, those around the one that was found: some 40,000 characters. A page without
headings is one section, and a change log can have thousands."""

COSINE_LOW: Final = 0.25
COSINE_HIGH: Final = 0.75
"""Cosines of the shipped embedder between a question and a chunk: unrelated texts reach the first, and few questions
in a reader's own words exceed the second."""


async def gather(index: OpenIndex, plan: Plan, hits: Sequence[Hit]) -> Evidence:
    """The best sections whole, with the confidence that they answer the question."""
    top = tuple(hits[:SECTIONS])
    keys = [(hit.site, hit.chunk.section_id) for hit in top]
    found = await index.sections(dict(zip(keys, (hit.chunk.id for hit in top), strict=True)), most=CHUNKS_MOST)
    sections = tuple(found[key] for key in keys)
    # Not on the event loop: long sections take milliseconds that other readers would wait.
    return Evidence(plan, tuple(hits), sections, await asyncio.to_thread(confidence, plan, hits, sections))


def confidence(plan: Plan, hits: Sequence[Hit], sections: Sequence[Sequence[Chunk]]) -> float:
    """How likely it is that the sections answer the question, 0 to 1.

    The mean of how much of the question's words the best sections hold, and how near the nearest text is. Without
    vectors the first alone counts.
    """
    if not hits:
        return 0.0
    share = coverage(plan.terms, sections, plan.language)
    cosines = [hit.signals["vector_score"] for hit in hits if "vector_score" in hit.signals]
    if not cosines:
        return round(share, 4)
    near = (max(cosines) - COSINE_LOW) / (COSINE_HIGH - COSINE_LOW)
    return round((share + min(1.0, max(0.0, near))) / 2, 4)


def coverage(terms: Sequence[str], sections: Sequence[Sequence[Chunk]], language: str = "") -> float:
    """The share of some stems that texts, titles and paths of sections hold."""
    if not terms:
        return 0.0
    texts = (text for chunks in sections for chunk in chunks for text in (chunk.embedded_text, chunk.page))
    held = frozenset[str]().union(*(stems(text, language) for text in texts))
    return sum(term in held for term in terms) / len(terms)
