"""Reads the entries of Scribble: boxes with the form of a function, before its description, and without a heading."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.code_text import CODE_TABLE, code_text
from trueref_plugin.reading.elements import children, has_class
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.targets import own_anchor
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_BOX: Final = "boxed"
"""The class of the table around the form of an entry, what its arguments are, and its grammar."""

_LABEL: Final = ".RBackgroundLabel"
"""Selects the label in the corner of such a box, such as `procedure`. Boxes without a label are of other use."""

_NAME: Final = ".RktValDef, .RktStxDef"
"""Selects the name of what an entry defines: of a value, of a syntax."""


class ScribbleEntryReader(BlockReader):
    """Reads an entry as a section, to which everything belongs up to the next entry or heading."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:
        """See `BlockReader`."""
        return node.tag == "table" and _BOX in classes and node.css_first(_LABEL) is not None

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # a form is code
        """See `BlockReader`."""
        page = walk.page
        lines = list(_lines(node))
        anchor, name = own_anchor(node, walk.unreachable), node.css_first(_NAME)
        title = inline_text(name) if name is not None else next(iter(lines), "")
        if anchor is not None and title:
            page.open_section(anchor, "object", 0, title, walk.section_of_heading())
        page.record_section_of_ids(node)
        if lines:
            page.add_block("code", "\n".join(lines))


def _lines(table: LexborNode) -> Iterator[str]:
    """The lines of a table, with those of the tables in its cells."""
    for body in children(table):
        for row in children(body):
            yield from _lines_of_row(row)


def _lines_of_row(row: LexborNode) -> Iterator[str]:
    """The lines of a row. The first line of a table in a cell goes on with what the cells before it say."""
    begun = ""
    for cell in children(row):
        inner = cell.css_first("table")
        if inner is None:
            begun = f"{begun} {inline_text(cell)}".strip()
            continue
        for line in code_text(inner).split("\n") if has_class(inner, CODE_TABLE) else _lines(inner):
            if line:
                yield f"{begun} {line}" if begun else line
                begun = ""
    if begun:
        yield begun
