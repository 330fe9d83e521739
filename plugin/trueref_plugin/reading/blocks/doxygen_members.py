"""Reads the tables of members that Doxygen writes above their descriptions: a declaration and one sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import children, class_names, has_class, next_element
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.markup.containers import DEFINITIONS
from trueref_plugin.reading.targets import own_anchor
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_DECLARATION: Final = "memitem:"
"""What the class of a row with a declaration begins with. The id of the member follows, if there is one."""

_DESCRIPTION: Final = "memdesc:"
"""The same for the row with what the member is for."""


class DoxygenMemberReader(BlockReader):
    """Reads a declaration with its description as an entry of a definition list, and as a section if it has an id.

    Doxygen gives the id to the declaration if the page has no longer description of the member.
    """

    def __init__(self) -> None:
        self._read: set[int] = set()
        """Rows (`mem_id`) that were read with the row before them."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:
        """See `BlockReader`."""
        return node.tag == "tr" and (node.mem_id in self._read or any(map(_is_declaration, classes)))

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # a definition is its own kind
        """See `BlockReader`."""
        if node.mem_id in self._read:
            return
        row_class = next(filter(_is_declaration, class_names(node)))
        # A template has a row of its own, with the same class, before the declaration.
        rows = [node, *_rows_after(node, row_class)]
        descriptions = list(_rows_after(rows[-1], row_class.replace(_DECLARATION, _DESCRIPTION)))
        self._read.update(row.mem_id for row in (*rows, *descriptions))
        section = walk.page.current_section
        outer = walk.page.enter(f"{walk.page.name_container(DEFINITIONS)}.1")
        _add_declaration(walk, rows)
        for row in descriptions:
            walk.children(row, "definition")
        walk.page.leave(outer)
        walk.page.current_section = section


def _add_declaration(walk: Walk, rows: Sequence[LexborNode]) -> None:
    """Adds a declaration as a line of code that begins a section, or as a term if no link can lead to it."""
    page = walk.page
    for cell in (cell for row in rows for cell in children(row)):
        page.text.add(cell)
    declaration = page.take_text().replace("\n", " ")
    anchors = (own_anchor(row, walk.unreachable) for row in rows)
    anchor = next((found for found in anchors if found is not None), None)
    *_, name = ["", *(inline_text(cell) for cell in children(rows[-1]) if cell.tag == "td")]
    if anchor is not None and name:
        page.open_section(anchor, "object", 0, name, page.current_section)
        page.add_block("code", declaration.replace("`", ""))
    elif declaration:
        page.add_block("definition", declaration, role="term")
    for row in rows:
        page.record_section_of_ids(row)


def _is_declaration(name: str) -> bool:
    """Whether a class is that of a row with a declaration."""
    return name.startswith(_DECLARATION)


def _rows_after(row: LexborNode, row_class: str) -> Iterator[LexborNode]:
    """The rows right behind a row that have a class."""
    following = next_element(row)
    while following is not None and has_class(following, row_class):
        yield following
        following = next_element(following)
