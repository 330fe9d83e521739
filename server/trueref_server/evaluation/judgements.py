"""Compares a case with its outcome: the rank of the gold among the results, and whether the nuggets are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from trueref_core.addresses import href_of
from trueref_server.evaluation.cases import Case, SectionAddress
from trueref_server.evaluation.nuggets import ShownNuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.records import Verdict

DEPTH: Final = 10
"""At most this many results of a case count."""

RESULTS_SEEN: Final = 5
"""A reader looks at this many results. A case without gold among them is a miss."""

MAX_CARD: Final = 160
"""At most this many characters of the text that was shown instead are listed."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A case and its outcome. The ranks of the first gold page and section count from 1; infinite if there is none.

    `seen` is None for a case without nuggets.
    """

    case: Case
    outcome: Outcome
    page_rank: float
    section_rank: float
    seen: ShownNuggets | None


@dataclass(frozen=True, slots=True)
class ListedResult:
    """A result, by its rank and its address in the site."""

    rank: int
    href: str


@dataclass(frozen=True, slots=True)
class Miss:
    """A case that failed: what was expected, and what the reader would have seen instead.

    `gold` is empty for a question that these docs do not answer and that was answered. Ranks are None if none of the
    ten results is gold.
    """

    id: str
    kind: str
    question: str
    gold: tuple[str, ...]
    section_rank: int | None
    page_rank: int | None
    verdict: Verdict | None
    confidence: float | None
    found: tuple[ListedResult, ...]


@dataclass(frozen=True, slots=True)
class NotShown:
    """A case whose nuggets are not all shown. `nuggets` has the first span of each missing one.

    `in_cards` is true if a reader who opens the cards sees all nuggets. `misleading` are the misleading spans that are
    shown, and `card` is the beginning of the text.
    """

    id: str
    form: str
    question: str
    nuggets: tuple[str, ...]
    in_cards: bool
    misleading: tuple[str, ...]
    verdict: Verdict | None
    confidence: float | None
    card: str


def judge(cases: Iterable[Case], outcomes: Iterable[Outcome]) -> list[Judgement]:
    """One judgement for each case, in order. A case without an outcome counts as a case without results."""
    by_id = {outcome.id: outcome for outcome in outcomes}
    return [_judge(case, by_id.get(case.id) or Outcome(case.id)) for case in cases]


def misses(judgements: Iterable[Judgement]) -> list[Miss]:
    """The answerable cases without gold among the first five results, and unanswerable ones that were answered."""
    return [_miss(judgement) for judgement in judgements if _is_miss(judgement)]


def not_shown(judgements: Iterable[Judgement]) -> list[NotShown]:
    """The cases whose nuggets are not all in the beginning of the text that a reader sees."""
    return [
        _not_shown(judgement.case, judgement.outcome, judgement.seen)
        for judgement in judgements
        if judgement.seen is not None and not judgement.seen.is_full
    ]


def _judge(case: Case, outcome: Outcome) -> Judgement:
    """The judgement of a case and its outcome."""
    results = outcome.results[:DEPTH]
    return Judgement(
        case,
        outcome,
        _rank(results, lambda result: any(_is_page(result, gold) for gold in case.gold)),
        _rank(results, lambda result: any(_is_section(result, gold) for gold in case.gold)),
        see(case, outcome) if case.has_nuggets else None,
    )


def _rank(results: Sequence[SectionAddress], is_gold: Callable[[SectionAddress], bool]) -> float:
    """The rank of the first gold result, counted from 1; infinite if none is gold."""
    return next((rank for rank, result in enumerate(results, 1) if is_gold(result)), math.inf)


def _is_page(result: SectionAddress, gold: SectionAddress) -> bool:
    """Whether a result is on a gold page; the site counts only if both name one."""
    return result.key[0] == gold.key[0] and (not (result.site and gold.site) or result.site == gold.site)


def _is_section(result: SectionAddress, gold: SectionAddress) -> bool:
    """Whether a result is a gold section."""
    return result.anchor == gold.anchor and _is_page(result, gold)


def _is_miss(judgement: Judgement) -> bool:
    """Whether a case failed: no gold section near the top, or an answer to an unanswerable question."""
    if judgement.case.answerable:
        return judgement.section_rank > RESULTS_SEEN
    return judgement.outcome.verdict == "answer"


def _miss(judgement: Judgement) -> Miss:
    """A case that failed, as it is listed."""
    case, outcome = judgement.case, judgement.outcome
    return Miss(
        id=case.id,
        kind=case.kind,
        question=case.question,
        gold=tuple(_href(address) for address in case.gold),
        section_rank=_finite_rank(judgement.section_rank),
        page_rank=_finite_rank(judgement.page_rank),
        verdict=outcome.verdict,
        confidence=outcome.confidence,
        # As many results as a reader looks at.
        found=tuple(ListedResult(rank, _href(result)) for rank, result in enumerate(outcome.results[:RESULTS_SEEN], 1)),
    )


def _not_shown(case: Case, outcome: Outcome, seen: ShownNuggets) -> NotShown:
    """A case whose nuggets are not all shown, as it is listed."""
    card = " ".join((outcome.shown or "").split())
    return NotShown(
        id=case.id,
        form=case.form,
        question=case.question,
        nuggets=tuple(nugget[0] for nugget in seen.missing),
        in_cards=seen.in_cards,
        misleading=seen.misleading,
        verdict=outcome.verdict,
        confidence=outcome.confidence,
        card=card if len(card) <= MAX_CARD else card[: MAX_CARD - 1] + "…",
    )


def _href(address: SectionAddress) -> str:
    """An address as a link within its site."""
    return href_of(address.page, address.anchor)


def _finite_rank(rank: float) -> int | None:
    """A rank for JSON, which has no infinity; None for an infinite rank."""
    return int(rank) if math.isfinite(rank) else None
