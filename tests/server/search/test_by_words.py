"""How much full text searches if it searches alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.handmade import publish_demo
from tests.server.kiln_site import kiln_index

from trueref_core.generations.open_generation import OpenIndex
from trueref_core.tables.chunk_search import ScoredChunk
from trueref_core.tables.filters import Filters
from trueref_server.records import Exchange, Question
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


@pytest.mark.anyio
async def test_the_topic_of_a_conversation_is_found_by_words_too(tmp_path: Path) -> None:
    """Only sections with the words of the question itself were looked at, and those of its topic may have none."""
    publish_demo(
        tmp_path,
        {
            "pictures/": {
                "aligning-pictures": "Pictures align to the left or to the right by a class.",
                "captions": "Pictures have captions below them.",
            },
            **{f"text/{n}/": {"": f"The text under picture {n} is aligned to the left."} for n in range(12)},
        },
    )
    service = Service(Settings(index=tmp_path))
    history = (Exchange("How do I align pictures to the left?", "By their class."),)
    explanation = await service.explain(Question("with text under it?", history), limit=20)
    await service.close()
    assert explanation.plan.carried
    assert "aligning-pictures" in {hit.anchor for hit in explanation.hits}
