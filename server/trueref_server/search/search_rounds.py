"""From a plan to ranked sections: one round of searches, a look at what is missing, and at most one round more."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from trueref_core.tables.filters import Filters
from trueref_server.corpus.corpus import Corpus, SectionAt
from trueref_server.corpus.page_boosts import Owner
from trueref_server.ranking.rank import Ranking
from trueref_server.ranking.signals import Asked
from trueref_server.records import Hit, Plan
from trueref_server.search.gaps import Gaps, assess, follow_ups, neighbours
from trueref_server.search.hybrid_search import PART_CANDIDATES, Query, Searcher

if TYPE_CHECKING:
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.generations.open_generation import OpenIndex

HELD_LEAST: Final = 0.5
"""Share of the question's words that the best section of a scope holds at least, or the next one is searched."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found: what was asked, sections, best first, what the first round had left out, and where links lead."""

    asked: Asked
    hits: list[Hit]
    gaps: Gaps
    links: Mapping[SectionAt, Collection[SectionAt]]


async def find(
    index: OpenIndex,
    corpus: Corpus,
    embedder: Embedder | None,
    plan: Plan,
    scopes: Sequence[Filters] = (Filters(),),
    *,
    limit: int = 10,
    weights: Mapping[str, float] = MappingProxyType({}),
) -> Found:
    """The sections that fit a plan best, best first.

    Of several scopes the first counts that holds enough of the question, and where none does the first of all.

    Args:
        index: The open generation.
        corpus: Its sections and statistics.
        embedder: The one the index was made with; None answers by full text alone.
        plan: The question as read.
        scopes: What to search, one after the other: see `Scopes.filters`.
        limit: How many sections at most. Confidence compares the first with the tenth: it wants as many.
        weights: What the owner of the site adds to the scores of pages, by pattern of their addresses, besides what the
            build gave them.
    """
    asked = Asked(plan, corpus.statistics, plan.question.page)
    if not (plan.terms or plan.identifiers or plan.releases):
        return Found(asked, [], Gaps(), {})
    owner = Owner(weights, corpus.weights)
    searcher = Searcher(index, corpus, embedder, (plan.query, *plan.parts))
    first: Found | None = None
    for filters in scopes:
        found = await _rounds(searcher, asked, filters, limit, owner)
        if len(scopes) == 1 or _held(asked, found.hits) >= HELD_LEAST:
            return found
        first = found if first is None else first
    return first or Found(asked, [], Gaps(), {})


async def _rounds(searcher: Searcher, asked: Asked, filters: Filters, limit: int, owner: Owner) -> Found:
    index, corpus = searcher.index, searcher.corpus

    async def related(ranking: Ranking) -> tuple[list[Hit], Mapping[SectionAt, Collection[SectionAt]]]:
        links = await corpus.links(index, await asyncio.to_thread(ranking.best))
        return await asyncio.to_thread(_hits, ranking, links, limit), links

    candidates = await searcher.search(_first_queries(asked.plan), filters)
    # Not on the event loop: to compare hundreds of sections with a long question takes what other readers would wait.
    ranking = await asyncio.to_thread(Ranking, asked, candidates.values(), owner)
    hits, links = await related(ranking)
    # What asks several things is searched for once more by each of them, and not as a whole.
    several = asked.plan.asks and not asked.plan.carried
    gaps = Gaps() if several else await asyncio.to_thread(assess, asked, hits)
    if not gaps:
        return Found(asked, hits, gaps, links)
    more, near = await asyncio.gather(
        searcher.search(follow_ups(asked, gaps), filters),
        searcher.neighbours(neighbours(hits, links, index), filters),
    )
    added = [one for key, one in (more | near).items() if key not in candidates]
    hits, links = await related(await asyncio.to_thread(ranking.with_more, added))
    return Found(asked, hits, gaps, links)


def _hits(ranking: Ranking, links: Mapping[SectionAt, Collection[SectionAt]], limit: int) -> list[Hit]:
    ranking.relate(links)
    return ranking.hits(limit)


def _first_queries(plan: Plan) -> list[Query]:
    # What a question leans on is searched by its meaning alone: by its words, it would come first. `and why?` has no
    # others.
    has_own = len(plan.words) > len(plan.carried)
    asked = plan.parts[0] if plan.carried and has_own else plan.query
    words = " ".join([asked, *plan.joined, *plan.synonyms])
    return [Query(plan.query, words), *(Query(part, "", "part", PART_CANDIDATES) for part in plan.parts)]


def _held(asked: Asked, hits: Iterable[Hit]) -> float:
    """The most that one section holds of the question's words, 0 to 1; -1 for none at all."""
    return max((asked.share(hit.chunks) for hit in hits), default=-1.0)
