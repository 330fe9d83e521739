"""The syntax of inline code in the text of blocks and chunks: what stands between a backtick and the next one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_CODE_SPAN: Final = re.compile(r"(`[^`]*`)")


def split_code(text: str) -> list[str]:
    """The parts of a text in order: every second one is code with its backticks, and "" may stand between two of them.

    A last backtick without a partner is a character like any other.
    """
    return _CODE_SPAN.split(text)


def is_code(text: str) -> bool:
    """Whether a text is one piece of inline code and nothing else."""
    return _CODE_SPAN.fullmatch(text) is not None


def change_outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text with everything changed but its inline code."""
    return "".join(part if at % 2 else change(part) for at, part in enumerate(split_code(text)))
