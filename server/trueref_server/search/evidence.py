"""Gathers the evidence for an answer: the hits of a search, and the best of their sections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from trueref_server.records import Evidence, Hit

if TYPE_CHECKING:
    from trueref_server.ranking.signals import WeightedQuestion

SECTIONS: Final = 5
"""Sections whose text is read. An answer shows three cards; the others are there since a section may have no passage
that can be shown."""


def gather(question: WeightedQuestion, hits: Sequence[Hit], most: int = SECTIONS) -> Evidence:
    """The evidence for a question: its hits, and the best of their sections in the order of the page.

    Args:
        question: The question as it was searched.
        hits: The hits for it, best first.
        most: How many sections are taken.
    """
    # Nothing is read: a hit has the chunks of its section, the nearest one first.
    sections = (tuple(sorted(hit.chunks, key=lambda chunk: chunk.position)) for hit in hits[:most])
    return Evidence(question.plan, tuple(hits), tuple(sections))
