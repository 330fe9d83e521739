"""Reads a page in this process if that is safe, and in the guarded child if it is not. `prescan` decides which.

Nearly all pages are safe. Sending all of them to children was measured at 2.6 times the processor time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from trueref_plugin.reading.guarding.guard import GuardedReader
from trueref_plugin.reading.guarding.prescan import why_odd

if TYPE_CHECKING:
    from trueref_plugin.reading.page_links import PageAttributes, PageLinks
    from trueref_plugin.reading.parsed import ParsedPage

T = TypeVar("T")


def parse_safely(html: str, content_selector: str | None, guarded: GuardedReader) -> ParsedPage:
    """Parses a page, see `parse_page`. Raises `PageRefused` if it cannot be read in the child either."""
    from trueref_plugin.reading.parse import parse_page

    return _read(html, lambda: parse_page(html, content_selector), lambda: guarded.parse(html, content_selector))


def read_links_safely(html: str, guarded: GuardedReader) -> PageLinks:
    """Reads the links of a page, see `read_links`. Raises what `parse_safely` raises."""
    # Imported here, and the parser above: a check only reads links, and should not wait for the import of the parser.
    from trueref_plugin.reading.page_links import read_links

    return _read(html, lambda: read_links(html), lambda: guarded.read_links(html))


def read_attributes_safely(html: str, names: Sequence[str], textless: str, guarded: GuardedReader) -> PageAttributes:
    """Reads some attributes of a page, see `read_attributes`. Raises what `parse_safely` raises."""
    from trueref_plugin.reading.page_links import read_attributes

    def in_child() -> PageAttributes:
        return guarded.read_attributes(html, names, textless)

    return _read(html, lambda: read_attributes(html, names, textless), in_child)


def _read(html: str, in_this_process: Callable[[], T], in_child: Callable[[], T]) -> T:
    """Reads a page here if it is safe, else or if that fails in the child."""
    if why_odd(html) is None:
        # Errors are suppressed, because the child then fails too and reports it by name, or succeeds: its stack is
        # deeper.
        with suppress(Exception):
            return in_this_process()
    return in_child()
