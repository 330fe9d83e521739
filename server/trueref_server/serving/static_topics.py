"""Finds the sections that answer questions about topics that all docs have, for the search without a server."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from trueref_server.corpus.compilations import find_notices
from trueref_server.corpus.corpus import subject_words
from trueref_server.corpus.words import words
from trueref_server.question.usual_topics import FILLERS, RIVAL, TOPICS, title_value
from trueref_server.ranking.confidence import USUAL
from trueref_server.ranking.signals import MIN_WORDS

if TYPE_CHECKING:
    from trueref_core.records import Chunk

UsualSections = list[tuple[str, list[int]]]
"""By pattern of the questions about a topic, the numbers of its sections: one for each version and language."""


def usual_sections(sections: Sequence[Sequence[Chunk]]) -> tuple[str, UsualSections]:
    """The words that are left out of a question before it is compared with a pattern, and the sections by pattern.

    Args:
        sections: The chunks of each section, in the order of the page.
    """
    subject = frozenset(chain.from_iterable(subject_words(chunks[0]) for chunks in sections))
    told = list(map(_edition_and_text, sections))
    notices = find_notices(told)
    usual: UsualSections = []
    for name, topic in TOPICS.items():
        # What the subject is compared with is in no pattern.
        if name == RIVAL:
            continue
        best: dict[tuple[str, str], tuple[float, int]] = {}
        for number, (chunks, (edition, text)) in enumerate(zip(sections, told, strict=True)):
            value = title_value(name, chunks[0], subject)
            if value < USUAL or len(words(text)) < MIN_WORDS or (edition, text) in notices:
                continue
            # Of equal values the first section counts: the greatest negative number.
            best[edition] = max(best.get(edition, (0.0, 0)), (value, -number))
        if best:
            usual.append((topic.asked.pattern, sorted(-number for _, number in best.values())))
    # `This` may be anything on the page that a question is asked from.
    return " ".join(sorted((FILLERS | subject) - {"this"})), usual


def _edition_and_text(chunks: Sequence[Chunk]) -> tuple[tuple[str, str], str]:
    """The version and language of a section, and its text."""
    return (chunks[0].version, chunks[0].language), " ".join(chunk.text for chunk in chunks)
