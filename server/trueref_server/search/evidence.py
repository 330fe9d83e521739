"""Gathers the evidence for an answer, and says how well some hits answer a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from trueref_server.ranking.confidence import FIRST_HITS, answerable, best_met
from trueref_server.records import Evidence, Hit

if TYPE_CHECKING:
    from trueref_server.ranking.late_interaction import LateInteraction
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


def answerable_by(question: WeightedQuestion, hits: Sequence[Hit], late: LateInteraction | None) -> float:
    """How likely it is, from 0 to 1, that some hits answer a question.

    The nearest chunk of each hit is compared with the question word by word, if that is possible. This takes some 25 ms
    of a thread, so that it is done only if a conversation decides how a question is read.
    """
    # The nearest chunk of each section alone: comparing all chunks of five sections was tried, and took four times the
    # work (`docs/decisions/confidence.md`).
    texts = [hit.chunk.embedded_text for hit in hits[:FIRST_HITS]]
    return answerable(question, hits, best_met(late.met(question, texts) if late else None))
