"""The footnotes of a section, each with the words that refer to it.

Generators put notes at the end of the page. The build says for every block to which notes it refers, and where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, groupby
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_core.text.table_rows import split_table
from trueref_server.answering.sections.section_blocks import SectionBlock, items_of

_FOOTNOTE_STEP: Final = "b"
"""The letter with which the step of a path begins that means a footnote."""


def is_footnote(block: SectionBlock) -> bool:
    """Whether a block is in a container that the build marks as a footnote."""
    return any(step.startswith(_FOOTNOTE_STEP) for step in block.path)


def footnotes(blocks: Sequence[SectionBlock]) -> Iterator[tuple[SectionBlock | None, int, list[SectionBlock]]]:
    """The notes of a section, in order: the block that refers to each, the position of the mark, and the note's blocks.

    The block that refers to a note is None if the mark is in a title, or is not among the blocks. Notes without a
    number are left out: nothing refers to them, or the index does not say what does, and several of them would be taken
    for one.
    """
    # In reverse order, so that the first of two marks of a note counts.
    marks = {number: (block, position) for block in reversed(blocks) for number, position in reversed(block.notes)}
    for step, group in groupby(filter(is_footnote, blocks), key=_step):
        number = int(step.partition(".")[2] or 0)
        if not number:
            continue
        block, position = marks.get(number, (None, 0))
        yield block if block is not None and block.role == "text" else None, position, list(group)


def _step(block: SectionBlock) -> str:
    """The step of a path that says which note a block belongs to: `b1.2` for the second one of the page."""
    return next(step for step in block.path if step.startswith(_FOOTNOTE_STEP))


def referring_part(block: SectionBlock, position: int) -> SectionBlock | None:
    """The sentence, the item or the row of a block that refers to a note; None if the block was read only in part.

    Args:
        block: The block with the mark.
        position: The number of characters before the mark. In a table it is the number of the row, from 0, or -1 for
            the header.
    """
    if block.kind == "table":
        header, rows = split_table(block.text)
        if position >= len(rows):
            return None
        return replace(block, text="\n".join([*header, *rows[max(position, 0) :][:1]]))
    if block.kind == "list":
        ends = [*accumulate(len(item) + 1 for item in items_of(block.text))]
        spans = list(zip([0, *ends], (end - 1 for end in ends), strict=False))
    else:
        spans = split_sentences(block.text)
    # A mark stands right after the last word that it belongs to.
    return next((replace(block, text=block.text[start:end]) for start, end in spans if position <= end), None)
