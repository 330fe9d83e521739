"""Computes coverage against risk: the answers that fail if fewer questions are answered (Geifman, El-Yaniv, 2017).

The coverage of a threshold of confidence is the share of questions that are answered, and its risk is the share of
these answers that fail. If confidence tells which answers fail, the risk is low at every coverage below 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

COVERAGES: Final = tuple(percent / 100 for percent in range(10, 101, 10))
"""Coverages at which the curve is reported."""


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """Coverage and risk if only questions with at least this confidence are answered."""

    confidence: float
    coverage: float
    risk: float


def area(confidence: Floats, fails: Floats, weights: Floats) -> Floats:
    """The area under the curve for each weighting: the mean risk, with each question's confidence as threshold.

    Args:
        confidence: The confidence of each question.
        fails: 1 for each question whose answer fails, else 0.
        weights: How often each question counts: a row for each weighting.
    """
    order, last = _order(confidence)
    ordered_weights = weights[:, order]
    risks = np.cumsum(ordered_weights * fails[order], axis=1)[:, last] / np.maximum(
        np.cumsum(ordered_weights, axis=1)[:, last], 1
    )
    areas: Floats = (ordered_weights * risks).sum(axis=1) / np.maximum(ordered_weights.sum(axis=1), 1)
    return areas


def curve(confidence: Floats, fails: Floats) -> list[RiskPoint]:
    """The curve at `COVERAGES`: for each the highest threshold that reaches it. Equal points are given once.

    Questions without a confidence, which have minus infinity, are never answered.
    """
    order, last = _order(confidence)
    ends = [int(end) for end in np.unique(last) if np.isfinite(confidence[order][end])]
    risks = np.cumsum(fails[order]) / np.arange(1, len(order) + 1)
    points = [RiskPoint(float(confidence[order][end]), (end + 1) / len(order), float(risks[end])) for end in ends]
    reached = (next((point for point in points if point.coverage >= coverage), None) for coverage in COVERAGES)
    return list(dict.fromkeys(point for point in reached if point is not None))


def _order(confidence: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The order of falling confidence, and for each position in it the last position with the same confidence.

    No threshold lies between equal confidences: of questions with the same confidence all are answered, or none.
    """
    order = np.argsort(-confidence, kind="stable")
    ascending = -confidence[order]
    return order, np.searchsorted(ascending, ascending, side="right") - 1
