"""Chooses where to cut a run, so that its chunks have about the target size and begin at good positions.

Each chunk and each cut has a cost, and dynamic programming over the segments finds the cuts with the lowest cost in
all. A greedy algorithm would fill each chunk in turn and leave a remainder of any size at the end, although a chunk
should have a minimum size. See `docs/decisions/chunks.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from trueref_plugin.cutting.limits import MAX_OVERLAP, MAXIMUM, MIN_OVERLAP, MINIMUM, TARGET
from trueref_plugin.cutting.text_run import Segment

_COST_TOO_SMALL = 4.0
"""Cost of a chunk under the minimum size: more than a better position of a cut can save."""


class _Start(NamedTuple):
    """What is known about a chunk that begins at a segment, wherever it ends.

    `offset` is the position of the segment, in characters of the run. `max_length` and `max_wordpieces` limit the chunk
    without its overlap. `wordpieces_before` are the wordpieces of the run before the chunk. `cost_before` is the cost
    of all chunks before it, and `cut_cost` that of the cut at its start.
    """

    offset: int
    max_length: int
    max_wordpieces: int
    wordpieces_before: int
    cost_before: float
    cut_cost: float


def partition(segments: Sequence[Segment], max_wordpieces: int) -> list[tuple[int, int]]:
    """Divides segments into chunks, each as (index of its first segment, index after its last segment), in order.

    A chunk with an overlap has to leave room for the longest overlap. `max_wordpieces` is the limit of a chunk, overlap
    included. The wordpieces of an overlap are estimated from those of the text before the chunk. If the longest overlap
    would take more than a third of the limit (a text without spaces has a wordpiece for each character), the room is a
    third, or what the shortest overlap needs, but at most a half.
    """
    wordpieces_before = list(accumulate((segment.wordpieces for segment in segments), initial=0))
    starts: list[_Start] = []
    cost = 0.0
    # By number of segments: the first segment of the last chunk, if these segments are cut at the lowest cost.
    last_starts: list[int] = [0]
    for end in range(1, len(segments) + 1):
        # Computed once for each start and not for each of its ends: with short paragraphs there are hundreds of ends.
        starts.append(_start(segments, end - 1, last_starts[-1], max_wordpieces, wordpieces_before[end - 1], cost))
        cost, start = _cheapest(starts, segments[end - 1].end, wordpieces_before[end])
        last_starts.append(start)
    cuts = [len(segments)]
    while cuts[-1] > 0:
        cuts.append(last_starts[cuts[-1]])
    return list(pairwise(reversed(cuts)))


def _start(
    segments: Sequence[Segment],
    start: int,
    previous_start: int,
    max_wordpieces: int,
    wordpieces_before: int,
    cost_before: float,
) -> _Start:
    """What is known about a chunk that begins at segment `start`, if the chunk before it begins at `previous_start`."""
    overlaps = start > 0 and segments[start - 1].end - segments[previous_start].start >= MINIMUM
    overlap_wordpieces = _overlap_wordpieces(segments, start, max_wordpieces) if overlaps else 0
    cut_cost = segments[start].cost if start else 0.0
    return _Start(
        segments[start].start,
        MAXIMUM - (MAX_OVERLAP if overlaps else 0),
        max_wordpieces - overlap_wordpieces,
        wordpieces_before,
        cost_before,
        cut_cost,
    )


def _cheapest(starts: Sequence[_Start], end: int, wordpieces: int) -> tuple[float, int]:
    """The lowest cost of cutting all text up to `end`, and the segment that the last chunk then begins with.

    If several starts have the lowest cost, the first one is taken. `wordpieces` are those of all text up to `end`.
    """
    lowest_cost, start = 0.0, -1
    for number in range(len(starts) - 1, -1, -1):
        offset, max_length, max_wordpieces, wordpieces_before, cost_before, cut_cost = starts[number]
        length = end - offset
        # A single segment always fits, because longer ones were cut between words, so some start is always chosen. All
        # further starts make a longer chunk. Stopping here keeps the time for a whole run linear in its length.
        if start >= 0 and (length > max_length or wordpieces - wordpieces_before > max_wordpieces):
            break
        off_target = (length - TARGET) / TARGET
        cost = cost_before + (off_target * off_target + cut_cost + (_COST_TOO_SMALL if length < MINIMUM else 0.0))
        if start < 0 or cost <= lowest_cost:
            lowest_cost, start = cost, number
    return lowest_cost, start


def _overlap_wordpieces(segments: Sequence[Segment], start: int, max_wordpieces: int) -> int:
    """Estimates how many wordpieces to leave free for the overlap before a segment that is not the first."""
    length = wordpieces = 0
    while start > 0 and length < MAX_OVERLAP:
        start -= 1
        length = segments[start].end - segments[start].start + length
        wordpieces += segments[start].wordpieces

    def wordpieces_of(characters: int) -> int:
        # Rounded up, by integers: `//` rounds a negative number away from zero.
        return -(-wordpieces * characters // length) if length > characters else wordpieces

    # The rule and its reason are in the documentation of `partition`.
    room_for_shortest = min(wordpieces_of(MIN_OVERLAP), max_wordpieces // 2)
    return min(wordpieces_of(MAX_OVERLAP), max(room_for_shortest, max_wordpieces // 3))
