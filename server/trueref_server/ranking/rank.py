"""Ranks sections: the weighted sum of their signals. Every weight stands here, and nowhere else.

The weights were set for both development sites at once, by maximum likelihood of the right sections, and rounded; those
of `named`, `release`, `here` and `topic`, which no question there asks for, were set by hand. See
`docs/decisions/ranking.md` for how, and for what each signal brings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from trueref_server.corpus.corpus import Section, SectionAt
from trueref_server.corpus.page_boosts import Owner
from trueref_server.ranking import signals
from trueref_server.ranking.signals import Asked, Candidate, Signal
from trueref_server.records import Hit, Place

WEIGHTS: Final[Mapping[Signal, float]] = {
    signals.vector: 0.18,
    signals.parts: 0.18,
    signals.text: 0.03,
    signals.body: 0.18,
    signals.fields: 0.12,
    signals.title: 0.04,
    signals.phrase: 0.10,
    signals.identifiers: 0.01,
    signals.named: 0.1,
    signals.release: 0.3,
    signals.exact: 0.02,
    signals.code_language: 0.05,
    signals.size: 0.18,
    signals.here: 0.02,
    signals.topic: 0.08,
    signals.reference: -0.03,
    signals.aside: -0.07,
}
"""What each signal adds to a score, at most."""

RELATIONS: Final[Mapping[Signal, float]] = {signals.page: 0.04, signals.linked: 0.04}
"""The same for what is known once every candidate has a score."""

PAGE_SECTIONS: Final = 2
"""Other sections of a page that speak for one of it."""

SAME_PAGE: Final = 0.03
"""What each section of a page takes from the score of the next ones, so that one long page does not fill the list."""

SAME_PAGE_MOST: Final = 3
"""Sections of a page that count for that."""

TWIN_SHARE: Final = 0.7
"""The share of words that two sections of one title have in common from which they say the same: an option that all
commands have."""

POOL: Final = 80
"""The best candidates, of which the hits are taken."""

RELATED_TO: Final = 10
"""The best sections, whose links to others count."""

LINK_REACH: Final = 0.1
"""How much less than the best a section may score for its links to count."""

NOBODY: Final = Owner()
"""Adds nothing to any page."""


@dataclass(slots=True)
class _Ranked:
    candidate: Candidate
    signals: dict[str, float]
    score: float
    twins: list[Candidate] = field(default_factory=list[Candidate])


class Ranking:
    """Candidates with their scores: first each for itself, then as what they are to each other.

    Args:
        asked: What is asked.
        candidates: What the searches found.
        owner: What the owner of the site adds to the scores of pages.
    """

    def __init__(self, asked: Asked, candidates: Iterable[Candidate], owner: Owner = NOBODY) -> None:
        self._asked = asked
        self._owner = owner
        self._ranked = [_ranked(asked, candidate, owner) for candidate in candidates]
        self._alone = [replace(one, signals=dict(one.signals)) for one in self._ranked]
        self._sort()

    def with_more(self, candidates: Iterable[Candidate]) -> Ranking:
        """The ranking of these candidates and others. What each scores for itself is taken from here."""
        ranking = Ranking(self._asked, candidates, self._owner)
        ranking._alone += self._alone
        ranking._ranked = [replace(one, signals=dict(one.signals)) for one in ranking._alone]
        ranking._sort()
        return ranking

    def best(self) -> list[SectionAt]:
        """The best sections, whose links count."""
        return [one.candidate.place for one in _spread(self._ranked[:POOL], RELATED_TO)]

    def relate(self, links: Mapping[SectionAt, Collection[SectionAt]]) -> None:
        """Add what sections are to each other.

        Args:
            links: Where links in the text of the best sections lead.
        """
        if not self._ranked:
            return
        pages: dict[tuple[str, str], list[float]] = defaultdict(list)
        for one in self._ranked:
            pages[one.candidate.place[:2]].append(one.score)
        linked = self._linked(links)
        for one in self._ranked:
            place = one.candidate.place
            # Sorted: the best scores of a page come first.
            others = pages[place[:2]][: PAGE_SECTIONS + 1]
            others.remove(one.score if one.score in others else others[-1])
            one.candidate.page_score = sum(others) / len(others) if others else 0.0
            one.candidate.linked_from = linked.get(place, 0.0)
        for one in self._ranked:
            for signal, weight in RELATIONS.items():
                if value := weight * signal(self._asked, one.candidate):
                    one.signals[signal.__name__] = value
                    one.score += value
        self._sort()

    def hits(self, limit: int) -> list[Hit]:
        """The best sections, best first. Sections that say the same are one hit.

        Args:
            limit: How many at most.
        """
        return [_hit(one) for one in _spread(self._ranked[: max(POOL, limit)], limit)]

    def _linked(self, links: Mapping[SectionAt, Collection[SectionAt]]) -> dict[SectionAt, float]:
        best = self._ranked[0].score
        linked: dict[SectionAt, float] = {}
        for one in self._ranked[:POOL]:
            share = max(0.0, 1 - (best - one.score) / LINK_REACH)
            for target in links.get(one.candidate.place, ()):
                if target != one.candidate.place:
                    linked[target] = max(linked.get(target, 0.0), share)
        return linked

    def _sort(self) -> None:
        self._ranked.sort(key=lambda one: (-one.score, one.candidate.place))


def _ranked(asked: Asked, candidate: Candidate, owner: Owner) -> _Ranked:
    told = {signal.__name__: weight * signal(asked, candidate) for signal, weight in WEIGHTS.items()}
    told["owner"] = owner.weight(candidate.place[:2])
    return _Ranked(candidate, {name: value for name, value in told.items() if value}, sum(told.values()))


def _spread(pool: Sequence[_Ranked], limit: int) -> list[_Ranked]:
    """Takes the best section again and again, each page's next one at a lower score, and twins with the first."""
    taken: list[_Ranked] = []
    pages: dict[tuple[str, str], int] = {}

    def score_of(one: _Ranked) -> float:
        return one.score - SAME_PAGE * min(SAME_PAGE_MOST, pages.get(one.candidate.place[:2], 0))

    left = list(pool)
    while left and len(taken) < limit:
        best, score = left[0], score_of(left[0])
        for one in left:
            # Sorted: nothing that follows scores more.
            if one.score <= score:
                break
            if score_of(one) > score:
                best, score = one, score_of(one)
        left.remove(best)
        first = next((other for other in taken if is_twin(best.candidate.section, other.candidate.section)), None)
        if first is not None:
            first.twins.append(best.candidate)
            continue
        told = best.signals | ({"same_page": score - best.score} if score != best.score else {})
        taken.append(_Ranked(best.candidate, told, score))
        pages[best.candidate.place[:2]] = pages.get(best.candidate.place[:2], 0) + 1
    return taken


def raw(hit: Hit, signal: Signal) -> float:
    """The value of a signal of a hit, 0 to 1, without its weight."""
    weight = WEIGHTS.get(signal) or RELATIONS[signal]
    return hit.signals.get(signal.__name__, 0.0) / weight


def own_score(hit: Hit) -> float:
    """The score of a hit without what other hits of its page took from it."""
    return hit.score - hit.signals.get("same_page", 0.0)


def is_twin(one: Section, other: Section) -> bool:
    """Whether two sections say the same: their longest chunks are twins, or they share a title and most words."""
    if _twin_key(one) == _twin_key(other):
        return True
    if not one.title or one.title != other.title or _edition(one) != _edition(other):
        return False
    words, others = frozenset(one.body), frozenset(other.body)
    return len(words & others) >= TWIN_SHARE * len(words | others)


def _edition(section: Section) -> tuple[str, str, str]:
    """What copies in other versions and languages differ by: of these, the reader's is chosen later."""
    first = section.chunks[0]
    return first.site, first.version, first.language


def _twin_key(section: Section) -> str:
    """The key of the longest chunk; its id where it is too short to say the same as another."""
    longest = max(section.chunks, key=lambda chunk: len(chunk.text))
    return longest.twin_key or longest.id


def _hit(one: _Ranked) -> Hit:
    chunks = one.candidate.section.chunks
    at = min(one.candidate.nearest, len(chunks) - 1)
    return Hit(
        *one.candidate.place,
        score=one.score,
        chunks=(chunks[at], *chunks[:at], *chunks[at + 1 :]),
        signals=one.signals,
        twins=tuple(Place(*twin.place) for twin in one.twins),
        retrieval_type=one.candidate.retrieval_type,
        retrieval_query=one.candidate.retrieval_query,
        near=dict(zip((chunk.id for chunk in chunks), one.candidate.near, strict=False)),
    )
