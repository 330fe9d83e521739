"""Skips runs of small closed elements with one match of a regular expression, because they leave no element open.

Most tags of a page belong to words of coloured code, links, cells and paragraphs that are closed in order. `Nesting`
would open and close such an element and find nothing odd. Skipping whole runs of them halves the time of the scan
(`docs/decisions/guarded-child.md`). Everything else is left to `Nesting`, tag by tag.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from trueref_plugin.reading.guarding.nesting import Nesting

MAX_ATTRIBUTES: Final = 16
MAX_DEPTH: Final = 4
"""Elements inside each other in a run, at most: an item, a paragraph, a link, code."""

# White space, values and names by the states of the HTML standard (13.2.5), but only in their plainest forms: an
# element that is written in another way is not skipped. The numbers keep the attributes of an element below the limits
# of `prescan`: 16 attributes of 1,200 characters. All quantifiers are possessive, and elements are nested to a fixed
# depth, so each character is looked at a limited number of times: the time is linear.
_SPACE = r"[\t\n\f\r ]"
_VALUE = r"""(?:"[^"]{0,1000}+"|'[^']{0,1000}+'|[^\t\n\f\r >"'=<`]{1,1000}+)"""
_ATTRIBUTES = rf"(?:{_SPACE}{{1,90}}+[a-zA-Z@:_][-a-zA-Z0-9@:._]{{0,90}}+(?:={_VALUE})?+){{0,{MAX_ATTRIBUTES}}}+"
_END = rf"{_SPACE}{{0,90}}+>"
_COMMENT = r"!--[^->][^-]*+-->"
_VOID = rf"(?:br|wbr|img|input|link|meta){_ATTRIBUTES}{_SPACE}{{0,90}}+/?+>"
# The outline of a drawing is one attribute of any length.
_OUTLINE = rf"""(?:{_SPACE}{{1,90}}+[a-zA-Z][-a-zA-Z0-9:]{{0,90}}+="[^"]*+"){{0,{MAX_ATTRIBUTES}}}+{_SPACE}{{0,90}}+"""
_SHAPES = rf"(?:path|rect|circle)\b{_OUTLINE}(?:/>|></(?:path|rect|circle)>)"
_ICON = rf"svg{_ATTRIBUTES}{_END}(?:{_SPACE}*+<{_SHAPES})*+{_SPACE}*+</svg>"

# A back-reference to the name in the start tag would make the patterns shorter, but within possessive quantifiers
# Python 3.11 fails on it with an internal error. So each name has its own alternative, and only frequent names have
# one.


def _elements(names: str, content: str) -> str:
    """A pattern of an element with one of these names and this content, without its first `<`."""
    return "|".join(rf"{name}{_ATTRIBUTES}{_END}{content}</{name}>" for name in names.split())


def _content(*elements: str) -> str:
    """A pattern of text with any number of these elements in it."""
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
_ELEMENTS_BY_PARENT: Final = {"tr": _CELLS} | dict.fromkeys(("ul", "ol", "menu"), _ITEMS)


@cache
def _run_pattern(elements: tuple[str, ...]) -> re.Pattern[str]:
    """The compiled pattern of a run of some elements."""
    # Compiled when first needed: all patterns together take 44 ms, and a build in which nothing changed reads no page.
    return re.compile(_content(*elements))


def pass_over(html: str, position: int, nesting: Nesting) -> int:
    """The position after the run of ordinary elements at `position`; `position` itself if there are none.

    `nesting` are the elements that are open there.
    """
    # A link inside a link ends the outer one, and in SVG and MathML other rules hold.
    if nesting.foreign or nesting.holds("a") or not nesting.has_room(MAX_DEPTH, 2):
        return position
    # A block would end an open paragraph, so inside a paragraph only lines are skipped.
    elements = _LINES if nesting.holds("p") else _ELEMENTS_BY_PARENT.get(nesting.innermost, _WITH_BLOCKS)
    match = _run_pattern(elements).match(html, position)
    return match.end() if match else position
