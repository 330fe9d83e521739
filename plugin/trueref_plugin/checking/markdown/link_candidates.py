"""Finds candidates: parts of Markdown that may be destinations of links. Only rendering shows which of them are.

Each pattern matches what Python-Markdown or an extension would read as a destination, even in code. Every candidate has
a position at which a mark can be inserted without changing which link Python-Markdown and its extensions recognise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

MAX_CHARACTERS: Final = 4_000
"""How many characters a destination may have. A longer one could not lead to a known page."""

_INLINE: Final = re.compile(r"\]\([ \t]{0,20}+")
# The rule of Python-Markdown, in any list item or quotation: the definition fills the whole line, or two lines.
_DEFINITION: Final = re.compile(
    r"^(?:[ \t>]*+(?:[-*+:][ \t]++|\d{1,9}+[.)][ \t]++)?+)[ \t>]*+\[(?!\^)[^\[\]\n]{1,500}+\]:[ ]*+"
    r"(?:(?P<same>\S++)|\n[ \t>]*+(?P<next>[A-Za-z0-9./]\S*+))"
    r"[ ]*+(?:(?:\n[ \t>]*+)?(?:\"[^\n]*\"|'[^\n]*'|\([^\n]*\))[ ]*+)?$",
    re.MULTILINE,
)
_ATTRIBUTE: Final = re.compile(
    r"(?<![\w:-])(?:href|src)\s{0,20}+=\s{0,20}+(?:\"([^\"<>\n]*+)\"|'([^'<>\n]*+)'|([^\s\"'<>]++))",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"]++", re.IGNORECASE)
_HOST: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+://|//")
_TAG_LIKE: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*+[\s/>]")
# The beginning of a comment, of a tag without attributes, or of a tag with an attribute that has a value.
_TAG: Final = re.compile(r"[!?]|/?[A-Za-z][A-Za-z0-9-]*+(?:\s*+/?>|\s[^=\"'>]*+[=\"'])")
_TITLE: Final = re.compile(r"(?<![ \t\n])[ \t\n]++(?:\"[^\"]*+\"|'[^']*+')[ \t\n]*+\Z")
# Characters that end a sentence or close a bracket around an address are not part of it.
_TRAILING: Final = ".,;:!?'\"*_`]}>\\"


@dataclass(frozen=True, slots=True)
class LinkCandidate:
    """A part of a text that may be a destination: `text[start:end]`. A mark can be inserted at `mark`.

    `is_raw` is true for the value of an HTML attribute, which Markdown does not change.
    """

    start: int
    end: int
    mark: int
    is_raw: bool = False


def candidates(text: str) -> list[LinkCandidate]:
    """Everything in a text that may be a destination, in the order of the text and each position once."""
    by_mark: dict[int, LinkCandidate] = {}
    for kind in (_inline, _definitions, _attributes, _addresses):
        for candidate in kind(text):
            by_mark.setdefault(candidate.mark, candidate)
    return [by_mark[mark] for mark in sorted(by_mark)]


def whole_address(link: str) -> str:
    """An address without the punctuation that follows it in a sentence or a bracket."""
    link = link.partition("](")[0]
    while link:
        if link[-1] == ")" and link.count(")") > link.count("("):
            link = link[:-1]
        elif link[-1] in _TRAILING:
            link = link.rstrip(_TRAILING)
        else:
            break
    return link


def _inline(text: str) -> Iterator[LinkCandidate]:
    """Destinations of `[text](destination)`."""
    starts = [match.end() for match in _INLINE.finditer(text)]
    for start, following in pairwise((*starts, len(text))):
        # The search ends at the next link or the end of the paragraph, so that the text is read once for all links.
        window = text[start : min(following, start + MAX_CHARACTERS)].partition("\n\n")[0]
        if window.lstrip("\n").startswith("<"):
            address_start = start + window.index("<") + 1
            address_end = text.find(">", address_start, start + len(window))
            if address_end >= 0 and not _TAG.match(text, address_start):
                yield _in_brackets(text, address_start, address_end)
        else:
            yield _candidate(text, start, start + _destination_length(window))


def _in_brackets(text: str, start: int, end: int) -> LinkCandidate:
    """A destination in angle brackets."""
    # If `<my file.md>` is not a destination, it is a tag. With a mark at its end it stays the same tag.
    return LinkCandidate(start, end, end) if _TAG_LIKE.match(text, start) else _candidate(text, start, end)


def _destination_length(window: str) -> int:
    """The length of a destination up to the closing bracket and without a title; 0 if there is no closing bracket."""
    depth = 1
    for at, character in enumerate(window):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return len(_TITLE.sub("", window[:at]).rstrip())
    return 0


def _definitions(text: str) -> Iterator[LinkCandidate]:
    """Destinations of `[label]: destination`."""
    for match in _DEFINITION.finditer(text):
        start, end = match.span("same" if match["same"] else "next")
        if text[start] != "<":
            yield _candidate(text, start, end)
        elif text[end - 1] == ">" and not _TAG.match(text, start + 1):
            yield _candidate(text, start + 1, end - 1)


def _attributes(text: str) -> Iterator[LinkCandidate]:
    """Values of `href` and `src` in HTML."""
    for match in _ATTRIBUTE.finditer(text):
        start, end = match.span(match.lastindex or 0)
        yield replace(_candidate(text, start, end), is_raw=True)


def _addresses(text: str) -> Iterator[LinkCandidate]:
    """Bare addresses."""
    for match in _ADDRESS.finditer(text):
        yield _candidate(text, *match.span())


def _candidate(text: str, start: int, end: int) -> LinkCandidate:
    """A candidate whose mark is at a position where all patterns still match."""
    # Several patterns recognise an address by its scheme, so the mark is inserted after the scheme.
    host = _HOST.match(text, start)
    return LinkCandidate(start, end, host.end() if host else start)
