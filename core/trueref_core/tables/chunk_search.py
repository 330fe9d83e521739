"""Searches and reads the chunks of one generation in LanceDB, for questions.

Up to `MAX_FLAT` chunks every search is exact: full text sums the scores of all columns, and all vectors are compared.
Above that, each search takes the best results of an index, and may miss some. `docs/decisions/scale.md` has the
measured loss.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from trueref_core.records import Chunk
from trueref_core.tables import table_writer
from trueref_core.tables.chunk_rows import ChunkRows, CodedColumn
from trueref_core.tables.filters import clean_query, pairs_clause, whole_words
from trueref_core.text.word_forms import query_forms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROBES: Final = 30
"""How many partitions of the vector index are searched: a quarter of them for a million vectors, all for 200,000."""

REFINED: Final = 500
"""How many of the best vectors by the index are compared exactly, since the index has only one bit for each dimension.
For a million chunks, 500 find 99 % of the ten best, whether 10, 30 or 100 are wanted; 100 would find 89 %."""

MIN_REFINED: Final = 2
"""For each vector that is wanted, at least this many are compared exactly."""

COLUMN_LIMIT_FACTOR: Final = 3
"""In a large index, each column is searched for this many times the wanted number: columns find the same chunks."""

RANK_CONSTANT: Final = 60
"""The constant of reciprocal rank fusion. Source: Cormack, Clarke and Buettcher, 2009."""


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk that a search found. Higher is better; BM25 and cosine scores do not compare with each other."""

    id: str
    score: float


class ChunkTable:
    """The chunks of one generation, open for reading. `dimensions` is 0 if there are no vectors.

    `is_large` is True if there are more than `MAX_FLAT` chunks. `has_vector_index` is True if the table is large and
    its vectors have an index.
    """

    def __init__(self, chunks: Any, links: Any, dimensions: int, *, is_large: bool, has_vector_index: bool) -> None:
        self._table = chunks
        self._links = links
        self.dimensions = dimensions
        self.is_large = is_large
        self.has_vector_index = has_vector_index

    @classmethod
    async def open(cls, folder: Path) -> ChunkTable:
        """Open the tables in a folder, given as an absolute path."""
        connection = await table_writer.lancedb_module().connect_async(str(folder))
        table = await connection.open_table("chunks")
        links = await connection.open_table("links")
        connection.close()
        schema = await table.schema()
        dimensions = schema.field("vector").type.list_size if "vector" in schema.names else 0
        is_large = await table.count_rows() > table_writer.MAX_FLAT
        indexed = {column for index in await table.list_indices() for column in index.columns}
        return cls(table, links, dimensions, is_large=is_large, has_vector_index=is_large and "vector" in indexed)

    async def rows(self) -> ChunkRows:
        """The id, the section and the filter values of each chunk, in the order of the table."""
        # One column after the other: all of them together would take half a gigabyte for a million chunks.
        filtered = [_code_column(await self._column(name)) for name in ("site", "version", "language", "page")]
        section = _code_column(await self._column("section_id"))
        positions = (await self._column("position")).to_numpy()
        return ChunkRows.of((await self._column("id")).to_pylist(), filtered, section, positions)

    async def _column(self, name: str) -> Any:
        """The values of one column for all chunks, as an array of pyarrow."""
        return (await self._table.query().select([name]).to_arrow()).column(name)

    async def warm(self) -> None:
        """Load all indexes into memory, which the first questions would do otherwise: 0.5 s for a million chunks."""
        for index in await self._table.list_indices():
            await self._table.prewarm_index(index.name)

    async def matrix(self) -> NDArray[np.float32]:
        """All vectors, one row for each chunk, in the order of the rows."""
        return table_writer.matrix_of(await self._table.query().select(["vector"]).to_arrow())

    async def match(
        self, query: str, *, limit: int, where: str | None, languages: Iterable[str] = ()
    ) -> list[ScoredChunk]:
        """Chunks with terms of a query in any of the searched columns, best first; none for a query without terms.

        Args:
            query: What to search for.
            limit: How many chunks at most.
            where: An SQL condition, None for all chunks.
            languages: Those of the index: endings of words are removed as they were in its texts.
        """
        terms = clean_query(query)
        if not terms:
            return []
        words = {"alias_terms": whole_words([terms]), "word_forms": query_forms(terms, languages)}
        text_by_column = {column: text for column in table_writer.TEXT_WEIGHTS if (text := words.get(column, terms))}
        # To sum scores over columns, LanceDB scores every chunk that has any of the words. For a million chunks this
        # takes 400 ms, and searching each column by itself 65 ms.
        if self.is_large:
            matches = await asyncio.gather(
                *(self._matches([item], limit * COLUMN_LIMIT_FACTOR, where) for item in text_by_column.items())
            )
            return _fuse(matches, limit)
        return best_first(await self._matches(text_by_column.items(), limit, where))

    async def _matches(self, texts: Iterable[tuple[str, str]], limit: int, where: str | None) -> dict[str, float]:
        """The scores by chunk id for texts that are each searched in a column. Scores of columns are summed."""
        query = table_writer.text_query(texts)
        search = self._table.query().nearest_to_text(query).select(["id", "_score"]).limit(limit)
        rows = await (search.where(where) if where else search).to_arrow()
        return dict(zip(rows.column("id").to_pylist(), rows.column("_score").to_pylist(), strict=True))

    async def nearest(self, vector: NDArray[np.float32], *, limit: int, where: str | None) -> list[ScoredChunk]:
        """The best chunks by the cosine of their vector to this one, found by the vector index if there is one.

        Rows that were added after the index was made are always compared.
        """
        search = self._table.query().nearest_to(vector).distance_type("cosine")
        if self.has_vector_index:
            search = search.nprobes(PROBES).refine_factor(max(MIN_REFINED, math.ceil(REFINED / limit)))
            # The chunks that a filter allows may be in any partition, so with a filter the number of partitions has no
            # bound (0). Without a filter, this would double the time.
            search = search.maximum_nprobes(0) if where else search
        else:
            search = search.bypass_vector_index()
        search = search.select(["id", "_distance"]).limit(limit)
        rows = await (search.where(where) if where else search).to_arrow()
        cosines = (1.0 - distance for distance in rows.column("_distance").to_pylist())
        return best_first(dict(zip(rows.column("id").to_pylist(), cosines, strict=True)))

    async def take(self, rows: Sequence[int]) -> list[Chunk]:
        """The chunks in these rows, counted from 0, in no particular order."""
        if not rows:
            return []
        names = [field.name for field in fields(Chunk)]
        return table_writer.from_arrow(await self._table.take_offsets(list(rows)).select(names).to_arrow(), Chunk)

    async def wordpieces(self, rows: Sequence[int]) -> dict[str, bytes]:
        """The packed wordpieces of the chunks in these rows by chunk id; none if the table has no vectors."""
        if not rows or not self.dimensions:
            return {}
        stored = await self._table.take_offsets(list(rows)).select(["id", "wordpieces"]).to_arrow()
        return dict(zip(stored.column("id").to_pylist(), stored.column("wordpieces").to_pylist(), strict=True))

    async def vectors(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """The vectors of the chunks in these rows, counted from 0, in this order."""
        import numpy as np

        # LanceDB returns rows in the order of the table.
        ordered, position = np.unique(np.asarray(rows, dtype=np.int64), return_inverse=True)
        stored = await self._table.take_offsets(ordered.tolist()).select(["vector"]).to_arrow()
        return table_writer.matrix_of(stored)[position]

    async def links(self, pages: Collection[tuple[str, str]] | None = None) -> list[tuple[str, str, str, str, str]]:
        """Links in running text between sections, as tuples of site, from page, from anchor, to page, to anchor.

        Args:
            pages: Site and address of the pages whose links are wanted; None for all pages.
        """
        condition = "kind = 'internal' AND status IN ('ok', 'redirect')"
        if pages is not None:
            if not pages:
                return []
            condition += f" AND ({pairs_clause(pages, 'from_page')})"
        columns = ["site", "from_page", "from_anchor", "to_page", "to_anchor"]
        rows = await self._links.query().select(columns).where(condition).to_arrow()
        return list(zip(*(rows.column(name).to_pylist() for name in columns), strict=True))

    def close(self) -> None:
        """Close the tables."""
        self._table.close()
        self._links.close()


def _fuse(matches: Sequence[Mapping[str, float]], limit: int) -> list[ScoredChunk]:
    """The best results of several searches by reciprocal rank fusion, each with the sum of its scores.

    The results are chosen by rank and not by these sums: if a thousand chunks have the same matching title, their title
    scores would fill the list with them whatever their texts say.
    """
    fused_scores: dict[str, float] = defaultdict(float)
    score_sums: dict[str, float] = defaultdict(float)
    for scores in matches:
        for rank, item in enumerate(best_first(scores), start=1):
            fused_scores[item.id] += 1 / (RANK_CONSTANT + rank)
            score_sums[item.id] += item.score
    best = sorted(fused_scores, key=lambda chunk: (-fused_scores[chunk], chunk))[:limit]
    return best_first({chunk: score_sums[chunk] for chunk in best})


def best_first(scores: Mapping[str, float]) -> list[ScoredChunk]:
    """Chunks with their scores, best first."""
    # LanceDB returns equal scores in any order. Sorting by the id as well makes answers repeatable.
    return sorted((ScoredChunk(*item) for item in scores.items()), key=lambda item: (-item.score, item.id))


def _code_column(column: Any) -> CodedColumn:
    """An Arrow column of strings as a `CodedColumn`."""
    import numpy as np

    encoded = column.combine_chunks().dictionary_encode()
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)
