"""Walks the content of a page once, from top to bottom, and hands each block to the reader of its kind.

The walk is a plain recursion over the tree. Pages deep enough to exhaust the stack never come here in process: see
`prescan`. It knows headings, because they say to which section everything after them belongs; every other kind of block
has a module with a `BlockReader`, and `parse.py` lists them.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Protocol

from trueref_core.records import AnchorKind, ChunkKind
from trueref_core.text.printable import shortened
from trueref_plugin.reading.clean import clean_text, is_admonition, is_dropped
from trueref_plugin.reading.containers import ADMONITION, FOOTNOTES, OLD_TAB, container_of, inline_role_of, role_of
from trueref_plugin.reading.elements import HEADINGS, children, class_names, has_class, is_inline
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.page_builder import TITLE_MOST, PageBuilder
from trueref_plugin.reading.parsed import ParsedLink
from trueref_plugin.reading.targets import aliases_before, heading_anchor, section_of_note

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


class BlockReader(Protocol):
    """Reads one kind of block. A reader serves one page, so it may remember elements of it."""

    tags: ClassVar[frozenset[str]] = frozenset()
    """The tags of its elements, if nothing else decides."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # others ask for the classes
        """Whether an element is a block of this kind. `classes` are those of the element."""
        return node.tag in self.tags

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """Reads the block into `walk.page`. `kind` is the kind of the running text around it."""
        ...


class Walk:
    """One walk over the content of one page, which is built up in `page`.

    Args:
        page_title: The title of the page top, which is the first section.
        readers: The first one that takes a block reads it. A block that none takes is walked through.
        unreachable: Nodes whose id an earlier element has too: a link leads to that one, so they begin no section.
        ids: By id, the node that a link to it leads to.
    """

    def __init__(
        self,
        page_title: str,
        readers: Sequence[BlockReader],
        unreachable: Container[int],
        ids: Mapping[str, int],
    ) -> None:
        self.page = PageBuilder(page_title)
        self.unreachable = unreachable
        self._readers = readers
        self._ids = ids
        self._headings: list[int] = [0]
        """Indexes of the sections that the next heading may stand in, the page top first."""

    def children(self, node: LexborNode, kind: ChunkKind = "prose") -> None:
        """Walks the children of a block element; text between blocks becomes paragraphs of `kind`."""
        for child in children(node):
            self.child(child, kind)
        self.page.flush(kind)

    def child(self, node: LexborNode, kind: ChunkKind) -> None:
        """Reads a text node or an element: running text is collected, and a block ends it."""
        if node.tag == "-text":
            self.page.text.add(node)
        elif is_dropped(node) or (self.page.is_footnote() and has_class(node, "label")):
            # Of a footnote to which the page refers twice, docutils writes the number as text.
            self.page.locate_ids(node)
            self.page.text.refer(node)
        elif is_inline(node):
            self.page.locate_ids(node)
            self.page.line_role = inline_role_of(node) or self.page.line_role
            self.page.text.add(node)
        else:
            self.page.flush(kind)
            self.block(node, kind)

    def block(self, node: LexborNode, kind: ChunkKind) -> None:
        """Reads a block element, in the container and with the role that it has."""
        tag = node.tag or ""
        if tag in HEADINGS:
            self._heading(node, HEADINGS[tag])
            return
        classes = class_names(node)
        is_apart = is_admonition(node, classes)
        letter = ADMONITION if is_apart else container_of(node, classes)
        # Generators put a list of footnotes into a box of footnotes: that is one container, not two.
        if letter == FOOTNOTES and self.page.is_footnote():
            letter = ""
        around = self.page.enter(self.page.name_container(letter) if letter else "", role_of(node, classes))
        home = self.page.current_section
        # A footnote is read at the end of the page, and belongs to the section that refers to it.
        if self.page.is_footnote() and not self.page.is_in_note() and "id" in node.attributes:
            self.enter_note(node)
        if is_apart or OLD_TAB in classes:
            with self.enclosed():
                self._block(node, classes, "admonition" if is_apart else kind)
        else:
            self._block(node, classes, kind)
        if self.page.is_footnote():
            self.page.current_section = home
        self.page.leave(around)

    def _block(self, node: LexborNode, classes: Collection[str], kind: ChunkKind) -> None:
        """Calls the reader that takes a block; walks through a block that no reader takes."""
        self.page.locate(node)
        for reader in self._readers:
            if reader.takes(node, classes):
                reader.read(self, node, kind)
                return
        self.link_around(node)
        self.children(node, kind)

    def enter_note(self, note: LexborNode) -> None:
        """Enters a footnote and the section that refers to it. If that is not known, the note stays where it stands."""
        section = section_of_note(note, self._ids, self.page.section_by_node)
        if section is not None:
            self.page.current_section = section
        self.page.enter_note(note)

    @contextmanager
    def enclosed(self) -> Generator[None]:
        """Sections that headings begin in this block end with it, as at the end of a fold or a panel of tabs.

        Otherwise the text of the second tab would be cited by a heading in the first, which is hidden then.
        """
        headings, position = list(self._headings), self.page.position()
        yield
        self._headings = headings
        self.page.go_back_to(position)

    def link_around(self, node: LexborNode) -> None:
        """Records the link of an `a` element around blocks: a card, say."""
        target = node.attributes.get("href") if node.tag == "a" else None
        if target is not None:
            self.page.links.append(ParsedLink(target, clean_text(node.text(separator=" ")), self.page.current_section))

    def _heading(self, node: LexborNode, level: int) -> None:
        """Begins a section at a heading with an id, and a paragraph at one without."""
        page = self.page
        page.end_excluded(level)
        page.locate_ids(node)
        if page.is_footnote():
            # The heading "Footnotes", for screen readers. The notes under it belong to other sections.
            return
        if "data-search-exclude" in node.attributes or _is_tag(node):
            page.exclude(level)
            return
        title = shortened(inline_text(node) or _image_title(node), TITLE_MOST)
        if not title:
            # An empty heading begins no section. Its id is kept like any other.
            return
        while len(self._headings) > 1 and page.sections[self._headings[-1]].level >= level:
            self._headings.pop()
        parent = self._headings[-1]
        anchor_node = heading_anchor(node, self.unreachable)
        if anchor_node is None:
            # Without an id no link can lead here, so the text belongs to the nearest enclosing section that has one.
            page.current_section = parent
            if title != page.sections[0].title:
                # The title of an admonition is a heading in Docusaurus 2, Bootstrap and DocBook.
                is_title = page.role == "title" or page.begins_admonition()
                page.add_block("prose", title, starts=True, role="title" if is_title else "heading")
            return
        # mkdocstrings marks the headings of documented objects with this class.
        kind: AnchorKind = "object" if has_class(node, "doc-heading") else "heading"
        page.open_section(anchor_node, kind, level, title, parent)
        for alias in aliases_before(node):
            if alias.mem_id not in page.cited:
                page.locate_ids(alias)
        self._headings.append(page.current_section)


def _is_tag(node: LexborNode) -> bool:
    """Whether a heading is a tag in Material's list of tags: only titles of pages stand under it, and no text."""
    return (node.attributes.get("id") or "").startswith("tag:") and node.css_first(".md-tag") is not None


def _image_title(node: LexborNode) -> str:
    """The alternative texts of the pictures in a heading."""
    images = node.css("img[alt]")
    return clean_text(" ".join(image.attributes.get("alt") or "" for image in images))
