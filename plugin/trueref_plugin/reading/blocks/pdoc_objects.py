"""Reads the objects of pdoc: functions, classes and variables, which have no headings but elements with signatures."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import children, has_class
from trueref_plugin.reading.targets import anchor_name, is_citable
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_SIGNATURE: Final = "attr"
"""The class of the element with the signature."""


class PdocObjectReader(BlockReader):
    """Reads an object as a section of its own. The members of a class are sections of its section."""

    def __init__(self) -> None:
        self._outer_section = 0
        """The section of the class that is being read; 0 for the page."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # the id tells an object
        """See `BlockReader`."""
        return node.tag in ("section", "div") and bool(node.id) and _signature_of(node) is not None

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        signature = _signature_of(node)
        if signature is None or not is_citable(node, walk.unreachable):
            walk.children(node, kind)
            return
        outer_section = self._outer_section
        with walk.enclosed():
            walk.page.open_section(node, "object", 0, anchor_name(node), outer_section)
            self._outer_section = walk.page.current_section
            walk.begin_headings_below(walk.page.current_section)
            walk.page.record_section_of_ids(signature)
            walk.page.text.add(signature)
            text = walk.page.take_text()
            if text:
                walk.page.add_block("code", text.replace("\n", " "), code_language="python")
            for child in children(node):
                if child.mem_id != signature.mem_id:
                    self._read_part(walk, child, kind)
            walk.page.flush(kind)
        self._outer_section = outer_section

    def _read_part(self, walk: Walk, part: LexborNode, kind: ChunkKind) -> None:
        """Reads the text of an object, or a member of it. Headings in its text end with the text."""
        if part.tag == "div" and has_class(part, "docstring"):
            walk.page.flush(kind)
            with walk.enclosed():
                walk.child(part, kind)
                walk.page.flush(kind)
        else:
            walk.child(part, kind)


def _signature_of(node: LexborNode) -> LexborNode | None:
    """The element with the signature of an object, None if an element is no object."""
    # Before it is only the box that shows and hides the source code.
    elements = (child for child in children(node) if child.tag not in ("-text", "input"))
    first = next(elements, None)
    if first is None or first.tag != "div" or not has_class(first, _SIGNATURE):
        return None
    return first if first.css_first("span.name") is not None else None
