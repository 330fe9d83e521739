"""Reads a line that begins with a bold link to its own place: the name of an option or a command, above its text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from trueref_plugin.reading.elements import children, is_inline
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.targets import anchor_name, anchors_before, is_citable
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_BOLD: Final = frozenset(("b", "strong"))
_ENDS_OF_SENTENCES: Final = (".", "!", "?", ":")


class LinkedNameReader(BlockReader):
    """Reads such a line as the title of a section below that of the last heading: haproxy-dconv.

    Of several such lines in a row, which share a text, the first is the title.
    """

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # its link tells
        """See `BlockReader`."""
        return node.tag == "div" and _own_place(node) is not None

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # a name is its own kind
        """See `BlockReader`."""
        page, anchor = walk.page, _own_place(node)
        is_alternative = _shares_text(node)
        if anchor is not None and is_citable(anchor, walk.unreachable) and not is_alternative:
            page.open_section(anchor, "term", 0, inline_text(node), walk.section_of_heading())
        else:
            page.text.add(node)
            page.add_block("definition", page.take_text(), starts=not is_alternative, role="term")
        for part in (node, *anchors_before(node)):
            if part.mem_id not in page.cited:
                page.record_section_of_ids(part)


def _own_place(node: LexborNode) -> LexborNode | None:
    """The element in a line or right before it that the bold link at the line's beginning leads to; None if none is."""
    first = next(_parts(node), None)
    link = first.css_first("a[href]") if first is not None and first.tag in _BOLD else None
    target = (link.attributes.get("href") or "") if link is not None else ""
    if first is None or not target.startswith("#") or not inline_text(first):
        return None
    if not all(part.tag == "-text" or is_inline(part) for part in children(node)):
        return None
    # What follows a name in its line are parameters. A sentence, or another line, would be the text of the name.
    if node.css_first("br") is not None or inline_text(node).endswith(_ENDS_OF_SENTENCES):
        return None
    name = unquote(target[1:])
    # What stands before the line first: of two anchors with the same name, links lead to the first.
    named = (*anchors_before(node), *node.css("[id], a[name]"))
    return next((element for element in named if name and anchor_name(element) == name), None)


def _shares_text(node: LexborNode) -> bool:
    """Whether right before a line there is another one of its kind, so that both stand above the same text."""
    before = node.prev
    while before is not None and _is_empty(before):
        before = before.prev
    return before is not None and before.tag == "div" and _own_place(before) is not None


def _is_empty(node: LexborNode) -> bool:
    """Whether a node is white space, a comment or an anchor, and shows nothing."""
    return (node.tag == "a" or (node.tag or "-").startswith("-")) and not node.text().strip()


def _parts(node: LexborNode) -> Iterator[LexborNode]:
    """The elements and the texts of a line, without white space between elements."""
    return (part for part in children(node) if part.tag != "-text" or (part.text_content or "").strip())
