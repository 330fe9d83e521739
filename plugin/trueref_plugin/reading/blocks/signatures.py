"""Reads objects that begin with a line of code and have no heading: those of Haddock and ocamldoc."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import class_names, first_element, has_class, next_element
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.markup.clean import clean_code
from trueref_plugin.reading.targets import is_citable
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_PARTS: Final = frozenset(("doc", "subs", "info", "typetable"))
"""Classes of the elements behind a signature that describe it: the first two of Haddock, the others of ocamldoc."""


class SignatureReader(BlockReader):
    """Reads a signature with what describes it as a section. Objects in the description are its subsections."""

    def __init__(self) -> None:
        self._read: set[int] = set()
        """Elements (`mem_id`) that were read with the signature before them."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:
        """See `BlockReader`."""
        return node.mem_id in self._read or _name_of(node, classes) is not None

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        if node.mem_id in self._read:
            return
        name = _name_of(node, class_names(node))
        if name is None or not is_citable(name, walk.unreachable):
            walk.children(node, kind)
            return
        page = walk.page
        with walk.enclosed():
            page.open_section(name, "object", 0, inline_text(name), page.current_section)
            walk.begin_headings_below(page.current_section, ends_at_headings_around=True)
            page.record_section_of_ids(node)
            page.add_block("code", _line_of(node))
            for part in _parts_after(node):
                walk.block(part, kind)
                self._read.add(part.mem_id)


def _name_of(node: LexborNode, classes: Collection[str]) -> LexborNode | None:
    """The name with an id that a signature has, None if an element is no signature."""
    if node.tag == "p":
        return node.css_first("a.def[id]") if "src" in classes else None
    if node.tag != "pre":
        return None
    name = first_element(node)
    if name is not None and name.tag == "code":
        name = first_element(name)
    if name is None or name.tag != "span" or not name.id:
        return None
    # The id of `val create` is `VALcreate`.
    *_, word = ["", *name.text().split()]
    kind = name.id.removesuffix(word)
    return name if word and kind != name.id and kind.isalpha() and kind.isupper() else None


def _line_of(node: LexborNode) -> str:
    """The text of a signature."""
    return clean_code(node.text()) if node.tag == "pre" else inline_text(node)


def _parts_after(node: LexborNode) -> Iterator[LexborNode]:
    """The elements right behind a signature that describe it."""
    part = next_element(node)
    while part is not None and any(has_class(part, name) for name in _PARTS):
        yield part
        part = next_element(part)
