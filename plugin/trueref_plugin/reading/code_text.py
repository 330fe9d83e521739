"""The text of code on a page: what several readers of blocks take from an element with code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import children, is_inline_tag
from trueref_plugin.reading.markup.clean import clean_code, is_dropped

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

CODE_TABLE: Final = "RktBlk"
"""The class of a table with a row for each line of code: Scribble."""
_NOT_SHOWN: Final = frozenset(("lnt", "ln", "boring"))
"""Classes of what stands in code and is not shown as code: line numbers of Chroma (Hugo) and docutils, and lines of
mdBook that are only there so that an example compiles."""


def code_text(node: LexborNode) -> str:
    """The code of a `pre`, without line numbers and buttons."""
    parts: list[str] = []
    for part in _pieces(node):
        if part is not None:
            parts.append(part)
        elif parts and not parts[-1].endswith("\n"):
            parts.append("\n")
    return clean_code("".join(parts))


def _pieces(node: LexborNode) -> Iterator[str | None]:
    """The pieces of the visible text of code, and None where a block element begins or ends a line."""
    # Not recursive: a piece would pass through the generators of all elements around it.
    open_elements = [(children(node), False)]
    while open_elements:
        remaining, ends_line = open_elements[-1]
        child = next(remaining, None)
        tag = child.tag or "" if child is not None else ""
        if child is None:
            open_elements.pop()
            if ends_line:
                yield None
        elif tag == "-text":
            text = child.text_content or ""
            # Outside of a `pre`, white space between lines that are elements is not shown.
            if node.tag == "pre" or len(open_elements) > 1 or not text.isspace():
                yield text
        elif tag == "br":
            yield "\n"
        elif not is_dropped(child) and _NOT_SHOWN.isdisjoint((child.attributes.get("class") or "").split()):
            # Docusaurus and Expressive Code put every line into a block, without line breaks between the blocks.
            is_line = not is_inline_tag(tag)
            if is_line:
                yield None
            open_elements.append((children(child), is_line))
