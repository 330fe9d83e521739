"""Reads a page in this process where that is safe, and in the guarded child where it is not.

Nearly all pages are safe, and the child costs each page a trip through two pipes. See `prescan` for what decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from trueref_plugin.reading.guard import GuardedReader
from trueref_plugin.reading.prescan import why_odd

if TYPE_CHECKING:
    from trueref_plugin.reading.page_links import PageAttributes, PageLinks
    from trueref_plugin.reading.parsed import ParsedPage

T = TypeVar("T")


def parse_safely(html: str, content_selector: str | None, guarded: GuardedReader) -> ParsedPage:
    """Parses a page, see `parse_page`. Raises `PageRefused` where no way of reading it ends well."""
    from trueref_plugin.reading.parse import parse_page

    return _read(html, lambda: parse_page(html, content_selector), lambda: guarded.parse(html, content_selector))


def read_links_safely(html: str, guarded: GuardedReader) -> PageLinks:
    """Reads the links of a page, see `read_links`. Raises what `parse_safely` raises."""
    # A check reads links and parses no page: it does not wait for the import of what does.
    from trueref_plugin.reading.page_links import read_links

    return _read(html, lambda: read_links(html), lambda: guarded.read_links(html))


def read_attributes_safely(html: str, names: Sequence[str], textless: str, guarded: GuardedReader) -> PageAttributes:
    """Reads some attributes of a page, see `read_attributes`. Raises what `parse_safely` raises."""
    from trueref_plugin.reading.page_links import read_attributes

    def in_child() -> PageAttributes:
        return guarded.read_attributes(html, names, textless)

    return _read(html, lambda: read_attributes(html, names, textless), in_child)


def _read(html: str, here: Callable[[], T], in_child: Callable[[], T]) -> T:
    if why_odd(html) is None:
        # What fails here fails in the child too, or is too deep for this stack: there it is reported by name.
        with suppress(Exception):
            return here()
    return in_child()
