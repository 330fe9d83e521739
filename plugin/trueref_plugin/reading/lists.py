"""Reads lists: one block with an item a unit, nested items indented, cut in parts where an item holds a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.clean import is_dropped
from trueref_plugin.reading.elements import LISTS, children, is_inline

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_plugin.reading.walk import Walk

_LINES: Final = frozenset(("p", "div", "span", "a", "label"))
_OTHER_BLOCKS: Final = "pre, dl, table, details, h1, h2, h3, h4, h5, h6, .admonition, .tabbed-set, [role=tabpanel]"


def read_list(walk: Walk, node: LexborNode) -> None:
    """Reads a list with all lists inside it."""
    reader = _ListReader(walk)
    reader.read(node, depth=0)
    reader.flush()


@dataclass(slots=True)
class _Item:
    """An item being read: its mark with indentation, and whether that is still to be written."""

    depth: int
    mark: str
    fresh: bool = True


class _ListReader:
    """Gathers the items of a list and hands them over when the list ends or a block interrupts it."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._found = walk.found
        self._units: list[str] = []

    def read(self, node: LexborNode, depth: int) -> None:
        """Reads the items of one list. What stands between them, which HTML forbids, is read as one more item."""
        number = _first_number(node)
        stray = _Item(depth, "  " * depth, fresh=False)
        for child in children(node):
            if child.tag == "li" and not is_dropped(child):
                self._line(stray)
                item = _Item(depth, "  " * depth + ("- " if number is None else f"{number}. "))
                number = None if number is None else number + 1
                self._found.note(child)
                self._content(child, item)
            else:
                self._child(child, stray)
        self._line(stray)

    def flush(self) -> None:
        """Hands over the items gathered so far as one block."""
        if self._units:
            self._found.emit("list", "\n".join(self._units), tuple(self._units))
            self._units = []

    def _content(self, node: LexborNode, item: _Item) -> None:
        for child in children(node):
            self._child(child, item)
        self._line(item)

    def _child(self, child: LexborNode, item: _Item) -> None:
        tag = child.tag or ""
        if tag == "-text":
            self._found.text.add(child)
        elif is_dropped(child):
            self._found.note_ids(child)
        elif is_inline(child):
            self._found.note_ids(child)
            self._found.text.add(child)
        else:
            self._line(item)
            self._block(child, tag, item)

    def _block(self, child: LexborNode, tag: str, item: _Item) -> None:
        if tag in LISTS and child.attributes.get("role") != "tablist":
            self._found.note(child)
            self.read(child, item.depth + 1)
        elif tag in _LINES and child.css_first(_OTHER_BLOCKS) is None:
            self._found.note(child)
            self._walk.link_around(child)
            self._content(child, item)
        elif tag != "hr":
            self.flush()
            self._walk.block(child, "prose")

    def _line(self, item: _Item) -> None:
        text = self._found.take_text()
        if text:
            indent = " " * len(item.mark)
            self._units.append((item.mark if item.fresh else indent) + text.replace("\n", "\n" + indent))
            item.fresh = False


def _first_number(node: LexborNode) -> int | None:
    """The number of the first item, None for a list without numbers."""
    if node.tag != "ol":
        return None
    start = node.attributes.get("start") or ""
    return int(start) if start.isascii() and start.isdigit() and len(start) < 6 else 1
