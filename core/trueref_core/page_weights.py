"""What the owner of a site adds to the scores of its pages, by pattern of their addresses.

Both a build and a server have such weights among their options, and read them by the same function.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from math import fsum
from typing import Final

WEIGHT_MOST: Final = 1.0
"""Most that all weights of a page together add or take."""

DIGITS: Final = 6
"""Digits of a sum: 0.1 and 0.2 are 0.3."""


def is_weight(value: float) -> bool:
    """Whether a number can be a weight: one from -1 to 1."""
    return -WEIGHT_MOST <= value <= WEIGHT_MOST


def page_weight(page: str, weights: Mapping[str, float], known: float = 0.0) -> float:
    """The weight of a page: those of all patterns that fit, together from -1 to 1.

    Args:
        page: Its address.
        weights: Weights by pattern of addresses.
        known: A weight that it has besides.
    """
    total = fsum([known, *(weight for pattern, weight in weights.items() if fnmatchcase(page, pattern))])
    # Zero is added so that there is none below zero: `-0.0` is written otherwise and means the same.
    return max(-WEIGHT_MOST, min(WEIGHT_MOST, round(total, DIGITS))) + 0.0
