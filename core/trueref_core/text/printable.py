"""Text of a page or a file where a terminal, a log or another program reads it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_MAYBE: Final = re.compile(r"[^\x20-\x7e]")
_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Categories of what is not seen, but acted on: control characters, marks that turn the direction of a line, halves of
characters, ends of lines and paragraphs."""
SHOWN_MOST: Final = 1000
"""Characters of a link, an id or a title in a line for a person. What a program reads has it whole."""
_JOINERS: Final = "\u200c\u200d"
"""Of these, what joins the letters of some scripts, and emoji."""


def visible(text: str, *, kept: str = "") -> str:
    r"""A text whose control characters stand as escapes (`\x1b`), which act on nothing.

    Args:
        text: The text.
        kept: Characters that stay as they are, such as the end of a line.
    """
    return _MAYBE.sub(lambda match: match[0] if match[0] in kept else _seen(match[0]), text)


def shortened(text: str, most: int) -> str:
    """`text` where it has at most so many characters, else its beginning with an ellipsis, which counts."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _seen(character: str) -> str:
    if unicodedata.category(character) not in _UNSEEN or character in _JOINERS:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def without_surrogates(text: str) -> str:
    """A text without lone surrogates, which have no UTF-8 form."""
    return text.encode("utf-8", "ignore").decode("utf-8")
