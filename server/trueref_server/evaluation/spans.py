"""Finds spans in a text, and the part of a text that a reader sees without scrolling."""

from __future__ import annotations

import re
from typing import Final

WORDS_READ: Final = 180
CODE_LINES_READ: Final = 25
"""What a reader takes in of an answer: so many words, and beside them so many lines of its first block of code."""

FENCE: Final = "```"

_WORD = re.compile(r"\w+")
_CITATION = re.compile(r"\[\d+\]")
# Zero-width spaces stand inside long words of some pages, and the other sign behind the headings of many.
_UNSEEN = re.compile("[\u200b\u00b6]")


def words(text: str) -> list[str]:
    """The words of a text: runs of letters, digits and `_` in small letters. White space and marks do not count."""
    return _WORD.findall(_UNSEEN.sub("", text).lower())


class SpanFinder:
    """Looks spans up in a text. Citations (`[1]`) are no words of either, nor is what looks like one."""

    def __init__(self, text: str) -> None:
        self._words = _joined(text)

    def holds(self, span: str) -> bool:
        """Whether the words of a span stand in the text, in a row."""
        return _joined(span) in self._words


def beginning(text: str) -> str:
    """The part of a text that a reader sees at once: its first words and the first lines of its first block of code.

    Further blocks of code count as words. Lines that open or close a block are left out.
    """
    beginning_lines: list[str] = []
    left, blocks, lines, is_code = WORDS_READ, 0, 0, False
    for line in text.split("\n"):
        if line.startswith(FENCE):
            is_code = not is_code
            blocks += is_code
            lines = 0
        elif is_code and blocks == 1:
            lines += 1
            if lines <= CODE_LINES_READ:
                beginning_lines.append(line)
        elif left > 0:
            read = line.split()
            beginning_lines.append(" ".join(read[:left]))
            left -= len(read)
    return "\n".join(beginning_lines)


def _joined(text: str) -> str:
    """The words of a text in one string, each between spaces."""
    # A space at both ends, so that a span begins and ends where words do. `in` takes linear time for any two texts.
    return f" {' '.join(words(_CITATION.sub(' ', text)))} "
