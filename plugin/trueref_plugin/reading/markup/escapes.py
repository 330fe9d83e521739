"""Takes out of a text what the program that printed it wrote for a terminal: its colours and links."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = "\x1b"
_SEQUENCE: Final = re.compile(
    # A control sequence, such as one that begins a colour.
    _ESCAPE + r"(?:\[[0-?]*+[ -/]*+[@-~]"
    # A command to the terminal, such as one that begins a link: up to a bell or a string terminator.
    r"|\][^\x07\x1b\n]*+(?:\x07|\x1b\\))?"
)
"""Matches an escape sequence, or the escape character of one that is cut or of another kind. Source: ECMA-48."""


def without_escapes(text: str) -> str:
    """`text` without escape sequences. Pages have them in the recorded output of a program."""
    return _SEQUENCE.sub("", text) if _ESCAPE in text else text
