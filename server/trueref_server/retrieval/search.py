"""Hybrid search: vectors and full text at once, fused by reciprocal rank, as sections."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from trueref_core.queries import Filters
from trueref_core.tables import Scored
from trueref_server.records import Hit, Plan
from trueref_server.retrieval.rank import rank_sections

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trueref_core.embedder import Embedder
    from trueref_core.opened import OpenIndex

CANDIDATES: Final = 100
"""Chunks that each search hands over. A section often has several, and twins collapse."""

HELD_LEAST: Final = 0.5
"""Share of the question's words that the best section of a scope holds at least, or the next one is searched."""


async def find(
    index: OpenIndex,
    embedder: Embedder | None,
    plan: Plan,
    scopes: Sequence[Filters] = (Filters(),),
    *,
    limit: int = 10,
) -> list[Hit]:
    """The sections that fit a plan best, best first.

    Of several scopes the first counts that holds enough of the question, and where none does the first of all.

    Args:
        index: The open generation.
        embedder: The one the index was made with; None answers by full text alone.
        plan: The question as read.
        scopes: What to search, one after the other: see `Scopes.filters`.
        limit: How many sections at most.
    """
    if not plan.terms and not plan.identifiers:
        return []
    vector = await asyncio.to_thread(_embed, embedder, plan.query) if embedder is not None else None
    first: list[Hit] | None = None
    for filters in scopes:
        hits = await _search(index, plan, vector, filters, limit)
        if _held(hits) >= HELD_LEAST or len(scopes) == 1:
            return hits
        first = hits if first is None else first
    return first or []


async def _search(
    index: OpenIndex, plan: Plan, vector: NDArray[np.float32] | None, filters: Filters, limit: int
) -> list[Hit]:
    by_text = index.search_text(plan.query, limit=CANDIDATES, filters=filters)
    if vector is None:
        found: list[tuple[str, list[Scored]]] = [("text", await by_text)]
    else:
        by_vector = index.search_vector(vector, limit=CANDIDATES, filters=filters)
        text_hits, vector_hits = await asyncio.gather(by_text, by_vector)
        found = [("vector", vector_hits), ("text", text_hits)]
    chunks = await index.chunks(_ids(hits for _, hits in found))
    return rank_sections(found, chunks, plan.terms, limit, plan.language)


def _held(hits: Iterable[Hit]) -> float:
    """The most that one section holds of the question, 0 to 1."""
    return max((hit.signals.get("coverage_share", 0.0) for hit in hits), default=-1.0)


def _ids(lists: Iterable[list[Scored]]) -> list[str]:
    return list(dict.fromkeys(hit.id for hits in lists for hit in hits))


def _embed(embedder: Embedder, text: str) -> NDArray[np.float32]:
    return next(iter(embedder.embed([text])))
