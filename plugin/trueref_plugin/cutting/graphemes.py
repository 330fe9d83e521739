"""What a reader takes for one character: a letter with its marks, an emoji with its parts, a flag."""

from __future__ import annotations

from typing import Final

import regex

# Flags before the rest: for each sign of a row of them, `\X` alone counts all signs before it, which is quadratic.
GRAPHEME: Final = regex.compile(r"\p{GCB=RI}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*|\X")
