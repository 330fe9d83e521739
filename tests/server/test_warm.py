"""What the server reads before the first question."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from tests.server.connecting import PREFIX
from tests.server.handmade import publish_demo
from tests.waiting import wait_until

from trueref_core.generations.open_generation import OpenIndex
from trueref_server.corpus.corpus import Corpus
from trueref_server.index import live_index
from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.serving.app import create_app
from trueref_server.settings import Settings

pytestmark = pytest.mark.anyio


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The generations whose sections were read whole, once each time."""
    read: list[str] = []
    read_sections = Corpus.of

    async def noted(index: OpenIndex) -> Corpus:
        corpus = await read_sections(index)
        read.append(index.generation.id)
        return corpus

    monkeypatch.setattr(Corpus, "of", noted)
    return read


async def test_the_lifespan_reads_what_questions_need_without_waiting_for_one(index: Path, readings: list[str]) -> None:
    service = Service(Settings(index=index))
    app = create_app(service.settings, service=service)
    async with app.router.lifespan_context(app):
        await asyncio.to_thread(wait_until, lambda: readings)
        assert (await service.search(Question("dark mode")))[0].anchor == "dark-mode"
        assert len(readings) == 1


async def test_a_server_that_ends_at_once_leaves_nothing_behind(index: Path) -> None:
    service = Service(Settings(index=index))
    app = create_app(service.settings, service=service)
    before = asyncio.all_tasks()
    async with app.router.lifespan_context(app):
        assert asyncio.all_tasks() > before
    assert asyncio.all_tasks() == before


async def test_a_server_without_an_index_starts_and_says_that_it_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, readings: list[str]
) -> None:
    monkeypatch.setattr(live_index, "RETRY_SECONDS", 0.0)
    service = Service(Settings(index=tmp_path / "index"))
    app = create_app(service.settings, service=service)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://docs.test") as client,
    ):
        assert (await client.get(f"{PREFIX}/healthz")).status_code == 200
        assert (await client.get(f"{PREFIX}/readyz")).status_code == 503
        generation = publish_demo(tmp_path / "index").id
        ready = await client.get(f"{PREFIX}/readyz")
        assert (ready.status_code, ready.json()["generation"]) == (200, generation)
        # Whoever is told so finds everything read.
        assert readings == [generation]
