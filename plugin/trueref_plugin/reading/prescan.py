"""Tells in linear time whether a page is safe to parse in this process.

The parser takes 4 s for 50,000 attributes on one tag and 10 s and more for 100,000 nested elements, and nothing can
interrupt it: both grow with the square of what is counted here. The limits are far above what documentation holds
and far below what takes long; a page over one of them goes to the guarded child, it is not refused.
"""

from __future__ import annotations

import re
from typing import Final

MAX_BYTES: Final = 4_000_000
MAX_DEPTH: Final = 150
"""Also keeps the recursive walk within Python's stack."""
MAX_ATTRIBUTES: Final = 256

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})")
# Tags that never enclose anything, or that HTML closes by itself where the next one opens.
_NOT_NESTING = frozenset(
    "area base br col embed hr img input link meta source track wbr path circle rect line use p li dt dd tr td th "
    "option thead tbody tfoot html head body".split()
)
_LONG_TAG = re.compile(r"<[^<>]{1024,}")
# Brackets inside quoted values hide the end of a tag from `_LONG_TAG`; documentation has a handful of them.
_QUOTED_BRACKET = re.compile(r"=\s{0,4}[\"'][^\"'<>]{0,64}[<>]")


def why_odd(html: str) -> str | None:
    """What makes a page unsafe to parse in process, in words for a message; None for an ordinary page."""
    if len(html) > MAX_BYTES:
        return f"it has {len(html):,} characters"
    for match in _LONG_TAG.finditer(html):
        if _attribute_count(match[0]) > MAX_ATTRIBUTES:
            return f"a tag has more than {MAX_ATTRIBUTES} attributes"
    if sum(1 for _ in _QUOTED_BRACKET.finditer(html)) > 4 * MAX_ATTRIBUTES:
        return "its attributes hold many angle brackets"
    if _depth(html) > MAX_DEPTH:
        return f"its elements are nested more than {MAX_DEPTH} deep"
    return None


def _attribute_count(tag: str) -> int:
    # Quoted values go first: a long `d` of an SVG path is one attribute however many numbers it has.
    outside = "".join(tag.replace("'", '"').split('"')[::2])
    return len(outside.split())


def _depth(html: str) -> int:
    depth = deepest = 0
    for closes, name in _TAG.findall(html):
        if name in _NOT_NESTING:
            continue
        if closes:
            depth = depth - 1 if depth else 0
        else:
            depth += 1
            deepest = max(deepest, depth)
    return deepest
