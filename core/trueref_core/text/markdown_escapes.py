"""The backslash escapes of CommonMark: a backslash before a sign of ASCII punctuation stands for that sign alone."""

from __future__ import annotations

import re
from string import punctuation
from typing import Final

ESCAPABLE: Final = frozenset(punctuation)
"""The signs that a backslash escapes. Source: https://spec.commonmark.org/0.31.2/#backslash-escapes."""

_ESCAPED: Final = re.compile(rf"\\([{re.escape(punctuation)}])")


def without_escapes(text: str) -> str:
    """A text without the backslashes that escape the signs behind them."""
    return _ESCAPED.sub(r"\1", text)
