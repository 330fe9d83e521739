"""The signal that a section is for people who work on the project itself, and not for those who use it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from trueref_core.records import Chunk
    from trueref_server.ranking.signals import Candidate
    from trueref_server.ranking.weighted_question import WeightedQuestion

_FOR_CONTRIBUTORS: Final = re.compile(
    r"(?:how to )?contribut(?:e|ing)(?:[ -]to\b.{0,80})?|contributors?|"
    r"(?:contributing|contributors?'?s?)[ -]guide(?:lines)?",
    re.IGNORECASE,
)
"""The whole of a heading, or of a part of an address, of what is for contributors. `Document contributors` is a feature
for all readers."""


def contributing(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 for pages and chapters for contributors to the project, unless it is asked how to take part in it.

    They tell how the project itself is set up, tested and released, in the words of readers who do so with their own.
    """
    return float(not question.plan.wants_to_contribute and _is_for_contributors(candidate.section.chunks[0]))


def _is_for_contributors(chunk: Chunk) -> bool:
    """Whether a chunk is on a page for contributors to the project, or in such a chapter."""
    parts = (part.rpartition(".")[0] or part for part in chunk.page.split("/"))
    return any(map(_FOR_CONTRIBUTORS.fullmatch, (*parts, *chunk.breadcrumb, chunk.title)))
