"""Reads the items of a list into one block, whatever the elements are: `li`, or the rows of a table laid out so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_core.records import BlockRole
from trueref_plugin.reading.elements import HEADINGS, LISTS, children, has_class, is_inline
from trueref_plugin.reading.inline import is_link, without_footnote_marks
from trueref_plugin.reading.markup.clean import is_dropped
from trueref_plugin.reading.markup.containers import LIST, MAX_CARD, ORDERED_LIST

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_plugin.reading.walk import Walk

# Elements that are lines of an item, unless they hold one of `_OTHER_BLOCKS`. docutils makes a `blockquote` of text
# that is indented further than the text of its item.
_LINE_TAGS: Final = frozenset(("p", "div", "span", "a", "label", "blockquote"))
_HEADINGS: Final = ", ".join(HEADINGS)
_PERMALINKS: Final = "#\u00b6\u00a7"
"""The signs of links to a heading, in it or beside it."""
_OTHER_BLOCKS: Final = "pre, dl, table, details, h1, h2, h3, h4, h5, h6, .admonition, .tabbed-set, [role=tabpanel]"


def read_items(walk: Walk, node: LexborNode, items: Iterable[tuple[str, LexborNode]], *, is_numbered: bool) -> None:
    """Reads elements that are laid out as the items of a list.

    Args:
        walk: The walk that reads the page.
        node: The element around them.
        items: Each element, behind what stands before its first line: `- ` or a number.
        is_numbered: Whether it is a list with numbers.
    """
    outer = walk.page.enter()
    reader = ItemReader(walk, node, is_numbered=is_numbered)
    for mark, item in items:
        reader.read_item(item, _Item(0, mark))
    reader.flush()
    walk.page.leave(outer)


@dataclass(slots=True)
class _Item:
    """An item that is being read."""

    depth: int
    """The number of lists around its own list."""
    mark: str
    """What stands before its first line: spaces, and `- ` or a number."""
    is_mark_pending: bool = True
    """Whether the mark is not written yet."""
    has_link_line: bool = False
    """Whether one of its lines is nothing but a link."""
    unlinked_length: int = 0
    """Characters of its lines that are not links."""
    is_plain: bool = False
    """Whether the part that is being read is known to hold nothing but lines and lists. This is remembered, because
    searching every element inside again would take quadratic time in deep nesting."""


class ItemReader:
    """Collects the items of a list, and adds them to the page when the list ends or a block interrupts it."""

    def __init__(self, walk: Walk, node: LexborNode, *, is_numbered: bool) -> None:
        self._walk = walk
        self._page = walk.page
        self._units: list[str] = []
        self._is_named = False
        """Whether the list is a container in the paths of its blocks."""
        self._max_unlinked = MAX_CARD if node.parent is not None and has_class(node.parent, "cards") else 0
        self._is_links = True
        """Whether all items so far are nothing but links."""
        self._is_in_link = False
        if is_numbered:
            self._name_container(ORDERED_LIST)

    def read(self, node: LexborNode, depth: int) -> None:
        """Reads the items of one list. Text between items, which HTML forbids, is read like a line of an item."""
        number = _first_number(node)
        stray = _Item(depth, "  " * depth, is_mark_pending=False)
        for child in children(node):
            if child.tag == "li" and not is_dropped(child):
                self._end_line(stray)
                item = _Item(depth, "  " * depth + ("- " if number is None else f"{number}. "))
                number = None if number is None else number + 1
                self.read_item(child, item)
            else:
                self._read_child(child, stray)
        self._end_line(stray)
        self._is_links = self._is_links and not stray.unlinked_length

    def read_item(self, node: LexborNode, item: _Item) -> None:
        """Reads an item, and notices whether it is more than a link."""
        self._page.record_section(node)
        self._read_parts(node, item)
        if item.unlinked_length and (not item.has_link_line or item.unlinked_length > self._max_unlinked):
            self._is_links = False

    def flush(self) -> None:
        """Adds the items collected so far to the page as one block."""
        if self._units:
            role: BlockRole = "links" if self._is_links else "text"
            self._page.add_block("list", "\n".join(self._units), tuple(self._units), role=role)
            self._units = []

    def _name_container(self, letter: str) -> None:
        """Makes the list a container in the paths of its blocks, if it is none yet."""
        if not self._is_named:
            self._page.enter(self._page.name_container(letter))
        self._is_named = True

    def _read_parts(self, node: LexborNode, item: _Item) -> None:
        """Reads the parts of an item. A section that begins in it ends with it, unless its text is behind the list."""
        if _is_heading_alone(node):
            self._read_children(node, item)
            return
        position = self._page.position()
        with self._walk.enclosed():
            self._read_children(node, item)
            if self._page.position() != position:
                self.flush()

    def _read_children(self, node: LexborNode, item: _Item) -> None:
        """Reads the children of an item, or of an element in it."""
        for child in children(node):
            self._read_child(child, item)
        self._end_line(item)

    def _read_child(self, child: LexborNode, item: _Item) -> None:
        """Reads a text node or an element of an item."""
        tag = child.tag or ""
        if tag == "-text":
            self._page.text.add(child)
        elif is_dropped(child):
            self._page.record_section_of_ids(child)
            self._page.text.add_footnote_mark(child)
        elif is_inline(child):
            self._page.record_section_of_ids(child)
            self._page.text.add(child)
        else:
            self._end_line(item)
            self._read_block(child, tag, item)

    def _read_block(self, child: LexborNode, tag: str, item: _Item) -> None:
        """Reads a block in an item: a list, a line of text, or another block, which interrupts the list."""
        if tag in LISTS and child.attributes.get("role") != "tablist":
            self._page.record_section(child)
            self.read(child, item.depth + 1)
        elif tag in _LINE_TAGS and (item.is_plain or child.css_first(_OTHER_BLOCKS) is None):
            self._page.record_section(child)
            self._walk.link_around(child)
            was_in_link = self._is_in_link
            self._is_in_link = was_in_link or (tag == "a" and "href" in child.attributes)
            # The elements inside have no other block either.
            was_plain, item.is_plain = item.is_plain, True
            self._read_children(child, item)
            item.is_plain = was_plain
            self._is_in_link = was_in_link
        elif tag != "hr":
            self._is_links = False
            self._name_container(LIST)
            self.flush()
            self._walk.block(child, "prose")

    def _end_line(self, item: _Item) -> None:
        """Ends a line of an item, and records whether it is nothing but a link."""
        labels = [label for _, label in self._page.text.links]
        text = self._page.take_text()
        if text:
            shown, _ = without_footnote_marks(text)
            if self._is_in_link or is_link(shown, labels):
                item.has_link_line = True
            else:
                item.unlinked_length += len(shown)
            indent = " " * len(item.mark)
            self._units.append((item.mark if item.is_mark_pending else indent) + text.replace("\n", "\n" + indent))
            item.is_mark_pending = False


def _is_heading_alone(item: LexborNode) -> bool:
    """Whether an item has no text but that of its headings and a link to them, as if the list were for its bullet."""
    text = "".join((item.text() or "").split()).rstrip(_PERMALINKS)
    if len(text) > MAX_CARD:
        return False
    headings = ["".join((heading.text() or "").split()).rstrip(_PERMALINKS) for heading in item.css(_HEADINGS)]
    return bool(headings) and text == "".join(headings)


def _first_number(node: LexborNode) -> int | None:
    """The number of the first item, None for a list without numbers."""
    if node.tag != "ol":
        return None
    start = node.attributes.get("start") or ""
    return int(start) if start.isascii() and start.isdigit() and len(start) < 6 else 1
