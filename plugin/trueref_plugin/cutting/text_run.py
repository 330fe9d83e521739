"""A run: the text between two blocks that are never joined with it (code, tables), and where it may be cut.

A run is one string, and a chunk is a slice of it, so that cutting neither loses nor changes any text.
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
from trueref_plugin.cutting.limits import MAX_OVERLAP, MAXIMUM, MIN_OVERLAP, MINIMUM
from trueref_plugin.reading.parsed import Block

# Flags (two regional indicators) have an alternative of their own: in a row of flags, `\X` counts all indicators before
# each one, which takes quadratic time.
GRAPHEME: Final = regex.compile(r"\p{GCB=RI}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*|\X")
"""One character to a reader: a letter with its marks, an emoji with its parts, a flag."""

# The cost of a cut before a segment. On the same scale, a chunk of twice the target size costs 1.0. A cut between
# blocks is the cheapest, then between list items, sentences and words. A cut before a heading or another block that
# begins something new (`Block.starts`) even lowers the cost.
AT_START: Final = -0.05
AT_BLOCK: Final = 0.0
AT_UNIT: Final = 0.05
AT_SENTENCE: Final = 0.2
AT_WORD: Final = 1.0

MAX_SEGMENT: Final = MAXIMUM - MAX_OVERLAP
"""A longer sentence is cut between words, so that every segment fits into a chunk together with an overlap."""

MAX_MERGED: Final = 16
"""Neighbouring segments with at most this many characters together become one. So a chunk has at most 125 segments,
even on a page whose paragraphs have one letter each, and the search for cuts stays fast."""

_MAX_ATOM: Final = 40
"""Characters at most of a part of a sentence that is never cut (`_atoms`). A longer word is cut between graphemes."""

_WORD: Final = regex.compile(r"\S+")
_WORD_START: Final = regex.compile(r"(?<=\s)\S")

WordpieceCounter = Callable[[str], int]
"""Counts the wordpieces of a text."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a run that is never cut. `start` and `end` are in characters; `cost` is that of a cut before it."""

    start: int
    end: int
    wordpieces: int
    cost: float


@dataclass(frozen=True, slots=True)
class TextRun:
    """A run and its segments, in order.

    `block_ends` holds (end of the block, its kind) for each block. `block_starts` holds (start of the block, start of
    its first segment). The two starts differ by white space, which is cut away if a chunk begins with the segment.
    """

    text: str
    segments: tuple[Segment, ...]
    block_ends: tuple[tuple[int, ChunkKind], ...]
    block_starts: tuple[tuple[int, int], ...]

    def kind_of(self, start: int, end: int) -> ChunkKind:
        """The kind of most characters between `start` and `end`."""
        shares: dict[ChunkKind, int] = {}
        index = bisect_right(self.block_ends, start, key=lambda block: block[0])
        while start < end and index < len(self.block_ends):
            # Most characters decide, so that a paragraph with one list item at its end does not count as a list.
            stop, kind = self.block_ends[index]
            shares[kind] = shares.get(kind, 0) + min(stop, end) - start
            start, index = stop, index + 1
        return max(shares, key=lambda kind: shares[kind])

    def blocks_beginning(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The blocks whose first segment is between `start` and `end`, as (index of the block, its start there)."""
        first = bisect_left(self.block_starts, start, key=itemgetter(1))
        for number in range(first, bisect_left(self.block_starts, end, key=itemgetter(1))):
            yield number, max(start, self.block_starts[number][0])


def make_run(blocks: Sequence[Block], measure: WordpieceCounter | None, max_wordpieces: int) -> TextRun:
    """Joins blocks to one run.

    Args:
        blocks: Neighbouring blocks of one section, none of them code or a table.
        measure: Counts wordpieces; None if nothing is embedded.
        max_wordpieces: Wordpieces that a chunk may have.
    """
    if sum(wordpieces_at_most(block.text) for block in blocks) <= max_wordpieces:
        # The whole run is so short that it fits. Counting wordpieces would take a third of the time of cutting.
        measure = None
    segments: list[Segment] = []
    block_ends: list[tuple[int, ChunkKind]] = []
    block_starts: list[tuple[int, int]] = []
    offset = 0
    for block in blocks:
        # The start of the block's first segment, -1 before it is known.
        first = -1
        cost = AT_START if block.starts else AT_BLOCK
        for start, end, inner_cost in _block_spans(block, cost):
            for segment in _sentence_segments(block.text, start, end, measure, max_wordpieces, inner_cost):
                first = first if first >= 0 else offset + segment.start
                segments.append(replace(segment, start=offset + segment.start, end=offset + segment.end))
        block_starts.append((offset, max(first, offset)))
        offset += len(block.text) + 2
        block_ends.append((offset, block.kind))
    text = "\n\n".join(block.text for block in blocks)
    return TextRun(text, tuple(_tiny_ones_joined(segments)), tuple(block_ends), tuple(block_starts))


def _tiny_ones_joined(segments: Iterable[Segment]) -> Iterator[Segment]:
    """The segments, each joined to the one before it if both are tiny: the search takes longer with more segments.

    A heading is not joined to text before it, so that the run can still be cut there.
    """
    last: Segment | None = None
    for segment in segments:
        if last is None:
            last = segment
        elif segment.end - last.start > MAX_MERGED or last.cost > segment.cost:
            yield last
            last = segment
        else:
            last = Segment(last.start, segment.end, last.wordpieces + segment.wordpieces, last.cost)
    if last is not None:
        yield last


def wordpieces_at_most(text: str) -> int:
    """An upper bound for the wordpieces of a text.

    A character has one wordpiece at most. A Korean syllable may be decomposed into three letters, each with one.
    """
    return len(text) if text.isascii() else 3 * len(text)


def _block_spans(block: Block, cost: float) -> Iterable[tuple[int, int, float]]:
    """The sentences of a block as (start, end, cost of a cut before it)."""
    offset = 0
    for unit in block.units or (block.text,):
        unit_cost = cost if offset == 0 else AT_UNIT
        for number, (start, end) in enumerate(split_sentences(unit)):
            yield offset + start, offset + end, unit_cost if number == 0 else AT_SENTENCE
        offset += len(unit) + 1


def _sentence_segments(
    text: str, start: int, end: int, measure: WordpieceCounter | None, max_wordpieces: int, cost: float
) -> Iterable[Segment]:
    """A sentence as one segment. One that is too long for a chunk is cut between words, or graphemes without spaces."""
    sentence_wordpieces = measure(text[start:end]) if measure else 0
    # A third of the limit stays free for an overlap, and up to a half if the text has many wordpieces: without spaces,
    # an overlap of 100 characters has 100 of them.
    overlap_wordpieces = min(sentence_wordpieces * MIN_OVERLAP // (end - start), max_wordpieces // 2)
    max_wordpieces = min(max_wordpieces * 2 // 3, max_wordpieces - overlap_wordpieces)
    if end - start <= MAX_SEGMENT and sentence_wordpieces <= max_wordpieces:
        yield Segment(start, end, sentence_wordpieces, cost)
        return
    segment_start, segment_end, wordpieces = start, start, 0
    for atom_start, atom_end in _atoms(text, start, end):
        atom_wordpieces = measure(text[atom_start:atom_end]) if measure else 0
        if segment_end > segment_start and (
            atom_end - segment_start > MAX_SEGMENT or wordpieces + atom_wordpieces > max_wordpieces
        ):
            yield Segment(segment_start, segment_end, wordpieces, cost)
            segment_start, wordpieces, cost = atom_start, 0, AT_WORD
        segment_end, wordpieces = atom_end, wordpieces + atom_wordpieces
    yield Segment(segment_start, segment_end, wordpieces, cost)


def _atoms(text: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    """The parts of a sentence that are never cut, as (start, end): words, and pieces of words that are very long."""
    for word in _WORD.finditer(text, start, end):
        begin = after = word.start()
        if len(word[0]) > _MAX_ATOM:
            for grapheme in GRAPHEME.finditer(text, word.start(), word.end()):
                if begin < after and grapheme.end() - begin > _MAX_ATOM:
                    yield begin, after
                    begin = after
                after = grapheme.end()
        yield begin, word.end()


def overlap_start(text: str, previous_start: int, start: int, end: int, fits: Callable[[str], bool]) -> int:
    """Where a chunk from `start` to `end` of a run begins with its overlap.

    The overlap is the last 100 to 200 characters of the chunk before, which began at `previous_start`: whole sentences
    if that is possible, else whole words, else whole graphemes. After a chunk of fewer than 200 characters there is no
    overlap. `fits` says whether the embedder reads the whole of a text: an overlap with which the chunk does not fit is
    not used.
    """
    window = text[previous_start:start].rstrip()
    if len(window) < MINIMUM:
        return start
    low, high = start - MAX_OVERLAP, start - MIN_OVERLAP
    sentences = [begin for first, _ in split_sentences(window) if low <= (begin := previous_start + first) <= high]
    words = [match.start() for match in _WORD_START.finditer(text, low, high + 1)]
    graphemes = [
        begin for match in GRAPHEME.finditer(text, previous_start, high + 1) if (begin := match.start()) >= low
    ]
    # First the shortest overlap that begins with a sentence, then the shortest that begins with a word. A text without
    # spaces gets the longest that fits, because 100 of its characters alone say little.
    for begin in (*sentences[-1:], *words[-1:], *graphemes[:1], *graphemes[-1:]):
        if fits(text[begin:end]):
            return begin
    return start
