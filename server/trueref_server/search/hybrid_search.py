"""Hybrid search: searches vectors and full text at once, and gives the sections that either has found."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from trueref_core.tables.chunk_rows import SectionKey
from trueref_core.tables.chunk_search import RANK_CONSTANT, ScoredChunk
from trueref_server.corpus.corpus import MAX_CHUNKS, Corpus
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
"""How many chunks each search returns. A section often has several of them, and twins become one hit."""

CANDIDATES_BY_WORDS: Final = 150
"""The same for the whole question if no vectors are searched. Beyond 150, questions in a conversation are answered less
often (`docs/decisions/ranking.md`)."""

PART_CANDIDATES: Final = 30
"""How many chunks each search returns for a part of the question, and in the second round."""

MAX_READ: Final = 60
"""How many sections of a large index the first round of searches reads. Reading one takes half a millisecond."""

READ_MORE: Final = 20
"""How many sections of a large index the second round reads: fewer, since it only fills gaps."""

MAX_WORDS: Final = 64
"""The most words of a text that are searched for: the rarest on the site. Of 3,489 questions of readers none has more
than 37 words. With all 250 words of a question of 2,000 characters the search took five times as long as with those of
a reader's question."""

UNSEARCHED_FROM: Final = 0.25
"""A word that this share of all sections has is not searched for in a large index."""


@dataclass(frozen=True, slots=True)
class Query:
    """One search. `text` is embedded, `words` are searched as full text; "" leaves that search out."""

    text: str
    words: str
    retrieval_type: RetrievalType = "search"
    limit: int = CANDIDATES


class Searcher:
    """Searches one generation for one question, in one or two rounds.

    The sections of both rounds are compared with the same texts, so that their scores can be ranked together.

    Args:
        index: The open generation.
        corpus: Its sections and statistics.
        embedder: The embedder that made the vectors of the index; None searches by full text alone.
        compared: The whole question and its parts. Each section gets its cosines to these, whichever query found it.
    """

    def __init__(self, index: OpenIndex, corpus: Corpus, embedder: Embedder | None, compared: Sequence[str]) -> None:
        self.index = index
        self.corpus = corpus
        self._embedder = embedder
        self._compared = compared
        # Kept for the second round, which needs the vectors of the whole question again.
        self._vectors: dict[str, NDArray[np.float32]] = {}

    @property
    def has_vectors(self) -> bool:
        """Whether vectors are searched, and not full text alone."""
        return self._embedder is not None

    async def search(self, queries: Sequence[Query], filters: Filters) -> dict[SectionKey, Candidate]:
        """The sections that some queries find. A section that several queries find belongs to the first of them."""
        # Full text is searched while the embedder works in a thread: that search needs no vector.
        texts = [*self._compared, *(query.text for query in queries if query.text)]
        embedded = asyncio.ensure_future(self._embed(texts))
        results = await asyncio.gather(
            *(self._search_vectors(query, filters, embedded) for query in queries),
            *(self._search_text(query, filters) for query in queries),
        )
        by_vector, by_text = results[: len(queries)], results[len(queries) :]
        # The full-text search may end before the embedder does, and the sections that it found are compared with the
        # question's vectors below.
        await embedded
        # The whole question is the first query: a section that it finds is not attributed to a part of the question.
        query_of: dict[SectionKey, Query] = {}
        chunk_of: dict[SectionKey, str] = {}
        for query, *chunks_by_search in zip(queries, by_vector, by_text, strict=True):
            for chunk in chain.from_iterable(chunks_by_search):
                key = self._section_of(chunk.id)
                query_of.setdefault(key, query)
                chunk_of.setdefault(key, chunk.id)
        if self.index.table.is_large:
            # Reading a section of a large index costs half a millisecond, so that only the best ones are read.
            ranked_lists = [[self._section_of(chunk.id) for chunk in chunks] for chunks in (*by_vector, *by_text)]
            is_first_round = any(query.retrieval_type == "search" for query in queries)
            chunk_of = _best_of(chunk_of, ranked_lists, MAX_READ if is_first_round else READ_MORE)
        return await self._candidates(chunk_of, query_of, self._text_scores(zip(queries, by_text, strict=True)))

    async def related(self, queries: Mapping[SectionKey, Query], filters: Filters) -> dict[SectionKey, Candidate]:
        """Sections that are related to hits as candidates, without a search: those that the filters allow."""
        # No full-text search found these, so that they have no text score, and their other signals decide.
        candidates = await self._candidates(dict.fromkeys(queries, ""), queries, {})
        first_chunks = {key: candidate.section.chunks[0] for key, candidate in candidates.items()}
        return {
            key: candidates[key]
            for key, chunk in first_chunks.items()
            if filters.allow(chunk.site, chunk.version, chunk.language, chunk.page)
        }

    async def _search_vectors(
        self, query: Query, filters: Filters, embedded: asyncio.Future[None]
    ) -> list[ScoredChunk]:
        """The chunks nearest to a query by their vectors."""
        if not query.text or self._embedder is None:
            return []
        await embedded
        return await self.index.search_vector(self._vectors[query.text], limit=query.limit, filters=filters)

    async def _search_text(self, query: Query, filters: Filters) -> list[ScoredChunk]:
        """The chunks that have most of a query's words."""
        if not query.words:
            return []
        # Full text scores every chunk with any of the words: of a million chunks it took 65 ms for one column, and 45
        # ms without the words that a quarter of all sections have (`docs/decisions/scale.md`).
        words_searched = self._without_common_words(query.words) if self.index.table.is_large else query.words
        is_whole = self._embedder is None and query.retrieval_type == "search"
        limit = CANDIDATES_BY_WORDS if is_whole else query.limit
        return await self.index.search_text(self._rarest(words_searched), limit=limit, filters=filters)

    def _without_common_words(self, text: str) -> str:
        """The words of a text without the most common ones, which cost most time; all words if it has no others."""
        statistics = self.corpus.statistics
        common_count = UNSEARCHED_FROM * statistics.sections
        rarer_words = [
            term for term in text.split() if any(statistics.words[word] < common_count for word in words(term))
        ]
        return " ".join(rarer_words) or text

    def _rarest(self, text: str) -> str:
        """The words of a text in their order. If there are more than `MAX_WORDS`, the rarest on the site stay."""
        terms = list(dict.fromkeys(text.split()))
        if len(terms) <= MAX_WORDS:
            return text
        counts = self.corpus.statistics.words

        def section_count(term: str) -> float:
            return min((counts[word] for word in words(term) if counts[word]), default=math.inf)

        rarest = set(sorted(terms, key=section_count)[:MAX_WORDS])
        return " ".join(term for term in terms if term in rarest)

    async def _embed(self, texts: Iterable[str]) -> None:
        """Embed the texts that no earlier round has embedded."""
        new_texts = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        embedder = self._embedder
        if new_texts and embedder is not None:
            vectors = await asyncio.to_thread(lambda: list(embedder.embed(new_texts)))
            self._vectors.update(zip(new_texts, vectors, strict=True))

    def _text_scores(self, chunks_by_text: Iterable[tuple[Query, Sequence[ScoredChunk]]]) -> dict[SectionKey, float]:
        """The score of each section for the words of the whole question, as a share of the best one's.

        Only the query for the whole question counts: the scores of a part of it or of a missing word are relative to
        the best section for that query, and cannot be compared with these.
        """
        scores: dict[SectionKey, float] = {}
        for query, chunks in chunks_by_text:
            for chunk in chunks if query.retrieval_type == "search" else ():
                key = self._section_of(chunk.id)
                scores[key] = max(scores.get(key, 0.0), chunk.score)
        best = max(scores.values(), default=0.0)
        return {key: score / best for key, score in scores.items()}

    async def _candidates(
        self,
        chunk_of: Mapping[SectionKey, str],
        query_of: Mapping[SectionKey, Query],
        text_scores: Mapping[SectionKey, float],
    ) -> dict[SectionKey, Candidate]:
        """Sections as candidates.

        Args:
            chunk_of: By section, the chunk of it that was found.
            query_of: By section, the query that found it.
            text_scores: By section that full text found, its text score, from 0 to 1.
        """
        sections, cosines = await asyncio.gather(self.corpus.sections(self.index, chunk_of), self._cosines(chunk_of))
        candidates: dict[SectionKey, Candidate] = {}
        for key, section in sections.items():
            query = query_of[key]
            chunk_cosines = cosines.get(key)
            candidates[key] = Candidate(
                section,
                cosines=() if chunk_cosines is None else chunk_cosines.max(axis=0).tolist(),
                text_score=text_scores.get(key, 0.0),
                near=() if chunk_cosines is None else chunk_cosines[:, 0].tolist(),
                retrieval_type=query.retrieval_type,
                retrieval_query=query.text or query.words,
            )
        return candidates

    async def _cosines(self, chunk_of: Mapping[SectionKey, str]) -> dict[SectionKey, NDArray[np.float32]]:
        """By section, the cosines of its chunks to the question and its parts: one row for each chunk."""
        import numpy as np

        rows = self.index.rows_around(chunk_of, most=MAX_CHUNKS)
        if self._embedder is None or not rows:
            return {}
        vectors = np.stack([self._vectors[text] for text in self._compared])
        # All at once: for a large index that is one read of the table.
        cosines = await self.index.cosines([row for of_section in rows.values() for row in of_section], vectors)
        ends = np.cumsum([len(of_section) for of_section in rows.values()])
        return dict(zip(rows, np.split(cosines, ends[:-1]), strict=True))

    def _section_of(self, chunk: str) -> SectionKey:
        """The section that a chunk, given by its id, belongs to."""
        rows = self.index.rows
        return rows.section_of(rows.row_of[chunk])


def _best_of(
    chunk_of: Mapping[SectionKey, str], lists: Iterable[Iterable[SectionKey]], most: int
) -> dict[SectionKey, str]:
    """The best sections of several ranked lists, by reciprocal rank fusion.

    A list counts a section once, at its best rank.

    Args:
        chunk_of: By section, the chunk of it that was found.
        lists: The sections of each search, best first; a section may be repeated, for each of its chunks.
        most: How many sections are returned.
    """
    fused: dict[SectionKey, float] = dict.fromkeys(chunk_of, 0.0)
    for keys in lists:
        for rank, key in enumerate(dict.fromkeys(keys), start=1):
            fused[key] += 1 / (RANK_CONSTANT + rank)
    # Sections with equal scores are ordered by their keys: the same question must read the same sections, whichever
    # search ends first.
    best = sorted(fused, key=lambda key: (-fused[key], key))[:most]
    return {key: chunk_of[key] for key in best}
