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

# A tag up to its end, which a bracket inside a quoted value is not. Possessive throughout: nothing is tried twice.
_TAG = re.compile(
    r"<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,40}+)((?:[^=>]++|=\s{0,8}+(?:\"[^\"]*+\"|'[^']*+')?+)*+)",
)
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_BETWEEN = re.compile(r"[\s/]+")
_SHORT = 2 * MAX_ATTRIBUTES
"""Characters behind a tag's name that cannot hold too many attributes."""
# Tags that never enclose anything, or that HTML closes by itself where the next one opens.
_NOT_NESTING = frozenset(
    "area base br col embed hr img input link meta source track wbr path circle rect line use p li dt dd tr td th "
    "option thead tbody tfoot html head body".split()
)


def why_odd(html: str) -> str | None:
    """What makes a page unsafe to parse in process, in words for a message; None for an ordinary page."""
    if len(html) > MAX_BYTES:
        return f"it has {len(html):,} characters"
    depth = 0
    unclosed: dict[str, int] = {}
    for closes, name, attributes in _TAG.findall(html):
        if len(attributes) > _SHORT and _attribute_count(attributes) > MAX_ATTRIBUTES:
            return f"a tag has more than {MAX_ATTRIBUTES} attributes"
        name = name.lower()
        if name in _NOT_NESTING:
            continue
        is_open = unclosed.get(name, 0)
        if not closes:
            unclosed[name] = is_open + 1
            depth += 1
            if depth > MAX_DEPTH:
                return f"its elements are nested more than {MAX_DEPTH} deep"
        elif is_open:
            # The parser ignores an end tag that ends nothing.
            unclosed[name] = is_open - 1
            depth -= 1
    return None


def _attribute_count(attributes: str) -> int:
    # Quoted values go first: a long `d` of an SVG path is one attribute however many numbers it has.
    outside = _QUOTED.sub("", attributes)
    return max(len(_BETWEEN.split(outside)), outside.count("="))
