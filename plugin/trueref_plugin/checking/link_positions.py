"""Where in the text of a page a link stands. The parser keeps no positions, so the text is read again for findings."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final

from trueref_plugin.reading.head import refresh_target
from trueref_plugin.reading.page_links import FILES

# A tag up to its end, which a bracket inside a quoted value is not. Possessive throughout: nothing is tried twice.
_TAG: Final = re.compile(
    r"<([a-zA-Z][a-zA-Z0-9:-]{0,40}+)((?:[^=>]++|=\s{0,8}+(?:\"[^\"]*+\"|'[^']*+')?+)*+)",
)
_VALUE: Final = re.compile(r"(?<![a-zA-Z-])([a-zA-Z-]++)\s{0,8}+=\s{0,8}+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))")
# What stands in these is text, whatever it looks like.
_RAW: Final = frozenset("script style textarea title template xmp iframe noframes".split())
_LINKS: Final = frozenset(("a", "area"))


class Lines:
    """The lines of a text, read once for any number of positions."""

    def __init__(self, text: str) -> None:
        self._feeds = [match.start() for match in re.finditer("\n", text)]

    def line_and_column(self, at: int) -> tuple[int, int]:
        """Line and column, from 1, of a position in the text."""
        before = bisect_left(self._feeds, at)
        return before + 1, at - (self._feeds[before - 1] if before else -1)


LinkPositions = Mapping[tuple[str, bool], list[tuple[int, int]]]


def link_positions(html: str) -> LinkPositions:
    """By link as written, and whether its element loads a file: line and column of each, in the order of the page."""
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
    """Position, tag, attribute and value of every attribute that is not in a comment, a script or the like."""
    at = html.find("<")
    while at >= 0:
        if html.startswith("<!--", at):
            at = _after(html, "-->", at + 4)
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
    """Where an element ends whose content is text, whatever it looks like."""
    close = re.compile(f"</{name}", re.IGNORECASE).search(html, at)
    return close.start() if close else len(html)


def _after(html: str, mark: str, at: int) -> int:
    end = html.find(mark, at)
    return len(html) if end < 0 else end + len(mark)
