"""What is collected of a site: questions, and texts with whether they answer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

QUESTIONS: Final = Path(__file__).with_name("questions")


class Text(msgspec.Struct, frozen=True):
    """A text that may answer.

    `answers` says whether what is shown for it has all that the question asks for (of a chunk: any of it), and `gold`
    whether it is of a section that answers.
    """

    text: str
    answers: bool
    gold: bool


class Example(msgspec.Struct, frozen=True):
    """A question as it is embedded, the passages that compete to answer it, best section first, and chunks."""

    id: str
    question: str
    passages: list[Text]
    chunks: list[Text]
