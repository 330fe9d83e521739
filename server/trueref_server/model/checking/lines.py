"""Cuts a stream of Markdown into lines, so that a check sees whole sentences, wherever the stream is cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from trueref_core.text.sentences import code_spans

LINE_LONGEST: Final = 4000
"""The most characters of a line. A longer line is cut, so that no stream waits for a line that never ends."""

FENCE: Final = "```"

HIDDEN: Final = "\0"
"""Replaces the characters of links and code. No text contains it, since the gate removes it."""

# The beginning of a link at the end of the text counts as a link. No address is as long as the bounds allow.
LINK_SO_FAR = re.compile(r"\[[^\[\]]{0,6000}+(?:\Z|\](?:\Z|\([^()\s]{0,6000}+(?:\)|\Z)))")


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line with its line break. `is_code` is true inside a fenced block and for its fences."""

    text: str
    is_code: bool


class LineCutter:
    """Takes pieces of a text and returns its lines, which together are the text.

    The text comes from the gate, which makes every fence begin a line and closes every fence.
    """

    def __init__(self) -> None:
        self._unfinished = ""
        self._fence = ""
        self._line_longest = LINE_LONGEST
        self._is_line_open = False

    def push(self, piece: str) -> list[AnswerLine]:
        """Take a piece, and return the lines that are complete by now."""
        self._unfinished += piece
        # Lines and not sentences: the end of a sentence depends on what follows it, and so on where the stream is cut.
        lines: list[AnswerLine] = []
        while end := self._line_end():
            lines.append(self._classify(self._unfinished[:end]))
            self._unfinished = self._unfinished[end:]
            self._line_longest = LINE_LONGEST
        return lines

    def close(self) -> list[AnswerLine]:
        """Return the rest of the text as the last line."""
        last, self._unfinished = self._unfinished, ""
        return [self._classify(last)] if last else []

    def _line_end(self) -> int:
        """Where the first line ends; 0 if that is not known yet."""
        while not (end := self._unfinished.find("\n", 0, self._line_longest) + 1):
            if len(self._unfinished) < self._line_longest:
                return 0
            text = self._unfinished[: self._line_longest]
            if end := len(text) if self._fence else _cut_position(text):
                return end
            # If a link is longer than a line may be, the line ends after it: the gate closes every link.
            self._line_longest += LINE_LONGEST
        return end

    def _classify(self, text: str) -> AnswerLine:
        """A line, marked as code if it is in a fenced block; a fence begins or ends such a block."""
        is_rest_of_line, self._is_line_open = self._is_line_open, not text.endswith("\n")
        if is_rest_of_line:
            # Backticks at the beginning of a rest are within a line, and so no fence.
            return AnswerLine(text, is_code=bool(self._fence))
        ticks = text[: len(text) - len(text.lstrip("`"))]
        if self._fence:
            # A closing fence is at least as long as the opening one and has nothing behind it, as CommonMark says.
            if len(ticks) >= len(self._fence) and not text.strip("`\n "):
                self._fence = ""
            return AnswerLine(text, is_code=True)
        if ticks.startswith(FENCE):
            self._fence = ticks
        return AnswerLine(text, is_code=bool(self._fence))


def _cut_position(text: str) -> int:
    """Where a line that is too long is cut: outside of links and code, and after the last blank if there is one.

    It is 0 if a single link fills the text: half a link would lead elsewhere, and a citation could be added inside it.
    """
    characters = list(text)
    for start, end in code_spans(text, 0, len(text)):
        characters[start:end] = HIDDEN * (end - start)
    masked = "".join(characters)
    # The gate closes all code, so a backtick without a partner begins code that continues after this text.
    open_code = masked.find("`") if "`" in masked else len(text)
    masked = LINK_SO_FAR.sub(lambda link: HIDDEN * len(link[0]), masked[:open_code] + HIDDEN * (len(text) - open_code))
    return masked.rfind(" ") + 1 or len(masked.rstrip(HIDDEN))
