"""Chooses the passages that answer: those of all good sections compete with one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trueref_server.answering.passages import Passage
    from trueref_server.records import Hit
    from trueref_server.retrieval.signals import Asked


@dataclass(frozen=True, slots=True)
class ReadSection:
    """A section that was found, with its passages in order."""

    hit: Hit
    passages: Sequence[Passage]


@dataclass(frozen=True, slots=True)
class Choice:
    """The passage of a section that answers best: its section, its number there, and how well it answers."""

    section: ReadSection
    at: int
    score: float


def choose(asked: Asked, sections: Sequence[ReadSection]) -> list[Choice]:
    """The best passage of each section, best first.

    Args:
        asked: What is asked.
        sections: Those that were found, best first.
    """
    return [Choice(section, 0, section.hit.score) for section in sections if section.passages]
