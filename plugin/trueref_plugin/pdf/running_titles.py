"""Removes running titles and page numbers: lines above or below the text that are repeated on page after page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal

from trueref_plugin.pdf.pdf_messages import PdfLine, PdfPageText

PageEnd = Literal["top", "bottom"]
RunningMark = tuple[PageEnd, str]
"""The mark of a part of a line: its side of the page, and a text that is equal on all pages that repeat the part."""

MAX_ZONE: Final = 3
"""Lines of a running title at most."""
MIN_GAP: Final = 1.4
"""The least gap between a running title and the text, in line distances of the page."""
MAX_LINE: Final = 1.6
"""The largest distance between lines, in letter heights: double spacing has no more."""
MIN_REPEATS: Final = 3
"""A text that is on this many of `WINDOW_PAGES` neighbouring pages is a running title."""
WINDOW_PAGES: Final = 6
"""It need not be on all pages of the file, because running titles differ by chapter, and on left and right pages."""

# All repetitions are bounded, because the lines are text that others wrote: unbounded ones could take very long.
_LABEL: Final = re.compile(
    r"(?:(?:page|seite|p[áa]gina|pag|pg|p|s)\b\.?\s{0,4})?[-–—|·•(\[]{0,2}\s{0,4}(\d{1,5}|[ivxlc]{1,8})"
    r"\s{0,4}[-–—|·•)\]]{0,2}(?:\s{0,4}(?:/|of|von|de|di|sur|van)\s{0,4}\d{1,5})?",
    re.IGNORECASE,
)
"""A page number, perhaps Roman, with what may stand around it: `12`, `Page 12 of 90`, `- xii -`."""

_NUMBER_BEHIND: Final = re.compile(r"(.{1,200}\S)\s{1,4}[|·•–—]\s{0,4}(\d{1,5})(?:\s{0,2}/\s{0,2}\d{1,5})?")
"""A running title with the page number behind it: `Installation | 12`."""

_NUMBER_BEFORE: Final = re.compile(r"(\d{1,5})\s{0,4}[|·•–—]\s{1,4}(\S.{0,200})")
"""A running title with the page number before it: `12 | Installation`."""

_PAGE_MARK: Final = "page "
"""The beginning of the mark of a page number that stands alone."""

_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def without_running(pages: Sequence[PdfPageText]) -> list[tuple[PdfLine, ...]]:
    """The lines of each page without running titles. A page with nothing else keeps its lines."""
    zones = [_zones(page.lines) for page in pages]
    pages_by_mark: dict[RunningMark, list[int]] = defaultdict(list)
    for number, zone in enumerate(zones):
        for mark in {mark for side, line in zone for mark in _marks(side, line, number)}:
            pages_by_mark[mark].append(number)
    running = {mark for mark, numbers in pages_by_mark.items() if _is_repeated(numbers, _min_repeats(mark, len(pages)))}
    return [
        _without_running_lines(page.lines, zone, number, running)
        for number, (page, zone) in enumerate(zip(pages, zones, strict=True))
    ]


def line_distance(lines: Iterable[PdfLine]) -> float:
    """The usual distance between the lines of a page, in points; 0 if the page has a single line."""
    ends = sorted({round(end, 1) for line in lines for end in (line.y, line.end_y)}, reverse=True)
    between = sorted(above - below for above, below in pairwise(ends) if above - below > 1)
    # Not the median: with short paragraphs, half of the distances are those between paragraphs.
    return between[len(between) // 4] if between else 0.0


def _without_running_lines(
    lines: tuple[PdfLine, ...], zone: Sequence[tuple[PageEnd, PdfLine]], number: int, running: set[RunningMark]
) -> tuple[PdfLine, ...]:
    """The lines of a page without its running titles, `number` being the number of the page in the file."""
    running_lines = {id(line) for side, line in zone if _is_running(list(_marks(side, line, number)), running)}
    return tuple(line for line in lines if id(line) not in running_lines) or lines


def _min_repeats(mark: RunningMark, pages: int) -> int:
    """How many neighbouring pages have to repeat a mark. In a file of two pages, two page numbers are enough."""
    return min(MIN_REPEATS, max(pages, 2)) if mark[1].startswith(_PAGE_MARK) else MIN_REPEATS


def _is_running(marks: Sequence[RunningMark], running: set[RunningMark]) -> bool:
    """Whether a line with these marks is a running title."""
    # One repeated page number is enough: the title beside it may be that of a chapter of two pages, which is not
    # repeated often enough.
    return all(mark in running for mark in marks) or any(
        mark in running and mark[1].startswith(_PAGE_MARK) for mark in marks
    )


def _zones(lines: Sequence[PdfLine]) -> list[tuple[PageEnd, PdfLine]]:
    """The lines that may be running titles, the outermost first. Positions decide, not the order in the file."""
    down = sorted(lines, key=lambda line: -line.y)
    up = sorted(lines, key=lambda line: line.end_y)
    distance = line_distance(lines)
    top: list[tuple[PageEnd, PdfLine]] = [("top", line) for line in _zone(down, distance)]
    return top + [("bottom", line) for line in _zone(up, distance)]


def _zone(ordered: Sequence[PdfLine], distance: float) -> Sequence[PdfLine]:
    """The outermost lines, up to a wide gap that separates them from the text."""
    for count in range(1, min(MAX_ZONE, len(ordered) - 1) + 1):
        gap = abs(ordered[count].y - ordered[count - 1].y)
        # On a page of two lines, their distance is not that of running text, so the letter height is a limit too.
        if gap > MIN_GAP * min(distance, MAX_LINE * ordered[count].size):
            return ordered[:count]
    # Without such a gap only the outermost line may be removed, and only if it is a page number.
    return [line for line in ordered[:1] if all(_page_number(part) is not None for part in _parts(line))]


def _marks(side: PageEnd, line: PdfLine, number: int) -> Iterator[RunningMark]:
    """The marks of a line, which are equal on all pages that repeat it.

    A mark has the text of a part of the line. A page number is replaced by its difference from `number`, the number of
    the page in the file, because this difference is equal on all pages.
    """
    for part in _parts(line):
        page_number = _page_number(part)
        if page_number is not None:
            yield side, f"{_PAGE_MARK}{page_number - number}"
            continue
        behind, before = _NUMBER_BEHIND.fullmatch(part), _NUMBER_BEFORE.fullmatch(part)
        if behind is not None:
            yield side, f"{behind[1]} and page {int(behind[2]) - number}"
        elif before is not None:
            yield side, f"{before[2]} and page {int(before[1]) - number}"
        else:
            yield side, f"text {part}"


def _parts(line: PdfLine) -> list[str]:
    """The parts of a line between wide gaps."""
    return [part for piece in line.text.split("\t") if (part := " ".join(piece.split()))]


def _page_number(part: str) -> int | None:
    """The page number in a part of a line, None if it is not a page number."""
    label = _LABEL.fullmatch(part)
    if label is None:
        return None
    number = label[1].lower()
    return int(number) if number.isdigit() else _roman(number)


def _roman(number: str) -> int:
    """The value of a Roman numeral."""
    values = [_ROMAN[letter] for letter in number]
    pairs = pairwise([*values, 0])
    return sum(-value if value < following else value for value, following in pairs)


def _is_repeated(pages: Sequence[int], repeats_least: int) -> bool:
    """Whether at least `repeats_least` of these pages lie within a window of `WINDOW_PAGES` neighbouring pages."""
    return any(last - first < WINDOW_PAGES for first, last in zip(pages, pages[repeats_least - 1 :], strict=False))
