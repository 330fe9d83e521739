"""Reads a paragraph that begins with a bold line with a name: the title of a section on a page written by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import children
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.targets import anchor_name, is_citable
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_BOLD: Final = frozenset(("b", "strong"))
_MAX_TITLE: Final = 300
"""Characters of such a title at most."""
_MAX_AROUND: Final = 4
"""Elements between a link and the item of a list that it stands in, and the item itself, at most."""
_LOWEST_LEVEL: Final = 6


class NamedLineReader(BlockReader):
    """Reads the text under such a line as a section below that of the last heading: a question and its answer."""

    def __init__(self) -> None:
        self._places: frozenset[str] | None = None
        """The places that lists of the page lead to; None as long as nobody asked for them."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # its first line tells
        """See `BlockReader`."""
        return node.tag == "p" and self._name_of(node) is not None

    def _name_of(self, node: LexborNode) -> LexborNode | None:
        """The element whose name leads to the bold line of a paragraph: in the line, or the paragraph itself.

        An id of the paragraph is enough only if a list of the page has a link to it, as one of questions: some programs
        give all paragraphs an id, and any sentence may refer to a figure.
        """
        name = _name_in_line(node)
        if name is None and node.id and _begins_with_bold_line(node):
            if self._places is None:
                self._places = _places(node)
            name = node if f"#{node.id}" in self._places else None
        return name

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        page, line = walk.page, next(_parts(node))
        name = self._name_of(node)
        title = inline_text(line)
        if name is None or not title or not is_citable(name, walk.unreachable) or page.path:
            walk.children(node, kind)
            return
        parent = walk.section_of_heading()
        level = min(page.sections[parent].level + 1, _LOWEST_LEVEL)
        page.record_section_of_ids(line)
        page.open_section(name, "heading", level, title, parent)
        for part in islice(_parts(node), 1, None):
            walk.child(part, kind)
        page.flush(kind)


def _parts(node: LexborNode) -> Iterator[LexborNode]:
    """The elements and the texts of a paragraph, without white space between elements."""
    return (part for part in children(node) if part.tag != "-text" or (part.text_content or "").strip())


def _places(node: LexborNode) -> frozenset[str]:
    """The targets of the links in the lists of a page that lead to places on it."""
    root = node
    while root.parent is not None:
        root = root.parent
    links = root.css("a[href^='#']")
    return frozenset(link.attributes.get("href") or "" for link in links if _leads_from_list(link))


def _leads_from_list(link: LexborNode) -> bool:
    """Whether a link stands in an item of a list, and not inside the place itself that it leads to."""
    target, around = (link.attributes.get("href") or "").removeprefix("#"), link.parent
    for _ in range(_MAX_AROUND):
        if around is None or around.id == target:
            return False
        if around.tag == "li":
            return True
        around = around.parent
    return False


def _first_line(node: LexborNode) -> LexborNode | None:
    """The element that is the first line of a paragraph, or all of it."""
    first, second = next(_parts(node), None), next(islice(_parts(node), 1, None), None)
    return None if first is None or (second is not None and second.tag != "br") else first


def _begins_with_bold_line(node: LexborNode) -> bool:
    """Whether a paragraph begins with a bold line that is no longer than a title."""
    first = _first_line(node)
    return first is not None and first.tag in _BOLD and len(first.text()) <= _MAX_TITLE


def _name_in_line(node: LexborNode) -> LexborNode | None:
    """The element whose name leads to the bold line that a paragraph begins with, None if it begins otherwise."""
    first = _first_line(node)
    if first is None:
        return None
    inner = next(_parts(first), None) if first.tag in _BOLD or first.tag == "a" else None
    if inner is None or {first.tag, inner.tag} not in ({"a", "b"}, {"a", "strong"}):
        return None
    name = first if first.tag == "a" else inner
    if not anchor_name(name) or "href" in name.attributes or next(islice(_parts(first), 1, None), None) is not None:
        return None
    return name if len(first.text()) <= _MAX_TITLE else None
