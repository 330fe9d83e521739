"""Computes the figures of an evaluation, for any number of weightings of its cases at once.

A weighting says how often each case counts: once for the figures themselves, and as often as it was drawn for a
resample. So the same code makes the figures and their intervals.

`page@k` and `section@k` are the shares of answerable cases with a gold page, or a gold page and anchor, among the first
k results. `mrr@10` is the mean reciprocal rank of the first gold section. `abstain_auroc` is the probability that an
answerable case has a higher confidence than an unanswerable one. `wrong` is the share of unanswerable cases that are
answered, `over_refusal` that of answerable cases that are not answered, `not_found` that of answerable cases with the
verdict `not-found`, and `wrong_section` that of answerable cases that are answered from a section that is not gold.
`wrong@p%` is what `wrong` would be if a threshold of confidence were set so that at most p percent of the answerable
cases are not answered.

The following are about the cases with nuggets, and about the beginning of the text that a reader sees. `shown` is the
share of cases with all nuggets there, `shown_recall` the mean share of nuggets there, `none_shown` the share of cases
with none there, and `misleads` that of cases with a misleading span but not all nuggets there. `shown_cards` is the
share of cases with all nuggets in the cards, and `answer` that of cases which are answered and count in `shown`. `aurc`
is the area under the curve of `risk`; an answer that does not show all nuggets counts as failed there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from trueref_server.evaluation.judgements import Judgement
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.risk_coverage import Floats, area

if TYPE_CHECKING:
    from numpy.typing import NDArray

CUTOFFS: Final = (1, 3, 5, 10)
REFUSALS: Final = (5, 10, 15, 20)
"""Percent of the answerable cases that may stay unanswered, for `wrong@p%`."""
PERCENTILES: Final = (50, 95)

LOWER_IS_BETTER: Final = (
    *("wrong", "wrong_section", "over_refusal", "not_found", "none_shown", "misleads", "aurc"),
    *(f"wrong@{percent}%" for percent in REFUSALS),
    *(f"p{percent}_ms" for percent in PERCENTILES),
)
HIGHER_IS_BETTER: Final = (
    *(f"{unit}@{cutoff}" for cutoff in CUTOFFS for unit in ("page", "section")),
    *("mrr@10", "abstain_auroc", "shown", "shown_recall", "shown_cards", "answer"),
)

FIGURES: Final = (*HIGHER_IS_BETTER, *LOWER_IS_BETTER)


@dataclass(frozen=True, slots=True)
class NuggetColumns:
    """The cases with nuggets as columns. All but `recall` and `confidence` are 1 for yes and 0 for no."""

    full: Floats
    recall: Floats
    in_cards: Floats
    misleads: Floats
    answered: Floats
    confidence: Floats
    has_shown_texts: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """Judgements as columns, with the answerable cases first. `milliseconds` has the times of all cases.

    A case without a confidence or verdict gets the worst value, if other cases have one.
    """

    page_ranks: Floats
    section_ranks: Floats
    answerable_confidence: Floats
    unanswerable_confidence: Floats
    answerable_verdicts: NDArray[np.str_]
    unanswerable_verdicts: NDArray[np.str_]
    milliseconds: Floats
    has_confidence: bool
    has_verdicts: bool
    has_times: bool
    seen: NuggetColumns


@dataclass(frozen=True, slots=True)
class Weights:
    """How often each case counts: a row for each weighting, a column for each case. All rows have the same sum.

    The cases with nuggets are a part of the answerable ones, and have weights of their own for what is shown: a
    resample of the answerable cases may have none of them.
    """

    answerable: Floats
    unanswerable: Floats
    seen: Floats


def columns_of(judgements: Iterable[Judgement]) -> Columns:
    """The columns of judgements."""
    judged = sorted(judgements, key=lambda judgement: not judgement.case.answerable)
    answerable = [judgement for judgement in judged if judgement.case.answerable]
    outcomes = [judgement.outcome for judgement in judged]
    answerable_outcomes, unanswerable_outcomes = outcomes[: len(answerable)], outcomes[len(answerable) :]
    times = [outcome.milliseconds for outcome in outcomes if outcome.milliseconds is not None]
    return Columns(
        page_ranks=np.array([judgement.page_rank for judgement in answerable], dtype=np.float64),
        section_ranks=np.array([judgement.section_rank for judgement in answerable], dtype=np.float64),
        # A missing value becomes the worst one, so that no system gains by leaving out hard cases.
        answerable_confidence=_confidence(answerable_outcomes, worst=-np.inf),
        unanswerable_confidence=_confidence(unanswerable_outcomes, worst=np.inf),
        answerable_verdicts=np.array(
            [outcome.verdict or "not-found" for outcome in answerable_outcomes], dtype=np.str_
        ),
        unanswerable_verdicts=np.array(
            [outcome.verdict or "answer" for outcome in unanswerable_outcomes], dtype=np.str_
        ),
        milliseconds=np.array(times, dtype=np.float64),
        has_confidence=any(outcome.confidence is not None for outcome in outcomes),
        has_verdicts=any(outcome.verdict is not None for outcome in outcomes),
        has_times=len(times) == len(outcomes) > 0,
        seen=_seen_columns(answerable),
    )


def once_each(columns: Columns) -> Weights:
    """The weighting of the figures themselves, in which each case counts once."""
    return Weights(*(np.ones((1, size)) for size in case_counts(columns)))


def case_counts(columns: Columns) -> tuple[int, int, int]:
    """The numbers of cases, in the order of `Weights`."""
    return len(columns.answerable_confidence), len(columns.unanswerable_confidence), len(columns.seen.full)


def weighted_figures(columns: Columns, weights: Weights) -> dict[str, Floats]:
    """Each figure for every weighting. A figure that the cases or their outcomes do not allow is left out."""
    figures = dict(_rank_figures(columns, weights.answerable))
    # A figure that no case allows is absent and never 0, which would read as a result.
    if columns.has_confidence and weights.answerable.size and weights.unanswerable.size:
        figures |= _confidence_figures(columns, weights)
    if columns.has_verdicts:
        figures |= _verdict_figures(columns, weights)
    if columns.seen.has_shown_texts:
        figures |= _nugget_figures(columns, weights.seen)
    if columns.has_times:
        all_weights = np.hstack([weights.answerable, weights.unanswerable])
        figures |= {
            f"p{percent}_ms": _percentile(columns.milliseconds, all_weights, percent) for percent in PERCENTILES
        }
    return figures


def figures_of(columns: Columns) -> dict[str, float]:
    """The figures and the numbers of cases. Shares are rounded to three digits, milliseconds to one."""
    values = weighted_figures(columns, once_each(columns))
    counts = {"n": len(columns.answerable_confidence), "n_unanswerable": len(columns.unanswerable_confidence)}
    if columns.seen.has_shown_texts:
        counts["n_nuggets"] = len(columns.seen.full)
    return counts | {name: rounded(name, float(value[0])) for name, value in values.items()}


def rounded(name: str, value: float) -> float:
    """A figure, rounded to the digits with which it is printed."""
    # The sum makes 0.0 of the -0.0 of a small negative difference.
    return round(value, 1 if name.endswith("_ms") else 3) + 0.0


def _rank_figures(columns: Columns, weights: Floats) -> Iterator[tuple[str, Floats]]:
    """The figures of the ranks of gold pages and sections."""
    for cutoff in CUTOFFS:
        yield f"page@{cutoff}", _share(weights, columns.page_ranks <= cutoff)
        yield f"section@{cutoff}", _share(weights, columns.section_ranks <= cutoff)
    yield "mrr@10", _share(weights, 1 / columns.section_ranks)


def _confidence_figures(columns: Columns, weights: Weights) -> Iterator[tuple[str, Floats]]:
    """The figures of confidence."""
    answerable, unanswerable = columns.answerable_confidence, columns.unanswerable_confidence
    # All pairs are compared, as the area is defined; an equal pair counts half.
    wins = (answerable[:, None] > unanswerable) + 0.5 * (answerable[:, None] == unanswerable)
    pair_counts = weights.answerable.sum(axis=1) * weights.unanswerable.sum(axis=1)
    yield "abstain_auroc", np.einsum("ij,ij->i", weights.answerable @ wins, weights.unanswerable) / pair_counts
    order = np.argsort(answerable, kind="stable")
    cumulative_weights = np.cumsum(weights.answerable[:, order], axis=1)
    for percent in REFUSALS:
        may_refuse = np.floor_divide(cumulative_weights[:, -1:] * percent, 100)
        # The highest threshold that refuses no more cases is the confidence of the next case, which is answered.
        threshold = answerable[order][np.argmax(cumulative_weights > may_refuse, axis=1)]
        answered = unanswerable >= threshold[:, None]
        yield f"wrong@{percent}%", (weights.unanswerable * answered).sum(axis=1) / weights.unanswerable.sum(axis=1)


def _verdict_figures(columns: Columns, weights: Weights) -> Iterator[tuple[str, Floats]]:
    """The figures of verdicts."""
    answered = columns.answerable_verdicts == "answer"
    if weights.unanswerable.size:
        yield "wrong", _share(weights.unanswerable, columns.unanswerable_verdicts == "answer")
    yield "wrong_section", _share(weights.answerable, answered & (columns.section_ranks > 1))
    yield "over_refusal", _share(weights.answerable, ~answered)
    yield "not_found", _share(weights.answerable, columns.answerable_verdicts == "not-found")


def _nugget_figures(columns: Columns, weights: Floats) -> Iterator[tuple[str, Floats]]:
    """The figures of what readers see."""
    seen = columns.seen
    yield "shown", _share(weights, seen.full)
    yield "shown_recall", _share(weights, seen.recall)
    yield "shown_cards", _share(weights, seen.in_cards)
    yield "none_shown", _share(weights, seen.recall == 0)
    yield "misleads", _share(weights, seen.misleads)
    if columns.has_verdicts:
        yield "answer", _share(weights, seen.full * seen.answered)
    if columns.has_confidence:
        yield "aurc", area(seen.confidence, 1 - seen.full, weights)


def _share(weights: Floats, values: NDArray[np.bool_] | Floats) -> Floats:
    """The weighted mean for each weighting; 0 if there are no cases."""
    means: Floats = weights @ values.astype(np.float64) / np.maximum(weights.sum(axis=1), 1)
    return means


def _percentile(values: Floats, weights: Floats, percent: int) -> Floats:
    """The weighted percentile by nearest rank, for each weighting."""
    order = np.argsort(values, kind="stable")
    cumulative_weights = np.cumsum(weights[:, order], axis=1)
    rank = np.ceil(cumulative_weights[:, -1:] * percent / 100)
    percentiles: Floats = values[order][np.argmax(cumulative_weights >= rank, axis=1)]
    return percentiles


def _seen_columns(judgements: Iterable[Judgement]) -> NuggetColumns:
    """The columns of the cases with nuggets."""
    pairs = [(judgement.outcome, judgement.seen) for judgement in judgements if judgement.seen is not None]
    shown, outcomes = [seen for _, seen in pairs], [outcome for outcome, _ in pairs]
    return NuggetColumns(
        full=np.array([seen.is_full for seen in shown], dtype=np.float64),
        recall=np.array([seen.recall for seen in shown], dtype=np.float64),
        in_cards=np.array([seen.in_cards for seen in shown], dtype=np.float64),
        misleads=np.array([seen.misleads for seen in shown], dtype=np.float64),
        answered=np.array([outcome.verdict == "answer" for outcome in outcomes], dtype=np.float64),
        confidence=_confidence(outcomes, worst=-np.inf),
        has_shown_texts=any(outcome.shown is not None for outcome in outcomes),
    )


def _confidence(outcomes: Iterable[Outcome], *, worst: float) -> Floats:
    """The confidences, with the worst value for those that are missing."""
    confidences = (outcome.confidence for outcome in outcomes)
    return np.array([worst if value is None else value for value in confidences], dtype=np.float64)
