"""Walks the content of a page once, top to bottom; each kind of block has its reader.

The walk is a plain recursion over the tree. Pages deep enough to exhaust the stack never come here in process: see
`prescan`.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from trueref_core.records import AnchorKind, ChunkKind
from trueref_plugin.reading.clean import clean_text, is_admonition, is_dropped
from trueref_plugin.reading.code import code_language, code_text
from trueref_plugin.reading.collected import Findings
from trueref_plugin.reading.containers import ADMONITION, FOOTNOTES, container_of, inline_role_of, role_of
from trueref_plugin.reading.definitions import read_definitions
from trueref_plugin.reading.elements import HEADINGS, LISTS, children, class_names, has_class, is_inline
from trueref_plugin.reading.fields import DOCSTRING, read_docstring
from trueref_plugin.reading.footnotes import section_of_note
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.lists import read_list
from trueref_plugin.reading.parsed import ParsedLink
from trueref_plugin.reading.tables import read_table
from trueref_plugin.reading.tabs import OLD_TAB, TabLabels, is_mixed_set, is_tabbed_set, read_mixed_set, read_tabbed_set
from trueref_plugin.reading.targets import aliases_before, heading_anchor

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


class Walk:
    """One walk over one page's content; what it finds is in `found`."""

    def __init__(self, page_title: str, unreachable: Container[int] = (), ids: Mapping[str, int] | None = None) -> None:
        """Starts with the page top as the only section.

        Args:
            page_title: The title of that section.
            unreachable: Nodes whose id an earlier element has: a link would lead there, so they start no section.
            ids: By id, the node that a link by it leads to.
        """
        self.found = Findings(page_title)
        self.unreachable = unreachable
        self._ids = ids or {}
        self._headings: list[int] = [0]
        self._tabs = TabLabels()
        self._holding_one: dict[int, bool] = {}
        """By element around code, whether it holds one block of it."""

    def children(self, node: LexborNode, kind: ChunkKind = "prose") -> None:
        """Walks the children of a block element; text between blocks becomes paragraphs of `kind`."""
        for child in children(node):
            self.child(child, kind)
        self.found.flush(kind)

    def child(self, node: LexborNode, kind: ChunkKind) -> None:
        """Takes a text node or an element: running text is collected, a block ends it."""
        if node.tag == "-text":
            self.found.text.add(node)
        elif is_dropped(node):
            self.found.note_ids(node)
        elif is_inline(node):
            self.found.note_ids(node)
            self.found.line_role = inline_role_of(node) or self.found.line_role
            self.found.text.add(node)
        else:
            self.found.flush(kind)
            self.block(node, kind)

    def block(self, node: LexborNode, kind: ChunkKind) -> None:
        """Reads a block element in the way of its kind."""
        tag = node.tag or ""
        if tag in HEADINGS:
            self._heading(node, HEADINGS[tag])
            return
        classes = class_names(node)
        is_apart = is_admonition(node, classes)
        letter = ADMONITION if is_apart else container_of(node, classes)
        if letter == FOOTNOTES and self.found.is_footnote():
            letter = ""
        around = self.found.enter(self.found.token(letter) if letter else "", role_of(node, classes))
        home = self.found.current
        if self.found.is_footnote() and "id" in node.attributes:
            self.found.current = self.section_of_note(node)
        if is_apart or OLD_TAB in classes:
            with self.enclosed():
                self._block(node, classes, "admonition" if is_apart else kind)
        else:
            self._block(node, classes, kind)
        if self.found.is_footnote():
            self.found.current = home
        self.found.leave(around)

    def _block(self, node: LexborNode, classes: Collection[str], kind: ChunkKind) -> None:
        tag = node.tag or ""
        self.found.note(node)
        if tag == "pre":
            self._code(node)
        elif self._tabs.takes(node):
            self._tabs.read(self, node, kind)
        elif tag in LISTS:
            read_list(self, node)
        elif tag == "table":
            read_table(self, node, kind)
        elif tag == "dl":
            read_definitions(self, node)
        elif is_tabbed_set(node, classes):
            read_tabbed_set(self, node, kind)
        elif is_mixed_set(node, classes):
            read_mixed_set(self, node, kind)
        elif DOCSTRING in classes:
            read_docstring(self, node, kind)
        else:
            self.link_around(node)
            self.children(node, kind)

    def section_of_note(self, note: LexborNode) -> int:
        """The section that refers to a footnote; where that is not known, the one in which it stands."""
        section = section_of_note(note, self._ids, self.found.places)
        return self.found.current if section is None else section

    @contextmanager
    def enclosed(self) -> Generator[None]:
        """What headings open in here ends with it: behind a fold or a tab the section around goes on.

        Else the text of the second tab would be cited by a heading in the first, which is hidden beside it.
        """
        headings, inside = list(self._headings), self.found.inside()
        yield
        self._headings = headings
        self.found.go_on(inside)

    def link_around(self, node: LexborNode) -> None:
        """Puts down the link of an `a` around blocks: a card, say."""
        target = node.attributes.get("href") if node.tag == "a" else None
        if target is not None:
            self.found.links.append(ParsedLink(target, clean_text(node.text(separator=" ")), self.found.current))

    def _heading(self, node: LexborNode, level: int) -> None:
        found = self.found
        found.end_excluded(level)
        found.note_ids(node)
        if found.is_footnote():
            # "Footnotes", for screen readers: the notes under it belong to other sections.
            return
        if "data-search-exclude" in node.attributes or _is_tag(node):
            found.exclude(level)
            return
        title = inline_text(node) or _image_title(node)
        if not title:
            # Nothing is shown, so nothing begins; its id is kept like any other.
            return
        while len(self._headings) > 1 and found.sections[self._headings[-1]].level >= level:
            self._headings.pop()
        parent = self._headings[-1]
        anchor_node = heading_anchor(node, self.unreachable)
        if anchor_node is None:
            # No id: the text belongs to the nearest enclosing anchor, which is where a link can lead.
            found.current = parent
            if title != found.sections[0].title:
                # The title of an admonition is a heading in Docusaurus 2, Bootstrap and DocBook.
                is_title = found.role == "title" or found.begins_admonition()
                found.emit("prose", title, starts=True, role="title" if is_title else "heading")
            return
        # mkdocstrings marks the headings of what it documents.
        kind: AnchorKind = "object" if has_class(node, "doc-heading") else "heading"
        found.open_section(anchor_node, kind, level, title, parent)
        for alias in aliases_before(node):
            if alias.mem_id not in found.cited:
                found.note_ids(alias)
        self._headings.append(found.current)

    def _code(self, node: LexborNode) -> None:
        self.found.note_ids(node)
        text = code_text(node)
        if text:
            self.found.emit("code", text, code_language=code_language(node, self._holding_one))


def _is_tag(node: LexborNode) -> bool:
    """Whether a heading is a tag in Material's list of them: under it stand the titles of pages and no text."""
    return (node.attributes.get("id") or "").startswith("tag:") and node.css_first(".md-tag") is not None


def _image_title(node: LexborNode) -> str:
    """What stands for a heading's picture where it cannot be seen."""
    images = node.css("img[alt]")
    return clean_text(" ".join(image.attributes.get("alt") or "" for image in images))
