"""Cuts a stream of Markdown into lines, so that a check sees whole sentences however the stream is cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from trueref_core.text.sentences import code_spans

LONGEST: Final = 4000
"""Characters of a line at most. A longer line is cut, so that no stream waits for the end of a line that never ends."""

FENCE: Final = "```"

HIDDEN: Final = "\0"
"""Stands for the characters of links and code. No text has it, since the gate removes it."""

# The beginning of a link at the end of the text counts as a link. No address is as long as the bounds allow.
LINK_SO_FAR = re.compile(r"\[[^\[\]]{0,6000}+(?:\Z|\](?:\Z|\([^()\s]{0,6000}+(?:\)|\Z)))")


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line with its line break. `is_code` is true inside a fenced block and for its fences."""

    text: str
    is_code: bool


class LineCutter:
    """Takes pieces of a text and gives its lines. Joined they are the text.

    The text has left the gate: every fence of it begins a line, and is closed.
    """

    def __init__(self) -> None:
        self._unfinished = ""
        self._fence = ""
        self._longest = LONGEST
        self._goes_on = False

    def push(self, piece: str) -> list[AnswerLine]:
        """Take a piece, and give the lines that are whole by now."""
        self._unfinished += piece
        # Lines and not sentences: where a sentence ends depends on what follows, and so on how the stream was cut.
        lines: list[AnswerLine] = []
        while end := self._end():
            lines.append(self._line(self._unfinished[:end]))
            self._unfinished = self._unfinished[end:]
            self._longest = LONGEST
        return lines

    def close(self) -> list[AnswerLine]:
        """Give what is left as the last line."""
        last, self._unfinished = self._unfinished, ""
        return [self._line(last)] if last else []

    def _end(self) -> int:
        """Where the first line ends; 0 if that cannot be told yet."""
        while not (end := self._unfinished.find("\n", 0, self._longest) + 1):
            if len(self._unfinished) < self._longest:
                return 0
            text = self._unfinished[: self._longest]
            if end := len(text) if self._fence else _border(text):
                return end
            # If a link is longer than a line may be, the line ends after it: the gate closes every link.
            self._longest += LONGEST
        return end

    def _line(self, text: str) -> AnswerLine:
        """A line, by whether it stands in a fenced block; a fence opens or closes one."""
        goes_on, self._goes_on = self._goes_on, not text.endswith("\n")
        if goes_on:
            # This is the rest of a line that was cut, so that backticks at its beginning are no fence.
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


def _border(text: str) -> int:
    """Where a line that begins with a text is cut: outside of links and code, and after the last blank if there is one.

    It is 0 if a single link fills the text: half a link would lead elsewhere, and a citation could be added within it.
    """
    hidden = list(text)
    for start, end in code_spans(text, 0, len(text)):
        hidden[start:end] = HIDDEN * (end - start)
    shown = "".join(hidden)
    # The gate closes all code, so a backtick without a partner begins code that goes on in the next text.
    code = shown.find("`") % (len(text) + 1)
    shown = LINK_SO_FAR.sub(lambda link: HIDDEN * len(link[0]), shown[:code] + HIDDEN * (len(text) - code))
    return shown.rfind(" ") + 1 or len(shown.rstrip(HIDDEN))
