"""Page weights: numbers that the owner of a site adds to the search scores of pages, by pattern of their addresses.

Weights can be set in the options of a build and in those of a server; both use the function of this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from math import fsum
from typing import Final

MAX_WEIGHT: Final = 1.0
"""The sum of all weights of a page is cut off at this number, and at its negative."""

DIGITS: Final = 6
"""Decimal places to which a sum is rounded, so that 0.1 and 0.2 give exactly 0.3."""


def is_weight(value: float) -> bool:
    """Whether a number is from -1 to 1, as a weight has to be."""
    return -MAX_WEIGHT <= value <= MAX_WEIGHT


def page_weight(page: str, weights: Mapping[str, float], base_weight: float = 0.0) -> float:
    """The weight of a page, from -1 to 1: the sum of the weights of all patterns that match its address.

    Args:
        page: Address of the page.
        weights: Weights by pattern, in the syntax of `fnmatch`; case counts.
        base_weight: A weight of the page that is added to this sum.
    """
    total = fsum([base_weight, *(weight for pattern, weight in weights.items() if fnmatchcase(page, pattern))])
    # Adding zero turns `-0.0` into `0.0`. The two are equal, but JSON writes them differently, which would change a
    # digest.
    return max(-MAX_WEIGHT, min(MAX_WEIGHT, round(total, DIGITS))) + 0.0
