"""Reads definition lists: options, glossaries, and the objects of Sphinx. A term with an id is a section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.clean import is_dropped
from trueref_plugin.reading.containers import DEFINITIONS
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
    around = walk.found.enter()
    _DefinitionReader(walk, node).read(node)
    walk.found.leave(around)
    walk.found.current = home


class _DefinitionReader:
    """Reads the entries of one list: a term or several, with what is said of them."""

    def __init__(self, walk: Walk, node: LexborNode) -> None:
        self._walk = walk
        self._found = walk.found
        self._home = walk.found.current
        self._around = walk.found.enter()
        # Sphinx up to version 4 writes footnotes as a definition list.
        self._is_footnotes = has_class(node, "footnote") or has_class(node, "citation")
        self._token = ""
        self._entries = 0
        self._is_told = True
        """Whether something was said of the last term, so that the next one begins another entry."""

    def read(self, node: LexborNode) -> None:
        for child in children(node):
            if is_dropped(child):
                self._found.note_ids(child)
            elif child.tag == "dt":
                self._found.flush("definition")
                self._open_term(child)
            elif child.tag == "dd":
                self._found.flush("definition")
                self._is_told = True
                self._found.note(child)
                self._walk.children(child, "definition")
            elif child.tag == "div":
                # HTML lets a term and its definitions be wrapped.
                self._found.note(child)
                self.read(child)
            else:
                self._walk.child(child, "definition")
        self._found.flush("definition")

    def _open_term(self, node: LexborNode) -> None:
        """Begins the section of a term where an id leads to it; else the one around the list goes on."""
        found = self._found
        # Sphinx up to version 3 marks nothing but the name.
        is_object = any(has_class(node, name) for name in _OBJECT_CLASSES) or node.css_first(".descname") is not None
        self._open_entry(is_object=is_object)
        found.current = self._home
        found.note_ids(node)
        found.text.add(node)
        text = found.take_text()
        anchor_node = None if self._is_footnotes else own_anchor(node, self._walk.unreachable)
        if anchor_node is not None:
            found.open_section(anchor_node, "object" if is_object else "term", 0, inline_text(node), self._home)
        elif text:
            found.emit("definition", text, starts=True, role="term")

    def _open_entry(self, *, is_object: bool) -> None:
        """Begins an entry. A documented object is none: what is said of it is a section, not a line of a list."""
        self._found.leave(self._around)
        if is_object or self._is_footnotes:
            return
        self._token = self._token or self._found.token(DEFINITIONS)
        self._entries += self._is_told
        self._is_told = False
        self._found.enter(f"{self._token}.{self._entries}")
