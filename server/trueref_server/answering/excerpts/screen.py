"""Shortens what is shown to a screen of the panel: lines of code, rows, items, sentences and whole blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from trueref_core.text.identifiers import parts
from trueref_core.text.sentences import split_sentences
from trueref_core.text.table_rows import count_words, split_row, split_table
from trueref_server.answering.excerpts.code_excerpt import part_of
from trueref_server.answering.excerpts.marking import ITEM_MARK
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.sections.announcements import COLONS
from trueref_server.answering.sections.section_blocks import items_of
from trueref_server.records import ExcerptBlock

NAME_SHARE: Final = 0.5
"""How much the first cell of a row counts beside the whole row: `TRUEREF_RATE_BURST` is about a rate, and a row that
mentions the rate limit is about something else."""

MAX_ROWS: Final = 6
"""The most rows that are shown of a table that is too long: the best row and its neighbours."""


def shortened(block: ExcerptBlock, relevance: Relevance, most: int | None) -> ExcerptBlock:
    """A block at the length at which it is shown: cut between lines of code, rows, items or sentences."""
    if block.kind == "code":
        return replace(block, text=part_of(block.text, list(map(relevance, block.text.split("\n")))))
    # Only the passage that answers is cut: `window` added only passages that fit a screen whole.
    if most is None or count_words(block.text) <= most:
        return block
    if block.kind == "table":
        return replace(block, text=rows_around(block.text, relevance))
    if block.kind == "list":
        units, separator = items_of(block.text), "\n"
    else:
        units, separator = [block.text[start:end] for start, end in split_sentences(block.text)], " "
    fitting_units = _units_that_fit(list(map(count_words, units)), relevance.best(units), most)
    return replace(block, text=separator.join(units[fitting_units]))


def without_rest_of_cut_items(
    whole: Sequence[ExcerptBlock], shown: Sequence[ExcerptBlock], relevance: Relevance
) -> Iterator[ExcerptBlock]:
    """The blocks that are shown, without the rest of an item that was cut away: it would seem to be of another item.

    That is its code, and its text after the code, unless this text has most of the question. What comes after it, items
    or text, is left out too, up to the block that has most of the question: nobody could see that something is missing
    before it.

    Args:
        whole: The blocks before they were shortened.
        shown: The same blocks, shortened.
        relevance: Scores a text against the question.
    """
    best_number = relevance.best(block.text for block in shown)
    is_cut = False
    for number, (before, block) in enumerate(zip(whole, shown, strict=True)):
        if is_cut and number > best_number:
            return
        remaining = block
        if is_cut and before.kind == "list":
            remaining = _without_torn_item(block, relevance, may_answer=number == best_number)
        if before.kind != "code" and remaining.text:
            is_cut = before.kind == "list" and not before.text.endswith(block.text)
        if remaining.text and not (is_cut and block.kind == "code"):
            yield remaining


def without_dangling(blocks: list[ExcerptBlock]) -> list[ExcerptBlock]:
    """The blocks without a last line that announces something for which there is no room."""
    while len(blocks) > 1 and blocks[-1].kind != "code" and blocks[-1].text.endswith(COLONS):
        *others, last_block = blocks
        remaining_text = _without_last_part(last_block)
        blocks = [*others, replace(last_block, text=remaining_text)] if remaining_text else others
    return blocks


def _without_last_part(block: ExcerptBlock) -> str:
    """The text of a block without its last item or sentence."""
    if block.kind == "list":
        return "\n".join(items_of(block.text)[:-1])
    spans = split_sentences(block.text)[:-1]
    return block.text[: spans[-1][1]] if spans else ""


def rows_around(text: str, relevance: Relevance, most: int = MAX_ROWS) -> str:
    """A table with the row that has most of the question and its neighbours, under its header.

    Args:
        text: The table, a line for each row.
        relevance: Scores a row against the question.
        most: Rows that are kept.
    """
    header, rows = split_table(text)
    scores = [relevance(row) + NAME_SHARE * relevance(_name_of(row)) for row in rows]
    best = scores.index(max(scores, default=0.0)) if rows else 0
    start = max(0, min(best - min(1, most - 1), len(rows) - most))
    return "\n".join([*header, *rows[start : start + most]])


def _name_of(row: str) -> str:
    """The words of the first cell of a row, which says what the row is about."""
    name = next(iter(split_row(row)), "")
    return " ".join([name, *parts(name)])


def fit_to_screen(blocks: list[ExcerptBlock], relevance: Relevance, room: int) -> list[ExcerptBlock]:
    """As many blocks as fit into `room` words: a passage of long steps may have more.

    Tables lose rows first. A line that announces the next block keeps it: without it the line would say nothing.
    """
    blocks = _with_fewer_rows(blocks, relevance, room)
    sizes = _screen_words(blocks)
    if sum(sizes) <= room:
        return blocks
    fitting_blocks = _units_that_fit(sizes, relevance.best([block.text for block in blocks]), room)
    stop: int = fitting_blocks.stop
    while stop < len(blocks) and blocks[stop - 1].kind != "code" and blocks[stop - 1].text.endswith(COLONS):
        stop += 1
    lead = _lead(blocks[: fitting_blocks.start])
    shown = blocks[fitting_blocks.start : stop]
    if lead and sum(_screen_words([*lead, *shown])) <= room:
        return [*lead, *shown]
    return [_without_torn_item(shown[0], relevance, may_answer=True), *shown[1:]] if fitting_blocks.start else shown


def _without_torn_item(block: ExcerptBlock, relevance: Relevance, *, may_answer: bool) -> ExcerptBlock:
    """A list without the end of an item that began before code; if that may answer, only if a later item answers.

    In a list of questions, the end of one answer would seem to belong to the question below it.
    """
    items = items_of(block.text) if block.kind == "list" else []
    is_torn = bool(items) and ITEM_MARK.match(items[0]) is None
    is_removed = is_torn and (not may_answer or relevance.best(items) > 0)
    return replace(block, text="\n".join(items[1:])) if is_removed else block


def _lead(before: Sequence[ExcerptBlock]) -> list[ExcerptBlock]:
    """The block that introduces the first block that is shown; of a list only its last item."""
    if not before or before[-1].kind == "code" or not before[-1].text.endswith(COLONS):
        return []
    last_block = before[-1]
    return [replace(last_block, text=items_of(last_block.text)[-1]) if last_block.kind == "list" else last_block]


def _screen_words(blocks: Sequence[ExcerptBlock]) -> list[int]:
    """The words that each block takes on the screen; the first block of code has room of its own."""
    first_code = next((number for number, block in enumerate(blocks) if block.kind == "code"), None)
    return [0 if number == first_code else count_words(block.text) for number, block in enumerate(blocks)]


def _with_fewer_rows(blocks: list[ExcerptBlock], relevance: Relevance, room: int) -> list[ExcerptBlock]:
    """The blocks; if they have too many words, with as many rows of their tables as fit, at least one of each."""
    narrowed = blocks
    for most in range(MAX_ROWS, 0, -1):
        if sum(_screen_words(narrowed)) <= room:
            break
        narrowed = [
            replace(block, text=rows_around(block.text, relevance, most)) if block.kind == "table" else block
            for block in blocks
        ]
    return narrowed


def _units_that_fit(sizes: Sequence[int], best: int, most: int) -> slice:
    """The units that fit into `most` words, from the first on; from the best one if those before it leave no room."""
    best = max(0, best)
    start = 0 if sum(sizes[: best + 1]) <= most else best
    after = best + 1
    while after < len(sizes) and sum(sizes[start : after + 1]) <= most:
        after += 1
    return slice(start, after)
