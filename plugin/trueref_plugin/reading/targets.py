"""Finds the element whose id leads to a heading, a term or a row, and the section that a footnote belongs to."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from trueref_plugin.reading.elements import has_class
from trueref_plugin.reading.inline import inline_text

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_ALIASES: Final = frozenset(("a", "span", "p", "div"))
_ALIAS_MOST: Final = 20
"""Characters of an alias at most: it shows nothing, but may hold the mark of a permalink."""


ID_MOST: Final = 1000
"""Characters of an id by which a section is cited: every chunk of the section repeats it. A longer id is still known as
the target of links."""


_BACK: Final = ".footnote-backref, .fn-backref, .reversefootnote, [data-footnote-backref], [role=doc-backlink]"
"""The link of a footnote to the place that refers to it: Python-Markdown, markdown-it and goldmark; docutils; kramdown;
GitHub and Docusaurus; docutils from version 0.18 on."""


def heading_anchor(node: LexborNode, unreachable: Container[int]) -> LexborNode | None:
    """The element whose id leads to a heading: itself, one inside it, its Sphinx section, or an alias just before."""
    on_heading = own_anchor(node, unreachable)
    if on_heading is not None:
        return on_heading
    parent = node.parent
    # Sphinx puts the id of a heading on the section around it. Only the first heading in that section owns the id.
    if parent is not None and _is_section(parent) and _is_first_element(node) and is_target(parent, unreachable):
        return parent
    aliases = (own_anchor(before, unreachable) for before in aliases_before(node))
    return next((alias for alias in aliases if alias is not None), None)


def aliases_before(node: LexborNode) -> Iterator[LexborNode]:
    """The empty elements right before a heading, the nearest first: an id on one of them leads to the heading."""
    before = node.prev
    while before is not None:
        if before.tag != "-text":
            # The raw text is read much faster than the clean one, and is nearly always enough to decide.
            text = before.text() if before.tag in _ALIASES else None
            if text is None or len(text) > _ALIAS_MOST or inline_text(before):
                return
            yield before
        elif (before.text_content or "").strip():
            return
        before = before.prev


def own_anchor(node: LexborNode, unreachable: Container[int]) -> LexborNode | None:
    """The element itself, or the first one inside it, that a fragment can name."""
    candidates = [node, *node.css("[id], a[name]")]
    return next((candidate for candidate in candidates if is_target(candidate, unreachable)), None)


def is_target(node: LexborNode, unreachable: Container[int]) -> bool:
    """Whether a section may be cited by the id of an element: ids like `__*` are for scripts."""
    name = anchor_name(node)
    return 0 < len(name) <= ID_MOST and not name.startswith("__") and node.mem_id not in unreachable


def anchor_name(node: LexborNode) -> str:
    """The name by which a fragment finds an element, "" for none."""
    attributes = node.attributes
    return attributes.get("id") or (attributes.get("name") if node.tag == "a" else None) or ""


def named_elements(tree: LexborHTMLParser) -> list[tuple[LexborNode, str, bool]]:
    """Every id and `a[name]` in document order, and whether a link to it leads to another element (`duplicate`).

    Browsers go to the first element with an id, and to a name only if no element has it as its id.
    """
    # Not "[id], a[name]": an element that matches both would be returned twice.
    nodes = tree.css(":is([id], a[name])")
    ids = {node.id for node in nodes}
    elements: list[tuple[LexborNode, str, bool]] = []
    seen: set[str] = set()
    for node in nodes:
        node_id = node.id
        # An element with both an id and a name can be reached by either. `attrs` looks up one attribute; `attributes`
        # would make a dictionary of all.
        for name in dict.fromkeys((node_id, node.attrs.get("name") if node.tag == "a" else None)):
            if name:
                duplicate = name in seen or (name != node_id and name in ids)
                elements.append((node, name, duplicate))
                if not duplicate:
                    seen.add(name)
    return elements


def _is_section(node: LexborNode) -> bool:
    """Whether an element is a section of Sphinx, which up to docutils 0.16 is a `div`."""
    return node.tag == "section" or has_class(node, "section")


def _is_first_element(node: LexborNode) -> bool:
    """Whether only text and `span` elements, which carry more ids of a section, stand before an element."""
    before = node.prev
    while before is not None:
        if not (before.tag or "-").startswith("-") and before.tag != "span":
            return False
        before = before.prev
    return True


def section_of_note(note: LexborNode, ids: Mapping[str, int], section_by_node: Mapping[int, int]) -> int | None:
    """The section that refers to a footnote first; None if it is not known. The note itself stands at the page's end.

    Args:
        note: The element of the footnote.
        ids: By id, the first element that has it (`mem_id`).
        section_by_node: By element, the section that it stands in.
    """
    for link in note.css(_BACK):
        target = link.attributes.get("href") or ""
        # If docutils has two references to a note, the label is no link, and each arrow leads to one reference.
        mark = ids.get(unquote(target[1:])) if target.startswith("#") else None
        if mark is not None and mark in section_by_node:
            return section_by_node[mark]
    return None
