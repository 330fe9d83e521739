"""Reads docstrings as mkdocstrings writes them: the sections in them ("Parameters:", "Returns:") have no headings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trueref_core.records import ChunkKind
from trueref_plugin.reading.elements import HEADINGS, LISTS, children, class_names
from trueref_plugin.reading.markup.containers import DEFINITIONS
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from collections.abc import Collection

    from selectolax.lexbor import LexborNode


DOCSTRING: Final = "doc-contents"
"""The class of the element that mkdocstrings makes from a docstring."""


class DocstringReader(BlockReader):
    """Reads a docstring. Each of its sections becomes an entry of a definition list, and the section's title its term.

    A section ends after its list or its table. A section of examples has text and code instead, and ends where the next
    section begins.
    """

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # known by its class
        """See `BlockReader`."""
        return DOCSTRING in classes

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        page = walk.page
        container, entries, outer = "", 0, page.enter()
        for child in children(node):
            if _is_title(child):
                page.flush(kind)
                page.leave(outer)
                container = container or page.name_container(DEFINITIONS)
                entries += 1
                page.enter(f"{container}.{entries}")
                outer_of_title = page.enter(role="term")
                walk.child(child, kind)
                page.leave(outer_of_title)
                continue
            if _ends_section(child):
                page.flush(kind)
                page.leave(outer)
            if child.tag == "table" or child.tag in LISTS:
                # A parameter may have a heading. The next section of the docstring does not belong to it.
                with walk.enclosed():
                    walk.child(child, kind)
                page.leave(outer)
            else:
                walk.child(child, kind)
        page.flush(kind)
        page.leave(outer)


def _is_title(node: LexborNode) -> bool:
    """Whether a paragraph is the title of a section of a docstring."""
    return node.tag == "p" and node.css_first(".doc-section-title") is not None


def _ends_section(node: LexborNode) -> bool:
    """Whether an element ends the section of a docstring before it."""
    if node.tag == "details" or node.tag in HEADINGS:
        return True
    return node.tag == "div" and any(name in ("doc-children", "doc-object") for name in class_names(node))
