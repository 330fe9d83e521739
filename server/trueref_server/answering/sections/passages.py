"""Cuts a section into passages as its author wrote them. Each passage can be shown alone.

A passage is a paragraph; a list, a table or a block of code together with what introduces it; an admonition with its
title; a definition with its term; steps as a whole; a question of a FAQ with its answer; a footnote with the words that
refer to it. Furniture of the page and boxes of links are no passages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from trueref_server.answering.sections.announcements import (
    COLONS,
    informative_blocks,
    without_empty_announcement,
    without_empty_announcements,
)
from trueref_server.answering.sections.answered_questions import answered_questions, with_questions_as_headings
from trueref_server.answering.sections.footnotes import footnotes, is_footnote, referring_part
from trueref_server.answering.sections.passage import Passage
from trueref_server.answering.sections.section_blocks import (
    SectionBlock,
    items_of,
    section_blocks,
    without_lists_of_definitions,
)
from trueref_server.records import ExcerptBlock

if TYPE_CHECKING:
    from trueref_core.records import Chunk
from trueref_server.answering.sections.block_grouping import MAX_TOGETHER, Grouping


def passages(chunks: Sequence[Chunk]) -> list[Passage]:
    """The passages of a section, in order; none if it only announces what other sections say.

    Args:
        chunks: Chunks of one section that follow one another, in the order of the page.
    """
    # A line such as `Source code in ...` is furniture of the page, and answers nothing.
    read = without_lists_of_definitions(section_blocks(chunks))
    blocks = [block for block in read if block.role != "furniture"]
    # Boxes of links count only in a section that has nothing else.
    shown = informative_blocks(blocks) or [
        block for block in blocks if block.role == "links" and not is_footnote(block)
    ]
    text_passages = _with_answers(_with_leads(Grouping().read(with_questions_as_headings(shown))))
    return [*text_passages, *_notes(blocks, text_passages)]


def _notes(blocks: Sequence[SectionBlock], text_passages: Sequence[Passage]) -> Iterator[Passage]:
    """The footnotes of a section, each with what refers to it.

    They come last. A note is shown with the text that refers to it, and with nothing else. It competes with other
    passages by its own words alone: with the words of its lead it would win over the text that refers to it, which says
    what most readers ask.

    Args:
        blocks: The blocks of the section.
        text_passages: The passages of its running text.
    """
    for mark, position, note in footnotes(blocks):
        note_passages = Grouping().read(without_empty_announcements([block for block in note if block.role != "links"]))
        if note_passages:
            blocks_of_note = tuple(block for passage in note_passages for block in passage.blocks)
            note_passage = Passage("paragraph", blocks_of_note, note_passages[0].chunk, begins=True)
            yield (
                _with_referring_text(note_passage, mark, position, text_passages) if mark is not None else note_passage
            )


def _with_referring_text(note: Passage, mark: SectionBlock, position: int, text_passages: Sequence[Passage]) -> Passage:
    """A footnote with what refers to it: the passage with the mark, or the part of a long one."""
    for number, passage in enumerate(text_passages):
        if mark.text in (block.text for block in passage.blocks) and passage.words + note.words <= MAX_TOGETHER:
            return replace(note, referring=number)
    referring_text = referring_part(mark, position)
    lead = without_empty_announcement(referring_text, None) if referring_text is not None else None
    read = Grouping().read([lead] if lead else [])
    return replace(note, lead=tuple(block for passage in read for block in passage.blocks))


def _with_leads(passages: Sequence[Passage]) -> list[Passage]:
    """Join paragraphs to the list, table or code that they introduce, and the line before tabs to every panel."""
    joined: list[Passage] = []
    leads: dict[str, tuple[ExcerptBlock, ...]] = {}
    for passage in passages:
        previous = joined[-1] if joined else None
        lead: tuple[ExcerptBlock, ...] = ()
        begins, is_titled = passage.begins, passage.is_titled
        if previous is not None and _introduces(previous, passage):
            lead = joined.pop().blocks
            # The two begin where the first of them begins: a heading may stand above the line.
            begins, is_titled = previous.begins, previous.is_titled
        elif previous is not None and passage.panels and passage.panels[-1] not in previous.panels:
            lead = next((leads[panel.tabs] for panel in reversed(passage.panels) if panel.tabs in leads), ())
        depth = len(previous.panels) if previous is not None else 0
        if previous is not None and len(passage.panels) > depth and passage.panels[:depth] == previous.panels:
            # Every panel can be the one that is shown, and needs the line before the tabs.
            leads[passage.panels[depth].tabs] = lead
        joined.append(replace(passage, blocks=(*lead, *passage.blocks), begins=begins, is_titled=is_titled))
    return joined


_ANNOTATED: Final = re.compile(r"(?:#|//|--|;|%|<!--|/\*) ?\(1\)!?")
"""A number in a comment of code, whose note is in the list after the code (Material for MkDocs)."""


def _introduces(before: Passage, passage: Passage) -> bool:
    """Whether `before` introduces a passage: one of the two is not understood without the other."""
    # The notes of annotated code stay with the code: a card began with the note of a line that was not shown (mm-045).
    last_block = before.blocks[-1]
    if passage.kind == "steps" and last_block.kind == "code" and _ANNOTATED.search(last_block.text):
        return True
    has_code = any(block.kind == "code" for block in before.blocks)
    if passage.begins or has_code or before.panels != passage.panels[: len(before.panels)]:
        return False
    if last_block.text.endswith(COLONS):
        return True
    # A list of one item right before code is its label (WeeChat).
    is_label = before.kind in ("list", "steps") and len(items_of(last_block.text)) == 1
    return passage.kind == "code" and (is_label or before.kind in ("paragraph", "definition"))


def _with_answers(passages: Sequence[Passage]) -> list[Passage]:
    """The passages of a section, each marked question with the beginning of its answer as one passage.

    A question alone says nothing, an answer is hardly understood without it, and the next question is another topic.
    All paragraphs of a question belong to it.
    """
    answer_of = answered_questions(passage.blocks[0].caption or passage.blocks[0].text for passage in passages)
    answers = frozenset(answer_of.values())
    joined: list[Passage] = []
    question: list[Passage] = []
    for number, passage in enumerate(passages):
        if number in answer_of:
            question = [replace(passage, begins=True)]
        elif number in answers:
            blocks = tuple(block for part in (*question, passage) for block in part.blocks)
            joined.append(replace(passage, blocks=blocks, begins=True))
            question = []
        else:
            # Behind a question that will be answered, all passages up to the answer are of the question.
            (question or joined).append(passage)
    return joined
