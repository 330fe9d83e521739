"""Collects what a walk over a page finds: its sections, blocks and links, and the section that each id belongs to."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from trueref_core.records import AnchorKind, BlockRole, ChunkKind
from trueref_core.text.printable import shortened
from trueref_plugin.reading.inline import InlineText, without_footnote_marks
from trueref_plugin.reading.markup.containers import ADMONITION, FOOTNOTES, LIST, ORDERED_LIST
from trueref_plugin.reading.parsed import Block, ParsedLink, ParsedSection
from trueref_plugin.reading.targets import anchor_name

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_KEEPING_THEIR_ROLE: Final = frozenset[ChunkKind](("code", "list", "table"))
"""Kinds of blocks that do not take over the role of the element around them, unless that role is `furniture`."""

MAX_TITLE: Final = 1000
"""Characters of a title at most: every chunk of its section repeats it."""
MAX_BREADCRUMB: Final = 12
"""Titles in a breadcrumb at most: every section repeats the titles of all sections around it."""
MAX_BREADCRUMB_TITLE: Final = 200
"""Characters of a title in a breadcrumb at most."""

_MAX_PATH_DEPTH: Final = 15
"""Containers that a path names at most. Otherwise paths of deeply nested quotations would be longer than the texts."""

_FURNITURE_LINE: Final = re.compile(
    r"\(\d{1,3}\)!?|\[source\]|(?:edit|view) (?:this page|(?:page )?source|on git(?:hub|lab))|show source|back to top"
    # The file of an object: the Markdown of TypeDoc, and pages written by hand.
    r"|\[src\]|defined in: ?[^\s:]{1,300}\.[a-z]\w{0,9}:\d{1,6}"
    # Links through the pages of a manual, such as `Next Previous Contents`: LinuxDoc and pages written by hand.
    r"|(?:(?:next|prev|previous|up|top|home|contents|index)(?: page)?(?:[ |,-]{1,5}|$)){2,6}"
    # Above the list of the pages below: LaTeX2HTML.
    r"|subsections"
    # When a page was changed: written by hand.
    r"|(?:page |document )?last (?:modified|updated|changed|revised)(?: on|:)? [^\n]{0,30}\d{4}[^\n]{0,30}"
    # The first and the last lines of a page of man2html.
    r"|section: [^\n]{1,100}\n(?:updated: [^\n]{0,100}\n)?index(?: return to main contents)?"
    r"|this document was created by ?\n?man2html[^\n]{0,100}(?:\n[^\n]{0,100})?"
    r"|this document was translated from latex by hevea\.?",
    re.IGNORECASE,
)
"""Matches lines without content: the number of an annotation of Material, links to edit a page or to see its source,
and what old manuals write above and below their text."""
_FURNITURE_LINK: Final = "src"
"""A line without content if it is a link: to the source of an object. Without a link it may be the name of a folder."""


class PageBuilder:
    """The content of a page, which one walk collects from top to bottom. The first section is the page top."""

    def __init__(self, page_title: str) -> None:
        self.sections: list[ParsedSection] = [ParsedSection("", 0, page_title, (), -1)]
        self.links: list[ParsedLink] = []
        self.text = InlineText()
        """The running text that is in no block yet."""
        self.current_section = 0
        """Index of the section that the next block belongs to."""
        self.cited: dict[int, tuple[AnchorKind, int, str]] = {}
        """By node (`mem_id`): the kind, the level and the text of a cited anchor."""
        self.section_by_node: dict[int, int] = {}
        """By node with an id: the index of the section that it stands in."""
        self.path = ""
        """The containers around the next block; see `Block`."""
        self.role: BlockRole = "text"
        """The role of the next block, as given by the elements around it."""
        self.line_role: BlockRole | None = None
        """The role of the running text, if an element in it gives one."""
        self._container_counts: dict[str, int] = {}
        """By letter: how many containers the page has so far."""
        self._blocks: list[Block] = []
        self._blocks_before: list[int] = [0]
        """By section: how many blocks the page had when the section began."""
        self._excluded_level: int | None = None
        """Level of the heading whose section is being left out of the search, None outside of such a section."""
        self._without_title_block: set[int] = {0}
        """Sections that get no block for their title alone: the page itself, and those left out of the search."""

    def open_section(
        self, node: LexborNode, kind: AnchorKind, level: int, title: str, parent: int, *, is_equal: bool = False
    ) -> None:
        """Begins the section that the id of `node` leads to; `parent` is the index of the enclosing one.

        `is_equal`: the title of the enclosing section, which is the page, is not above this one but beside it.
        """
        enclosing = self.sections[parent]
        title = shortened(title, MAX_TITLE)
        self.cited[node.mem_id] = (kind, level, title)
        self.section_by_node[node.mem_id] = parent
        self.current_section = len(self.sections)
        breadcrumb = (*enclosing.breadcrumb, shortened(enclosing.title, MAX_BREADCRUMB_TITLE))
        if len(breadcrumb) > MAX_BREADCRUMB:
            # The titles of the page and of the nearest sections say most. Only generated pages nest this deep.
            breadcrumb = (breadcrumb[0], *breadcrumb[-MAX_BREADCRUMB + 1 :])
        above = () if is_equal else breadcrumb
        self.sections.append(ParsedSection(anchor_name(node), level, title, above, parent))
        self._blocks_before.append(len(self._blocks))
        if self._excluded_level is not None:
            self._without_title_block.add(self.current_section)

    def cite_in_section(self, node: LexborNode, kind: AnchorKind, title: str, max_length: int) -> None:
        """Cites the id of `node` within the current section, which is about this title too.

        The section is titled by all of its titles in `max_length` characters. A title with no room is a line of its
        text.
        """
        self.cited[node.mem_id] = (kind, 0, shortened(title, MAX_TITLE))
        section = self.sections[self.current_section]
        titles = f"{section.title}, {title}"
        if len(titles) <= max_length:
            self.sections[self.current_section] = replace(section, title=titles)
        else:
            self.add_block("definition", title, role="term")

    def add_block(
        self,
        kind: ChunkKind,
        text: str,
        units: tuple[str, ...] = (),
        *,
        header: str = "",
        code_language: str = "",
        starts: bool = False,
        role: BlockRole = "text",
    ) -> None:
        """Adds a block to the current section; see `Block` for its fields."""
        if self._excluded_level is not None:
            return
        if self.role == "furniture" or (role == "text" and kind not in _KEEPING_THEIR_ROLE):
            role = self.role
        header, header_notes = without_footnote_marks(header)
        cleaned_units = [without_footnote_marks(unit) for unit in units]
        text, notes = without_footnote_marks(text)
        if kind == "table":
            notes_by_row = [header_notes, *(row_notes for _, row_notes in cleaned_units)]
            notes = tuple((note, row) for row, row_notes in enumerate(notes_by_row, -1) for note, _ in row_notes)
        self._blocks.append(
            Block(
                kind,
                text,
                self.current_section,
                tuple(unit for unit, _ in cleaned_units),
                header,
                code_language,
                starts,
                role=role,
                path=self.path,
                notes=notes,
            )
        )

    def name_container(self, letter: str) -> str:
        """A name for the next container of a letter, such as `t2`. Lists with and without numbers share one count."""
        counted_letter = LIST if letter == ORDERED_LIST else letter
        self._container_counts[counted_letter] = self._container_counts.get(counted_letter, 0) + 1
        return f"{letter}{self._container_counts[counted_letter]}"

    def enter(self, container: str = "", role: BlockRole | None = None) -> tuple[str, BlockRole]:
        """Enters a container, or an element with a role. Returns the state around it, which `leave` takes.

        Args:
            container: Name of the container as in `Block.path`, "" for an element that opens none.
            role: Role of the text in the element, None to keep that of the elements around it.
        """
        outer = self.path, self.role
        if container and self.path.count("/") < _MAX_PATH_DEPTH:
            self.path = f"{self.path}/{container}" if self.path else container
        if role is not None and self.role != "furniture":
            self.role = role
        return outer

    def leave(self, outer: tuple[str, BlockRole]) -> None:
        """Leaves what `enter` entered, by returning to the state that `enter` returned."""
        self.path, self.role = outer

    def begins_admonition(self) -> bool:
        """Whether the next block is the first one in an admonition."""
        is_first = not self._blocks or self._blocks[-1].path != self.path
        return is_first and self.path.rpartition("/")[2].startswith(ADMONITION)

    def is_among_footnotes(self) -> bool:
        """Whether the next block stands directly in a box of footnotes, or in a footnote."""
        return self.path.rpartition("/")[2].startswith(FOOTNOTES)

    def enter_footnote(self, node: LexborNode) -> None:
        """Enters a footnote of the current box of footnotes, and leaves the footnote before it."""
        outer_path, slash, container = self.path.rpartition("/")
        number = self.text.footnote_numbers.get(anchor_name(node), 0)
        self.path = f"{outer_path}{slash}{container.partition('.')[0]}.{number}"

    def is_in_footnote(self) -> bool:
        """Whether the next block stands directly in a footnote."""
        return self.is_among_footnotes() and "." in self.path.rpartition("/")[2]

    def exclude(self, level: int) -> None:
        """Leaves everything out of the search up to the next heading of this level or a higher one."""
        if self._excluded_level is None:
            self._excluded_level = level

    def end_excluded(self, level: int) -> None:
        """Ends what `exclude` began, if a heading of this level ends it."""
        if self._excluded_level is not None and level <= self._excluded_level:
            self._excluded_level = None

    def position(self) -> tuple[int, int | None]:
        """The section of the next block, and the level that is being left out. `go_back_to` takes both."""
        return self.current_section, self._excluded_level

    def go_back_to(self, position: tuple[int, int | None]) -> None:
        """Continues at a position that `position` returned."""
        self.current_section, self._excluded_level = position

    def take_text(self) -> str:
        """Takes the running text, cleaned, and records its links in the current section."""
        text = self.text.take()
        self.links.extend(ParsedLink(target, label, self.current_section) for target, label in self.text.links)
        self.text.links.clear()
        return text

    def flush(self, kind: ChunkKind) -> None:
        """Makes a paragraph from the running text, if there is any."""
        has_links = bool(self.text.links)
        text = self.take_text()
        role = self.line_role or "text"
        self.line_role = None
        is_furniture = _FURNITURE_LINE.fullmatch(text) is not None or (has_links and text.lower() == _FURNITURE_LINK)
        if text:
            self.add_block(kind, text, role="furniture" if is_furniture else role)

    def record_section(self, node: LexborNode) -> None:
        """Records that an element stands in the current section."""
        self.section_by_node[node.mem_id] = self.current_section

    def record_section_of_ids(self, node: LexborNode) -> None:
        """Records that an element and every element with an id inside it stand in the current section."""
        self.record_section(node)
        for inner in node.css("[id], a[name]"):
            self.section_by_node[inner.mem_id] = self.current_section

    def blocks(self) -> tuple[Block, ...]:
        """The blocks in reading order. A section with neither text nor subsections gets its own title as a block.

        Without that, a function without a description or a heading over a picture could not be found.
        """
        filled_sections = {block.section for block in self._blocks} | {section.parent for section in self.sections}
        title_blocks: dict[int, list[Block]] = {}
        for index, section in enumerate(self.sections):
            if index not in filled_sections and index not in self._without_title_block and section.title:
                kind: ChunkKind = "prose" if section.level else "definition"
                title_blocks.setdefault(self._blocks_before[index], []).append(Block(kind, section.title, index))
        blocks: list[Block] = []
        for number, block in enumerate(self._blocks):
            blocks.extend((*title_blocks.get(number, ()), block))
        return (*blocks, *title_blocks.get(len(self._blocks), ()))
