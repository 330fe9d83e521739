"""Makes text of a page or a file safe to show in a terminal, a log or another program."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_MAYBE: Final = re.compile(r"[^\x20-\x7e]")
_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Categories of characters that are not seen, but have an effect: control characters, marks that change the direction
of a line, lone surrogates, ends of lines and paragraphs."""
SHOWN_MOST: Final = 1000
"""Characters of a link, an id or a title in a line for a person. What a program reads has it whole."""
_JOINERS: Final = "\u200c\u200d"
"""Characters of these categories that stay, since they join letters of some scripts, and emoji."""


def visible(text: str, *, allowed: str = "") -> str:
    r"""A text with its control characters as escapes (`\x1b`), which have no effect.

    Args:
        text: The text.
        allowed: Characters that stay as they are, such as the end of a line.
    """
    return _MAYBE.sub(lambda match: match[0] if match[0] in allowed else _escaped(match[0]), text)


def shortened(text: str, most: int) -> str:
    """`text` if it has at most `most` characters, else its beginning with an ellipsis, `most` characters in all."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _escaped(character: str) -> str:
    """A character, as its escape if it is a control character."""
    if unicodedata.category(character) not in _UNSEEN or character in _JOINERS:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def without_surrogates(text: str) -> str:
    """A text without lone surrogates, which have no UTF-8 form."""
    return text.encode("utf-8", "ignore").decode("utf-8")
