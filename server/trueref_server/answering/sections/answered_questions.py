"""Finds the questions of a FAQ and their answers: letters mark both, or a question is a paragraph above its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_server.answering.sections.section_blocks import SectionBlock

MAX_QUESTION: Final = 15
"""The most words of a paragraph that is a question and stands above its answer as a heading would."""

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
    """Blocks, each paragraph that is a question and stands above its answer as a heading without an address.

    Authors write `What is a glaze?` in bold above its answer, in a box or a FAQ.
    """
    after: list[SectionBlock | None] = [*blocks[1:], None]
    return [
        replace(block, role="heading") if _is_question(block) and _answers(block, answer) else block
        for block, answer in zip(blocks, after, strict=False)
    ]


def _is_question(block: SectionBlock) -> bool:
    """Whether a block is a short question and nothing else."""
    text = block.text
    is_short = block.role == "text" and block.kind == "prose" and text.endswith(("?", "\uff1f"))
    return (
        is_short
        and len(text.split()) <= MAX_QUESTION
        and len(list(split_sentences(text))) == 1
        and not _QUESTION.match(text)
    )


def _answers(question: SectionBlock, after: SectionBlock | None) -> bool:
    """Whether the block after a question is a paragraph or a list in the same box, and asks nothing itself."""
    if after is None or after.role != "text" or not after.adjoins or after.kind not in ("prose", "list"):
        return False
    return after.path[: len(question.path)] == question.path and not after.text.endswith(("?", "\uff1f"))
