"""A case beside what was found for it: where the gold stands among the results, and whether its nuggets are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from trueref_core.addresses import href_of
from trueref_server.evaluation.cases import Case, Place
from trueref_server.evaluation.nuggets import Seen, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.records import Verdict

DEPTH: Final = 10
"""Results of a case that count."""

SHOWN: Final = 5
"""How many results a reader looks at. A case whose gold is not among them is a miss."""

CARD_MOST: Final = 160
"""Characters of what was shown instead that are printed."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A case and its outcome. Ranks are those of the first gold page and section, from 1; infinite for none of ten.

    `seen` is None for a case without nuggets.
    """

    case: Case
    outcome: Outcome
    page_rank: float
    section_rank: float
    seen: Seen | None


@dataclass(frozen=True, slots=True)
class ListedResult:
    """A result, by its rank and its address in the site."""

    rank: int
    href: str


@dataclass(frozen=True, slots=True)
class Miss:
    """A case that went wrong: what was wanted, and what the reader would have seen instead.

    `gold` is empty for a question that these docs do not answer, and that was answered. Ranks are None if none of
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
    """A case whose nuggets are not all shown: the first span of each that is missing, and what stands there instead.

    `in_cards` says that a reader who opens the cards sees all of them, `misleading` are the spans that are shown, and
    `card` is how the text begins.
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
    """One judgement for each case, in order. A case without an outcome counts as one for which nothing was found."""
    by_id = {outcome.id: outcome for outcome in outcomes}
    return [_judge(case, by_id.get(case.id) or Outcome(case.id)) for case in cases]


def misses(judgements: Iterable[Judgement]) -> list[Miss]:
    """The answerable cases without a gold section among the first five, and the others that were answered."""
    return [_miss(judged) for judged in judgements if _is_miss(judged)]


def not_shown(judgements: Iterable[Judgement]) -> list[NotShown]:
    """The cases whose nuggets are not all in the beginning of what is shown."""
    return [
        _not_shown(judged.case, judged.outcome, judged.seen)
        for judged in judgements
        if judged.seen is not None and not judged.seen.is_full
    ]


def _judge(case: Case, outcome: Outcome) -> Judgement:
    """A case beside its outcome."""
    results = outcome.results[:DEPTH]
    return Judgement(
        case,
        outcome,
        _rank(results, lambda result: any(_is_page(result, gold) for gold in case.gold)),
        _rank(results, lambda result: any(_is_section(result, gold) for gold in case.gold)),
        see(case, outcome) if case.has_nuggets else None,
    )


def _rank(results: Sequence[Place], is_gold: Callable[[Place], bool]) -> float:
    """The rank of the first gold result, counted from 1; infinite if none is gold."""
    return next((rank for rank, result in enumerate(results, 1) if is_gold(result)), math.inf)


def _is_page(result: Place, gold: Place) -> bool:
    """Whether a result is on a gold page; the site counts only if both name one."""
    return result.key[0] == gold.key[0] and (not (result.site and gold.site) or result.site == gold.site)


def _is_section(result: Place, gold: Place) -> bool:
    """Whether a result is a gold section."""
    return result.anchor == gold.anchor and _is_page(result, gold)


def _is_miss(judged: Judgement) -> bool:
    """Whether a reader was not helped: no gold section near the top, or an answer if there is none."""
    if judged.case.answerable:
        return judged.section_rank > SHOWN
    return judged.outcome.verdict == "answer"


def _miss(judged: Judgement) -> Miss:
    """A case that went wrong, as it is listed."""
    case, outcome = judged.case, judged.outcome
    return Miss(
        id=case.id,
        kind=case.kind,
        question=case.question,
        gold=tuple(_href(place) for place in case.gold),
        section_rank=_number(judged.section_rank),
        page_rank=_number(judged.page_rank),
        verdict=outcome.verdict,
        confidence=outcome.confidence,
        # As many as a reader looks at, which is also where a miss begins.
        found=tuple(ListedResult(rank, _href(place)) for rank, place in enumerate(outcome.results[:SHOWN], 1)),
    )


def _not_shown(case: Case, outcome: Outcome, seen: Seen) -> NotShown:
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
        card=card if len(card) <= CARD_MOST else card[: CARD_MOST - 1] + "…",
    )


def _href(place: Place) -> str:
    """The address of a place in its site."""
    return href_of(place.page, place.anchor)


def _number(rank: float) -> int | None:
    """A rank for JSON, which has no infinity."""
    return int(rank) if math.isfinite(rank) else None
