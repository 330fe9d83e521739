"""How much full text searches if it searches alone."""

from __future__ import annotations

import pytest
from tests.server.kiln_site import kiln_index

from trueref_core.generations.open_generation import OpenIndex
from trueref_core.tables.chunk_search import ScoredChunk
from trueref_core.tables.filters import Filters
from trueref_server.records import Question
from trueref_server.search.hybrid_search import CANDIDATES, CANDIDATES_BY_WORDS, PART_CANDIDATES
from trueref_server.service import Service
from trueref_server.settings import Settings


@pytest.mark.anyio
@pytest.mark.parametrize(("embedder", "of_whole"), [("lexical", CANDIDATES_BY_WORDS), ("bundled", CANDIDATES)])
async def test_more_chunks_are_searched_by_words_if_no_vectors_are(
    embedder: str, of_whole: int, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[int] = []
    search_text = OpenIndex.search_text

    async def counted(self: OpenIndex, query: str, *, limit: int, filters: Filters | None = None) -> list[ScoredChunk]:
        limits.append(limit)
        return await search_text(self, query, limit=limit, filters=filters)

    monkeypatch.setattr(OpenIndex, "search_text", counted)
    service = Service(Settings(index=kiln_index(tmp_path_factory, embedder)))
    # The second round searches for the sentence that the hits of the first one leave out.
    await service.draft(Question("Our kiln has a wadding problem. How do I load the shelves?"))
    await service.close()
    assert limits == [of_whole, PART_CANDIDATES]
