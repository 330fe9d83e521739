"""Makes the text of a page or a file safe to show in a terminal, a log or another program."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_NOT_PLAIN_ASCII: Final = re.compile(r"[^\x20-\x7e]")
_INVISIBLE: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode categories of characters that are invisible but have an effect: control characters, marks that change the
direction of a line, lone surrogates, ends of lines and paragraphs."""
MAX_SHOWN: Final = 1000
"""Most characters of a link, an id or a title that are shown to a person. JSON has them whole."""
_JOINERS: Final = "\u200c\u200d"
"""Invisible characters that are kept, since they join letters of some scripts, and emoji."""


def visible(text: str, *, allowed: str = "") -> str:
    r"""A text with escapes such as `\x1b` in place of its invisible characters, so that these have no effect.

    Args:
        text: The text.
        allowed: Characters that stay as they are, such as the line feed.
    """
    return _NOT_PLAIN_ASCII.sub(lambda match: match[0] if match[0] in allowed else _escaped(match[0]), text)


def shortened(text: str, longest: int) -> str:
    """`text` itself, or its beginning with an ellipsis if it has more than `longest` characters, `longest` in all."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _escaped(character: str) -> str:
    """The escape of an invisible character; any other character as it is."""
    if unicodedata.category(character) not in _INVISIBLE or character in _JOINERS:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def without_surrogates(text: str) -> str:
    """A text without lone surrogates, which have no UTF-8 form."""
    return text.encode("utf-8", "ignore").decode("utf-8")
