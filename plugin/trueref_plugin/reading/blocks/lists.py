"""Reads lists. A list is one block: each item is a unit, and nested items are indented. A block in it divides it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trueref_core.records import ChunkKind
from trueref_plugin.reading.elements import LISTS, children
from trueref_plugin.reading.list_items import ItemReader
from trueref_plugin.reading.markup.clean import is_dropped
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


class ListReader(BlockReader):
    """Reads a list with all lists inside it."""

    tags = LISTS

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # a list is its own kind
        """See `BlockReader`."""
        if walk.page.is_among_footnotes() and not walk.page.is_in_footnote():
            _read_footnotes(walk, node)
            return
        outer = walk.page.enter()
        items = ItemReader(walk, node, is_numbered=node.tag == "ol")
        items.read(node, depth=0)
        items.flush()
        walk.page.leave(outer)


def _read_footnotes(walk: Walk, node: LexborNode) -> None:
    """Reads a list of footnotes. Each footnote is text of the section that refers to it, and no item of a list."""
    outer, section_before = walk.page.enter(), walk.page.current_section
    for child in children(node):
        if child.tag == "li" and not is_dropped(child):
            walk.enter_footnote(child)
            walk.page.record_section(child)
            walk.children(child)
            walk.page.leave(outer)
            walk.page.current_section = section_before
        else:
            walk.child(child, "prose")
    walk.page.flush("prose")
