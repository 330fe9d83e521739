"""Draws the pictures of the report as SVG inside the page, with CSS classes for the colours.

A picture has shapes only: it is stretched to the width of the page, and text in it would be stretched, too. Labels are
text of the page beside the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Final

WIDTH: Final = 600
HEIGHT: Final = 160
BAR_SHARE: Final = 0.8
"""The share of an interval's width that its bar takes."""


@dataclass(frozen=True, slots=True)
class Series:
    """Values of one kind, one for each interval; None for no value. `style` is the CSS class for the colour."""

    style: str
    values: Sequence[float | None]


def stacked_bars(series: Sequence[Series], title: str) -> str:
    """Stacked bars, one stack for each interval."""
    totals = [sum(value or 0 for value in values) for values in zip(*(kind.values for kind in series), strict=True)]
    highest = max(totals, default=0)
    interval_width = WIDTH / max(1, len(totals))
    shapes: list[str] = []
    for index in range(len(totals)):
        top = float(HEIGHT)
        for kind in series:
            height = (kind.values[index] or 0) / highest * HEIGHT if highest else 0
            top -= height
            if height:
                shapes.append(
                    _rectangle(
                        index * interval_width + interval_width * (1 - BAR_SHARE) / 2,
                        top,
                        interval_width * BAR_SHARE,
                        height,
                        kind.style,
                    )
                )
    return _picture("".join(shapes), title)


def step_lines(series: Sequence[Series], title: str) -> str:
    """A line of shares for each series, level over each interval, so that a single interval is visible, too."""
    shapes = "".join(f'<path class="line {kind.style}" d="{_path(kind.values)}"/>' for kind in series)
    grid = "".join(f'<path class="grid" d="M0 {_number(y)}H{WIDTH}"/>' for y in (0, HEIGHT / 2, HEIGHT))
    return _picture(grid + shapes, title)


def bar(share: float) -> str:
    """A horizontal bar for a share from 0 to 1, in a row of a table that has the value as text."""
    filled = _rectangle(0, 0, WIDTH * min(1.0, max(0.0, share)), 10, "answered")
    return f'<svg class="bar" viewBox="0 0 {WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">{filled}</svg>'


def _path(values: Sequence[float | None]) -> str:
    """The path of a line with a level piece for each value; neighbouring pieces are joined."""
    interval_width = WIDTH / max(1, len(values))
    pieces: list[str] = []
    for index, (before, value) in enumerate(pairwise([None, *values])):
        if value is not None:
            y = _number((1 - value) * HEIGHT)
            beginning = f"V{y}" if before is not None else f"M{_number(index * interval_width)} {y}"
            pieces.append(f"{beginning}H{_number((index + 1) * interval_width)}")
    return "".join(pieces)


def _rectangle(x: float, y: float, width: float, height: float, style: str) -> str:
    """A rectangle with the CSS class of its series."""
    left, top = f'x="{_number(x)}"', f'y="{_number(y)}"'
    return f'<rect class="{style}" {left} {top} width="{_number(width)}" height="{_number(height)}"/>'


def _picture(shapes: str, title: str) -> str:
    """A picture with `title` as its text for screen readers."""
    # A margin above and below, so that lines at 0 % and 100 % are drawn in their full width.
    box = f"0 -4 {WIDTH} {HEIGHT + 8}"
    return (
        f'<svg class="plot" viewBox="{box}" preserveAspectRatio="none" role="img" aria-label="{escape(title)}">'
        f"{shapes}</svg>"
    )


def _number(value: float) -> str:
    """A number with at most two decimals: a hundredth of a unit is not visible."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
