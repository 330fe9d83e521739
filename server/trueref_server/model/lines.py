"""Cuts a stream of Markdown into lines, so that a check sees whole sentences however the stream is cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LONGEST: Final = 4000
"""Characters of a line: a longer one is cut there, so that no stream waits for an end that never comes."""

FENCE: Final = "```"


@dataclass(frozen=True, slots=True)
class Line:
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

    def push(self, piece: str) -> list[Line]:
        """Take a piece, and give the lines that are whole by now."""
        self._unfinished += piece
        # Lines and not sentences: where a sentence ends depends on what follows, and so on how the stream was cut.
        lines: list[Line] = []
        while (end := self._unfinished.find("\n") + 1) or len(self._unfinished) >= LONGEST:
            end = min(end or LONGEST, LONGEST)
            lines.append(self._line(self._unfinished[:end]))
            self._unfinished = self._unfinished[end:]
        return lines

    def close(self) -> list[Line]:
        """Give what is left as the last line."""
        last, self._unfinished = self._unfinished, ""
        return [self._line(last)] if last else []

    def _line(self, text: str) -> Line:
        """A line, by whether it stands in a fenced block; a fence opens or closes one."""
        ticks = text[: len(text) - len(text.lstrip("`"))]
        if self._fence:
            # A closing fence is at least as long as the opening one and has nothing behind it, as CommonMark says.
            if len(ticks) >= len(self._fence) and not text.strip("`\n "):
                self._fence = ""
            return Line(text, is_code=True)
        if ticks.startswith(FENCE):
            self._fence = ticks
        return Line(text, is_code=bool(self._fence))
