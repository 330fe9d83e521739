"""Reads definition lists: options, glossaries, and the objects of Sphinx. A term with an id becomes a section."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import children, first_element, next_element
from trueref_plugin.reading.entries import EntryReader
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_DESCRIPTIONS: Final = frozenset(("p", "div", "ul", "ol", "pre"))
"""Elements that a description begins with."""


class DefinitionReader(BlockReader):
    """Reads a `dl`. Text after the list belongs to the section that the list stands in."""

    tags = frozenset(("dl",))

    def __init__(self) -> None:
        self._heads: frozenset[str] | None = None
        """The classes of the lists of the page that hold nothing but the head of an object, None before they are known.
        """
        self._open_head = (-1, -1)
        """The section of the object that the text belongs to, and that around it."""

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # a definition is its own kind
        """See `BlockReader`."""
        head, around = self._open_head
        section = walk.page.current_section = around if walk.page.current_section == head else walk.page.current_section
        outer = walk.page.enter()
        EntryReader(walk, node).read(node)
        walk.page.leave(outer)
        if self._heads is None:
            self._heads = _heads_of_page(node)
        if node.attributes.get("class") in self._heads and walk.page.current_section != section:
            # The author did not indent the description, so that it stands behind the list.
            self._open_head = walk.page.current_section, section
        else:
            walk.page.current_section = section


def _heads_of_page(node: LexborNode) -> frozenset[str]:
    """The classes of the lists on a page of which each has one object without a description, and text behind it.

    A list of this class that has a description, or as many without text behind them as with it, shows that the text
    behind the others is not their description.
    """
    page = node
    while page.tag != "html" and page.parent is not None:
        page = page.parent
    followed: Counter[str] = Counter()
    described: set[str] = set()
    for entry in page.css("dl[class]:has(> dt[id])"):
        name = entry.attributes.get("class") or ""
        parts = [part.tag for part in children(entry) if part.tag != "-text"]
        is_head = parts in (["dt"], ["dt", "dd"]) and all(
            part.tag != "dd" or (first_element(part) is None and not part.text().strip()) for part in children(entry)
        )
        if is_head:
            following = next_element(entry)
            followed[name] += 1 if following is not None and following.tag in _DESCRIPTIONS else -1
        else:
            described.add(name)
    return frozenset(name for name, balance in followed.items() if balance > 1 and name not in described)
