"""Finds spans in a text, and the part of a text that a reader sees without scrolling."""

from __future__ import annotations

import re
from typing import Final

WORDS_READ: Final = 180
CODE_LINES_READ: Final = 25
"""The beginning of an answer has this many words, and this many lines of its first block of code."""

FENCE: Final = "```"

_WORD = re.compile(r"\w+")
_CITATION = re.compile(r"\[\d+\]")
# Some pages have zero-width spaces inside long words, and many have a pilcrow behind each heading.
_UNSEEN = re.compile("[\u200b\u00b6]")


def words(text: str) -> list[str]:
    """The words of a text: runs of letters, digits and `_`, in lower case. White space and other signs are left out."""
    return _WORD.findall(_UNSEEN.sub("", text).lower())


class SpanFinder:
    """Looks spans up in a text. Citations such as `[1]`, and what looks like one, are left out of both."""

    def __init__(self, text: str) -> None:
        self._words = _spaced_words(text)

    def holds(self, span: str) -> bool:
        """Whether the text has the words of a span in a row."""
        return _spaced_words(span) in self._words


def beginning(text: str) -> str:
    """The part of a text that a reader sees at once: its first words and the first lines of its first block of code.

    Further blocks of code count as words. Lines that open or close a block are left out.
    """
    beginning_lines: list[str] = []
    words_left, code_blocks, code_lines, is_code = WORDS_READ, 0, 0, False
    for line in text.split("\n"):
        if line.startswith(FENCE):
            is_code = not is_code
            code_blocks += is_code
            code_lines = 0
        elif is_code and code_blocks == 1:
            code_lines += 1
            if code_lines <= CODE_LINES_READ:
                beginning_lines.append(line)
        elif words_left > 0:
            line_words = line.split()
            beginning_lines.append(" ".join(line_words[:words_left]))
            words_left -= len(line_words)
    return "\n".join(beginning_lines)


def _spaced_words(text: str) -> str:
    """The words of a text in one string, each between spaces."""
    # With a space at both ends a span begins and ends where words do. `in` takes linear time for any two texts.
    return f" {' '.join(words(_CITATION.sub(' ', text)))} "
