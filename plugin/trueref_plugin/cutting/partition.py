"""Chooses where to cut a run: the cheapest way to reach chunks of the target size at good places.

The choice is exact (dynamic programming over the segments), not greedy: a greedy cut fills chunks and leaves a
remainder of any size at the end, and the design asks for a minimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from trueref_plugin.cutting.limits import MAXIMUM, MINIMUM, OVERLAP_LEAST, OVERLAP_MOST, TARGET
from trueref_plugin.cutting.run import Segment

_TOO_SMALL = 4.0
"""Cost of a chunk under the minimum: more than any cut at a better place saves."""


def partition(segments: Sequence[Segment], pieces_most: int) -> list[tuple[int, int]]:
    """Groups of segments as (first, after last), in order, covering all of them.

    A chunk that repeats the end of the one before is given room for the longest overlap. `pieces_most` is what a chunk
    may have in wordpieces, overlap included, which is counted at the rate of the text before it. Where that would take
    more than a third of them (a text without spaces has a wordpiece a character), the room is for the shortest one.
    """
    best: list[float] = [0.0]
    origin: list[int] = [0]
    for end in range(1, len(segments) + 1):
        cost, start = min(_choices(segments, best, origin, end, pieces_most))
        best.append(cost)
        origin.append(start)
    cuts = [len(segments)]
    while cuts[-1] > 0:
        cuts.append(origin[cuts[-1]])
    return list(pairwise(reversed(cuts)))


def _choices(
    segments: Sequence[Segment], best: Sequence[float], origin: Sequence[int], end: int, pieces_most: int
) -> list[tuple[float, int]]:
    choices: list[tuple[float, int]] = []
    pieces = 0
    for start in range(end - 1, -1, -1):
        length = segments[end - 1].end - segments[start].start
        pieces += segments[start].pieces
        overlaps = start > 0 and segments[start - 1].end - segments[origin[start]].start >= MINIMUM
        room = MAXIMUM - (OVERLAP_MOST if overlaps else 0)
        kept = _overlap_pieces(segments, start, pieces_most) if overlaps else 0
        # A single segment always fits: longer ones were cut between words before.
        if choices and (length > room or pieces + kept > pieces_most):
            break
        choices.append((best[start] + _cost(length, segments[start].cost if start else 0.0), start))
    return choices


def _overlap_pieces(segments: Sequence[Segment], start: int, pieces_most: int) -> int:
    """Wordpieces that are kept free for an overlap before a segment that is not the first."""
    length = pieces = 0
    while start > 0 and length < OVERLAP_MOST:
        start -= 1
        length = segments[start].end - segments[start].start + length
        pieces += segments[start].pieces
    most, least = (-(-pieces * size // length) if length > size else pieces for size in (OVERLAP_MOST, OVERLAP_LEAST))
    return min(most, max(min(least, pieces_most // 2), pieces_most // 3))


def _cost(length: int, cut_cost: float) -> float:
    off_target = (length - TARGET) / TARGET
    return off_target * off_target + cut_cost + (_TOO_SMALL if length < MINIMUM else 0.0)
