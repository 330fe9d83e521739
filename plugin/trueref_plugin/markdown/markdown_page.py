"""The text of a page as Markdown for exports: headings, code, lists, tables. It has no links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from trueref_core.documents import page_of_anchor
from trueref_core.export.marked_files import page_heading
from trueref_core.text.table_rows import escape_bars, split_row, write_divider, write_row
from trueref_plugin.markdown.markdown_text import inline, paragraph
from trueref_plugin.reading.parsed import Block, ParsedPage, ParsedSection

_TICKS: Final = re.compile(r"`{3,}")
"""Matches a run of backticks that could end a fence."""

_ITEM: Final = re.compile(r"( *)((?:-|\d{1,5}\.) )")
"""Matches the beginning of an item: the spaces before it, and its dash or number."""

_INFO_STRING: Final = re.compile(r"[\w+#.-]{0,40}")
"""Matches the name of a language that may stand behind the backticks that open a fence."""

_INDENT: Final = 2
"""Spaces that `reading/blocks/lists.py` puts before an item for each list around it."""


def page_markdown(parsed: ParsedPage) -> str:
    """A page as Markdown: its title, and its blocks under the headings of their sections."""
    writer = _PageWriter(parsed)
    if parsed.title:
        writer.add(f"# {_heading(parsed.title)}")
    for (kind, section, _), blocks in groupby(parsed.blocks, key=writer.run_key):
        writer.open(section)
        writer.add_blocks(kind, list(blocks))
    return "\n\n".join(writer.parts) + "\n" if writer.parts else ""


def pdf_markdown(parsed: ParsedPage) -> str:
    """A PDF as Markdown: its title, and all its pages in order, also those without text.

    The heading of a page has a form that no line of the text can have, so that the pages can be separated again.
    """
    blocks = {index: list(group) for index, group in groupby(parsed.blocks, key=lambda block: block.section)}
    parts = [f"# {inline(parsed.title)}"]
    for index, section in enumerate(parsed.sections):
        number = page_of_anchor(section.anchor)
        if number is not None:
            parts.append(page_heading(number))
            parts.extend(block_markdown(block) for block in blocks.get(index, ()))
    return "\n\n".join(parts) + "\n"


@dataclass(slots=True)
class _PageWriter:
    """Writes a page part by part."""

    parsed: ParsedPage
    parts: list[str] = field(default_factory=list[str])
    """The parts written so far, which will be separated by blank lines."""
    opened: set[int] = field(default_factory=lambda: {0})
    """Indexes of the sections whose heading is written. The page top has no heading of its own."""
    row_anchors: set[str] = field(init=False)
    """Ids of rows of tables."""
    sections_of_one_block: set[int] = field(init=False)
    """Indexes of the sections that have a single block."""

    def __post_init__(self) -> None:
        self.row_anchors = {
            anchor.anchor for anchor in self.parsed.anchors if anchor.kind == "row" and not anchor.duplicate
        }
        counts = Counter(block.section for block in self.parsed.blocks)
        self.sections_of_one_block = {section for section, count in counts.items() if count == 1}

    def run_key(self, block: Block) -> tuple[str, int, str]:
        """A key that is equal for blocks that are written as one, such as rows of a table that are sections each."""
        section = block.section
        while self._is_row(section):
            section = self.parsed.sections[section].parent
        return (block.kind, section, block.header if block.kind == "table" else "")

    def open(self, index: int) -> None:
        """Writes the heading of a section and the headings above it, except those that are written already."""
        path: list[int] = []
        while index >= 0 and index not in self.opened:
            path.append(index)
            index = self.parsed.sections[index].parent
        for number in reversed(path):
            self.opened.add(number)
            section = self.parsed.sections[number]
            if not self._is_title(section):
                self.add(_section_heading(section))

    def add_blocks(self, kind: str, blocks: list[Block]) -> None:
        """Writes neighbouring blocks of one kind in one section."""
        if kind == "table":
            self.add(table(blocks[0].header, [row for block in blocks for row in block.units]))
            return
        for block in blocks:
            # A section without text has its own title as a block, but its heading is written already.
            if block.section in self.sections_of_one_block and block.text == self.parsed.sections[block.section].title:
                continue
            self.add(block_markdown(block))

    def add(self, part: str) -> None:
        """Adds a part, unless it is empty."""
        if part:
            self.parts.append(part)

    def _is_row(self, section: int) -> bool:
        """Whether a section is a row of a table that has an id."""
        candidate = self.parsed.sections[section]
        return candidate.level == 0 and candidate.anchor in self.row_anchors

    def _is_title(self, section: ParsedSection) -> bool:
        """Whether a section has the title of the page, which is written already."""
        return section.level == 1 and section.title == self.parsed.title


def _section_heading(section: ParsedSection) -> str:
    """The heading of a section, at its level."""
    # Terms and objects of a definition list have no level: their titles are set in bold.
    mark = "#" * section.level
    return f"{mark} {_heading(section.title)}" if mark else _strong(section.title)


def _heading(title: str) -> str:
    """A title, escaped to stand behind the `#` marks of a heading."""
    text = inline(title)
    # A `#` at the end would be read as the closing mark of the heading, and would not be shown.
    return f"{text[:-1]}\\#" if text.endswith("#") else text


def _strong(text: str) -> str:
    """A text in bold, with the characters escaped that Markdown would interpret."""
    return f"**{inline(text)}**"


def block_markdown(block: Block) -> str:
    """One block as Markdown."""
    if block.kind == "table":
        return table(block.header, list(block.units))
    if block.kind == "code":
        return _code(block)
    if block.kind == "list":
        return _list(block.units or (block.text,))
    text = "\n".join(map(_strong, block.text.split("\n"))) if block.starts else paragraph(block.text)
    return "> " + text.replace("\n", "\n> ") if block.kind == "admonition" else text


def _code(block: Block) -> str:
    """A block of code, in a fence that is longer than any fence in the code."""
    longest = max((len(run) for run in _TICKS.findall(block.text)), default=2)
    fence = "`" * (longest + 1)
    language = block.code_language if _INFO_STRING.fullmatch(block.code_language) else ""
    return f"{fence}{language}\n{block.text}\n{fence}"


def table(header: str, rows: Sequence[str]) -> str:
    """A header and rows as a Markdown table of GitHub's flavour.

    The header gets as many columns as the longest row: programs that read Markdown drop cells beyond its columns.
    """
    # Text is escaped for Markdown first, and bars after that, also in code: in a table, `\|` is a bar even in code.
    lines = [[escape_bars(inline(cell)) for cell in split_row(row)] for row in (header, *rows)]
    columns = max(map(len, lines))
    head, *body = [[*cells, *[""] * (columns - len(cells))] for cells in lines]
    return "\n".join([write_row(head), write_divider(columns), *map(write_row, body)])


def _list(units: tuple[str, ...]) -> str:
    """The items of a list. A nested item is indented as far as the text of the item around it, as Markdown requires."""
    lines: list[str] = []
    widths: list[int] = []
    for unit in units:
        for line in unit.split("\n"):
            item = _ITEM.match(line)
            if item is not None:
                del widths[len(item[1]) // _INDENT :]
                lines.append(" " * sum(widths) + item[2] + paragraph(line[item.end() :]))
                widths.append(len(item[2]))
            else:
                lines.append(" " * sum(widths) + paragraph(line.lstrip(" ")))
    return "\n".join(lines)
