"""Endpoints of models that fail, and readers who leave: the docs answer, and no request goes on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.server.connecting import connect
from tests.server.model.test_answerer import GOOD, QUESTION, answering, ask, saying
from tests.server.scripted_model import Piece, chunk, scripted_model
from tests.waiting import wait_until

from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("pieces", [(), ("\n",), ("<think>Hm.</think>",), (chunk({"reasoning_content": "Hm."}),)])
async def test_an_endpoint_that_sends_no_text_leaves_the_answer_to_the_docs(
    index: Path, pieces: Sequence[Piece], caplog: pytest.LogCaptureFixture
) -> None:
    """As one does whose address lacks its `/v1`, and which answers with a page of its own."""
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with answering(index, lambda _: pieces) as (client, model):
            answer = await ask(client)
            await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert "it sent no text" in caplog.text
    assert len(model.asked) == 2, "the answer is not kept: the endpoint may be mended"


@pytest.mark.parametrize("status", [401, 404, 429, 500])
async def test_an_endpoint_that_refuses_leaves_the_answer_to_the_docs(
    index: Path, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with answering(index, lambda _: status) as (client, model):
            answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert f"HTTP {status}" in caplog.text
    assert "secret-key" not in caplog.text
    # What may pass is tried again, once.
    assert len(model.asked) == (2 if status in (429, 500) else 1)


async def test_an_endpoint_that_is_not_there_leaves_the_answer_to_the_docs(index: Path) -> None:
    async with connect(index, model_url="http://127.0.0.1:9/v1", model_name="tiny") as client:
        answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")


async def test_a_model_that_is_too_slow_is_left_and_the_docs_answer(index: Path) -> None:
    async with answering(index, saying(GOOD), pause=0.4, model_seconds=1) as (client, model):
        answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    await asyncio.to_thread(wait_until, lambda: model.left == 1)


async def test_a_reader_who_leaves_ends_the_request(index: Path) -> None:
    with scripted_model(saying(f"{GOOD}\n" * 3, 1), pause=0.05) as model:
        given = {"index": index, "model_url": model.url, "model_name": "tiny"}
        service = Service(load_settings({}, options=given))
        events = service.ask(Question(QUESTION))
        async for event in events:
            if event.name == "delta":
                break
        await events.aclose()
        await asyncio.to_thread(wait_until, lambda: model.left)
        await service.close()
