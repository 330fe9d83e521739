"""A real language model of 135 million parameters, which cites badly, loops and invents: what it writes is checked.

`make test-llm` installs it and its server beside the project's environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from scripts.measure_references import print_shares, timed_gates
from scripts.running_server import running_server
from tests.llm.small_model import small_model
from tests.server.connecting import PREFIX, connect, events_of
from tests.server.handmade import publish_demo
from tests.waiting import wait_until_async

from trueref_core.generations.served_generation import open_index
from trueref_core.links.resolve import resolve
from trueref_server.wording import sentences

# One token may take a second where other programs have the processors: nothing here is judged by the clock.
pytestmark = [pytest.mark.llm, pytest.mark.anyio, pytest.mark.timeout(3600)]
WAIT = 1300

ASK = f"{PREFIX}/ask"
QUESTIONS = (
    "How do I switch on dark mode?",
    "Which option changes the colors?",
    "How do I install it?",
    "What does the palette toggle do?",
    "Can readers choose between light and dark?",
    "How do I install it with Docker?",
)
OPTIONS: dict[str, Any] = {
    "model_name": "smollm2",
    "context_tokens": 300,
    "model_answer_tokens": 120,
    "model_seconds": 600,
}
LINK = re.compile(r"\]\(([^)\s]+)\)|(https?://[^\s`)]+)")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def model_url() -> Iterator[str]:
    with small_model() as url:
        yield url


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("llm") / "index"
    publish_demo(path)
    return path


async def test_the_answers_of_a_small_model_lead_only_to_places_of_the_manifest(model_url: str, index: Path) -> None:
    """Each answer ends, cites sources that are there, has no link but those of the manifest, and says who wrote it."""
    opened = await open_index(index)
    modes: list[str] = []
    with timed_gates() as timed:
        async with connect(index, model_url=model_url, **OPTIONS) as client:
            bodies = [{"question": question, "stream": True} for question in QUESTIONS]
            responses = [await client.post(ASK, json=body, timeout=WAIT) for body in bodies]
    for question, response in zip(QUESTIONS, responses, strict=True):
        events = events_of(response.text)
        assert (events[0][0], events[-1][0]) == ("sources", "done"), response.text
        answer = events[-1][1]
        modes.append(answer["fallback"] or answer["mode"])
        print(f"{question} -> {modes[-1]}: {answer['text'][:300]!r}")
        numbers = {source["n"] for source in answer["sources"]}
        assert numbers.issuperset(answer["citations"])
        if answer["mode"] == "model":
            streamed = "".join(data["text"] for name, data in events if name == "delta")
            assert streamed == answer["text"]
            assert answer["citations"]
        else:
            assert answer["excerpts"] or answer["verdict"] == "not-found"
        for written, bare in LINK.findall(answer["text"]):
            assert resolve(opened.manifest, written or bare).status == "exact"
    # It was asked, and answered: neither the connection nor its protocol failed.
    assert "error" not in modes
    assert any(mode not in ("extractive",) for mode in modes)
    print_shares(timed)
    assert len(timed) >= len(QUESTIONS)
    # Under 2 % of the time to the last token of each text, both by the clock on the wall.
    assert all(0 < one.share < 0.02 for one in timed)


async def test_a_reader_who_leaves_frees_its_slot(model_url: str, index: Path) -> None:
    """The slot of the model's server, by its own count, and the single one of ours; both are taken until then."""
    slots = model_url.removesuffix("/v1") + "/slots"
    options = {name.upper(): str(value) for name, value in OPTIONS.items()} | {"MODEL_ANSWER_TOKENS": "2000"}
    body = {"question": QUESTIONS[0]}
    with running_server(
        index, MODEL_URL=model_url, MAX_ANSWERS="1", MODEL_SESSION_SECONDS="0", CACHE_ANSWERS="0", **options
    ) as api:
        async with httpx.AsyncClient(timeout=WAIT) as client:

            async def is_busy() -> bool:
                return any(slot["is_processing"] for slot in (await client.get(slots)).json())

            async def is_free() -> bool:
                return not await is_busy()

            async with client.stream("POST", f"{api}/ask", json=body | {"stream": True}) as reading:
                assert reading.status_code == 200
                await wait_until_async(is_busy)
                assert (await client.post(f"{api}/ask", json=body)).status_code == 429
            await wait_until_async(is_free)
            async with client.stream("POST", f"{api}/ask", json=body | {"stream": True}) as again:
                assert again.status_code == 200


async def test_a_loop_gives_way_to_the_docs(index: Path) -> None:
    """The reader sees the line that says so and the passages, each time: the model takes the likeliest token."""
    options: dict[str, Any] = OPTIONS | {"model_answer_tokens": 700}
    with small_model("--greedy") as url:
        async with connect(index, model_url=url, **options) as client:
            body = {"question": QUESTIONS[0], "stream": True}
            streams = [events_of((await client.post(ASK, json=body, timeout=WAIT)).text) for _ in range(2)]
        async with connect(index) as client:
            passages = (await client.post(ASK, json=body | {"stream": False})).json()
    line = sentences("en")["model_unusable"]
    for events in streams:
        answer = events[-1][1]
        assert (answer["mode"], answer["fallback"], answer["note"]) == ("extractive", "loop", line)
        assert answer["text"] == f"{line}\n\n{passages['text']}"
        assert answer["excerpts"] == passages["excerpts"] == events[0][1]["excerpts"]
        assert answer["sources"] == passages["sources"]
    first, second = ([event for event in events if event[0] == "delta"] for events in streams)
    assert first == second
