"""A run: the text between two things that are never cut through, and the places where it may be cut.

A run is one string, and a chunk of it is a slice, so that nothing is lost or changed by cutting.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Final

import regex

from trueref_core.records import ChunkKind
from trueref_core.text.sentences import split_sentences
from trueref_plugin.cutting.limits import MAXIMUM, MINIMUM, OVERLAP_LEAST, OVERLAP_MOST
from trueref_plugin.reading.parsed import Block

# Flags have an alternative of their own: in a row of flags `\X` counts for each sign all signs before it, which is
# quadratic.
GRAPHEME: Final = regex.compile(r"\p{GCB=RI}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*|\X")
"""One character to a reader: a letter with its marks, an emoji with its parts, a flag."""

# The cost of a cut before a segment, on a scale on which a chunk of twice the target costs 1.0. A cut between blocks is
# the cheapest, then between list items, sentences and words. A heading even pays for a cut before it.
AT_START: Final = -0.05
AT_BLOCK: Final = 0.0
AT_UNIT: Final = 0.05
AT_SENTENCE: Final = 0.2
AT_WORD: Final = 1.0

SEGMENT_MOST: Final = MAXIMUM - OVERLAP_MOST
"""A longer sentence is cut between words, so that every segment fits into a chunk beside an overlap."""

TINY: Final = 16
"""Neighbours of this many characters together are not cut apart. So a chunk has at most 125 segments to choose its
start from, even on a page whose paragraphs have one letter each."""

Measure = Callable[[str], int]
"""Counts the wordpieces of a text."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a run that is not cut: `start` and `end` in characters, wordpieces, the cost of a cut before it."""

    start: int
    end: int
    pieces: int
    cost: float


@dataclass(frozen=True, slots=True)
class Run:
    """Text with its segments, in order and without overlap. `kinds` holds the end of each block and its kind.

    `begins` holds the start of each block and that of its first segment: white space before the segment is cut away if
    a chunk begins with it.
    """

    text: str
    segments: tuple[Segment, ...]
    kinds: tuple[tuple[int, ChunkKind], ...]
    begins: tuple[tuple[int, int], ...]

    def kind_of(self, start: int, end: int) -> ChunkKind:
        """The kind that most characters between `start` and `end` have."""
        shares: dict[ChunkKind, int] = {}
        at = bisect_right(self.kinds, start, key=lambda block: block[0])
        while start < end and at < len(self.kinds):
            # The kind of a chunk is that of most of its characters: a list item at its end makes no list of a
            # paragraph.
            stop, kind = self.kinds[at]
            shares[kind] = shares.get(kind, 0) + min(stop, end) - start
            start, at = stop, at + 1
        return max(shares, key=lambda kind: shares[kind])

    def begun(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The numbers of the blocks whose first segment is between `start` and `end`, and where there each begins."""
        first = bisect_left(self.begins, start, key=itemgetter(1))
        for number in range(first, bisect_left(self.begins, end, key=itemgetter(1))):
            yield number, max(start, self.begins[number][0])


def make_run(blocks: Sequence[Block], measure: Measure | None, pieces_most: int) -> Run:
    """Joins blocks to one run.

    Args:
        blocks: Neighbours in one section, none of them code or a table.
        measure: Counts wordpieces; None if nothing is embedded.
        pieces_most: Wordpieces that a chunk may have at most.
    """
    if sum(wordpieces_at_most(block.text) for block in blocks) <= pieces_most:
        # The whole run fits by its length alone. Counting takes a third of the time of cutting.
        measure = None
    segments: list[Segment] = []
    kinds: list[tuple[int, ChunkKind]] = []
    begins: list[tuple[int, int]] = []
    offset = 0
    for block in blocks:
        first = -1
        cost = AT_START if block.starts else AT_BLOCK
        for start, end, inner_cost in _block_spans(block, cost):
            pieces = _fitting(block.text, start, end, measure, pieces_most, inner_cost)
            for piece in pieces:
                first = first if first >= 0 else offset + piece.start
                _add(segments, replace(piece, start=offset + piece.start, end=offset + piece.end))
        begins.append((offset, max(first, offset)))
        offset += len(block.text) + 2
        kinds.append((offset, block.kind))
    return Run("\n\n".join(block.text for block in blocks), tuple(segments), tuple(kinds), tuple(begins))


def _add(segments: list[Segment], segment: Segment) -> None:
    """Adds a segment; two tiny neighbours become one, since the time of the search grows with the number of segments.

    A heading stays apart from what stands before it, unless that is nothing but a heading too.
    """
    last = segments[-1] if segments else None
    if last is None or segment.end - last.start > TINY or last.cost > segment.cost:
        segments.append(segment)
    else:
        segments[-1] = Segment(last.start, segment.end, last.pieces + segment.pieces, last.cost)


def wordpieces_at_most(text: str) -> int:
    """An upper bound for the wordpieces of a text: one a character, and three if Korean syllables are taken apart."""
    return len(text) if text.isascii() else 3 * len(text)


def _block_spans(block: Block, cost: float) -> Iterable[tuple[int, int, float]]:
    """The sentences of a block as (start, end, cost of a cut before it)."""
    offset = 0
    for unit in block.units or (block.text,):
        unit_cost = cost if offset == 0 else AT_UNIT
        for number, (start, end) in enumerate(split_sentences(unit)):
            yield offset + start, offset + end, unit_cost if number == 0 else AT_SENTENCE
        offset += len(unit) + 1


def _fitting(
    text: str, start: int, end: int, measure: Measure | None, pieces_most: int, cost: float
) -> Iterable[Segment]:
    """Cuts a sentence that is too long for a chunk between words, or between graphemes if it has no spaces."""
    whole = measure(text[start:end]) if measure else 0
    # A third of the window stays free for an overlap, and up to a half if the text is dense: an overlap of 100
    # characters has 100 wordpieces in a text without spaces.
    overlap = min(whole * OVERLAP_LEAST // (end - start), pieces_most // 2)
    pieces_most = min(pieces_most * 2 // 3, pieces_most - overlap)
    if end - start <= SEGMENT_MOST and whole <= pieces_most:
        yield Segment(start, end, whole, cost)
        return
    begin, size, pieces = start, start, 0
    for atom_start, atom_end in _atoms(text, start, end):
        atom_pieces = measure(text[atom_start:atom_end]) if measure else 0
        if size > begin and (atom_end - begin > SEGMENT_MOST or pieces + atom_pieces > pieces_most):
            yield Segment(begin, size, pieces, cost)
            begin, pieces, cost = atom_start, 0, AT_WORD
        size, pieces = atom_end, pieces + atom_pieces
    yield Segment(begin, size, pieces, cost)


# A word with the graphemes that stand on it is cut into stretches of at most this many characters.
_ATOM_MOST: Final = 40
_WORD = regex.compile(r"\S+")


def _atoms(text: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    """The stretches of a sentence that are never cut: words, and graphemes of what has no spaces."""
    for word in _WORD.finditer(text, start, end):
        begin = after = word.start()
        if len(word[0]) > _ATOM_MOST:
            for grapheme in GRAPHEME.finditer(text, word.start(), word.end()):
                if begin < after and grapheme.end() - begin > _ATOM_MOST:
                    yield begin, after
                    begin = after
                after = grapheme.end()
        yield begin, word.end()


_WORD_START: Final = regex.compile(r"(?<=\s)\S")


def overlap_start(text: str, previous_start: int, start: int, end: int, fits: Callable[[str], bool]) -> int:
    """Where a chunk from `start` to `end` of a run begins with its overlap.

    The overlap is 100 to 200 characters of the chunk before, which began at `previous_start`: whole sentences if some
    have that length, else whole words, else whole graphemes. There is no overlap after a chunk of fewer than 200
    characters, and none that does not fit: `fits` tells of a text whether the embedder reads all of it.
    """
    window = text[previous_start:start].rstrip()
    if len(window) < MINIMUM:
        return start
    low, high = start - OVERLAP_MOST, start - OVERLAP_LEAST
    sentences = [begin for first, _ in split_sentences(window) if low <= (begin := previous_start + first) <= high]
    words = [match.start() for match in _WORD_START.finditer(text, low, high + 1)]
    graphemes = [
        begin for match in GRAPHEME.finditer(text, previous_start, high + 1) if (begin := match.start()) >= low
    ]
    # The shortest overlap that begins with a sentence, else with a word. Without either, the longest that fits: a text
    # without spaces says little in 100 characters.
    for begin in (*sentences[-1:], *words[-1:], *graphemes[:1], *graphemes[-1:]):
        if fits(text[begin:end]):
            return begin
    return start
