"""Intervals of figures by the paired bootstrap over cases (Efron and Tibshirani, 1993, chapters 13 and 16).

Cases are drawn again with replacement, as many as there are, answerable ones and the others apart, so that every
resample has both. An interval holds the middle 95 % of a figure's values. For two runs the same draws count in both,
so that cases which are hard for both do not hide what differs between them.

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
    once_each,
    rounded,
    sizes,
    weighted_figures,
)
from trueref_server.evaluation.risk import Floats

RESAMPLES: Final = 10_000
BATCH: Final = 500
"""Resamples that are weighed at once: 8 MB for each 1,000 cases."""
TAILS: Final = (0.025, 0.975)

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """A figure of two runs over the same cases: after less before, with the interval of that."""

    before: float
    after: float
    difference: float
    interval: Interval


def intervals(columns: Columns, seed: int) -> dict[str, Interval]:
    """The interval of each figure. The same seed gives the same draws."""
    return _intervals(columns, seed, lambda weights: weighted_figures(columns, weights))


def differences(before: Columns, after: Columns, seed: int) -> dict[str, PairedDifference]:
    """The differences between two runs over the same cases, for each figure that both have."""

    def both(weights: Weights) -> dict[str, tuple[Floats, Floats]]:
        first, second = weighted_figures(before, weights), weighted_figures(after, weights)
        return {name: (first[name], second[name]) for name in first if name in second}

    spread = _intervals(before, seed, lambda weights: {name: new - old for name, (old, new) in both(weights).items()})
    return {
        name: PairedDifference(
            rounded(name, float(old[0])),
            rounded(name, float(new[0])),
            rounded(name, float(new[0] - old[0])),
            spread[name],
        )
        for name, (old, new) in both(once_each(before)).items()
    }


def share_interval(name: str, values: Floats, seed: int) -> Interval:
    """The interval of a figure that is the mean of some values, such as a share of some of the cases."""
    chance = np.random.default_rng(seed)
    return _interval(name, _drawn(chance, RESAMPLES, len(values)) @ values / len(values))


def _intervals(columns: Columns, seed: int, figures: Callable[[Weights], dict[str, Floats]]) -> dict[str, Interval]:
    """The interval of each figure over all resamples, which are weighed in batches."""
    batches = [figures(weights) for weights in _draws(columns, seed)]
    return {name: _interval(name, np.concatenate([batch[name] for batch in batches])) for name in batches[0]}


def _interval(name: str, values: Floats) -> Interval:
    """The middle 95 % of the values of a figure."""
    low, high = np.quantile(values, TAILS)
    return rounded(name, float(low)), rounded(name, float(high))


def _draws(columns: Columns, seed: int) -> Iterator[Weights]:
    """The resamples, a batch at a time."""
    # The cases with nuggets have a chance of their own, so that they change nothing in the other figures.
    chance, of_nuggets = np.random.default_rng(seed), np.random.default_rng((seed, 1))
    # Answerable cases and others apart: a resample without one of them has no AUROC (`docs/decisions/evaluation.md`).
    answerable, unanswerable, with_nuggets = sizes(columns)
    for start in range(0, RESAMPLES, BATCH):
        rows = min(BATCH, RESAMPLES - start)
        yield Weights(
            _drawn(chance, rows, answerable),
            _drawn(chance, rows, unanswerable),
            _drawn(of_nuggets, rows, with_nuggets),
        )


def _drawn(chance: np.random.Generator, rows: int, cases: int) -> Floats:
    """How often each case is drawn, when as many are drawn as there are."""
    if not cases:
        return np.zeros((rows, 0))
    drawn = chance.integers(cases, size=(rows, cases)) + np.arange(rows)[:, None] * cases
    return np.bincount(drawn.ravel(), minlength=rows * cases).reshape(rows, cases).astype(np.float64)
