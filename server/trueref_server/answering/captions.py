"""The lines that stand for an excerpt: its beginning, the only line of a folded card, and the quote of a source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_core.text.table_rows import longest_cell, split_row, split_table
from trueref_server.answering.sections.announcements import points_elsewhere
from trueref_server.answering.text_fragments import ITEM
from trueref_server.records import ExcerptBlock

MAX_QUOTE: Final = 300
"""The most characters of the sentence that a source is quoted with. A longer sentence is not quoted at all."""


def opening(blocks: Sequence[ExcerptBlock]) -> str:
    """The first sentence, line or row that is shown; all of the code if the first block is code."""
    first = blocks[0]
    if first.kind == "code":
        return first.text
    lines = split_table(first.text)[1]
    line = lines[0] if lines else ""
    return next((line[start:end] for start, end in split_sentences(line)), line)


def caption_of(blocks: Sequence[ExcerptBlock]) -> str:
    """The caption of a card: its highlighted part, or else its first line, on one line and without a colon at its end.

    Neither a line of code nor the header of a table tells a reader what the card says. If there are any, the first
    sentence takes the place of a line of code, unless it only points elsewhere, and the first row that of a header. A
    row is shown as its cells.
    """
    source_block = next((block for block in blocks if block.highlight is not None), None)
    beginning = "" if blocks[0].kind == "code" else " ".join(opening(blocks).split())
    if source_block is not None and source_block.kind == "code" and beginning and not points_elsewhere(beginning):
        source_block, line = blocks[0], beginning
    elif source_block is not None and source_block.highlight is not None:
        line = " ".join(source_block.text[slice(*source_block.highlight)].split())
    else:
        source_block = next((block for block in blocks if block.kind != "code"), blocks[0])
        lines = split_table(source_block.text)[1] or source_block.text.split("\n")
        line = next(filter(None, (each.strip() for each in lines)), "")
    if source_block.kind == "table":
        line = " – ".join(filter(None, split_row(line)))
    elif source_block.kind != "code":
        # In code a `- ` is part of the code.
        line = ITEM.sub("", line)
    return line.rstrip(":：")


def quote_of(blocks: Sequence[ExcerptBlock]) -> str:
    """The highlighted sentence, or the longest cell of the row: the words that a link can lead to on the page."""
    marked = next((block for block in blocks if block.highlight and block.kind != "code"), None)
    quote = marked.text[slice(*marked.highlight)] if marked and marked.highlight else ""
    if marked and marked.kind == "table":
        quote = longest_cell(quote)
    # Whole or not at all: `attribution` finds the quote again by its characters, and makes its text fragment of them.
    return quote if len(quote) <= MAX_QUOTE else ""
