"""Intervals of figures by the paired bootstrap over cases (Efron and Tibshirani, 1993, chapters 13 and 16).

A resample draws as many cases as there are, with replacement. Answerable and unanswerable cases are drawn separately,
so that every resample has both. An interval holds the middle 95 % of a figure's values. Two runs are compared with the
same draws, so that cases which are hard for both do not hide the differences between the runs.

This is written here because scipy, which has a bootstrap, would be the largest dependency for forty lines of numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from trueref_server.evaluation.figures import (
    Columns,
    Weights,
    case_counts,
    once_each,
    rounded,
    weighted_figures,
)
from trueref_server.evaluation.risk_coverage import Floats

RESAMPLES: Final = 10_000
BATCH: Final = 500
"""Resamples that are weighted at once, with 8 MB for each 1,000 cases."""
TAILS: Final = (0.025, 0.975)
"""The quantiles at the ends of a 95 % interval."""

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """A figure in two runs over the same cases. `difference` is `after` minus `before`; `interval` belongs to it."""

    before: float
    after: float
    difference: float
    interval: Interval


def intervals(columns: Columns, seed: int) -> dict[str, Interval]:
    """The interval of each figure. The same seed gives the same draws."""
    return _intervals(columns, seed, lambda weights: weighted_figures(columns, weights))


def differences(before: Columns, after: Columns, seed: int) -> dict[str, PairedDifference]:
    """The differences between two runs over the same cases, for each figure that both have."""

    def paired_figures(weights: Weights) -> dict[str, tuple[Floats, Floats]]:
        first, second = weighted_figures(before, weights), weighted_figures(after, weights)
        return {name: (first[name], second[name]) for name in first if name in second}

    difference_intervals = _intervals(
        before,
        seed,
        lambda weights: {name: second - first for name, (first, second) in paired_figures(weights).items()},
    )
    return {
        name: PairedDifference(
            rounded(name, float(first[0])),
            rounded(name, float(second[0])),
            rounded(name, float(second[0] - first[0])),
            difference_intervals[name],
        )
        for name, (first, second) in paired_figures(once_each(before)).items()
    }


def share_interval(name: str, values: Floats, seed: int) -> Interval:
    """The interval of a figure that is the mean of values, such as a share of cases."""
    generator = np.random.default_rng(seed)
    return _interval(name, _draw_counts(generator, RESAMPLES, len(values)) @ values / len(values))


def _intervals(columns: Columns, seed: int, figures: Callable[[Weights], dict[str, Floats]]) -> dict[str, Interval]:
    """The interval of each figure over all resamples, which are weighed in batches."""
    batches = [figures(weights) for weights in _resamples(columns, seed)]
    return {name: _interval(name, np.concatenate([batch[name] for batch in batches])) for name in batches[0]}


def _interval(name: str, values: Floats) -> Interval:
    """The middle 95 % of the values of a figure."""
    low, high = np.quantile(values, TAILS)
    return rounded(name, float(low)), rounded(name, float(high))


def _resamples(columns: Columns, seed: int) -> Iterator[Weights]:
    """The resamples, a batch at a time."""
    # The cases with nuggets have a random generator of their own, so that they do not change the other figures.
    generator, nugget_generator = np.random.default_rng(seed), np.random.default_rng((seed, 1))
    # Answerable and unanswerable cases are drawn separately: a resample without one kind has no AUROC
    # (`docs/decisions/evaluation.md`).
    answerable, unanswerable, with_nuggets = case_counts(columns)
    for start in range(0, RESAMPLES, BATCH):
        resamples = min(BATCH, RESAMPLES - start)
        yield Weights(
            _draw_counts(generator, resamples, answerable),
            _draw_counts(generator, resamples, unanswerable),
            _draw_counts(nugget_generator, resamples, with_nuggets),
        )


def _draw_counts(generator: np.random.Generator, resamples: int, cases: int) -> Floats:
    """How often each case is drawn in each resample, which draws as many as there are cases."""
    if not cases:
        return np.zeros((resamples, 0))
    drawn = generator.integers(cases, size=(resamples, cases)) + np.arange(resamples)[:, None] * cases
    return np.bincount(drawn.ravel(), minlength=resamples * cases).reshape(resamples, cases).astype(np.float64)
