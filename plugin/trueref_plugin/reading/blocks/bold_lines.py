"""Reads a paragraph that is nothing but a few bold words: the title of the text behind it, without a heading."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import LISTS, children, next_element
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_SECTIONS: Final = frozenset(("section", "article", "main"))
"""What such a paragraph stands in. Elsewhere, such as in a cell or an item of a list, bold words say other things."""

_TITLED: Final = LISTS | {"p", "dl"}
"""What follows such a title. Above code and tables, bold words are a caption, such as the name of a file."""

_MAX_LETTERS: Final = 60
_MAX_WORDS: Final = 6
"""Characters and words of such a title at most."""


class BoldLineReader(BlockReader):
    """Reads such a paragraph as a heading without an id."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # its text tells
        """See `BlockReader`."""
        return node.tag == "p" and _is_title(node)

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        page = walk.page
        if page.path or page.role != "text":
            walk.children(node, kind)
            return
        page.record_section_of_ids(node)
        page.text.add(node)
        text = page.take_text()
        if text:
            page.add_block(kind, text, starts=True, role="heading")


def _is_title(node: LexborNode) -> bool:
    """Whether a paragraph is a few bold words that do not end like a sentence, and stand above text in a section.

    With a colon they say something themselves: `Tier: 3`.
    """
    following = next_element(node)
    if node.parent is None or node.parent.tag not in _SECTIONS or following is None or following.tag not in _TITLED:
        return False
    if not _is_bold(node) or _is_bold(following):
        return False
    text = node.text().strip()
    return len(text) <= _MAX_LETTERS and len(text.split()) <= _MAX_WORDS and text[-1:].isalnum() and ":" not in text


def _is_bold(node: LexborNode) -> bool:
    """Whether all that an element has in it is one bold element."""
    parts = (part for part in children(node) if part.tag != "-text" or (part.text_content or "").strip())
    first_parts = [part.tag for part in islice(parts, 2)]
    return first_parts in (["b"], ["strong"])
