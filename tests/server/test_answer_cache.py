"""Answers that are kept, and the counts that a monitor reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.server.connecting import PREFIX, connect, events_of
from tests.server.handmade import publish_demo
from tests.server.model.test_answerer import GOOD, answering, saying

if TYPE_CHECKING:
    import httpx

pytestmark = pytest.mark.anyio

ASK = f"{PREFIX}/ask"
QUESTION = "How do I switch on dark mode?"
OWN = ("answer_id", "cached", "timings")
"""What an answer that is given again has of its own."""


async def ask(client: httpx.AsyncClient, question: str = QUESTION, **fields: Any) -> dict[str, Any]:
    response = await client.post(ASK, json={"question": question, **fields})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def without_own(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without the fields that each request has of its own."""
    return {name: value for name, value in answer.items() if name not in OWN}


async def counts(client: httpx.AsyncClient) -> dict[str, float]:
    """The samples that are not 0, by name and the values of the labels, in the order of their names."""
    response = await client.get(f"{PREFIX}/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    return {
        ",".join([sample.name, *(value for _, value in sorted(sample.labels.items()))]): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
        if sample.value and not sample.name.endswith(("_created", "_bucket", "_sum"))
    }


async def test_the_same_question_is_answered_from_memory(index: Path) -> None:
    async with connect(index, cache_answers=2) as client:
        first = await ask(client)
        again = await ask(client, f"  {QUESTION.replace(' ', '  ')} ")
        assert (first["cached"], again["cached"]) == (False, True)
        assert without_own(again) == without_own(first)
        assert again["answer_id"] != first["answer_id"]
        assert again["timings"]["search"] == 0
        others: list[dict[str, Any]] = [
            {"page": "install/"},
            {"history": [{"question": "What is a palette?"}]},
            {"language": "fr"},
        ]
        for other in others:
            assert not (await ask(client, **other))["cached"], other
        # Of two that are kept, the question itself is the one longest unasked.
        assert not (await ask(client))["cached"]


async def test_an_answer_kept_in_memory_is_streamed_as_it_was_made(index: Path) -> None:
    async with connect(index, cache_answers=10) as client:
        streams = [(await client.post(ASK, json={"question": QUESTION, "stream": True})).text for _ in range(2)]
    made, kept = (events_of(stream) for stream in streams)
    assert [event for event in kept if event[0] != "done"] == [event for event in made if event[0] != "done"]
    assert (made[-1][1]["cached"], kept[-1][1]["cached"]) == (False, True)
    assert without_own(kept[-1][1]) == without_own(made[-1][1])


async def test_a_new_generation_answers_anew(tmp_path: Path) -> None:
    publish_demo(tmp_path)
    async with connect(tmp_path, cache_answers=10) as client:
        first = await ask(client)
        publish_demo(tmp_path, {"extra/": {"": "The palette of a site may have a third mode."}})
        while (again := await ask(client))["generation"] == first["generation"]:
            assert again["cached"]
        assert not again["cached"]


async def test_the_model_is_asked_once(index: Path) -> None:
    async with answering(index, saying(GOOD), cache_answers=10) as (client, model):
        first, again = await ask(client), await ask(client)
    assert len(model.asked) == 1
    assert (again["mode"], again["cached"]) == ("model", True)
    assert without_own(again) == without_own(first)


async def test_what_a_passing_trouble_made_is_not_kept(index: Path) -> None:
    async with answering(index, lambda _: 401, cache_answers=10) as (client, model):
        assert [(await ask(client))["fallback"] for _ in range(2)] == ["error", "error"]
    assert len(model.asked) == 2


async def test_a_kept_answer_counts_no_second_time(index: Path) -> None:
    text = f"{GOOD} {GOOD} {GOOD} It is version 9.4.2, see https://evil-host.net. [1]"
    async with answering(index, saying(text), cache_answers=10) as (client, _):
        assert await counts(client) == {}
        await ask(client)
        await ask(client)
        await ask(client, "zxqv wuggle frobnitz")
        found = await counts(client)
        raw = (await client.get(f"{PREFIX}/metrics")).text
    assert found["trueref_answers_total,false,model,answer"] == 1
    assert found["trueref_answers_total,true,model,answer"] == 1
    assert found["trueref_answers_total,false,extractive,not-found"] == 1
    assert found["trueref_answer_seconds_count,model"] == 2
    assert found["trueref_sources_total,guide"] == 1
    assert found["trueref_references_total,removed"] == 1
    assert found["trueref_marks_total"] == 1
    assert not re.search("dark|palette|wuggle", raw)


async def test_a_question_without_an_answer_is_counted(tmp_path: Path) -> None:
    async with connect(tmp_path / "nothing") as client:
        assert (await client.post(ASK, json={"question": QUESTION})).status_code == 503
        assert await counts(client) == {
            "trueref_failures_total,index-unavailable": 1,
            "trueref_http_errors_total,503": 1,
        }
