"""One generation, open for questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trueref_core.errors import IndexIncompatible
from trueref_core.manifest import Manifest
from trueref_core.queries import Filters, where_clause
from trueref_core.records import Chunk, Generation
from trueref_core.tables import ChunkTable, Scored

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SectionKey = tuple[str, str]

# 30 MB at 384 dimensions, and 40 times as fast as asking the table.
MOST_ROWS_IN_MEMORY = 20_000


@dataclass(frozen=True, slots=True)
class OpenIndex:
    """A generation whose files were verified. It stays readable for ten minutes after a newer one is published."""

    path: Path
    generation: Generation
    manifest: Manifest
    table: ChunkTable
    keys: dict[str, list[Any]]
    matrix: NDArray[np.float32] | None
    rows: dict[str, int] = field(repr=False)
    section_rows: dict[SectionKey, list[int]] = field(repr=False)
    languages: frozenset[str]

    async def search_text(self, query: str, *, limit: int, filters: Filters | None = None) -> list[Scored]:
        """Chunks by BM25 over title, breadcrumb, text and aliases, best first. Any text is a valid query."""
        return await self.table.match(query, limit=limit, where=where_clause(filters), languages=self.languages)

    async def search_vector(
        self, vector: NDArray[np.float32], *, limit: int, filters: Filters | None = None
    ) -> list[Scored]:
        """Chunks by cosine similarity to a vector of length 1, compared with all of them, best first.

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
            rows: Rows of `keys`.
            vectors: One row for each vector.
        """
        import numpy as np

        if self.matrix is not None:
            return self.matrix[np.asarray(rows, dtype=np.intp)] @ vectors.T
        return await self.table.vectors(rows) @ vectors.T

    async def chunks(self, ids: Sequence[str]) -> dict[str, Chunk]:
        """The chunks with these ids; unknown ones are left out."""
        found = await self.table.take([self.rows[known] for known in dict.fromkeys(ids) if known in self.rows])
        return {chunk.id: chunk for chunk in found}

    async def sections(self, around: Mapping[SectionKey, str], *, most: int) -> dict[SectionKey, tuple[Chunk, ...]]:
        """The chunks of sections in the order of the page; unknown sections are left out.

        Args:
            around: By site and section id, the id of a chunk in it.
            most: Chunks of a section at most. Of a longer one, those around that chunk are given.
        """
        rows = {
            key: _window(self.section_rows[key], self.rows.get(chunk), most)
            for key, chunk in around.items()
            if key in self.section_rows
        }
        found = await self.table.take([row for places in rows.values() for row in places])
        by_row = {self.rows[chunk.id]: chunk for chunk in found}
        return {key: tuple(by_row[row] for row in places) for key, places in rows.items()}

    async def close(self) -> None:
        """Let go of the files."""
        self.table.close()

    def _nearest(
        self, matrix: NDArray[np.float32], vector: NDArray[np.float32], limit: int, filters: Filters | None
    ) -> list[Scored]:
        import numpy as np

        scores = matrix @ vector.astype(np.float32, copy=False)
        rows = self._rows_of(filters)
        scores = scores[rows]
        # A partition, not a sort: at 20,000 rows a sort takes longer than the product.
        order = np.argpartition(-scores, limit)[:limit] if limit < len(scores) else np.arange(len(scores))
        best: list[int] = order.tolist()
        found = [Scored(self.keys["id"][int(rows[place])], float(scores[place])) for place in best]
        return sorted(found, key=lambda item: (-item.score, item.id))

    def _rows_of(self, filters: Filters | None) -> NDArray[np.intp]:
        import numpy as np

        if filters is None or filters == Filters():
            return np.arange(len(self.rows))
        places = zip(*(self.keys[name] for name in ("site", "version", "language", "page")), strict=True)
        return np.flatnonzero(np.fromiter((filters.allow(*place) for place in places), bool, len(self.rows)))


def _window(rows: list[int], middle: int | None, most: int) -> list[int]:
    """At most `most` neighbours of a list, around one of its members."""
    at = rows.index(middle) if middle in rows else 0
    start = max(0, min(at - most // 2, len(rows) - most))
    return rows[start : start + most]


async def open_tables(build: Path, generation: Generation, manifest: Manifest) -> OpenIndex:
    """Open the tables of a verified build, and keep in memory what every question needs."""
    table = await ChunkTable.open((build / "tables").absolute())
    keys = await table.keys()
    in_memory = table.dimensions and len(keys["id"]) <= MOST_ROWS_IN_MEMORY
    matrix = await table.matrix() if in_memory else None
    sections: dict[SectionKey, list[int]] = defaultdict(list)
    for row, key in enumerate(zip(keys["site"], keys["section_id"], strict=True)):
        sections[key].append(row)
    for found in sections.values():
        # A build that changed one page has put its chunks behind those of all the others.
        found.sort(key=keys["position"].__getitem__)
    rows = {chunk_id: row for row, chunk_id in enumerate(keys["id"])}
    return OpenIndex(
        build, generation, manifest, table, keys, matrix, rows, dict(sections), frozenset(keys["language"])
    )
