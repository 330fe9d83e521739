"""Compares the best sections with a question word by word, by the words that the index has of their chunks.

The vector of a chunk is one for all that it says, and hides whether a single word of the question is met. So the best
sections are compared once more, and this is the last signal of their scores. What it brings and costs is in
`docs/decisions/ranking.md`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from trueref_core.embedding.packed_wordpieces import unpack
from trueref_server.ranking.rank import COMPARED, ScoredSection, best_first

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trueref_core.generations.open_generation import OpenIndex
    from trueref_server.ranking.late_interaction import LateInteraction
    from trueref_server.ranking.weighted_question import WeightedQuestion

SECTIONS_COMPARED: Final = 15
"""How many of the best sections are compared."""

SECTIONS_READ_WHOLE: Final = 8
"""Of how many of the best sections all wordpieces are read, and not only those that are compared. The passages of the
first sections are compared afterwards, and to read the index once more takes longer than to read more at once."""

CHUNKS_COMPARED: Final = 2
"""How many chunks of a section are compared: those that are nearest to the question."""

LEAST_SHARE: Final = 0.3
"""The share of the least similar word in the similarity of a chunk; the mean over all words has the rest. By the mean
alone, a section that has most words of a question comes before one that meets all of them."""


class SectionComparison:
    """Compares sections with one question. Both rounds of a search use the same object.

    `wordpieces` has the packed wordpieces of the chunks of all sections that were compared, by chunk id.

    Args:
        index: The open generation.
        late: Compares words.
        question: What is asked.
    """

    def __init__(self, index: OpenIndex, late: LateInteraction, question: WeightedQuestion) -> None:
        self.wordpieces: Mapping[str, bytes] = {}
        self._index = index
        self._late = late
        self._question = question
        self._similarities: Mapping[str, float] = {}

    async def compared(self, sections: Sequence[ScoredSection]) -> list[ScoredSection]:
        """Sections with the signal `word_similarity` added to the scores of the best ones, best first.

        The value of the signal is how much more similar a section is than the least similar of those that are compared.
        So sections that are not compared count as similar as that one, and their scores stay as they are.

        Args:
            sections: Best first.
        """
        best = sections[:SECTIONS_COMPARED]
        await self._read(best)
        similarities = [self._similarity(section) for section in best]
        least = min(filter(None, similarities), default=0.0)
        return best_first(
            [
                *(
                    self._scored(section, max(0.0, similarity - least))
                    for section, similarity in zip(best, similarities, strict=True)
                ),
                *sections[SECTIONS_COMPARED:],
            ]
        )

    async def _read(self, sections: Sequence[ScoredSection]) -> None:
        """Read the wordpieces of sections that no earlier round has read, and compare their nearest chunks."""
        nearest = [chunk for section in sections for chunk in _nearest_chunks(section)]
        whole = sections[:SECTIONS_READ_WHOLE]
        chunks = {*nearest, *(chunk.id for section in whole for chunk in section.candidate.section.chunks)}
        read = await self._index.wordpieces(chunks - self.wordpieces.keys())
        self.wordpieces = {**self.wordpieces, **read}
        unknown = [chunk for chunk in nearest if chunk in self.wordpieces.keys() - self._similarities.keys()]
        self._similarities = {**self._similarities, **await asyncio.to_thread(self._similarities_of, unknown)}

    def _similarity(self, section: ScoredSection) -> float:
        """How similar the most similar of the nearest chunks of a section is; 0 if none could be compared."""
        return max((self._similarities.get(chunk, 0.0) for chunk in _nearest_chunks(section)), default=0.0)

    def _scored(self, section: ScoredSection, similarity: float) -> ScoredSection:
        candidate = replace(section.candidate, word_similarity=similarity)
        return replace(section, candidate=candidate).scored_by(self._question, COMPARED)

    def _similarities_of(self, chunks: Sequence[str]) -> dict[str, float]:
        """How similar chunks are to the words of the question, from 0 to 1, by chunk id."""
        import numpy as np

        bits_of_chunk: dict[str, NDArray[np.uint8]] = {}
        for chunk in chunks:
            if lines := unpack(self.wordpieces[chunk], self._late.embedder.dimensions):
                bits_of_chunk[chunk] = np.concatenate(lines)
        similarities = self._late.word_similarities(self._question, [*bits_of_chunk.values()]) or []
        shares = ((1 - LEAST_SHARE) * similarity.mean + LEAST_SHARE * similarity.least for similarity in similarities)
        # Nothing if the words of the question cannot be compared.
        return {chunk: max(0.0, share) for chunk, share in zip(bits_of_chunk, shares, strict=False)}


def _nearest_chunks(section: ScoredSection) -> list[str]:
    """The ids of the chunks of a section that are nearest to the question."""
    candidate = section.candidate
    by_cosine = sorted(zip(candidate.near, candidate.section.chunks, strict=False), key=lambda pair: -pair[0])
    return [chunk.id for _, chunk in by_cosine[:CHUNKS_COMPARED]]
