"""Weights of pages: numbers that the owner of a site adds to their scores, by pattern of their addresses.

Builds and servers both have weights among their options, and apply them with the same function.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from math import fsum
from typing import Final

WEIGHT_MOST: Final = 1.0
"""All weights of a page together add or subtract at most this."""

DIGITS: Final = 6
"""Digits of a sum: 0.1 and 0.2 are 0.3."""


def is_weight(value: float) -> bool:
    """Whether a number can be a weight: one from -1 to 1."""
    return -WEIGHT_MOST <= value <= WEIGHT_MOST


def page_weight(page: str, weights: Mapping[str, float], base_weight: float = 0.0) -> float:
    """The weight of a page: those of all patterns that fit, together from -1 to 1.

    Args:
        page: Its address.
        weights: Weights by pattern of addresses.
        base_weight: The weight that the page has before that of the patterns is added.
    """
    total = fsum([base_weight, *(weight for pattern, weight in weights.items() if fnmatchcase(page, pattern))])
    # Adding zero turns `-0.0` into `0.0`: they are equal, but written differently, which would change a digest.
    return max(-WEIGHT_MOST, min(WEIGHT_MOST, round(total, DIGITS))) + 0.0
