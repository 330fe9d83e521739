"""Splits a text into sentences, in linear time.

Made for documentation: a dot in a version, a file name, an option, a URL or inline code ends no sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
BACKTICKS = re.compile(r"`+")

# The run of marks has no lookahead behind it: on "....x" that would be tried again from every dot, in quadratic time.
TERMINATOR = re.compile(r"[.!?…]+[\"'”’»)\]*_]*|[。！？｡।॥؟۔။។]+[”’」』）】》]*")
"""Matches marks that may end a sentence, with the quotes and brackets that close behind them."""

ALWAYS_END = "。！？｡।॥؟۔။។"
"""Marks of Chinese and Japanese, Devanagari, Arabic, Urdu, Burmese and Khmer: they always end a sentence."""

WORD = re.compile(r"[^\s(\[{<\"'“‘«`*]*\Z")
"""Matches the word at the end of a text, without an opening bracket or quote before it."""

MAX_WORD = 16
"""Characters that are looked at on either side of a mark: no abbreviation is longer."""

INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")
"""Matches letters with dots between them, as in `e.g` and `J`."""

ABBREVIATIONS = frozenset(
    "approx bzw ca cf dr eq esp ex incl jr max min misc mr mrs ms prof resp sr st usw vgl viz vs".split()
)
BEFORE_NUMBERS = frozenset("art ch fig figs no nos nr p pp sec sect tab vol".split())
BEFORE_LOWERCASE = frozenset("al corp etc inc ltd".split())
"""Words that are abbreviations before a number (`No. 5`), and words that are abbreviations before a small letter."""
NEVER_FIRST = frozenset(",;:)]}|=")
"""Characters that begin no sentence. After an ellipsis they show that the sentence goes on: `for i in … ; do`."""


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a text as `(start, end)` spans, in order.

    The spans do not overlap, begin and end with a character that is not white space, and together cover all such
    characters. A blank line ends a sentence; a single line break does not.
    """
    return [span for start, end in _paragraphs(text) for span in _paragraph_sentences(text, start, end)]


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """The parts of a text between blank lines."""
    start = 0
    for gap in BLANK_LINE.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


def _paragraph_sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of one paragraph, given by its start and end in the text."""
    code = code_spans(text, start, end)
    code_starts = [span[0] for span in code]
    for mark in TERMINATOR.finditer(text, start, end):
        span_number = bisect_right(code_starts, mark.start()) - 1
        in_code = span_number >= 0 and mark.start() < code[span_number][1]
        if not in_code and _ends_sentence(text, start, mark, end):
            yield from _trimmed(text, start, mark.end())
            start = mark.end()
    yield from _trimmed(text, start, end)


def code_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The spans of inline code, each from a run of backticks to the next run of the same length (CommonMark 6.1)."""
    runs = [run.span() for run in BACKTICKS.finditer(text, start, end)]
    # From the last run to the first, so that one pass finds the closing run of every opening one.
    next_run_of_length: dict[int, int] = {}
    closing_run: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        if length in next_run_of_length:
            closing_run[index] = next_run_of_length[length]
        next_run_of_length[length] = index
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        last = closing_run.get(index)
        if last is not None:
            spans.append((runs[index][0], runs[last][1]))
        index = index + 1 if last is None else last + 1
    return spans


def _ends_sentence(text: str, start: int, mark: re.Match[str], end: int) -> bool:
    """Whether a mark ends a sentence. A dot at the end of an abbreviation, or inside a word, does not."""
    if mark[0][0] in ALWAYS_END:
        return True
    # `1.2`, `conf.py` and `example.org/a` continue behind the dot.
    if mark.end() < end and not text[mark.end()].isspace():
        return False
    following = text[mark.end() : min(mark.end() + MAX_WORD, end)].lstrip()[:1]
    if mark[0].startswith(("..", "…")):
        return not following.islower() and following not in NEVER_FIRST
    if mark[0][0] != ".":
        return True
    return not _is_abbreviation(text, start, mark.start(), following)


def _is_abbreviation(text: str, start: int, dot: int, following: str) -> bool:
    """Whether the dot at `dot` belongs to the word before it: `e.g.`, `No. 5`, `J. Doe`, `1.` in front of an item."""
    word_at_end = WORD.search(text[max(start, dot - MAX_WORD) : dot])
    word = word_at_end[0].lower() if word_at_end else ""
    if word.isdigit():
        line = text[max(start, dot - MAX_WORD) : dot].rpartition("\n")[2]
        return dot - len(word) <= start or line.strip() == word
    return (
        word in ABBREVIATIONS
        or INITIALS.fullmatch(word) is not None
        or (word in BEFORE_NUMBERS and following.isdigit())
        or (word in BEFORE_LOWERCASE and following.islower())
    )


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A span without the white space around it; nothing if the span holds only white space."""
    piece = text[start:end]
    if inner := piece.strip():
        first = start + piece.index(inner[0])
        yield first, first + len(inner)
