"""What a chunk repeats of the one before it, so that a thought that runs over the cut is found in both."""

from __future__ import annotations

from collections.abc import Callable

import regex

from trueref_core.text.sentences import split_sentences
from trueref_plugin.cutting.graphemes import GRAPHEME
from trueref_plugin.cutting.limits import MINIMUM, OVERLAP_LEAST, OVERLAP_MOST

_WORD_START = regex.compile(r"(?<=\s)\S")


def overlap_start(text: str, previous_start: int, start: int, end: int, fits: Callable[[str], bool]) -> int:
    """Where a chunk from `start` to `end` of a run begins with its overlap.

    The overlap is 100 to 200 characters of the chunk before, which began at `previous_start`: whole sentences where
    some have that length, else whole words, else whole graphemes. There is none after a chunk under 200, and none
    that does not fit: `fits` tells of a text whether the embedder reads all of it.
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
    # Of sentences and words the least; where there are none, as much as fits.
    for begin in (*sentences[-1:], *words[-1:], *graphemes[:1], *graphemes[-1:]):
        if fits(text[begin:end]):
            return begin
    return start
