"""The types of training examples: questions, and texts with the fact whether they answer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

QUESTIONS: Final = Path(__file__).with_name("questions")

LEFT_OUT: Final = frozenset(["uv", "mkdocs-material", "black", "celery", "git", "mypy", "scrapy"])
"""Sites that are only used for measuring. No model is trained on them."""


class Text(msgspec.Struct, frozen=True):
    """A text that may answer.

    `answers` says whether the text that is shown for it has all nuggets of the question; for a chunk, whether it has
    any. `gold` says whether it is in a section that answers.
    """

    text: str
    answers: bool
    gold: bool


class Shown(Text, frozen=True):
    """A passage that may answer.

    `shown` is the text that would be shown for it, `section` the position of its section among those found, from 0, and
    `recall` the share of the nuggets that would be shown. `signals` are the values, by name, of those signals of
    `trueref_server.answering.choice` for which the model reads no text.
    """

    shown: str = ""
    section: int = 0
    recall: float = 0.0
    signals: dict[str, float] = msgspec.field(default_factory=dict[str, float])


class Ranked(Text, frozen=True):
    """A chunk of a section that was found: one that answers, or else the nearest to the question.

    `score` is what ranking gives the section. `score_without_vectors` is the same less what `vector`, `nearest_two` and
    `parts` add.
    """

    score: float = 0.0
    score_without_vectors: float = 0.0


class Example(msgspec.Struct, frozen=True):
    """A question as it is embedded, its passages in the order of their sections, best first, and its chunks.

    `ranked` has a text of each of the best sections, and of each one that answers. `answerable` says whether the docs
    answer the question. `kind` is the kind of question that its author named.
    """

    id: str
    question: str
    passages: list[Shown]
    chunks: list[Text]
    answerable: bool = True
    kind: str = ""
    ranked: list[Ranked] = msgspec.field(default_factory=list[Ranked])
