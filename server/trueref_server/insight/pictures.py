"""Pictures of the report, as SVG inside the page: no script, no file, and colours that follow the reader's scheme.

A picture holds shapes alone. They are stretched to the width of the page, and text would be stretched with them, so
that labels stand beside the picture as text of the page.
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
"""How much of its interval a bar takes."""


@dataclass(frozen=True, slots=True)
class Series:
    """Values of one kind, one for each interval. `style` is the class that gives the colour; None is no value."""

    style: str
    values: Sequence[float | None]


def stacked_bars(series: Sequence[Series], title: str) -> str:
    """Bars that stand on one another, one pile for each interval."""
    totals = [sum(value or 0 for value in values) for values in zip(*(each.values for each in series), strict=True)]
    highest = max(totals, default=0)
    step = WIDTH / max(1, len(totals))
    shapes: list[str] = []
    for at in range(len(totals)):
        top = float(HEIGHT)
        for each in series:
            height = (each.values[at] or 0) / highest * HEIGHT if highest else 0
            top -= height
            if height:
                shapes.append(
                    _rectangle(at * step + step * (1 - BAR_SHARE) / 2, top, step * BAR_SHARE, height, each.style)
                )
    return _picture("".join(shapes), title)


def steps(series: Sequence[Series], title: str) -> str:
    """A line for each kind of share, level over every interval: one interval alone is seen as well."""
    shapes = "".join(f'<path class="line {each.style}" d="{_path(each.values)}"/>' for each in series)
    grid = "".join(f'<path class="grid" d="M0 {_number(y)}H{WIDTH}"/>' for y in (0, HEIGHT / 2, HEIGHT))
    return _picture(grid + shapes, title)


def bar(share: float) -> str:
    """One level bar in a row of a table; its value stands beside it."""
    filled = _rectangle(0, 0, WIDTH * min(1.0, max(0.0, share)), 10, "answered")
    return f'<svg class="bar" viewBox="0 0 {WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">{filled}</svg>'


def _path(values: Sequence[float | None]) -> str:
    """A level piece for each value; pieces that follow each other are joined."""
    step = WIDTH / max(1, len(values))
    pieces: list[str] = []
    for at, (before, value) in enumerate(pairwise([None, *values])):
        if value is not None:
            y = _number((1 - value) * HEIGHT)
            pieces.append(
                f"{f'V{y}' if before is not None else f'M{_number(at * step)} {y}'}H{_number((at + 1) * step)}"
            )
    return "".join(pieces)


def _rectangle(x: float, y: float, width: float, height: float, style: str) -> str:
    """A rectangle in the colour of its kind."""
    left, top = f'x="{_number(x)}"', f'y="{_number(y)}"'
    return f'<rect class="{style}" {left} {top} width="{_number(width)}" height="{_number(height)}"/>'


def _picture(shapes: str, title: str) -> str:
    """A picture with the sentence that a screen reader reads for it."""
    # A negative room above and below, so that lines at 0 % and 100 % are drawn whole.
    box = f"0 -4 {WIDTH} {HEIGHT + 8}"
    return (
        f'<svg class="plot" viewBox="{box}" preserveAspectRatio="none" role="img" aria-label="{escape(title)}">'
        f"{shapes}</svg>"
    )


def _number(value: float) -> str:
    """A number with two digits at most: a hundredth of a unit is not seen."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
