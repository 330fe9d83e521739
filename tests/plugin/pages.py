"""Small pages to read, and what tests ask of them."""

from __future__ import annotations

from trueref_plugin.reading.parse import parse_page
from trueref_plugin.reading.parsed import ParsedAnchor, ParsedPage


def page(body: str, head: str = "<title>Page</title>") -> str:
    """A page with a `main` around `body`."""
    return f'<!doctype html><html lang="en"><head>{head}</head><body><main>{body}</main></body></html>'


def read(body: str) -> ParsedPage:
    """What is read of a page with this content."""
    return parse_page(page(body))


def texts(body: str) -> list[str]:
    """The texts of the blocks of such a page."""
    return [block.text for block in read(body).blocks]


def kinds(body: str) -> list[tuple[str, str]]:
    """The kinds and texts of its blocks."""
    return [(block.kind, block.text) for block in read(body).blocks]


def placed(body: str) -> list[tuple[str, str]]:
    """The texts of its blocks, each with the anchor that it is cited by."""
    parsed = read(body)
    return [(parsed.sections[block.section].anchor, block.text) for block in parsed.blocks]


def titles(body: str) -> list[tuple[str, str]]:
    """The anchors and titles of its sections, less the page top."""
    return [(section.anchor, section.title) for section in read(body).sections[1:]]


def anchors(body: str) -> dict[str, ParsedAnchor]:
    """Its anchors by name, the first of each."""
    return {anchor.anchor: anchor for anchor in reversed(read(body).anchors)}
