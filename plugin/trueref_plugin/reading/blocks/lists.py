"""Reads lists: one block in which each item is a unit and nested items are indented. A block in an item divides it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_core.records import BlockRole, ChunkKind
from trueref_plugin.reading.clean import is_dropped
from trueref_plugin.reading.containers import CARD_MOST, LIST, STEPS
from trueref_plugin.reading.elements import LISTS, children, has_class, is_inline
from trueref_plugin.reading.inline import without_notes
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


_CODE: Final = re.compile(r"`[^`]*`")
_LINES: Final = frozenset(("p", "div", "span", "a", "label"))
_OTHER_BLOCKS: Final = "pre, dl, table, details, h1, h2, h3, h4, h5, h6, .admonition, .tabbed-set, [role=tabpanel]"


class ListReader(BlockReader):
    """Reads a list with all lists inside it."""

    tags = LISTS

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # a list is its own kind
        """See `BlockReader`."""
        if walk.page.is_footnote() and not walk.page.is_in_note():
            _read_notes(walk, node)
            return
        around = walk.page.enter()
        items = _ItemReader(walk, node)
        items.read(node, depth=0)
        items.flush()
        walk.page.leave(around)


def _read_notes(walk: Walk, node: LexborNode) -> None:
    """Reads the footnotes of a list: each is text of the section that refers to it, and none of them is a step."""
    around, home = walk.page.enter(), walk.page.current_section
    for child in children(node):
        if child.tag == "li" and not is_dropped(child):
            walk.enter_note(child)
            walk.page.locate(child)
            walk.children(child)
            walk.page.leave(around)
            walk.page.current_section = home
        else:
            walk.child(child, "prose")
    walk.page.flush("prose")


@dataclass(slots=True)
class _Item:
    """An item that is being read: its mark with indentation, and whether that is still to be written (`fresh`)."""

    depth: int
    mark: str
    fresh: bool = True
    linked: bool = False
    """Whether one of its lines is nothing but a link."""
    unlinked_length: int = 0
    """Characters of its lines that are no link."""
    is_plain: bool = False
    """Whether the part of it that is being read is known to hold nothing but lines and lists. Kept, so that elements
    inside are not searched again: that would take quadratic time in deep nesting."""


class _ItemReader:
    """Gathers the items of a list and hands them over when the list ends or a block interrupts it."""

    def __init__(self, walk: Walk, node: LexborNode) -> None:
        self._walk = walk
        self._page = walk.page
        self._units: list[str] = []
        self._is_named = False
        """Whether the list is a container in the paths of its blocks."""
        self._unlinked_most = CARD_MOST if node.parent is not None and has_class(node.parent, "cards") else 0
        self._is_links = True
        """Whether all items so far are nothing but links."""
        self._is_in_link = False
        if node.tag == "ol":
            self._name(STEPS)

    def read(self, node: LexborNode, depth: int) -> None:
        """Reads the items of one list. Content between items, which HTML forbids, is read like the line of an item."""
        number = _first_number(node)
        stray = _Item(depth, "  " * depth, fresh=False)
        for child in children(node):
            if child.tag == "li" and not is_dropped(child):
                self._line(stray)
                item = _Item(depth, "  " * depth + ("- " if number is None else f"{number}. "))
                number = None if number is None else number + 1
                self._page.locate(child)
                self._content(child, item)
                if item.unlinked_length and (not item.linked or item.unlinked_length > self._unlinked_most):
                    self._is_links = False
            else:
                self._child(child, stray)
        self._line(stray)
        self._is_links = self._is_links and not stray.unlinked_length

    def flush(self) -> None:
        """Hands over the items gathered so far as one block."""
        if self._units:
            role: BlockRole = "links" if self._is_links else "text"
            self._page.add_block("list", "\n".join(self._units), tuple(self._units), role=role)
            self._units = []

    def _name(self, letter: str) -> None:
        """Makes the list a container in the paths of its blocks, once."""
        if not self._is_named:
            self._page.enter(self._page.name_container(letter))
        self._is_named = True

    def _content(self, node: LexborNode, item: _Item) -> None:
        """Reads the children of an item, or of an element in it."""
        for child in children(node):
            self._child(child, item)
        self._line(item)

    def _child(self, child: LexborNode, item: _Item) -> None:
        """Reads a text node or an element of an item."""
        tag = child.tag or ""
        if tag == "-text":
            self._page.text.add(child)
        elif is_dropped(child):
            self._page.locate_ids(child)
            self._page.text.refer(child)
        elif is_inline(child):
            self._page.locate_ids(child)
            self._page.text.add(child)
        else:
            self._line(item)
            self._block(child, tag, item)

    def _block(self, child: LexborNode, tag: str, item: _Item) -> None:
        """Reads a block in an item: a list, a line of text, or another block, which interrupts the list."""
        if tag in LISTS and child.attributes.get("role") != "tablist":
            self._page.locate(child)
            self.read(child, item.depth + 1)
        elif tag in _LINES and (item.is_plain or child.css_first(_OTHER_BLOCKS) is None):
            self._page.locate(child)
            self._walk.link_around(child)
            outer = self._is_in_link
            self._is_in_link = outer or (tag == "a" and "href" in child.attributes)
            # Its descendants have no such block either.
            was_plain, item.is_plain = item.is_plain, True
            self._content(child, item)
            item.is_plain = was_plain
            self._is_in_link = outer
        elif tag != "hr":
            self._is_links = False
            self._name(LIST)
            self.flush()
            self._walk.block(child, "prose")

    def _line(self, item: _Item) -> None:
        """Ends a line of an item, and records whether it is nothing but a link."""
        labels = [label for _, label in self._page.text.links]
        text = self._page.take_text()
        if text:
            shown, _ = without_notes(text)
            if self._is_in_link or _is_link(shown, labels):
                item.linked = True
            else:
                item.unlinked_length += len(shown)
            indent = " " * len(item.mark)
            self._units.append((item.mark if item.fresh else indent) + text.replace("\n", "\n" + indent))
            item.fresh = False


def _is_link(text: str, labels: list[str]) -> bool:
    """Whether a line is nothing but links with these labels. Code alone is not: a list of names is content."""
    return not _CODE.fullmatch(text) and _signs(text) <= sum(map(_signs, labels))


def _signs(text: str) -> int:
    """The number of characters, without spaces and the marks of code."""
    return len(text.replace("`", "").replace(" ", ""))


def _first_number(node: LexborNode) -> int | None:
    """The number of the first item, None for a list without numbers."""
    if node.tag != "ol":
        return None
    start = node.attributes.get("start") or ""
    return int(start) if start.isascii() and start.isdigit() and len(start) < 6 else 1
