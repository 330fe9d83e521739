"""The positions of links in the text of a page. The parser keeps none, so the text is read again for each finding."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final

from trueref_plugin.reading.head import refresh_target
from trueref_plugin.reading.page_links import FILES

# A tag up to its end, which is no bracket inside a quoted value. All quantifiers are possessive, so that the time is
# linear.
_TAG: Final = re.compile(
    r"<([a-zA-Z][a-zA-Z0-9:-]{0,40}+)((?:[^=>]++|=\s{0,8}+(?:\"[^\"]*+\"|'[^']*+')?+)*+)",
)
_VALUE: Final = re.compile(r"(?<![a-zA-Z-])([a-zA-Z-]++)\s{0,8}+=\s{0,8}+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))")
# The content of these elements is text, even if it looks like tags.
_RAW: Final = frozenset("script style textarea title template xmp iframe noframes".split())
FOLLOWED: Final = frozenset(("a", "area"))
"""The elements whose links readers follow. The browser loads the links of others by itself."""


class LineIndex:
    """Finds the lines and columns of positions in a text, which is only searched once for line feeds."""

    def __init__(self, text: str) -> None:
        self._line_feeds = [match.start() for match in re.finditer("\n", text)]

    def line_and_column(self, at: int) -> tuple[int, int]:
        """The line and the column of a position in the text, both counted from 1."""
        feeds_before = bisect_left(self._line_feeds, at)
        return feeds_before + 1, at - (self._line_feeds[feeds_before - 1] if feeds_before else -1)


LinkPositions = Mapping[tuple[str, bool], list[tuple[int, int]]]
"""Lines and columns, by the link as written and whether it loads a file."""


def link_positions(html: str) -> LinkPositions:
    """The lines and columns of all links of a page, in their order."""
    lines = LineIndex(html)
    positions: dict[tuple[str, bool], list[tuple[int, int]]] = {}
    for at, tag, name, value in _values(html):
        if FILES.get(tag) == name:
            positions.setdefault((value, True), []).append(lines.line_and_column(at))
        link = refresh_target(value) if (tag, name) == ("meta", "content") else value
        if link and ((tag in FOLLOWED and name == "href") or tag == "meta"):
            positions.setdefault((link, False), []).append(lines.line_and_column(at))
    return positions


def _values(html: str) -> Iterator[tuple[int, str, str, str]]:
    """Every attribute outside of comments, scripts and the like: its position, tag, name and value."""
    at = html.find("<")
    while at >= 0:
        if html.startswith("<!--", at):
            end = html.find("-->", at + 4)
            at = len(html) if end < 0 else end
        elif tag := _TAG.match(html, at):
            name = tag[1].lower()
            for value in _VALUE.finditer(html, tag.start(2), tag.end(2)):
                group = value.lastindex or 0
                yield value.start(group), name, value[1].lower(), unescape(value[group])
            at = _end_of_raw(html, name, tag.end()) if name in _RAW else tag.end()
        else:
            at += 1
        at = html.find("<", at)


def _end_of_raw(html: str, name: str, at: int) -> int:
    """Where the end tag of an element stands whose content is text, or the end of the page if there is no end tag."""
    close = re.compile(f"</{name}", re.IGNORECASE).search(html, at)
    return close.start() if close else len(html)
