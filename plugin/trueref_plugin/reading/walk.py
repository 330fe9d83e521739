"""Walks the content of a page once, from top to bottom, and hands each block to the reader of its kind.

The walk is a plain recursion over the tree. A page that is nested deep enough to exhaust the stack is parsed in the
guarded child, which has a larger stack: see `prescan`. The walk itself reads headings, because a heading decides to
which section everything after it belongs. Every other kind of block has a module with a `BlockReader`, and
`blocks/block_readers.py` lists these.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Protocol

from trueref_core.records import AnchorKind, ChunkKind
from trueref_core.text.printable import shortened
from trueref_plugin.reading.elements import HEADINGS, children, class_names, has_class, is_inline
from trueref_plugin.reading.markup.clean import clean_text, is_admonition, is_dropped
from trueref_plugin.reading.markup.containers import (
    ADMONITION,
    FOOTNOTES,
    LEGACY_TAB_PANEL,
    container_of,
    inline_role_of,
    role_of,
)
from trueref_plugin.reading.markup.page_furniture import contents_below, is_text_behind
from trueref_plugin.reading.page_builder import MAX_TITLE, PageBuilder
from trueref_plugin.reading.parsed import ParsedLink
from trueref_plugin.reading.targets import anchors_before, are_side_by_side, heading_anchor, section_of_footnote
from trueref_plugin.reading.titles import title_of_heading

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


class BlockReader(Protocol):
    """Reads one kind of block. A reader serves one page, so it may remember elements of it."""

    tags: ClassVar[frozenset[str]] = frozenset()
    """The tags of the elements that it reads. A reader that decides by something else has its own `takes`."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # others need the classes
        """Whether an element is a block of this kind. `classes` are the classes of the element."""
        return node.tag in self.tags

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """Reads the block into `walk.page`. `kind` is the kind of the running text around it."""
        ...


class Walk:
    """One walk over the content of one page, which is built up in `page`.

    Args:
        page_title: The title of the page top, which is the first section.
        readers: The first reader that takes a block reads it. If none does, the walk goes through the block's children.
        unreachable: Nodes (`mem_id`) whose id an earlier element has too. A link leads to the earlier element, so these
            nodes begin no section.
        node_by_id: By id: the node (`mem_id`) that a link to the id leads to.
    """

    def __init__(
        self,
        page_title: str,
        readers: Sequence[BlockReader],
        unreachable: Container[int],
        node_by_id: Mapping[str, int],
    ) -> None:
        self.page = PageBuilder(page_title)
        self.unreachable = unreachable
        self._readers = readers
        self._node_by_id = node_by_id
        self._headings: list[tuple[int, int]] = [(0, 0)]
        """The sections that the next heading may be a subsection of, the page top first: the index of each, and the
        level of the headings that end it."""
        self._kept_headings = 1
        """How many of these no heading ends: the page top, and the headings of the articles that are being read."""
        self._is_article_untitled = False
        """Whether an article is being read that had no heading so far."""
        self._title: LexborNode | None = None
        """The heading with the title of the page, None as long as none was read."""
        self._read_ahead: set[int] = set()
        """The blocks (`mem_id`) that were read together with one before them."""

    def children(self, node: LexborNode, kind: ChunkKind = "prose") -> None:
        """Walks the children of a block element; text between blocks becomes paragraphs of `kind`."""
        for child in children(node):
            self.child(child, kind)
        self.page.flush(kind)

    def child(self, node: LexborNode, kind: ChunkKind) -> None:
        """Reads a text node or an element. Running text is collected until a block ends it."""
        if node.tag == "-text":
            self.page.text.add(node)
        elif is_dropped(node) or (self.page.is_among_footnotes() and has_class(node, "label")):
            # If the page refers to a footnote twice, docutils writes the number of the footnote as text.
            self.page.record_section_of_ids(node)
            self.page.text.add_footnote_mark(node)
        elif is_inline(node):
            self.page.record_section_of_ids(node)
            self.page.line_role = inline_role_of(node) or self.page.line_role
            self.page.text.add(node)
        else:
            self.page.flush(kind)
            self.block(node, kind)

    def block(self, node: LexborNode, kind: ChunkKind) -> None:
        """Reads a block element, inside the container that it opens and with the role that it gives."""
        tag = node.tag or ""
        if node.mem_id in self._read_ahead:
            return
        if tag in HEADINGS:
            self._heading(node, HEADINGS[tag])
            return
        contents = contents_below(node) if tag == "p" and self.page.role != "furniture" else None
        if contents is not None:
            self.page.record_section_of_ids(node)
            self._leave_out(contents)
            return
        classes = class_names(node)
        is_admonition_block = is_admonition(node, classes)
        letter = ADMONITION if is_admonition_block else container_of(node, classes)
        # Generators put a list of footnotes into a box of footnotes. Both together are one container.
        if letter == FOOTNOTES and self.page.is_among_footnotes():
            letter = ""
        outer = self.page.enter(self.page.name_container(letter) if letter else "", role_of(node, classes))
        section_before = self.page.current_section
        # A footnote stands at the end of the page, and belongs to the section that refers to it.
        if self.page.is_among_footnotes() and not self.page.is_in_footnote() and "id" in node.attributes:
            self.enter_footnote(node)
        if tag == "article":
            with self._article():
                self._read_block(node, classes, kind)
        elif is_admonition_block or LEGACY_TAB_PANEL in classes:
            with self.enclosed():
                self._read_block(node, classes, "admonition" if is_admonition_block else kind)
        else:
            self._read_block(node, classes, kind)
        if self.page.is_among_footnotes():
            self.page.current_section = section_before
        self.page.leave(outer)

    def block_ahead(self, node: LexborNode, kind: ChunkKind) -> None:
        """Reads a block that follows the one that is being read, because both belong together."""
        self.block(node, kind)
        self._read_ahead.add(node.mem_id)

    def skip(self, node: LexborNode) -> None:
        """Leaves out a block from now on, because it was read together with one before it."""
        self._read_ahead.add(node.mem_id)

    def _read_block(self, node: LexborNode, classes: Collection[str], kind: ChunkKind) -> None:
        """Calls the first reader that takes a block. If no reader does, walks through the children of the block."""
        self.page.record_section(node)
        for reader in self._readers:
            if reader.takes(node, classes):
                reader.read(self, node, kind)
                return
        self.link_around(node)
        self.children(node, kind)

    def enter_footnote(self, footnote: LexborNode) -> None:
        """Enters a footnote and the section that refers to it. If no section is known, the current one is kept."""
        section = section_of_footnote(footnote, self._node_by_id, self.page.section_by_node)
        if section is not None:
            self.page.current_section = section
        self.page.enter_footnote(footnote)

    @contextmanager
    def enclosed(self) -> Generator[None]:
        """Ends the sections that begin inside a `with` block together with it: for admonitions and panels of tabs.

        Otherwise the text of the second panel would be cited by a heading of the first, which is hidden while a reader
        sees the second.
        """
        headings, position = list(self._headings), self.page.position()
        yield
        self._headings = headings
        self.page.go_back_to(position)

    @contextmanager
    def _article(self) -> Generator[None]:
        """Keeps what is read inside a `with` block together, whatever ranks its headings have.

        An article stands for itself: Erlang writes a function with a heading `h4`, and an `h3` in its description.
        """
        kept, is_in_article = self._kept_headings, self._is_article_untitled
        self._is_article_untitled = True
        with self.enclosed():
            yield
        self._kept_headings, self._is_article_untitled = kept, is_in_article

    def begin_headings_below(self, section: int, *, ends_at_headings_around: bool = False) -> None:
        """Makes the headings that follow subsections of a section that has no heading: that of a documented object.

        Args:
            section: The index of the section.
            ends_at_headings_around: Whether a heading that ends the section around it ends it too. Otherwise no heading
                does, and a list that the page forgets to close would take in the rest of the page.
        """
        self._headings.append((section, self._headings[-1][1] if ends_at_headings_around else 0))

    def section_of_heading(self) -> int:
        """The index of the section of the last heading: an object that begins here and has no heading belongs to it."""
        return self._headings[-1][0]

    def link_around(self, node: LexborNode) -> None:
        """Records the link of an `a` element that contains blocks, such as a card."""
        target = node.attributes.get("href") if node.tag == "a" else None
        if target is not None:
            self.page.links.append(ParsedLink(target, clean_text(node.text(separator=" ")), self.page.current_section))

    def _heading(self, node: LexborNode, level: int) -> None:
        """Begins a section at a heading with an id. A heading without an id becomes a paragraph."""
        page = self.page
        page.end_excluded(level)
        page.record_section_of_ids(node)
        if page.is_among_footnotes():
            # The heading "Footnotes", for screen readers. The footnotes under it belong to other sections.
            return
        if "data-search-exclude" in node.attributes or _is_tag_heading(node):
            page.exclude(level)
            return
        title = shortened(title_of_heading(node), MAX_TITLE)
        if not title:
            # An empty heading begins no section. Its id remains an anchor like any other.
            return
        contents = contents_below(node)
        if contents is not None:
            self._leave_out(contents)
            if not is_text_behind(contents):
                return
        anchor_node = heading_anchor(node, self.unreachable)
        # The title of an admonition is a heading in Docusaurus 2, Bootstrap and DocBook. Neither it nor the title of a
        # fold ends the section around it.
        is_title = anchor_node is None and (page.role == "title" or page.begins_admonition())
        while not is_title and len(self._headings) > self._kept_headings and self._headings[-1][1] >= level:
            self._headings.pop()
        parent = self._headings[-1][0]
        if anchor_node is None:
            # Without an id no link can lead here, so the text belongs to the nearest enclosing section that has one.
            page.current_section = page.current_section if is_title else parent
            if title != page.sections[0].title and contents is None:
                page.add_block("prose", title, starts=True, role="title" if is_title else "heading")
            return
        # The class `doc-heading` is what mkdocstrings gives to the headings of documented objects.
        kind: AnchorKind = "object" if has_class(node, "doc-heading") else "heading"
        is_equal = level == 1 and parent == 0 and self._is_beside_title(node, title)
        page.open_section(anchor_node, kind, level, title, parent, is_equal=is_equal)
        for anchor in anchors_before(node):
            if anchor.mem_id not in page.cited:
                page.record_section_of_ids(anchor)
        self._headings.append((page.current_section, level))
        if self._is_article_untitled:
            self._kept_headings, self._is_article_untitled = len(self._headings), False

    def _leave_out(self, contents: LexborNode) -> None:
        """Leaves out a table of contents: a section that has all titles of a page would be found for each of them."""
        self.page.record_section_of_ids(contents)
        self.skip(contents)

    def _is_beside_title(self, node: LexborNode, title: str) -> bool:
        """Whether a heading is no part of what the title of the page is about, but a title beside it.

        A file of Sphinx may have several titles, and the first of them is that of the page. On pages of other
        generators what follows the first `h1` is mostly about it, whatever ranks the headings have.
        """
        if self._title is None and title == self.page.sections[0].title:
            self._title = node
        return self._title is not None and are_side_by_side(self._title, node)


def _is_tag_heading(node: LexborNode) -> bool:
    """Whether a heading is a tag in Material's list of tags. Under such a heading are titles of pages and no text."""
    return (node.attributes.get("id") or "").startswith("tag:") and node.css_first(".md-tag") is not None
