"""Compares figures with the least that continuous integration requires, written as `section@5=0.8`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from trueref_core.errors import OptionError
from trueref_server.evaluation.figures import FIGURES, LOWER_IS_BETTER

Limit = tuple[str, float]
"""A figure, and the value that it must not be under; not over if the figure is better when it is lower."""


def read_limits(minimums: Iterable[str], maximums: Iterable[str]) -> list[Limit]:
    """The limits that options give, each as NAME=VALUE.

    Raises:
        OptionError: One is not of this form, names no figure, or has the wrong direction for its figure.
    """
    return [*(_read(text, is_most=False) for text in minimums), *(_read(text, is_most=True) for text in maximums)]


def broken(limits: Iterable[Limit], figures: Mapping[str, float]) -> list[str]:
    """A line for each figure that does not reach its limit.

    Raises:
        OptionError: A figure was not counted, since the cases or the results do not allow it.
    """
    lines: list[str] = []
    for name, limit in limits:
        value = figures.get(name)
        # An error and not a pass: a figure that no case allows is absent, and would never break its limit.
        if value is None:
            raise OptionError(
                f"{name} was not counted: its cases, nuggets, shown texts, confidences, verdicts or times are "
                f"missing. Counted are: {', '.join(figure for figure in FIGURES if figure in figures)}."
            )
        is_most = name in LOWER_IS_BETTER
        if value > limit if is_most else value < limit:
            lines.append(f"{name} is {value:g}, {'over' if is_most else 'under'} {limit:g}.")
    return lines


def _read(text: str, *, is_most: bool) -> Limit:
    """The limit that an option gives; raises `OptionError` if it gives none."""
    option, other = ("--max", "--min") if is_most else ("--min", "--max")
    name, _, number = text.partition("=")
    name = name.strip()
    if name not in FIGURES:
        raise OptionError(f"{option} {text}: there is no figure {name!r}. There are: {', '.join(FIGURES)}.")
    # A limit in the wrong direction would hold for every bad result.
    if (name in LOWER_IS_BETTER) is not is_most:
        better = "lower" if name in LOWER_IS_BETTER else "higher"
        raise OptionError(f"{option} {text}: {name} is better when it is {better}. Use {other}.")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    highest = math.inf if name.endswith("_ms") else 1.0
    if not (0 <= value <= highest and math.isfinite(value)):
        kind = "milliseconds" if highest > 1 else "a number from 0 to 1"
        raise OptionError(f"{option} {text}: {number!r} is not {kind}. Write {name}=0.8, say.")
    return name, value
