"""Collects what a walk over a page finds: its sections, blocks and links, and the section that each id belongs to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trueref_core.records import AnchorKind, BlockRole, ChunkKind
from trueref_core.text.printable import shortened
from trueref_plugin.reading.containers import ADMONITION, FOOTNOTES, LIST, STEPS
from trueref_plugin.reading.inline import InlineText, without_notes
from trueref_plugin.reading.parsed import Block, ParsedLink, ParsedSection
from trueref_plugin.reading.targets import anchor_name

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_OF_THEIR_OWN: Final = frozenset[ChunkKind](("code", "list", "table"))
"""Kinds of blocks that keep the role `text`, whatever the lines around them are. Only in furniture they are furniture
too."""

TITLE_MOST: Final = 1000
"""Characters of a title at most: every chunk of its section repeats it."""
TRAIL_MOST: Final = 12
TRAIL_TITLE_MOST: Final = 200
"""Titles in a breadcrumb at most, and characters of each: every section repeats those of all sections around it."""

_DEEPEST: Final = 15
"""Containers that a path names at most. In deep nesting of quotations, paths would become longer than the texts."""

_FURNITURE: Final = re.compile(
    r"\(\d{1,3}\)!?|\[source\]|(?:edit|view) (?:this page|(?:page )?source|on git(?:hub|lab))|show source|back to top",
    re.IGNORECASE,
)
"""Lines without content: an annotation of Material without its note, links to edit a page or to see its source."""


class PageBuilder:
    """Filled from top to bottom by one walk. The page top is the first section."""

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
        self._numbers: dict[str, int] = {}
        """By letter, how many containers the page has so far."""
        self._blocks: list[Block] = []
        self._opened_at: list[int] = [0]
        self._excluded: int | None = None
        """Level of the heading whose section is being left out of the search, None outside of such a section."""
        self._left_out: set[int] = {0}
        """Sections that get no block for their title alone: the page itself, and those left out of the search."""

    def open_section(self, node: LexborNode, kind: AnchorKind, level: int, title: str, parent: int) -> None:
        """Begins the section that the id of `node` leads to; `parent` is the index of the enclosing one."""
        above = self.sections[parent]
        title = shortened(title, TITLE_MOST)
        self.cited[node.mem_id] = (kind, level, title)
        self.section_by_node[node.mem_id] = parent
        self.current_section = len(self.sections)
        trail = (*above.breadcrumb, shortened(above.title, TRAIL_TITLE_MOST))
        # The page and the nearest sections say most. Only generated pages nest deeper than this.
        trail = trail if len(trail) <= TRAIL_MOST else (trail[0], *trail[-TRAIL_MOST + 1 :])
        self.sections.append(ParsedSection(anchor_name(node), level, title, trail, parent))
        self._opened_at.append(len(self._blocks))
        if self._excluded is not None:
            self._left_out.add(self.current_section)

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
        if self._excluded is not None:
            return
        if self.role == "furniture" or (role == "text" and kind not in _OF_THEIR_OWN):
            role = self.role
        header, in_header = without_notes(header)
        parts = [without_notes(unit) for unit in units]
        text, notes = without_notes(text)
        if kind == "table":
            rows = [in_header, *(row_notes for _, row_notes in parts)]
            notes = tuple((note, row) for row, row_notes in enumerate(rows, -1) for note, _ in row_notes)
        self._blocks.append(
            Block(
                kind,
                text,
                self.current_section,
                tuple(unit for unit, _ in parts),
                header,
                code_language,
                starts,
                role=role,
                path=self.path,
                notes=notes,
            )
        )

    def name_container(self, letter: str) -> str:
        """The name of the next container of a kind on this page. Numbered and other lists are counted together."""
        counted = LIST if letter == STEPS else letter
        self._numbers[counted] = self._numbers.get(counted, 0) + 1
        return f"{letter}{self._numbers[counted]}"

    def enter(self, token: str = "", role: BlockRole | None = None) -> tuple[str, BlockRole]:
        """Enters a container (`token`), or an element with a role. Returns the state before it, for `leave`."""
        around = self.path, self.role
        if token and self.path.count("/") < _DEEPEST:
            self.path = f"{self.path}/{token}" if self.path else token
        if role is not None and self.role != "furniture":
            self.role = role
        return around

    def leave(self, around: tuple[str, BlockRole]) -> None:
        """Returns to the state around a container."""
        self.path, self.role = around

    def begins_admonition(self) -> bool:
        """Whether the next block is the first one in an admonition."""
        is_first = not self._blocks or self._blocks[-1].path != self.path
        return is_first and self.path.rpartition("/")[2].startswith(ADMONITION)

    def is_footnote(self) -> bool:
        """Whether the next block stands directly in a box of footnotes, or in a footnote."""
        return self.path.rpartition("/")[2].startswith(FOOTNOTES)

    def enter_note(self, node: LexborNode) -> None:
        """Enters a footnote of a box of footnotes; from another note of the box, that one is left."""
        around, slash, step = self.path.rpartition("/")
        number = self.text.note_numbers.get(anchor_name(node), 0)
        self.path = f"{around}{slash}{step.partition('.')[0]}.{number}"

    def is_in_note(self) -> bool:
        """Whether the next block stands directly in a footnote."""
        return self.is_footnote() and "." in self.path.rpartition("/")[2]

    def exclude(self, level: int) -> None:
        """Leaves out everything up to the next heading of this level or a higher one."""
        if self._excluded is None:
            self._excluded = level

    def end_excluded(self, level: int) -> None:
        """Adds blocks again if a heading of this level ends the section that is left out."""
        if self._excluded is not None and level <= self._excluded:
            self._excluded = None

    def position(self) -> tuple[int, int | None]:
        """The section of the next block, and the level that is being left out, for `go_back_to`."""
        return self.current_section, self._excluded

    def go_back_to(self, inside: tuple[int, int | None]) -> None:
        """Continues in an earlier section."""
        self.current_section, self._excluded = inside

    def take_text(self) -> str:
        """Takes the running text, cleaned, and records its links in the current section."""
        text = self.text.take()
        self.links.extend(ParsedLink(target, label, self.current_section) for target, label in self.text.links)
        self.text.links.clear()
        return text

    def flush(self, kind: ChunkKind) -> None:
        """Makes a paragraph from the running text, if there is any."""
        text = self.take_text()
        role = self.line_role or "text"
        self.line_role = None
        if text:
            self.add_block(kind, text, role="furniture" if _FURNITURE.fullmatch(text) else role)

    def locate(self, node: LexborNode) -> None:
        """Records that an element stands in the current section."""
        self.section_by_node[node.mem_id] = self.current_section

    def locate_ids(self, node: LexborNode) -> None:
        """Records that every element with an id inside an element stands in the current section."""
        self.locate(node)
        for inner in node.css("[id], a[name]"):
            self.section_by_node[inner.mem_id] = self.current_section

    def blocks(self) -> tuple[Block, ...]:
        """The blocks in reading order. A section with neither text nor subsections gets its own title as a block.

        Without that, a function without a description or a heading over a picture could not be found.
        """
        filled = {block.section for block in self._blocks} | {section.parent for section in self.sections}
        titles: dict[int, list[Block]] = {}
        for index, section in enumerate(self.sections):
            if index not in filled and index not in self._left_out and section.title:
                kind: ChunkKind = "prose" if section.level else "definition"
                titles.setdefault(self._opened_at[index], []).append(Block(kind, section.title, index))
        blocks: list[Block] = []
        for number, block in enumerate(self._blocks):
            blocks.extend((*titles.get(number, ()), block))
        return (*blocks, *titles.get(len(self._blocks), ()))
