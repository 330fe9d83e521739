"""Leaves out the reasoning that a model writes before its answer.

Most endpoints put it into a field of its own, which is not read. Others send it as the beginning of the text, between
`<think>` and `</think>`, as the models of DeepSeek and Qwen write it.
"""

from __future__ import annotations

from typing import Final

OPENING: Final = "<think>"
CLOSING: Final = "</think>"


class ReasoningCutter:
    """Removes the reasoning at the beginning of a text that comes in pieces, wherever the pieces are cut.

    Reasoning without a closing mark takes up the whole text: the model had no tokens left for an answer.
    """

    def __init__(self) -> None:
        self._buffer = ""
        self._is_in_reasoning = False
        self._is_after_reasoning = False
        self._is_in_answer = False

    def push(self, piece: str) -> str:
        """Take a piece, and return what belongs to the answer by now."""
        if self._is_in_answer:
            return piece
        self._buffer += piece
        while self._is_in_reasoning or self._buffer.lstrip().startswith(OPENING):
            _, closing, behind = self._buffer.partition(CLOSING)
            self._is_in_reasoning = not closing
            if self._is_in_reasoning:
                # Only what may be the beginning of the closing mark is kept.
                self._buffer = self._buffer[1 - len(CLOSING) :]
                return ""
            self._buffer, self._is_after_reasoning = behind, True
        if self._is_after_reasoning:
            # Only after reasoning: in any other text the indentation of the first line tells how the lines below it
            # nest.
            self._buffer = self._buffer.lstrip()
        # The buffer is empty, or may be the beginning of the opening mark.
        if OPENING.startswith(self._buffer.lstrip()):
            return ""
        self._is_in_answer = True
        return self.close()

    def close(self) -> str:
        """Return what was held back, if it belongs to the answer."""
        text, self._buffer = "" if self._is_in_reasoning else self._buffer, ""
        return text
