"""Ranks sections: the weighted sum of their signals. The weights of all signals are here.

Most weights were set for both development sites at once, by maximum likelihood of the right sections, and rounded.
Those of `nearest_two` and `together` were chosen on ten sites. Where a comment says so, the weight was set by hand,
since no question of these sites depends on it. See `docs/decisions/ranking.md` for how, and for what each signal
brings. The weights of words are in `weighted_question.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from trueref_core.records import Chunk, PageKey
from trueref_server.corpus.corpus import PageBoosts, Section
from trueref_server.ranking import signals
from trueref_server.ranking.defined import defined
from trueref_server.ranking.signals import Candidate, Signal
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Hit, SectionAt

WEIGHTS: Final[Mapping[Signal, float]] = {
    signals.vector: 0.13,
    signals.nearest_two: 0.18,
    signals.parts: 0.13,
    signals.text: 0.02,
    signals.body: 0.13,
    signals.fields: 0.085,
    signals.title: 0.03,
    signals.together: 0.09,
    signals.phrase: 0.07,
    signals.identifiers: 0.01,
    # By hand: hardly a question of the sites that the other weights were fitted to is nothing but an identifier.
    signals.asked_identifier: 0.1,
    # By hand, likewise.
    signals.explained_option: 0.08,
    # By hand: no question of the development sites asks for a term alone.
    signals.named: 0.1,
    # By hand: few of those questions ask what a thing is, in so many words.
    defined: 0.1,
    # By hand: only readers who take a question that the widget offers ask in these words, and they mean this section.
    signals.offered: 0.5,
    # By hand: none of those questions consists of a topic that all docs have.
    signals.usual_title: 0.4,
    # By hand: none of those questions names a version. The weight is high because no other signal tells 9.5.0 from
    # 9.5.1; over the cases that were added since, section@5 falls by .014 without it.
    signals.release: 0.3,
    signals.exact: 0.02,
    # Among the highest: both searches favour sections of one line, which seldom answer.
    signals.size: 0.13,
    # By hand, and mild: a question that points to the reader's page is read with that page anyway.
    signals.here: 0.02,
    # By hand: none of the questions that the other weights were fitted to is a follow-up.
    signals.topic: 0.08,
    # Below 0: a reference or a change log has nearly every word of the site, and is found for every question.
    signals.reference: -0.02,
    signals.aside: -0.05,
    # By hand: few of these sites have a guide for contributors, and hardly a question is answered there.
    signals.contributing: -0.06,
}
"""The most that each signal adds to a score."""

WEIGHTS_BY_WORDS: Final[Mapping[Signal, float]] = {
    **WEIGHTS,
    signals.text: 0.035,
    signals.body: 0.15,
    signals.fields: 0.13,
    signals.together: 0.06,
    signals.phrase: 0.12,
    signals.identifiers: 0.015,
    signals.aside: -0.065,
}
"""The same for sections that are compared by words alone, which have to tell what vectors tell elsewhere: half-way
between weights that were fitted with vectors and weights that were fitted without them to eight sites."""

RELATIONS: Final[Mapping[Signal, float]] = {signals.page: 0.04, signals.linked: 0.04}
"""The weights of signals that are known only once every candidate has a score."""

PAGE_SECTIONS: Final = 2
"""How many other sections of its page may raise the score of a section."""

SAME_PAGE: Final = 0.03
SAME_PAGE_BY_WORDS: Final = 0.01
"""How much each listed section of a page lowers the score of the next section of that page, so that one long page does
not fill the list. Without vectors the scores of sections are nearer to one another, so that .03 would decide alone."""

MAX_SAME_PAGE: Final = 3
"""At most this many listed sections of a page lower the score of the next one."""

TWIN_SHARE: Final = 0.7
"""Two sections of one title say the same if they have this share of their words in common: an option that all commands
have, for example."""

POOL: Final = 80
"""How many of the best candidates the hits are chosen from."""

RELATED_TO: Final = 10
"""How many of the best sections have links that count."""

LINK_REACH: Final = 0.1
"""How far the score of a section may be below the best one for its links to count."""

COMPILATION: Final = -0.1
"""Added to sections of a page that repeats other pages, so that each ranks after the section that it repeats. Scores of
such a pair differ by at most .06 on the site of Node.js, since the signals of the page differ."""

NO_BOOSTS: Final = PageBoosts()
"""Adds nothing to any page."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSection:
    """A candidate with its score.

    `values` has the value of each signal, 0 to 1, by name. `signals` has what each of them adds to the score, and also
    what the owner of the site and other sections add. Neither has values of 0.
    """

    candidate: Candidate
    score: float
    signals: Mapping[str, float]
    values: Mapping[str, float]

    @property
    def has_vectors(self) -> bool:
        """Whether the section was compared with the question by vectors, and not by words alone."""
        return bool(self.candidate.cosines)

    def scored_by(self, question: WeightedQuestion, weights: Mapping[Signal, float]) -> ScoredSection:
        """The section with further signals added to its score."""
        # One loop and no `replace`: with some hundred candidates for a question, several loops and copies took as long
        # as the signals.
        score, signals, values = self.score, {**self.signals}, {**self.values}
        for signal, weight in weights.items():
            if value := signal(question, self.candidate):
                values[signal.__name__] = value
                signals[signal.__name__] = weight * value
                # Added one after the other: in another order the sums differ in the last digit, which decides between
                # equal scores.
                score += weight * value
        return ScoredSection(self.candidate, score, signals, values)


def score_sections(
    question: WeightedQuestion, candidates: Iterable[Candidate], boosts: PageBoosts = NO_BOOSTS
) -> list[ScoredSection]:
    """Sections with the score that each has by itself, best first.

    Args:
        question: What is asked.
        candidates: The sections that the searches found.
        boosts: What the owner of the site adds to the scores of pages.
    """
    unscored = (ScoredSection(candidate.counted(question), 0.0, {}, {}) for candidate in candidates)
    return best_first(
        _with_boost(section.scored_by(question, WEIGHTS if section.has_vectors else WEIGHTS_BY_WORDS), boosts)
        for section in unscored
    )


def best_first(sections: Iterable[ScoredSection]) -> list[ScoredSection]:
    """Sections by falling score, equal scores by address: the order must not depend on which search ended first."""
    return sorted(sections, key=lambda section: (-section.score, section.candidate.address))


def linking_sections(sections: Sequence[ScoredSection]) -> list[SectionAt]:
    """The addresses of the best sections, whose links to others count."""
    return [section.candidate.address for section, _ in _spread(sections[:POOL], RELATED_TO)]


def relate_sections(
    question: WeightedQuestion,
    sections: Sequence[ScoredSection],
    links: Mapping[SectionAt, Collection[SectionAt]],
) -> list[ScoredSection]:
    """Add the signals of relations between sections to their scores, and sort them again, best first.

    Args:
        question: What is asked.
        sections: All that were found, each with the score that it has by itself, best first.
        links: By section, for the best sections, the sections that links in its text lead to.
    """
    scores_of_page: dict[PageKey, list[float]] = defaultdict(list)
    for section in sections:
        scores_of_page[section.candidate.address[:2]].append(section.score)
    linked_from = _linked_from(sections, links)
    related: list[ScoredSection] = []
    for section in sections:
        # A candidate is copied, not changed: the second round relates the same candidates again, beside others.
        address = section.candidate.address
        # The scores of a page are in falling order. A section's own score is left out: it does not speak for itself.
        other_scores = scores_of_page[address[:2]][: PAGE_SECTIONS + 1]
        other_scores.remove(section.score if section.score in other_scores else other_scores[-1])
        page_score = sum(other_scores) / len(other_scores) if other_scores else 0.0
        candidate = replace(section.candidate, page_score=page_score, linked_from=linked_from.get(address, 0.0))
        scored = ScoredSection(candidate, section.score, section.signals, section.values)
        related.append(scored.scored_by(question, RELATIONS))
    return best_first(related)


def hits_of(sections: Sequence[ScoredSection], limit: int) -> list[Hit]:
    """The best sections as hits, best first. Sections that say the same are one hit.

    Args:
        sections: Best first.
        limit: How many hits at most.
    """
    return [_hit(section, twins) for section, twins in _spread(sections[: max(POOL, limit)], limit)]


def _with_boost(section: ScoredSection, boosts: PageBoosts) -> ScoredSection:
    """A section with what is added for its page: by the owner of the site, and because it repeats other pages."""
    page = section.candidate.address[:2]
    # Kept apart from the other signals: what is added tells nothing about what a section says, and confidence leaves it
    # out.
    added = {"owner": boosts.weight(page), "compilation": COMPILATION if page in boosts.compilations else 0.0}
    if not any(added.values()):
        return section
    signals = {**section.signals, **{name: value for name, value in added.items() if value}}
    return replace(section, score=section.score + sum(added.values()), signals=signals)


def _linked_from(
    sections: Sequence[ScoredSection], links: Mapping[SectionAt, Collection[SectionAt]]
) -> dict[SectionAt, float]:
    """By section, how good the best section that links to it is: 1 for the first, 0 for one `LINK_REACH` below it."""
    linked: dict[SectionAt, float] = {}
    for section in sections[:POOL]:
        address = section.candidate.address
        share = max(0.0, 1 - (sections[0].score - section.score) / LINK_REACH)
        for target in links.get(address, ()):
            if target != address:
                linked[target] = max(linked.get(target, 0.0), share)
    return linked


def _spread(pool: Sequence[ScoredSection], limit: int) -> list[tuple[ScoredSection, list[Candidate]]]:
    """Choose the best sections, each with its twins. A section that is chosen lowers the score of the next of its page.

    Otherwise a page that fits as a whole would fill the list, and sections of other pages would not be in it.
    """
    chosen: list[tuple[ScoredSection, list[Candidate]]] = []
    chosen_per_page: dict[PageKey, int] = {}
    same_page = SAME_PAGE if any(section.has_vectors for section in pool) else SAME_PAGE_BY_WORDS

    def reduced(section: ScoredSection) -> float:
        return section.score - same_page * min(MAX_SAME_PAGE, chosen_per_page.get(section.candidate.address[:2], 0))

    remaining = list(pool)
    while remaining and len(chosen) < limit:
        best, score = remaining[0], reduced(remaining[0])
        for section in remaining:
            # The sections come by falling full score, so none of those that follow can get more than this one.
            if section.score <= score:
                break
            if reduced(section) > score:
                best, score = section, reduced(section)
        remaining.remove(best)
        # A twin is listed with the hit that says the same, and is no hit of its own.
        twins = next(
            (twins for first, twins in chosen if is_twin(best.candidate.section, first.candidate.section)), None
        )
        if twins is not None:
            twins.append(best.candidate)
            continue
        page = best.candidate.address[:2]
        if score != best.score:
            best = replace(best, score=score, signals={**best.signals, "same_page": score - best.score})
        chosen.append((best, []))
        chosen_per_page[page] = chosen_per_page.get(page, 0) + 1
    return chosen


def signal_value(hit: Hit, signal: Signal) -> float:
    """The value of a signal of a hit, 0 to 1, without its weight."""
    return hit.signal_values.get(signal.__name__, 0.0)


def is_twin(section: Section, other: Section) -> bool:
    """Whether two sections say the same: their longest chunks are twins, or they share a title and most words."""
    # Keys are compared here and not by the build: which chunk is the first with a key depends on all pages, so that a
    # change of one page would change rows of others (`docs/decisions/ranking.md`).
    if section.twin_key == other.twin_key:
        return True
    # The build compares whole chunks, and misses an option of 55 commands whose text has a word or two of its own in
    # each.
    if (
        not section.title
        or section.title != other.title
        or site_version_language(section.chunks[0]) != site_version_language(other.chunks[0])
    ):
        return False
    section_stems, other_stems = frozenset(section.body), frozenset(other.body)
    return len(section_stems & other_stems) >= TWIN_SHARE * len(section_stems | other_stems)


def site_version_language(chunk: Chunk) -> tuple[str, str, str]:
    """The site, version and language of a chunk and its section.

    Copies of a section differ in one of these, and `search.version_copies` chooses the copy for the reader.
    """
    return chunk.site, chunk.version, chunk.language


def _hit(section: ScoredSection, twins: Iterable[Candidate]) -> Hit:
    """A section as the stages after ranking see it, with its nearest chunk first."""
    candidate = section.candidate
    chunks = candidate.section.chunks
    nearest = max(range(len(candidate.near)), key=candidate.near.__getitem__, default=0)
    return Hit(
        *candidate.address,
        score=section.score,
        chunks=(chunks[nearest], *chunks[:nearest], *chunks[nearest + 1 :]),
        signals=dict(section.signals),
        signal_values=dict(section.values),
        twins=tuple(twin.address for twin in twins),
        retrieval_type=candidate.retrieval_type,
        retrieval_query=candidate.retrieval_query,
        near=dict(zip((chunk.id for chunk in chunks), candidate.near, strict=False)),
    )
