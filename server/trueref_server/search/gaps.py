"""Makes the second round of a search: queries for what the first hits lack, and the sections beside the best hits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_core.tables.chunk_rows import SectionKey
from trueref_server.corpus.words import content_stems, stems_of_chunks
from trueref_server.ranking.asked_identifier import is_wordless
from trueref_server.ranking.weighted_question import WeightedQuestion, weighted_share
from trueref_server.records import Hit, RetrievalType, SectionAt
from trueref_server.search.hybrid_search import PART_CANDIDATES, Query

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex

ASSESSED_HITS: Final = 5
"""Hits that are assessed: as many as a reader looks at."""

RARE_FROM: Final = 3.0
"""A word with at least this inverse document frequency is rare: at most about one section in twenty has it."""

PART_SHARE: Final = 0.5
"""The least share of a sentence's words that one hit has to have, for the sentence to count as answered."""

MAX_FOLLOW_UPS: Final = 8
"""The most searches of the second round. If there are more, those for sentences are left out before those for
identifiers."""

MISSING_FROM: Final = 0.5
"""Rare words that no hit has are searched for if they have at least this share of the question's weight. Hits seldom
have all words, and on the development sites a second search for a smaller share changes no figure."""

MAX_MISSING: Final = 6
"""The most missing words that the second round searches for, the rarest first."""

RELATED_OF: Final = 3
"""How many of the best hits have the sections that are related to them looked at."""

MAX_CHILDREN: Final = 12
MAX_LINKED: Final = 12
"""The most sections under one hit, and the most sections that it links to, that are looked at."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """What the first hits lack: sentences of the question, and rare words and identifiers that the site does have."""

    parts: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is left out."""
        return bool(self.parts or self.terms or self.identifiers)


def assess(question: WeightedQuestion, hits: Sequence[Hit]) -> Gaps:
    """The sentences, rare words and identifiers of a question that none of the first hits has."""
    plan = question.plan
    assessed = hits[:ASSESSED_HITS]
    stems_by_hit = [stems_of_chunks(hit.chunks, plan.language) for hit in assessed]
    stems_of_all_hits = frozenset[str]().union(*stems_by_hit)
    # Identifiers are looked for as they are written: many texts have their stems and not the name itself.
    text_of_hits = "\n".join(chunk.embedded_text for hit in assessed for chunk in hit.chunks).lower()
    # A word that no page has is not searched for: there is nothing to find.
    section_counts = question.statistics.section_counts
    rare = [term for term in plan.terms if question.weight(term) >= RARE_FROM and section_counts.get(term)]
    missing = sorted((term for term in rare if term not in stems_of_all_hits), key=lambda term: -question.weight(term))
    # Words that a follow-up takes from the conversation count less here too.
    if weighted_share(question.terms(plan.language), missing) < MISSING_FROM:
        missing = []
    return Gaps(
        parts=tuple(part for part in plan.parts if not _is_covered(content_stems(part, plan.language), stems_by_hit)),
        terms=tuple(missing[:MAX_MISSING]),
        identifiers=tuple(
            name
            for name in plan.identifiers
            # The first round has searched for signs and keys already.
            if name.lower() not in text_of_hits and _site_has_words(question, name) and not is_wordless(name)
        ),
    )


def _is_covered(terms: Sequence[str], stems_by_hit: Sequence[frozenset[str]]) -> bool:
    """Whether one of the hits has enough words of a sentence. A sentence without content words counts as covered."""
    return not terms or any(weighted_share(dict.fromkeys(terms, 1.0), of_hit) >= PART_SHARE for of_hit in stems_by_hit)


def _site_has_words(question: WeightedQuestion, name: str) -> bool:
    """Whether the site has all words of an identifier. If not, no search can find the identifier."""
    return all(question.statistics.section_counts.get(term) for term in content_stems(name, question.plan.language))


def follow_ups(question: WeightedQuestion, gaps: Gaps) -> list[Query]:
    """The searches that may fill the gaps."""
    # Sentences come first: if there are too many queries the first ones are dropped, and what a question names exactly
    # matters more.
    queries = [Query(part, part, "part", PART_CANDIDATES) for part in gaps.parts]
    # By full text alone: vectors find what is said in other words, and full text finds `--no-deps`.
    queries += [Query("", name, "identifier", PART_CANDIDATES) for name in gaps.identifiers]
    if gaps.terms:
        pairs = zip(question.plan.words, question.plan.terms, strict=True)
        missing_words = " ".join(word for word, term in pairs if term in gaps.terms)
        # By full text alone: the vector of a few words does not have the meaning of the question.
        queries.append(Query("", missing_words, "missing", PART_CANDIDATES))
    return queries[-MAX_FOLLOW_UPS:]


def related_sections(
    hits: Sequence[Hit], links: Mapping[SectionAt, Collection[SectionAt]], index: OpenIndex
) -> dict[SectionKey, Query]:
    """Sections near the best hits in the graph of the documentation, each with a query that says how it was reached.

    These are the sections under a hit, which say what the hit only introduces; the section after it, which has the next
    step; and the sections that it links to.
    """
    queries: dict[SectionKey, Query] = {}
    for hit in hits[:RELATED_OF]:
        following = index.section_of(hit.in_page_order[-1].next)
        # Sorted before it is cut: the order of a set differs between processes, and the same question has to look at
        # the same sections.
        linked = sorted(links.get(hit.address, ()))[:MAX_LINKED]
        sections_by_relation: dict[RetrievalType, Sequence[str]] = {
            "child": hit.chunk.child_sections[:MAX_CHILDREN],
            "next": [following[1]] if following is not None else [],
            "linked": [f"{page}#{anchor}" for _, page, anchor in linked],
        }
        for retrieval_type, sections in sections_by_relation.items():
            for section in sections:
                # Hits come best first: a section near two of them keeps its relation to the better one.
                queries.setdefault((hit.site, section), Query("", hit.chunk.section_id, retrieval_type))
    return queries
