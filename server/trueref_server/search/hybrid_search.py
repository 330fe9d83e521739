"""Hybrid search: vectors and full text at once, as the sections that either found."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_core.records import Chunk
from trueref_core.tables.chunk_rows import SectionKey
from trueref_core.tables.chunk_search import RANK_CONSTANT, Scored
from trueref_server.corpus.corpus import CHUNKS_MOST, Corpus
from trueref_server.corpus.words import words
from trueref_server.ranking.signals import Candidate
from trueref_server.records import RetrievalType

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trueref_core.embedding.embedder import Embedder
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.tables.filters import Filters

CANDIDATES: Final = 100
"""Chunks that each search hands over. A section often has several, and twins collapse."""

PART_CANDIDATES: Final = 30
"""The same for a part of the question."""


READ_MOST: Final = 60
"""Sections of a large index that the first round of searches reads. Each costs half a millisecond there."""

READ_MORE: Final = 20
"""The same for a round that only fills gaps."""

COMMON_FROM: Final = 0.25
"""Share of all sections from which a word is not searched for in a large index."""


@dataclass(frozen=True, slots=True)
class Query:
    """One search. `text` is embedded, `words` are searched as text; "" leaves that search out."""

    text: str
    words: str
    retrieval_type: RetrievalType = "search"
    limit: int = CANDIDATES

    @property
    def read(self) -> int:
        """How many sections of a large index are read for it, and for those beside it."""
        return READ_MOST if self.retrieval_type == "search" else READ_MORE


class Searcher:
    """Searches one generation for one question: what is found in several rounds is compared in the same way.

    Args:
        index: The open generation.
        corpus: Its sections and statistics.
        embedder: The one that its vectors are made with; None searches by full text alone.
        asked: The whole question and its parts: the nearness to these ranks every section, however it was found.
    """

    def __init__(self, index: OpenIndex, corpus: Corpus, embedder: Embedder | None, asked: Sequence[str]) -> None:
        self.index = index
        self.corpus = corpus
        self._embedder = embedder
        self._asked = asked
        self._vectors: dict[str, NDArray[np.float32]] = {}

    async def search(self, queries: Sequence[Query], filters: Filters) -> dict[SectionKey, Candidate]:
        """The sections that some queries find, each with the query that found it first."""
        # Text is searched while the embedder works: it needs one thread, and no vector.
        embedded = asyncio.ensure_future(self._embed([*self._asked, *(query.text for query in queries if query.text)]))
        found = await asyncio.gather(*(self._run(query, filters, embedded) for query in queries))
        await embedded
        hows: dict[SectionKey, Query] = {}
        around: dict[SectionKey, str] = {}
        scores: dict[SectionKey, float] = {}
        for query, (by_vector, by_text) in zip(queries, found, strict=True):
            for hit in [*by_vector, *by_text]:
                key = self._section_of(hit.id)
                hows.setdefault(key, query)
                around.setdefault(key, hit.id)
            if query.retrieval_type == "search":
                for hit in by_text:
                    key = self._section_of(hit.id)
                    scores[key] = max(scores.get(key, 0.0), hit.score)
        if self.index.table.is_large:
            lists = [[self._section_of(hit.id) for hit in hits] for both in found for hits in both]
            around = _best_of(around, lists, max((query.read for query in queries), default=0))
        candidates = await self._candidates(around, hows)
        best = max(scores.values(), default=0.0)
        for key, score in scores.items():
            if key in candidates:
                candidates[key].text_score = score / best
        return candidates

    async def neighbours(self, found: Mapping[SectionKey, Query], filters: Filters) -> dict[SectionKey, Candidate]:
        """Some sections as candidates, without searching: neighbours of what was found, as far as filters allow."""
        candidates = await self._candidates(dict.fromkeys(found, ""), found)
        return {key: one for key, one in candidates.items() if _allows(filters, one.section.chunks[0])}

    async def _run(
        self, query: Query, filters: Filters, embedded: asyncio.Future[None]
    ) -> tuple[list[Scored], list[Scored]]:
        by_vector, by_text = await asyncio.gather(self._near(query, filters, embedded), self._match(query, filters))
        return by_vector, by_text

    async def _near(self, query: Query, filters: Filters, embedded: asyncio.Future[None]) -> list[Scored]:
        if not query.text or self._embedder is None:
            return []
        await embedded
        return await self.index.search_vector(self._vectors[query.text], limit=query.limit, filters=filters)

    async def _match(self, query: Query, filters: Filters) -> list[Scored]:
        if not query.words:
            return []
        asked = self._telling(query.words) if self.index.table.is_large else query.words
        return await self.index.search_text(asked, limit=query.limit, filters=filters)

    def _telling(self, text: str) -> str:
        """The words of a text without those that are everywhere, which cost most; all where it has no others."""
        counted = self.corpus.statistics
        most = COMMON_FROM * counted.sections
        telling = [told for told in text.split() if any(counted.words[word] < most for word in words(told))]
        return " ".join(telling) or text

    async def _embed(self, texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        embedder = self._embedder
        if new and embedder is not None:
            vectors = await asyncio.to_thread(lambda: list(embedder.embed(new)))
            self._vectors.update(zip(new, vectors, strict=True))

    async def _candidates(
        self, around: Mapping[SectionKey, str], hows: Mapping[SectionKey, Query]
    ) -> dict[SectionKey, Candidate]:
        sections, cosines = await asyncio.gather(self.corpus.sections(self.index, around), self._cosines(around))
        candidates: dict[SectionKey, Candidate] = {}
        for key, section in sections.items():
            how = hows[key]
            candidate = Candidate(section, retrieval_type=how.retrieval_type, retrieval_query=how.text or how.words)
            if key in cosines:
                candidate.cosines = cosines[key].max(axis=0).tolist()
                candidate.near = cosines[key][:, 0].tolist()
                candidate.nearest = int(cosines[key][:, 0].argmax())
            candidates[key] = candidate
        return candidates

    async def _cosines(self, around: Mapping[SectionKey, str]) -> dict[SectionKey, NDArray[np.float32]]:
        """By section, the cosines of its chunks to the question and its parts: one row for each chunk."""
        import numpy as np

        rows = self.index.rows_around(around, most=CHUNKS_MOST)
        if self._embedder is None or not rows:
            return {}
        vectors = np.stack([self._vectors[text] for text in self._asked])
        cosines = await self.index.cosines([row for own in rows.values() for row in own], vectors)
        ends = np.cumsum([len(own) for own in rows.values()])
        return dict(zip(rows, np.split(cosines, ends[:-1]), strict=True))

    def _section_of(self, chunk: str) -> SectionKey:
        rows = self.index.rows
        return rows.section_of(rows.row_of[chunk])


def _best_of(
    around: Mapping[SectionKey, str], found: Iterable[Iterable[SectionKey]], most: int
) -> dict[SectionKey, str]:
    """The sections that some searches found best, by reciprocal rank fusion; each counts where it was found first."""
    fused: dict[SectionKey, float] = dict.fromkeys(around, 0.0)
    for keys in found:
        for rank, key in enumerate(dict.fromkeys(keys), start=1):
            fused[key] += 1 / (RANK_CONSTANT + rank)
    best = sorted(fused, key=lambda key: (-fused[key], key))[:most]
    return {key: around[key] for key in best}


def _allows(filters: Filters, chunk: Chunk) -> bool:
    return filters.allow(chunk.site, chunk.version, chunk.language, chunk.page)
