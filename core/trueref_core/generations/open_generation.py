"""One generation, open for questions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from trueref_core.errors import IndexIncompatible
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Chunk, Generation
from trueref_core.storage.sealed_folders import verify
from trueref_core.tables.chunk_rows import ChunkRows, SectionKey
from trueref_core.tables.chunk_search import ChunkTable, ScoredChunk, best_first
from trueref_core.tables.filters import Filters, where_clause

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class OpenIndex:
    """A generation whose files were verified. It stays readable for ten minutes after a newer one is published.

    `path` is its folder. `table` has the chunks, and `rows` the position of each. `matrix` has all vectors, one row for
    each chunk, or is None if there are none or too many for memory. `languages` are those of all chunks.
    """

    path: Path
    generation: Generation
    manifest: Manifest
    table: ChunkTable
    rows: ChunkRows = field(repr=False)
    matrix: NDArray[np.float32] | None = field(repr=False)
    languages: frozenset[str]

    async def search_text(self, query: str, *, limit: int, filters: Filters | None = None) -> list[ScoredChunk]:
        """The best chunks by BM25 over title, breadcrumb, text, aliases and word forms. Any query is valid."""
        return await self.table.match(query, limit=limit, where=where_clause(filters), languages=self.languages)

    async def search_vector(
        self, vector: NDArray[np.float32], *, limit: int, filters: Filters | None = None
    ) -> list[ScoredChunk]:
        """The best chunks by cosine similarity to a vector of length 1. In a large index the search is approximate.

        Raises:
            IndexIncompatible: The generation has no vectors, or vectors of another size.
        """
        if vector.shape != (self.table.dimensions,):
            made_with = f"{self.generation.embedder}, {self.table.dimensions} components"
            message = f"The index has no vectors of shape {vector.shape}: it was made with {made_with}."
            raise IndexIncompatible(message)
        if self.matrix is None:
            return await self.table.nearest(vector, limit=limit, where=where_clause(filters))
        return self._nearest(self.matrix, vector, limit, filters)

    async def cosines(self, rows: Sequence[int], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosines of some chunks to some vectors of length 1: one row for each chunk, one column for each vector.

        Args:
            rows: Row numbers of the chunks, as in `ChunkRows`.
            vectors: A matrix with one row for each vector.
        """
        import numpy as np

        # Not `@`: see `_nearest`.
        cosines: NDArray[np.float32] = np.einsum("ij,kj->ik", await self.vectors(rows), vectors)
        return cosines

    async def vectors(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """The vectors of some chunks of an index that has vectors: one row for each chunk, in the order of `rows`.

        Args:
            rows: Row numbers of the chunks, as in `ChunkRows`.
        """
        import numpy as np

        if self.matrix is None:
            return await self.table.vectors(rows)
        vectors: NDArray[np.float32] = self.matrix[np.asarray(rows, dtype=np.intp)]
        return vectors

    async def chunks(self, ids: Sequence[str]) -> dict[str, Chunk]:
        """The chunks with these ids; unknown ones are left out."""
        row_of = self.rows.row_of
        rows = await self.table.take([row_of[chunk_id] for chunk_id in dict.fromkeys(ids) if chunk_id in row_of])
        return {chunk.id: chunk for chunk in rows}

    async def wordpieces(self, ids: Collection[str]) -> dict[str, bytes]:
        """The wordpieces of the chunks with these ids, as `embedding.packed_wordpieces` packs them.

        Chunks are left out that are unknown, or that have none because of their embedder.
        """
        row_of = self.rows.row_of
        stored = await self.table.wordpieces(sorted(row_of[chunk_id] for chunk_id in {*ids} & row_of.keys()))
        return {chunk_id: packed for chunk_id, packed in stored.items() if packed}

    async def sections(self, around: Mapping[SectionKey, str], *, most: int) -> dict[SectionKey, tuple[Chunk, ...]]:
        """The chunks of sections in the order of the page; unknown sections are left out.

        Args:
            around: For each section, the id of a chunk in it.
            most: Most chunks of a section. From a longer section, the chunks around the one in `around` are returned.
        """
        rows_of = self.rows_around(around, most=most)
        rows = {row for numbers in rows_of.values() for row in numbers}
        by_row = {self.rows.row_of[chunk.id]: chunk for chunk in await self.table.take(sorted(rows))}
        return {key: tuple(by_row[row] for row in numbers) for key, numbers in rows_of.items()}

    def rows_around(self, around: Mapping[SectionKey, str], *, most: int) -> dict[SectionKey, list[int]]:
        """The row numbers of the chunks that `sections` returns, in the same order."""
        return {
            key: _window(self.rows.of_section(key), self.rows.row_of.get(chunk), most)
            for key, chunk in around.items()
            if key in self.rows.sections
        }

    def section_of(self, chunk: str) -> SectionKey | None:
        """The section that a chunk is in, None for an unknown one."""
        row = self.rows.row_of.get(chunk)
        return None if row is None else self.rows.section_of(row)

    def verify(self) -> None:
        """Compare the files of the generation with their sums once more. Raises `IndexDamaged`."""
        verify(self.path)

    async def close(self) -> None:
        """Close the tables."""
        self.table.close()

    def _nearest(
        self, matrix: NDArray[np.float32], vector: NDArray[np.float32], limit: int, filters: Filters | None
    ) -> list[ScoredChunk]:
        """The chunks nearest to a vector, compared in memory."""
        import numpy as np

        # Not `@`: BLAS would start threads for a single product, which would compete with those of LanceDB and of the
        # embedder.
        scores = np.einsum("ij,j->i", matrix, vector.astype(np.float32, copy=False))
        filters = filters or Filters()
        rows = np.arange(len(scores)) if filters == Filters() else self.rows.allowed(filters.allow)
        scores = scores[rows]
        # A partition, not a sort: for 20,000 rows a sort takes longer than the product.
        order = np.argpartition(-scores, limit)[:limit] if limit < len(scores) else np.arange(len(scores))
        return best_first({self.rows.ids[int(rows[at])]: float(scores[at]) for at in order})


def _window(rows: list[int], middle: int | None, most: int) -> list[int]:
    """At most `most` neighbours in a list around a member of it, or from its start if the list lacks the member."""
    at = rows.index(middle) if middle in rows else 0
    start = max(0, min(at - most // 2, len(rows) - most))
    return rows[start : start + most]
