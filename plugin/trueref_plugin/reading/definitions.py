"""Reads definition lists: options, glossaries, and the objects of Sphinx. A term with an id is a section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.clean import is_dropped
from trueref_plugin.reading.elements import children, has_class
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.targets import own_anchor

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_plugin.reading.walk import Walk

_OBJECT_CLASSES: Final = ("sig", "sig-object")


def read_definitions(walk: Walk, node: LexborNode) -> None:
    """Reads a `dl`; afterwards the section that it stands in goes on."""
    home = walk.found.current
    _read(walk, node, home)
    walk.found.current = home


def _read(walk: Walk, node: LexborNode, home: int) -> None:
    for child in children(node):
        if is_dropped(child):
            walk.found.note_ids(child)
        elif child.tag == "dt":
            walk.found.flush("definition")
            walk.found.current = _open_term(walk, child, home)
        elif child.tag == "dd":
            walk.found.flush("definition")
            walk.found.note(child)
            walk.children(child, "definition")
        elif child.tag == "div":
            # HTML lets a term and its definitions be wrapped.
            walk.found.note(child)
            _read(walk, child, home)
        else:
            walk.child(child, "definition")
    walk.found.flush("definition")


def _open_term(walk: Walk, node: LexborNode, home: int) -> int:
    """The section of a term: a new one where an id leads to it, else the one around the list."""
    found = walk.found
    found.current = home
    found.note_ids(node)
    found.text.add(node)
    text = found.take_text()
    anchor_node = None if _is_footnote(node) else own_anchor(node, walk.unreachable)
    if anchor_node is None:
        if text:
            found.emit("definition", text, starts=True)
        return home
    # Sphinx up to version 3 marks nothing but the name.
    is_object = any(has_class(node, name) for name in _OBJECT_CLASSES) or node.css_first(".descname") is not None
    found.open_section(anchor_node, "object" if is_object else "term", 0, inline_text(node), home)
    return found.current


def _is_footnote(node: LexborNode) -> bool:
    # Sphinx up to version 4 writes footnotes as a definition list.
    parent = node.parent
    return parent is not None and (has_class(parent, "footnote") or has_class(parent, "citation"))
