"""Compares figures with the limits that continuous integration requires, written as `section@5=0.8`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from trueref_core.errors import OptionError
from trueref_server.evaluation.figures import FIGURES, LOWER_IS_BETTER

FigureLimit = tuple[str, float]
"""A figure and its limit: a maximum if the figure is better when it is lower, else a minimum."""


def read_limits(minimums: Iterable[str], maximums: Iterable[str]) -> list[FigureLimit]:
    """The limits that options give, each as NAME=VALUE.

    Raises:
        OptionError: A limit is not of this form, names no figure, or has the wrong direction for its figure.
    """
    return [
        *(_read_limit(text, is_maximum=False) for text in minimums),
        *(_read_limit(text, is_maximum=True) for text in maximums),
    ]


def broken(limits: Iterable[FigureLimit], figures: Mapping[str, float]) -> list[str]:
    """A line for each figure that does not reach its limit.

    Raises:
        OptionError: A figure could not be computed from these cases and results.
    """
    lines: list[str] = []
    for name, limit in limits:
        value = figures.get(name)
        # An error and not a success: a figure that no case allows is absent, and could never break its limit.
        if value is None:
            raise OptionError(
                f"{name} was not counted: its cases, nuggets, shown texts, confidences, verdicts or times are "
                f"missing. Counted are: {', '.join(figure for figure in FIGURES if figure in figures)}."
            )
        is_maximum = name in LOWER_IS_BETTER
        if value > limit if is_maximum else value < limit:
            lines.append(f"{name} is {value:g}, {'over' if is_maximum else 'under'} {limit:g}.")
    return lines


def _read_limit(text: str, *, is_maximum: bool) -> FigureLimit:
    """The limit in the text of an option; raises `OptionError` if the text is none."""
    option, other = ("--max", "--min") if is_maximum else ("--min", "--max")
    name, _, number = text.partition("=")
    name = name.strip()
    if name not in FIGURES:
        raise OptionError(f"{option} {text}: there is no figure {name!r}. There are: {', '.join(FIGURES)}.")
    # A limit in the wrong direction would accept every bad result.
    if (name in LOWER_IS_BETTER) is not is_maximum:
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
