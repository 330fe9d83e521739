"""Finds the questions of a FAQ and their answers: letters mark both, or a question is a paragraph above its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_server.answering.sections.section_blocks import SectionBlock
from trueref_server.question.pointing import goes_on, points_to_unnamed

MAX_QUESTION: Final = 15
"""The most words of a paragraph that is a question and stands above its answer as a heading would."""

_BOXES: Final = ("a", "q")
"""The first letters of the steps of admonitions and quotations in a path."""

_QUESTION: Final = re.compile(r"(?:Q|Question)(?: ?\d{1,3})?(?:[:.)]\s|:?\Z)")
"""The mark of a question before its text, or alone as a term."""

_ANSWER: Final = re.compile(r"(?:A|Answer)(?: ?\d{1,3})?(?:[:.)]\s|:?\Z)")
"""The mark of an answer before its text, or alone as a term."""


def answered_questions(beginnings: Iterable[str]) -> dict[int, int]:
    """By the number of a text that a marked question begins, the number of the text that begins to answer it.

    Args:
        beginnings: Of each text of a section, in order, the term that it is of, or else its beginning.
    """
    answer_of: dict[int, int] = {}
    question: int | None = None
    for number, beginning in enumerate(beginnings):
        if _QUESTION.match(beginning):
            question = number
        elif question is not None and _ANSWER.match(beginning):
            answer_of[question] = number
            question = None
    return answer_of


def with_questions_as_headings(blocks: Sequence[SectionBlock]) -> list[SectionBlock]:
    """Blocks, each question that the docs ask and answer as a heading without an address, for its answer alone.

    Authors write `What is a glaze?` above its answer, as the first line of a box, or as one of several in a FAQ. A
    single question between paragraphs is asked in passing: `What happens here?`.
    """
    before: list[SectionBlock | None] = [None, *blocks]
    asked = [
        number
        for number, (block, after) in enumerate(pairwise(blocks))
        if _is_question(block) and _answers(block, after)
    ]
    headings = {number for number in asked if len(asked) > 1 or _opens_box(blocks[number], before[number])}
    return [
        replace(block, role="heading", is_question=True) if number in headings else block
        for number, block in enumerate(blocks)
    ]


def _is_question(block: SectionBlock) -> bool:
    """Whether a block is a short question that is understood by itself, and nothing else."""
    text = block.text
    is_short = block.role == "text" and block.kind == "prose" and text.endswith(("?", "\uff1f"))
    return (
        is_short
        and len(text.split()) <= MAX_QUESTION
        and len(list(split_sentences(text))) == 1
        and not _QUESTION.match(text)
        and not (goes_on(text) or points_to_unnamed(text))
    )


def _opens_box(question: SectionBlock, before: SectionBlock | None) -> bool:
    """Whether a question is the first text of a box or a quotation."""
    box = question.path[-1] if question.path else ""
    return box[:1] in _BOXES and (before is None or before.role != "text" or box not in before.path)


def _answers(question: SectionBlock, after: SectionBlock) -> bool:
    """Whether the block after a question is a paragraph or a list in the same box, and asks nothing itself."""
    if after.role != "text" or not after.adjoins or after.kind not in ("prose", "list"):
        return False
    return after.path[: len(question.path)] == question.path and not after.text.endswith(("?", "\uff1f"))
