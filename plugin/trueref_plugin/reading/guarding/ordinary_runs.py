"""Skips runs of small closed elements, which leave the open elements as they were, with one match of an expression.

Most tags of a page are those of a word of coloured code, a link, a cell or a paragraph, with the end tag where it
belongs. `Nesting` would open and close such an element without a reason to stop, so it need not be asked. Passing over
them together takes a fraction of the time of looking at each tag; everything else is left to `Nesting`, tag by tag.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from trueref_plugin.reading.guarding.nesting import Nesting

MOST_ATTRIBUTES: Final = 16
DEEPEST: Final = 4
"""Elements inside each other that are passed over together: an item, a paragraph, a link, code."""

# White space, values and names by the states of the HTML standard (13.2.5), but only what cannot be mistaken: what is
# written in another way is not passed over. The numbers keep the attributes of an element below the limits of
# `prescan`: 16 of 1,200 characters. All quantifiers are possessive and elements hold each other to a fixed depth, so a
# character is looked at a fixed number of times at most: the time is linear.
_SPACE = r"[\t\n\f\r ]"
_VALUE = r"""(?:"[^"]{0,1000}+"|'[^']{0,1000}+'|[^\t\n\f\r >"'=<`]{1,1000}+)"""
_ATTRIBUTES = rf"(?:{_SPACE}{{1,90}}+[a-zA-Z@:_][-a-zA-Z0-9@:._]{{0,90}}+(?:={_VALUE})?+){{0,{MOST_ATTRIBUTES}}}+"
_END = rf"{_SPACE}{{0,90}}+>"
_COMMENT = r"!--[^->][^-]*+-->"
_VOID = rf"(?:br|wbr|img|input|link|meta){_ATTRIBUTES}{_SPACE}{{0,90}}+/?+>"
# The outline of a drawing is one attribute of any length.
_OUTLINE = rf"""(?:{_SPACE}{{1,90}}+[a-zA-Z][-a-zA-Z0-9:]{{0,90}}+="[^"]*+"){{0,{MOST_ATTRIBUTES}}}+{_SPACE}{{0,90}}+"""
_SHAPES = rf"(?:path|rect|circle)\b{_OUTLINE}(?:/>|></(?:path|rect|circle)>)"
_ICON = rf"svg{_ATTRIBUTES}{_END}(?:{_SPACE}*+<{_SHAPES})*+{_SPACE}*+</svg>"

# A group that is named and referred to would tell end tags apart in fewer characters, but within possessive quantifiers
# Python 3.11 fails with an error of its own. So each name has its own alternative, and only frequent names have one.


def _elements(names: str, content: str) -> str:
    """Elements after their `<`, with their end tags."""
    return "|".join(rf"{name}{_ATTRIBUTES}{_END}{content}</{name}>" for name in names.split())


def _content(*elements: str) -> str:
    """Text, and any of these elements, as often as they come."""
    return rf"(?:[^<]++|<(?:{'|'.join(elements)}))*+"


_TEXT = r"[^<]*+"
_WORDS = _elements("span code em strong", _TEXT)
_LINE = "|".join(
    (
        _elements("a", _content(_WORDS, _VOID, _ICON)),
        _elements("span code strong", _content(_WORDS, _elements("a", _TEXT))),
        _elements("em kbd sup b i label", _TEXT),
        _VOID,
        _COMMENT,
        _ICON,
    )
)
_BLOCKS = _elements("p", _content(_LINE))


_LINES: Final = (_LINE,)
_WITH_BLOCKS: Final = (_LINE, _BLOCKS)
_CELLS: Final = (_LINE, _elements("td th", _content(_LINE)))
_ITEMS: Final = (_LINE, _elements("li", _content(_LINE)))
_BY_PARENT: Final = {"tr": _CELLS} | dict.fromkeys(("ul", "ol", "menu"), _ITEMS)


@cache
def _run(elements: tuple[str, ...]) -> re.Pattern[str]:
    """The pattern of a run of some elements."""
    # When first needed: together they take 44 ms to compile, and a build in which nothing changed reads no page.
    return re.compile(_content(*elements))


def pass_over(html: str, position: int, nesting: Nesting) -> int:
    """The position after the elements at `position` that need no look; `position` itself if there are none."""
    # A link within a link ends it, and in SVG and MathML other rules hold.
    if nesting.foreign or nesting.holds("a") or not nesting.has_room(DEEPEST, 2):
        return position
    # A block ends an open paragraph.
    run = _LINES if nesting.holds("p") else _BY_PARENT.get(nesting.innermost, _WITH_BLOCKS)
    match = _run(run).match(html, position)
    return match.end() if match else position
