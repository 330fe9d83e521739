"""Puts a section together again from its chunks: paragraphs, lists, tables, code and titles, as blocks of the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING, Final

from trueref_core.text.block_marks import read_marks
from trueref_core.text.table_rows import begins_row, ends_row, split_table

if TYPE_CHECKING:
    from trueref_core.records import BlockRole, Chunk, ChunkKind

_LABEL: Final = re.compile(r"[A-Z][a-z]{1,20}(?: [a-z]{1,20}){0,2}:")
"""A term that says which part of a description follows, such as `Default:`. Options are in small letters, or code."""


@dataclass(frozen=True, slots=True)
class SectionBlock:
    """A block as the page has it.

    `role`, `path` and `notes` are those of the build's `Block`, with `path` split into its steps. `chunk` is the id of
    the chunk in which it begins. `adjoins` says that nothing is between the previous block and this one: between two
    chunks of a section there may be other sections. `is_question` says of a heading that it is a question of the
    text, and counts for the block right below it alone.
    """

    kind: ChunkKind
    role: BlockRole
    text: str
    chunk: str
    path: tuple[str, ...] = ()
    code_language: str = ""
    adjoins: bool = True
    notes: tuple[tuple[int, int], ...] = ()
    is_question: bool = False


_NEXT_ITEM: Final = re.compile(r"\n(?:-|\d{1,5}\.) ")

_ITEM: Final = re.compile(r"(?:-|\d{1,5}\.) ")

_BEFORE_ITEM: Final = re.compile(r"\n(?=(?:-|\d{1,5}\.) )")


def section_blocks(chunks: Sequence[Chunk]) -> list[SectionBlock]:
    """The blocks of a section, in order and whole.

    Args:
        chunks: Chunks of one section that follow one another, in the order of the page. If they begin in the middle of
            a table or a list, it begins at its next row or item; a block of another kind is left out. So a torn piece
            is never shown.
    """
    blocks: list[SectionBlock] = []
    previous_chunk = ""
    for chunk in chunks:
        # Chunks of one section need not follow one another: a long section is read around the chunk that was found.
        follows = bool(blocks) and chunk.previous == previous_chunk
        previous_chunk = chunk.id
        marks = read_marks(chunk)
        ends = [*(mark.offset for mark in marks), len(chunk.text)]
        # Text before the first mark of a chunk continues the last block of the chunk before.
        if follows and (continued := chunk.text[chunk.overlap : ends[0]].rstrip()):
            blocks[-1] = replace(blocks[-1], text=blocks[-1].text + _gap(chunk, blocks[-1].kind) + continued)
        elif not follows and chunk.kind == "list" and (items := _from_next("list", chunk.text[: ends[0]].rstrip())):
            blocks.append(SectionBlock("list", "text", items, chunk.id, adjoins=False))
        for number, (mark, end) in enumerate(zip(marks, ends[1:], strict=True)):
            text = chunk.text[mark.offset : end].rstrip()
            # Without its beginning only whole rows or items of a block are shown, never a torn piece.
            if mark.continued and not follows:
                text = _from_next(mark.kind, text)
            if not mark.continued or (text and not follows):
                path = tuple(mark.path.split("/")) if mark.path else ()
                adjoins = follows or number > 0
                blocks.append(
                    SectionBlock(mark.kind, mark.role, text, chunk.id, path, chunk.code_language, adjoins, mark.notes)
                )
            elif follows:
                blocks[-1] = replace(blocks[-1], text=blocks[-1].text + _rows_after(blocks[-1].text, text))
    return blocks


def is_furniture(chunks: Sequence[Chunk]) -> bool:
    """Whether all blocks that begin in some chunks are furniture of the page: lines of links to others, or an index."""
    roles = {mark.role for chunk in chunks for mark in read_marks(chunk)}
    return roles == {"furniture"}


def _from_next(kind: ChunkKind, text: str) -> str:
    """A piece of a table or list whose beginning is missing, from its first whole row or item; "" if it has none."""
    if kind == "table":
        header, rows = split_table(text)
        whole_rows = rows if rows and begins_row(rows[0]) else rows[1:]
        return "\n".join([*header, *whole_rows]) if header and whole_rows else ""
    if kind == "list":
        next_item = _NEXT_ITEM.search(text)
        return text[next_item.start() + 1 :] if next_item else ""
    return ""


def _gap(chunk: Chunk, kind: ChunkKind) -> str:
    """The white space at which a block was cut in two: the overlap of the second chunk ends with it."""
    repeated = chunk.text[: chunk.overlap]
    if repeated:
        return repeated[len(repeated.rstrip()) :]
    return "\n" if kind in ("list", "table") else " "


def _rows_after(text: str, continuation: str) -> str:
    """The second piece of a table without its repeated header, with the line break or space that joins it to `text`."""
    rows = "\n".join(split_table(continuation)[1])
    return f"\n{rows}" if ends_row(text) and begins_row(rows) else f" {rows}"


def items_of(text: str) -> list[str]:
    """The items of a list, each with the lines that belong to it: nested items and further paragraphs are indented."""
    items: list[list[str]] = []
    for line in text.split("\n"):
        if items and line.startswith(" "):
            items[-1].append(line)
        else:
            items.append([line])
    return ["\n".join(item) for item in items]


def blocks_by_item(blocks: Sequence[SectionBlock], container: str) -> list[list[SectionBlock]]:
    """The blocks of a list, those of each item together: its text with the code, the boxes and the lists inside it.

    Args:
        blocks: The blocks of the list.
        container: The step of the list in their paths.
    """
    items: list[list[SectionBlock]] = [[]]
    for block in blocks:
        is_text_of_list = block.kind == "list" and block.path[-1] == container
        for number, text in enumerate(_BEFORE_ITEM.split(block.text) if is_text_of_list else [block.text]):
            # The text of an item goes on behind its code without a mark.
            if is_text_of_list and _ITEM.match(text):
                items.append([])
            items[-1].append(replace(block, text=text, adjoins=block.adjoins or number > 0))
    return [item for item in items if item]


def panels_of(block: SectionBlock) -> tuple[tuple[str, str], ...]:
    """The outermost set of tabs around a block and its panel there, then those of the sets right inside that panel.

    A set of tabs in a list or a box of a panel is part of what the list or the box says.
    """
    steps = dropwhile(lambda step: not step.startswith("t"), block.path)
    return tuple(
        (tabs, panel)
        for tabs, _, panel in (step.partition(".") for step in takewhile(lambda step: step.startswith("t"), steps))
    )


def frame_of(block: SectionBlock) -> str:
    """The innermost frame that a caption is in: a figure, a block of code, or a table; "" outside of frames."""
    return next((step for step in reversed(block.path) if step.startswith("f")), "")


def without_lists_of_definitions(blocks: Sequence[SectionBlock]) -> list[SectionBlock]:
    """The blocks, without the step in their paths of a list whose items are nothing but definitions.

    reStructuredText makes one of `- name` with an indented line below: it looks like a list of names with what they
    mean, and is read like any other. As a list it would be one passage, however many names it has.
    """
    others = {block.path[0] for block in blocks if block.path[:1] and not _is_definition_in_list(block)}
    return [
        replace(block, path=block.path[1:]) if _is_definition_in_list(block) and block.path[0] not in others else block
        for block in blocks
    ]


def _is_definition_in_list(block: SectionBlock) -> bool:
    """Whether a block is of a definition that is right inside an item of an outermost list."""
    return len(block.path) > 1 and block.path[0].startswith("l") and block.path[1].startswith("d")


def entry_of(container: str, members: Sequence[SectionBlock]) -> str:
    """The id of the definition that some blocks are of, "" outside of definitions.

    Labels with a colon are one entry together: `Description:`, `Level:` and `Default:` all say what the section is
    about, and none of them is another option.
    """
    if not container.startswith("d"):
        return ""
    term = next((block.text for block in members if block.role == "term"), "")
    return container.partition(".")[0] if _LABEL.fullmatch(term) else container


def definition_inside(block: SectionBlock, container: str) -> str:
    """The outermost definition around a block that is inside the definition `container`; "" if there is none."""
    inside = block.path[block.path.index(container) + 1 :]
    return next((step for step in inside if step.startswith("d")), "")
