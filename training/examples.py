"""What is collected of a site: questions, and texts with whether they answer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

QUESTIONS: Final = Path(__file__).with_name("questions")

LEFT_OUT: Final = frozenset(["uv", "mkdocs-material", "black", "celery", "git", "mypy", "scrapy"])
"""Sites that only ever measure: no trainer takes them."""


class Text(msgspec.Struct, frozen=True):
    """A text that may answer.

    `answers` says whether what is shown for it has all that the question asks for (of a chunk: any of it), and `gold`
    whether it is of a section that answers.
    """

    text: str
    answers: bool
    gold: bool


class Shown(Text, frozen=True):
    """A passage that may answer.

    `shown` is the text of what would be shown for it, `section` the place of its section among those found, from 0, and
    `recall` the share of what the question asks for that would be shown. `signals` are those of the choice that cost
    nothing (`trueref_server.answering.choice`), by name.
    """

    shown: str = ""
    section: int = 0
    recall: float = 0.0
    signals: dict[str, float] = msgspec.field(default_factory=dict[str, float])


class Example(msgspec.Struct, frozen=True):
    """A question as it is embedded, the passages that compete to answer it, best section first, and chunks.

    `answerable` says whether the docs answer it, and `kind` is the word of whoever wrote it for what is asked.
    """

    id: str
    question: str
    passages: list[Shown]
    chunks: list[Text]
    answerable: bool = True
    kind: str = ""
