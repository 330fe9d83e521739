from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.server.connecting import PREFIX, connect
from tests.server.handmade import content, publish_demo
from tests.waiting import wait_until_async

from trueref_core.embedding import embedder
from trueref_core.embedding.bundled_model import BUNDLED_NAME
from trueref_core.embedding.embedder import resolve_embedder_name
from trueref_core.embedding.word_vectors import load_word_vectors
from trueref_core.errors import EmbedderError, IndexDamaged, IndexFault, IndexIncompatible, IndexMissing
from trueref_core.generations.open_generation import OpenIndex
from trueref_core.generations.publication import publish
from trueref_core.generations.served_generation import open_index
from trueref_server.index import live_index
from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import Settings

pytestmark = pytest.mark.anyio

MORE = {"more/": {"": "A page about zebras and their stripes."}}
ZEBRAS = Question("zebras")


async def eventually(service: Service, fits: Callable[[str], bool]) -> str:
    """Ask which generation is served until it fits, as requests would."""

    async def fitting() -> str | None:
        generation = (await service.ready()).id
        return generation if fits(generation) else None

    return await wait_until_async(fitting)


async def fail_with(live: live_index.ServedIndex) -> None:
    """Fail as a request does that reads damaged files."""
    async with live.lease():
        raise RuntimeError("what damaged files lead to")


async def test_first_calls_open_the_index_once(index: Path) -> None:
    live = live_index.ServedIndex(index)
    async with live.lease() as first:
        indexes = []
        for _ in range(5):
            async with live.lease() as again:
                indexes.append(again)
        assert all(again is first for again in indexes)
    await live.close()


async def test_a_newer_generation_is_picked_up(tmp_path: Path) -> None:
    first = publish_demo(tmp_path / "index")
    service = Service(Settings(index=tmp_path / "index"))
    assert (await service.ready()).id == first.id
    assert await service.search(ZEBRAS) == []
    second = publish_demo(tmp_path / "index", MORE)
    await eventually(service, lambda generation: generation == second.id)
    assert [result.page for result in await service.search(ZEBRAS)] == ["more/"]
    await service.close()


async def test_answer_under_way_ends_on_the_generation_it_began_with(tmp_path: Path) -> None:
    first = publish_demo(tmp_path / "index", MORE)
    service = Service(Settings(index=tmp_path / "index"))
    events = service.ask(ZEBRAS)
    await anext(events)
    second = publish_demo(tmp_path / "index")
    await eventually(service, lambda generation: generation == second.id)
    done = [event async for event in events][-1]
    assert done.answer.generation == first.id  # type: ignore[union-attr]
    await service.close()


async def test_damaged_generation_is_not_served(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every request looks for a newer generation, and waits until the look has ended.
    monkeypatch.setattr(live_index, "CHECK_SECONDS", 0.0)
    monkeypatch.setattr(live_index, "PATIENCE_SECONDS", None)
    first = publish_demo(tmp_path / "index")
    service = Service(Settings(index=tmp_path / "index"))
    await service.ready()
    second = publish_demo(tmp_path / "index", MORE)
    damage(tmp_path / "index" / "builds" / second.id / "manifest.json")
    for _ in range(25):
        assert (await service.ready()).id == first.id
    assert len(caplog.messages) == 1
    assert "\n" not in caplog.messages[0]
    third = publish_demo(tmp_path / "index", {"third/": {"": "Third."}})
    await eventually(service, lambda generation: generation == third.id)
    await service.close()


async def test_an_index_withdrawn_while_another_request_looks_for_a_newer_one_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_index, "CHECK_SECONDS", 0.0)
    monkeypatch.setattr(live_index, "PATIENCE_SECONDS", None)
    first = publish_demo(tmp_path / "index")
    live = live_index.ServedIndex(tmp_path / "index")
    async with live.lease():
        pass
    second = publish_demo(tmp_path / "index", MORE)
    manifest = tmp_path / "index" / "builds" / second.id / "manifest.json"
    whole = manifest.read_bytes()
    looking, may_open = asyncio.Event(), asyncio.Event()

    async def open_late(path: Path) -> OpenIndex:
        looking.set()
        await may_open.wait()
        try:
            return await open_index(path)
        finally:
            manifest.write_bytes(whole)

    async def leased_generation() -> str:
        async with live.lease() as index:
            return index.generation.id

    monkeypatch.setattr(live_index, "open_index", open_late)
    damage(manifest)
    waiting = asyncio.create_task(leased_generation())
    await looking.wait()
    monkeypatch.setattr(live_index, "CHECK_SECONDS", 60.0)
    damage(tmp_path / "index" / "builds" / first.id / "manifest.json")
    with pytest.raises(IndexDamaged):
        await fail_with(live)
    # The newer generation is damaged too, and whole again when the request that waited opens it.
    may_open.set()
    assert await waiting == second.id
    await live.close()


async def test_damaged_index_is_refused_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_index, "RETRY_SECONDS", 0.0)
    first = publish_demo(tmp_path / "index")
    manifest = tmp_path / "index" / "builds" / first.id / "manifest.json"
    whole = manifest.read_bytes()
    damage(manifest)
    service = Service(Settings(index=tmp_path / "index"))
    with pytest.raises(IndexFault):
        await service.ready()
    manifest.write_bytes(whole)
    assert (await service.ready()).id == first.id
    await service.close()


async def test_an_index_that_is_not_there_yet_is_opened_once_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_index, "RETRY_SECONDS", 0.0)
    service = Service(Settings(index=tmp_path / "index"))
    with pytest.raises(IndexMissing, match="trueref index SITE"):
        await service.ready()
    first = publish_demo(tmp_path / "index")
    assert (await service.ready()).id == first.id
    await service.close()


async def test_who_asks_after_a_build_gets_the_new_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_index, "CHECK_SECONDS", 0.0)
    publish_demo(tmp_path / "index")
    service = Service(Settings(index=tmp_path / "index"))
    assert await service.search(ZEBRAS) == []
    publish_demo(tmp_path / "index", MORE)
    assert [result.page for result in await service.search(ZEBRAS)] == ["more/"]
    await service.close()


async def test_server_that_was_idle_for_long_waits_for_the_newer_generation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_index, "CHECK_SECONDS", 0.0)
    monkeypatch.setattr(live_index, "STALE_SECONDS", 0.0)
    publish_demo(tmp_path / "index")
    service = Service(Settings(index=tmp_path / "index"))
    await service.ready()
    second = publish_demo(tmp_path / "index", MORE)
    assert (await service.ready()).id == second.id
    await service.close()


async def test_an_index_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("a file")
    service = Service(Settings(index=tmp_path / "index"))
    with pytest.raises(IndexFault):
        await service.ready()


@pytest.mark.parametrize(
    ("embedder", "dimensions"),
    [("bundled/MiniLM-L6-docs@000000000000", 384), (resolve_embedder_name("bundled"), 8), ("lexical", 8)],
)
async def test_index_of_another_embedder_is_refused(tmp_path: Path, embedder: str, dimensions: int) -> None:
    publish(tmp_path / "index", content(embedder=embedder, dimensions=dimensions))
    service = Service(Settings(index=tmp_path / "index"))
    with pytest.raises(IndexIncompatible, match="The index was made with the embedder") as caught:
        await service.search(ZEBRAS)
    assert "\n" not in str(caught.value)
    await service.close()


async def test_damaged_vectors_of_words_are_told_before_a_question_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path / "index", content(embedder=BUNDLED_NAME, dimensions=384))
    monkeypatch.setattr("trueref_core.embedding.bundled_model.WORD_VECTORS_SHA256", "0" * 64)
    load_word_vectors.cache_clear()
    service = Service(Settings(index=tmp_path / "index"))
    with pytest.raises(IndexIncompatible, match=r"word_vectors\.npz\.gz is damaged\. Install trueref again\."):
        await service.warm()
    await service.close()


async def test_an_embedder_that_cannot_be_loaded_is_not_tried_for_every_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path / "index", content(embedder="no/such-model", dimensions=384))
    tried: list[str] = []

    def load(name: str, _threads: int | None, *, for_questions: bool) -> None:
        assert for_questions
        tried.append(name)
        raise EmbedderError("It cannot be downloaded.")

    monkeypatch.setattr("trueref_core.embedding.embedder.load_embedder", load)
    service = Service(Settings(index=tmp_path / "index"))
    for _ in range(3):
        with pytest.raises(IndexIncompatible, match="cannot be downloaded"):
            await service.search(ZEBRAS)
    assert tried == ["no/such-model"]
    await service.close()


async def test_an_embedder_that_cannot_be_loaded_is_told_by_the_status_of_answers(tmp_path: Path) -> None:
    publish(tmp_path / "index", content(embedder="bundled/MiniLM-L6-docs@000000000000", dimensions=384))
    async with connect(tmp_path / "index") as client:
        for stream in (False, True):
            asked = await client.post(f"{PREFIX}/ask", json={"question": "zebras", "stream": stream})
            assert asked.status_code == 503
        assert (await client.get(f"{PREFIX}/readyz")).status_code == 503


async def test_index_whose_vectors_are_to_come_answers_by_full_text(tmp_path: Path) -> None:
    publish(tmp_path / "index", content(MORE, embedder=resolve_embedder_name("bundled")))
    service = Service(Settings(index=tmp_path / "index"))
    assert [result.page for result in await service.search(ZEBRAS)] == ["more/"]
    await service.close()


async def test_an_index_with_vectors_of_the_bundled_embedder_is_searched_from_several_tasks(tmp_path: Path) -> None:
    publish(tmp_path / "index", content(MORE, embedder=resolve_embedder_name("bundled"), dimensions=384))
    service = Service(Settings(index=tmp_path / "index"))
    results = await asyncio.gather(*(service.search(ZEBRAS) for _ in range(4)))
    assert all(result[0].page == "more/" for result in results)
    await service.close()


def damage(path: Path) -> None:
    """Flip a bit, as a disk might."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.chmod(0o644)
    path.write_bytes(content)


@pytest.mark.parametrize(("setting", "threads"), [(0, min(os.cpu_count() or 1, embedder.MAX_THREADS)), (1, 1), (3, 3)])
async def test_the_embedder_reads_as_many_texts_at_once_as_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: int, threads: int
) -> None:
    used: list[int] = []

    class Counted(ThreadPoolExecutor):
        def __init__(self, workers: int) -> None:
            used.append(workers)
            super().__init__(workers)

    # Loads the model, which reads texts to check itself.
    embedder.load_embedder("bundled")
    monkeypatch.setattr(embedder, "ThreadPoolExecutor", Counted)
    publish(tmp_path / "index", content(MORE, embedder=resolve_embedder_name("bundled"), dimensions=384))
    service = Service(Settings(index=tmp_path / "index", embedding_threads=setting))
    # Two sentences, and so two texts: one alone is embedded without a thread of its own.
    await service.ask_whole(Question("The page about zebras is hard to find. Which stripes do zebras have?"))
    await service.close()
    assert set(used) == {threads}
