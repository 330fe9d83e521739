"""What a chunk repeats of the one before it, so that a thought that runs over the cut is found in both."""

from __future__ import annotations

import regex

from trueref_core.sentences import split_sentences
from trueref_plugin.cutting.limits import MINIMUM, OVERLAP_LEAST, OVERLAP_MOST

_WORD_START = regex.compile(r"(?<=\s)\S")
_GRAPHEME = regex.compile(r"\X")


def overlap_start(text: str, previous_start: int, start: int) -> int:
    """Where a chunk that begins at `start` of a run begins with its overlap.

    The overlap is 100 to 200 characters of the chunk before, which began at `previous_start`: whole sentences where
    some have that length, else whole words, else whole graphemes. There is none after a chunk under 200.
    """
    if start - previous_start < MINIMUM:
        return start
    low, high = start - OVERLAP_MOST, start - OVERLAP_LEAST
    window = text[previous_start:start]
    sentences = [previous_start + begin for begin, _ in split_sentences(window)]
    for candidates in (sentences, [match.start() for match in _WORD_START.finditer(text, low, start)]):
        fitting = [candidate for candidate in candidates if low <= candidate <= high]
        if fitting:
            return max(fitting)
    graphemes = (match.start() for match in _GRAPHEME.finditer(text, previous_start, start))
    return next((begin for begin in graphemes if begin >= low), start)
