"""Ranks sections from the chunks that the searches found. Every signal is a small function; the weights stand here.

Measured on two sites with 129 answerable questions, see `docs/benchmarks.md`; none was set for one site.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from trueref_core.records import Chunk
from trueref_core.tables import Scored
from trueref_server.records import Hit
from trueref_server.retrieval.words import stems

RANK_OFFSET: Final = 10
"""The constant of reciprocal rank fusion. Smaller than the usual 60, which was set for lists of thousands: the first
ranks of each search count for more. Source: Cormack, Clarke and Buettcher, SIGIR 2009."""

SHORT_TEXT: Final = 600
SHORT_WEIGHT: Final = 0.75
"""Both searches favour short chunks. One of no length counts this much, one of `SHORT_TEXT` characters fully."""

MORE_CHUNKS: Final = 0.1
"""What each further chunk of a section adds to its share of a search, for at most three."""

COVERAGE_WEIGHT: Final = 0.6
"""What the ranking by coverage of the question counts against a search."""

SAME_PAGE: Final = 0.9
"""What each section of a page takes from the score of the next one, so that one long page does not fill the list."""

SHARES: Final = ("vector", "text", "coverage")
"""The signals that add up to a score. Each is a share of a ranking; the others explain."""

SectionKey = tuple[str, str, str]


@dataclass(slots=True)
class _Section:
    chunks: dict[str, Chunk] = field(default_factory=dict[str, Chunk])
    signals: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def score(self) -> float:
        return sum(self.signals[name] for name in SHARES if name in self.signals)


def rank_sections(
    found: Sequence[tuple[str, list[Scored]]],
    chunks: Mapping[str, Chunk],
    terms: Sequence[str],
    limit: int,
    language: str = "",
) -> list[Hit]:
    """The best sections, best first.

    Args:
        found: By name of the search, what it found. `vector` scores are cosines.
        chunks: The chunks behind the ids.
        terms: The stems that tell what the question is about.
        limit: How many sections at most.
        language: The one that the stems are of, "" for English.
    """
    sections: dict[SectionKey, _Section] = {}
    for name, hits in found:
        _add_search(sections, name, hits, chunks)
    _add_coverage(sections, terms, language)
    return _spread(sections, limit)


def length_weight(chunk: Chunk) -> float:
    """How much a score of a chunk counts for its length."""
    return min(1.0, SHORT_WEIGHT + (1 - SHORT_WEIGHT) * len(chunk.text) / SHORT_TEXT)


def _add_search(
    sections: dict[SectionKey, _Section], name: str, hits: list[Scored], chunks: Mapping[str, Chunk]
) -> None:
    weighted = [(hit.score * length_weight(chunks[hit.id]), chunks[hit.id], hit.score) for hit in hits]
    weighted.sort(key=lambda item: (-item[0], item[1].id))
    ranks: dict[SectionKey, int] = {}
    told: set[str] = set()
    more: dict[SectionKey, int] = {}
    for _, chunk, score in weighted:
        key = (chunk.site, chunk.page, chunk.anchor)
        said = chunk.twin_of or chunk.id
        if key not in ranks and said in told:
            continue  # Another section says the same, and comes before.
        told.add(said)
        section = sections.setdefault(key, _Section())
        section.chunks.setdefault(chunk.id, chunk)
        if key in ranks:
            more[key] = more.get(key, 0) + 1
        else:
            ranks[key] = len(ranks)
            section.signals[f"{name}_score"] = score
    for key, rank in ranks.items():
        share = 1 / (RANK_OFFSET + rank + 1)
        sections[key].signals[name] = share * (1 + MORE_CHUNKS * min(3, more.get(key, 0)))


def _add_coverage(sections: dict[SectionKey, _Section], terms: Sequence[str], language: str) -> None:
    """Ranks the found sections by how much of the question they hold; words that few of them hold count for more."""
    held = {
        key: frozenset[str]().union(*(stems(chunk.embedded_text, language) for chunk in section.chunks.values()))
        for key, section in sections.items()
    }
    weights = {term: math.log(1 + len(held) / (1 + sum(term in found for found in held.values()))) for term in terms}
    total = sum(weights.values())
    if not total:
        return
    shares = {key: sum(weights[term] for term in terms if term in found) / total for key, found in held.items()}
    ordered = sorted(shares, key=lambda key: (-shares[key], -sections[key].score, key))
    for rank, key in enumerate(ordered):
        signals = sections[key].signals
        signals["coverage_share"] = shares[key]
        if shares[key]:
            signals["coverage"] = COVERAGE_WEIGHT / (RANK_OFFSET + rank + 1)


def _spread(sections: dict[SectionKey, _Section], limit: int) -> list[Hit]:
    """Takes the best section again and again, each page's next one at a lower score."""
    pool = dict(sections)
    taken: dict[tuple[str, str], int] = {}
    hits: list[Hit] = []

    def score_of(key: SectionKey) -> float:
        return pool[key].score * SAME_PAGE ** taken.get(key[:2], 0)

    while pool and len(hits) < limit:
        key = max(pool, key=lambda candidate: (score_of(candidate), candidate))
        score, section = score_of(key), pool.pop(key)
        taken[key[:2]] = taken.get(key[:2], 0) + 1
        site, page, anchor = key
        hits.append(Hit(site, page, anchor, score, tuple(section.chunks.values()), section.signals))
    return hits
