"""Looks at what the first hits leave out of a question, and says what to search for once more."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_core.tables.chunk_rows import SectionKey
from trueref_server.corpus.corpus import SectionAt
from trueref_server.corpus.words import stems, telling_stems
from trueref_server.ranking.signals import Asked
from trueref_server.records import Hit, RetrievalType
from trueref_server.search.hybrid_search import Query

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex

LOOKED_AT: Final = 5
"""Hits that are assessed: as many as a reader looks at."""

RARE_FROM: Final = 3.0
"""The inverse document frequency from which a word is rare: one section in twenty has it."""

PART_HELD: Final = 0.5
"""The share of a sentence's words that one of the hits holds, for it to count as answered."""

FOLLOW_UP: Final = 30
"""Chunks that a search of the second round hands over."""

FOLLOW_UPS_MOST: Final = 8
"""Searches of the second round; what a sentence says is left out before an identifier is."""

MISSING_FROM: Final = 0.5
"""The share of what a question tells that its rare words have which none of the hits has, for them to be searched for:
a hit seldom has all, and on the development sites a second search for less changes no figure."""

MISSING_MOST: Final = 6
"""Words that are searched for once more, the rarest first."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """What the first hits leave out: sentences of the question, rare words and identifiers that the site does have."""

    parts: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is left out."""
        return bool(self.parts or self.terms or self.identifiers)


def assess(asked: Asked, hits: Sequence[Hit]) -> Gaps:
    """What the first hits leave out of what is asked."""
    plan = asked.plan
    texts = [[chunk.embedded_text for chunk in hit.chunks] for hit in hits[:LOOKED_AT]]
    held = [frozenset[str]().union(*(stems(text, plan.language) for text in own)) for own in texts]
    everything = frozenset[str]().union(*held)
    written = "\n".join(text for own in texts for text in own).lower()
    rare = [term for term in plan.terms if asked.weight(term) >= RARE_FROM and asked.statistics.held.get(term)]
    missing = sorted((term for term in rare if term not in everything), key=lambda term: -asked.weight(term))
    # Of a follow-up, what the conversation adds counts less here too.
    told = asked.terms(plan.language)
    if sum(told.get(term, 0.0) for term in missing) < MISSING_FROM * sum(told.values()):
        missing = []
    return Gaps(
        parts=tuple(part for part in plan.parts if not _is_held(telling_stems(part, plan.language), held)),
        terms=tuple(missing[:MISSING_MOST]),
        identifiers=tuple(name for name in plan.identifiers if name.lower() not in written and _is_known(asked, name)),
    )


def _is_held(terms: Sequence[str], held: Sequence[frozenset[str]]) -> bool:
    return not terms or any(sum(term in one for term in terms) >= PART_HELD * len(terms) for one in held)


def _is_known(asked: Asked, name: str) -> bool:
    return all(asked.statistics.held.get(term) for term in telling_stems(name, asked.plan.language))


def follow_ups(asked: Asked, gaps: Gaps) -> list[Query]:
    """The searches that may fill the gaps."""
    queries = [Query(part, part, "part", FOLLOW_UP) for part in gaps.parts]
    queries += [Query("", name, "identifier", FOLLOW_UP) for name in gaps.identifiers]
    if gaps.terms:
        told = zip(asked.plan.words, asked.plan.terms, strict=True)
        missing = " ".join(word for word, term in told if term in gaps.terms)
        # By its words alone: the meaning of a few of them is not that of the question.
        queries.append(Query("", missing, "missing", FOLLOW_UP))
    return queries[-FOLLOW_UPS_MOST:]


NEIGHBOURS_OF: Final = 3
"""Hits whose neighbours are looked at."""

CHILDREN_MOST: Final = 12
LINKED_MOST: Final = 12
"""Sections under one hit that are looked at, and sections that it links to."""


def neighbours(
    hits: Sequence[Hit], links: Mapping[SectionAt, Collection[SectionAt]], index: OpenIndex
) -> dict[SectionKey, Query]:
    """Sections beside the best hits in the graph of the documentation, each with how it is found.

    Those under a hit, which say what it only introduces; the one after it, which has the next step; and those that it
    links to.
    """
    found: dict[SectionKey, Query] = {}
    for hit in hits[:NEIGHBOURS_OF]:
        last = max(hit.chunks, key=lambda chunk: chunk.position)
        following = index.section_of(last.next)
        linked = sorted(links.get((hit.site, hit.page, hit.anchor), ()))[:LINKED_MOST]
        near: dict[RetrievalType, Sequence[str]] = {
            "child": hit.chunk.child_sections[:CHILDREN_MOST],
            "next": [following[1]] if following is not None else [],
            "linked": [f"{page}#{anchor}" for _, page, anchor in linked],
        }
        for how, sections in near.items():
            for section in sections:
                found.setdefault((hit.site, section), Query("", hit.chunk.section_id, how))
    return found
