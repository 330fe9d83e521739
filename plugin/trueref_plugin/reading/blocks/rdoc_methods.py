"""Reads the methods and attributes of RDoc, which have no headings but boxes with signatures."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import children, has_class
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.targets import own_anchor
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_METHOD: Final = "method-detail"
"""The class of the box around a method."""

_SIGNATURE: Final = "method-heading"
"""The class of a signature. A method may have several: one for each way to call it."""

_HEADER: Final = "method-header"
"""The class of the box around the signatures: RDoc from version 6.6 on."""


class RdocMethodReader(BlockReader):
    """Reads a method as a section of its own, below the heading of its group, such as `Public Instance Methods`."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:
        """See `BlockReader`."""
        return node.tag == "div" and _METHOD in classes and node.css_first(f".{_SIGNATURE}") is not None

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        anchor = own_anchor(node, walk.unreachable)
        boxes = [part for part in children(node) if has_class(part, _HEADER) or has_class(part, _SIGNATURE)]
        signatures = [signature for box in boxes for signature in box.css(f".{_SIGNATURE}")]
        lines = [line for signature in signatures if (line := inline_text(signature))]
        if anchor is None or not lines:
            walk.children(node, kind)
            return
        page, outer_section = walk.page, walk.section_of_heading()
        with walk.enclosed():
            page.open_section(anchor, "object", 0, lines[0], outer_section)
            walk.begin_headings_below(page.current_section)
            page.record_section_of_ids(node)
            if len(lines) > 1:
                page.add_block("code", "\n".join(lines).replace("`", ""), code_language="ruby")
            read_boxes = {box.mem_id for box in boxes}
            for part in children(node):
                if part.mem_id not in read_boxes:
                    # Headings in a description end with it: other names of the method stand below it.
                    with walk.enclosed():
                        walk.child(part, kind)
                        page.flush(kind)
