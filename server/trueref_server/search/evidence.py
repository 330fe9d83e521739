"""Gathers what an answer may rest on: the chunk finds, the section answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from trueref_server.corpus.corpus import CHUNKS_MOST
from trueref_server.ranking.confidence import LOOKED_AT, answerable, best_met
from trueref_server.records import Evidence, Hit

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_server.ranking.late_interaction import LateInteraction
    from trueref_server.ranking.signals import WeightedQuestion

SECTIONS: Final = 5
"""Three sections have a card each; of those found first, some may have nothing that can be shown."""

MET_LESS: Final = 0.05
"""How much less well the best passage for a follow-up in its conversation may meet the words of the follow-up than the
best passage for the follow-up alone."""


async def gather(index: OpenIndex, question: WeightedQuestion, hits: Sequence[Hit], most: int = SECTIONS) -> Evidence:
    """The best sections whole.

    Args:
        index: The open generation.
        question: What was asked.
        hits: What was found, best first.
        most: How many sections are read.
    """
    (evidence,) = await gather_each(index, [(question, hits)], most)
    return evidence


async def gather_each(
    index: OpenIndex, searches: Iterable[tuple[WeightedQuestion, Sequence[Hit]]], most: int = SECTIONS
) -> list[Evidence]:
    """What `gather` returns for each of several questions, read at once.

    Args:
        index: The open generation.
        searches: What was asked, and what was found for it, best first.
        most: How many sections are read for each.
    """
    questions, hits_of_each = zip(*searches, strict=True)
    best = [[(hit.site, hit.chunk.section_id, hit.chunk.id) for hit in hits[:most]] for hits in hits_of_each]
    requests = [{(site, section): chunk for site, section, chunk in of_question} for of_question in best]
    sections = await index.sections_of_each(requests, most=CHUNKS_MOST)
    return [
        Evidence(question.plan, tuple(hits), tuple(chunks[key] for key in request))
        for question, hits, request, chunks in zip(questions, hits_of_each, requests, sections, strict=True)
    ]


def meets_as_well(
    question: WeightedQuestion, hits: Sequence[Hit], others: Sequence[Hit], late: LateInteraction | None
) -> bool:
    """Whether the first of some hits meets a question word by word as well as the first of others.

    False where its words cannot be compared.
    """
    if late is None or not hits or not others:
        return False
    met = late.met(question, [hits[0].chunk.embedded_text, others[0].chunk.embedded_text])
    return met is not None and met[0].weighed >= met[1].weighed - MET_LESS


def answerable_by(question: WeightedQuestion, hits: Sequence[Hit], late: LateInteraction | None) -> float:
    """How likely it is that some hits answer, their nearest chunks compared word by word where that is possible.

    Takes some 25 ms of a thread: for questions of a conversation, whose reading depends on it.
    """
    # The nearest chunk of each section alone: comparing all chunks of five sections was tried, and took four times the
    # work (`docs/decisions/confidence.md`).
    texts = [hit.chunk.embedded_text for hit in hits[:LOOKED_AT]]
    return answerable(question, hits, best_met(late.met(question, texts) if late else None))
