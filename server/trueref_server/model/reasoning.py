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
        if not (self._is_inside or self._is_behind):
            begun = self._buffer.lstrip()
            if begun.startswith(OPENING):
                self._is_inside = True
            elif OPENING.startswith(begun):
                return ""
            else:
                return self._answer(self._buffer)
        if self._is_inside:
            end = self._buffer.find(CLOSING)
            if end < 0:
                # No more than may be the beginning of the mark that closes them.
                self._buffer = self._buffer[1 - len(CLOSING) :]
                return ""
            self._is_inside, self._is_behind = False, True
            self._buffer = self._buffer[end + len(CLOSING) :]
        self._buffer = self._buffer.lstrip()
        return self._answer(self._buffer) if self._buffer else ""

    def close(self) -> str:
        """Give what was held back and is a part of the answer after all."""
        return "" if self._is_inside else self._answer(self._buffer)

    def _answer(self, text: str) -> str:
        """The first text of the answer; what follows it is passed on."""
        self._is_answer, self._buffer = True, ""
        return text
