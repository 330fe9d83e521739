"""Chooses where to cut a run: the cheapest way to reach chunks of the target size at good places.

The choice is exact (dynamic programming over the segments), not greedy: a greedy cut fills chunks and leaves a
remainder of any size at the end, although a chunk is to have a minimum. See `docs/decisions/chunks.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from trueref_plugin.cutting.limits import MAXIMUM, MINIMUM, OVERLAP_LEAST, OVERLAP_MOST, TARGET
from trueref_plugin.cutting.run import Segment

_TOO_SMALL = 4.0
"""Cost of a chunk under the minimum: more than a better place for a cut can save."""


class _Start(NamedTuple):
    """The limits and costs of a chunk that begins at a segment, whatever its end.

    `begin` is counted in characters of the run. `length` and `pieces` are the most that it may have beside an overlap.
    `before` counts the wordpieces of the run before it. `spent` and `cut` are the cost of the chunks before it and of
    the cut there.
    """

    begin: int
    length: int
    pieces: int
    before: int
    spent: float
    cut: float


def partition(segments: Sequence[Segment], pieces_most: int) -> list[tuple[int, int]]:
    """Groups of segments as (first, after last), in order, covering all of them.

    A chunk that repeats the end of the one before is given room for the longest overlap. `pieces_most` is the limit of
    a chunk in wordpieces, overlap included. Those of the overlap are estimated at the rate of the text before it. If
    that would take more than a third of the limit (a text without spaces has a wordpiece for each character), the room
    is for the shortest overlap.
    """
    pieces_before = list(accumulate((segment.pieces for segment in segments), initial=0))
    starts: list[_Start] = []
    spent = 0.0
    origin: list[int] = [0]
    for end in range(1, len(segments) + 1):
        # Computed once for each start, not for each of its ends: there are hundreds of ends if paragraphs are short.
        starts.append(_start(segments, end - 1, origin[-1], pieces_most, pieces_before[end - 1], spent))
        spent, start = _best(starts, segments[end - 1].end, pieces_before[end])
        origin.append(start)
    cuts = [len(segments)]
    while cuts[-1] > 0:
        cuts.append(origin[cuts[-1]])
    return list(pairwise(reversed(cuts)))


def _start(
    segments: Sequence[Segment], start: int, previous: int, pieces_most: int, before: int, spent: float
) -> _Start:
    """The limits and costs of a chunk that begins at a segment."""
    overlaps = start > 0 and segments[start - 1].end - segments[previous].start >= MINIMUM
    overlap_pieces = _overlap_pieces(segments, start, pieces_most) if overlaps else 0
    cut = segments[start].cost if start else 0.0
    return _Start(
        segments[start].start,
        MAXIMUM - (OVERLAP_MOST if overlaps else 0),
        pieces_most - overlap_pieces,
        before,
        spent,
        cut,
    )


def _best(starts: Sequence[_Start], stop: int, pieces: int) -> tuple[float, int]:
    """The least cost of all chunks up to `stop`, and the start of the last one: of equal costs the earliest."""
    least, best = 0.0, -1
    for number in range(len(starts) - 1, -1, -1):
        begin, length_most, pieces_most, before, spent, cut = starts[number]
        length = stop - begin
        # A single segment always fits (longer ones were cut between words before), so some start is always chosen.
        # From here on chunks only get longer, so the search over the starts is linear in the run.
        if best >= 0 and (length > length_most or pieces - before > pieces_most):
            break
        off_target = (length - TARGET) / TARGET
        cost = spent + (off_target * off_target + cut + (_TOO_SMALL if length < MINIMUM else 0.0))
        if best < 0 or cost <= least:
            least, best = cost, number
    return least, best


def _overlap_pieces(segments: Sequence[Segment], start: int, pieces_most: int) -> int:
    """Wordpieces that are kept free for the overlap before a segment which is not the first."""
    length = pieces = 0
    while start > 0 and length < OVERLAP_MOST:
        start -= 1
        length = segments[start].end - segments[start].start + length
        pieces += segments[start].pieces
    most, least = (-(-pieces * size // length) if length > size else pieces for size in (OVERLAP_MOST, OVERLAP_LEAST))
    return min(most, max(min(least, pieces_most // 2), pieces_most // 3))
