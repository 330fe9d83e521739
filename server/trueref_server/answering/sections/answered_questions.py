"""Finds the questions of a FAQ and their answers, where letters mark both: `Q: How do I ...?`, then `A: ...`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

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
