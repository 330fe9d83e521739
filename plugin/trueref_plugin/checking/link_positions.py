"""The positions of links in the text of a page. The parser keeps none, so the text is read again for findings."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final

from trueref_plugin.reading.head import refresh_target
from trueref_plugin.reading.page_links import FILES

# A tag up to its end; a bracket inside a quoted value does not end it. All quantifiers are possessive, so the time is
# linear.
_TAG: Final = re.compile(
    r"<([a-zA-Z][a-zA-Z0-9:-]{0,40}+)((?:[^=>]++|=\s{0,8}+(?:\"[^\"]*+\"|'[^']*+')?+)*+)",
)
_VALUE: Final = re.compile(r"(?<![a-zA-Z-])([a-zA-Z-]++)\s{0,8}+=\s{0,8}+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))")
# The content of these elements is text, even if it looks like tags.
_RAW: Final = frozenset("script style textarea title template xmp iframe noframes".split())
_LINKS: Final = frozenset(("a", "area"))


class Lines:
    """The lines of a text, read once for any number of positions."""

    def __init__(self, text: str) -> None:
        self._feeds = [match.start() for match in re.finditer("\n", text)]

    def line_and_column(self, at: int) -> tuple[int, int]:
        """Line and column, from 1, of a position in the text."""
        feeds_before = bisect_left(self._feeds, at)
        return feeds_before + 1, at - (self._feeds[feeds_before - 1] if feeds_before else -1)


LinkPositions = Mapping[tuple[str, bool], list[tuple[int, int]]]


def link_positions(html: str) -> LinkPositions:
    """Line and column of every link in the order of the page, by the link as written and whether it loads a file."""
    lines = Lines(html)
    positions: dict[tuple[str, bool], list[tuple[int, int]]] = {}
    for at, tag, name, value in _values(html):
        if FILES.get(tag) == name:
            positions.setdefault((value, True), []).append(lines.line_and_column(at))
        link = refresh_target(value) if (tag, name) == ("meta", "content") else value
        if link and ((tag in _LINKS and name == "href") or tag == "meta"):
            positions.setdefault((link, False), []).append(lines.line_and_column(at))
    return positions


def _values(html: str) -> Iterator[tuple[int, str, str, str]]:
    """Position, tag, name and value of every attribute outside of comments, scripts and the like."""
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
    """The position of the end tag of an element whose content is text, or the end of the page."""
    close = re.compile(f"</{name}", re.IGNORECASE).search(html, at)
    return close.start() if close else len(html)
