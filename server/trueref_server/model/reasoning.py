"""Leaves out the reasoning that a model writes before its answer.

Most endpoints put it into a field of its own, which is not read. Others send it as the beginning of the text, between
`<think>` and `</think>`, as the models of DeepSeek and Qwen write it.
"""

from __future__ import annotations

from typing import Final

OPENING: Final = "<think>"
CLOSING: Final = "</think>"


class ReasoningCutter:
    """Takes a text in pieces and gives it without the thoughts that it begins with, the same however it is cut.

    Thoughts that nothing closes are all of the text: the model had no tokens left for an answer.
    """

    def __init__(self) -> None:
        self._buffer = ""
        self._is_inside = False
        self._is_behind = False
        self._is_answer = False

    def push(self, piece: str) -> str:
        """Take a piece, and give what belongs to the answer by now."""
        if self._is_answer:
            return piece
        self._buffer += piece
        while self._is_inside or self._buffer.lstrip().startswith(OPENING):
            _, closing, behind = self._buffer.partition(CLOSING)
            self._is_inside = not closing
            if self._is_inside:
                # No more than may be the beginning of the mark that closes them.
                self._buffer = self._buffer[1 - len(CLOSING) :]
                return ""
            self._buffer, self._is_behind = behind, True
        if self._is_behind:
            # Only here: without thoughts the indentation of a first line says what the lines below it belong to.
            self._buffer = self._buffer.lstrip()
        # Nothing, or the beginning of the mark that opens thoughts.
        if OPENING.startswith(self._buffer.lstrip()):
            return ""
        self._is_answer = True
        return self.close()

    def close(self) -> str:
        """Give what was held back and is a part of the answer after all."""
        text, self._buffer = "" if self._is_inside else self._buffer, ""
        return text
