"""What a model's first pass lacks is searched once, and it goes on with what was found."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.server.connecting import events_of
from tests.server.model.test_answerer import ASK, GOOD, QUESTION, answering, ask
from tests.server.scripted_model import scripted_model
from tests.waiting import wait_until

from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest
from trueref_server.events import DeltaEvent
from trueref_server.model.follow_up import follow_up_query
from trueref_server.records import CheckedReference, Mark, Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

pytestmark = pytest.mark.anyio

FURTHER = "Further sources:"
ENOUGH = " ".join([GOOD] * 5)
"""What is said to be missing further down is no refusal."""

MISSING = f"{ENOUGH} The sources do not say how to install the package with pip."
NUMBER = re.compile(r'<source number="(\d+)" place="([^"]*)"')


def in_two(first: str, second: Callable[[int], str] | int) -> Callable[[list[dict[str, str]]], Sequence[str] | int]:
    """A model that says one thing, and another with the number of the first further source, or fails then."""

    def script(messages: list[dict[str, str]]) -> Sequence[str] | int:
        asked = messages[-1]["content"]
        if FURTHER not in asked:
            return [first]
        assert messages[-2] == {"role": "assistant", "content": first}
        return second if isinstance(second, int) else [second(int(NUMBER.findall(asked)[0][0]))]

    return script


def install(n: int) -> str:
    return f"Install the package with pip. [{n}]"


async def test_what_is_missing_is_searched_and_the_answer_goes_on(index: Path) -> None:
    async with answering(index, in_two(MISSING, install)) as (client, model):
        response = await client.post(ASK, json={"question": QUESTION, "stream": True})
    assert len(model.asked) == 2
    events = events_of(response.text)
    before, after = [data["sources"] for name, data in events if name == "sources"]
    (added,) = [source for source in after if source not in before and "pip" in source["href"]]
    assert added["n"] > max(source["n"] for source in before)
    answer = events[-1][1]
    assert (answer["mode"], answer["fallback"]) == ("model", "")
    assert answer["text"].endswith(install(added["n"]))
    assert answer["text"].startswith(GOOD)
    assert answer["citations"] == [1, added["n"]]
    assert [source["href"] for source in answer["sources"]] == ["setup/colors/#dark-mode", "install/#with-pip"]


async def test_a_source_of_the_second_pass_leads_to_the_words_that_the_model_took(index: Path) -> None:
    said = "The option `--no-deps` leaves out dependencies."
    async with answering(index, in_two(MISSING, lambda n: f"{said} [{n}]")) as (client, _):
        answer = (await client.post(ASK, json={"question": QUESTION})).json()
    source = answer["sources"][1]
    assert source["quote"] == said.replace("`", "")
    assert source["text_fragment"].startswith("text=The%20option")


@pytest.mark.parametrize(
    ("first", "options"),
    [
        (MISSING, {"model_follow_ups": 0}),
        (GOOD, {}),
        (f"{ENOUGH} The sources do not say how to frobnicate a zxqv wuggle.", {}),
        # It has read that section.
        (f"{ENOUGH} The sources do not say how dark mode is switched on with the palette toggle.", {}),
    ],
)
async def test_where_nothing_is_to_be_found_there_is_one_pass(index: Path, first: str, options: dict[str, Any]) -> None:
    async with answering(index, in_two(first, install), **options) as (client, model):
        answer = await ask(client)
    assert len(model.asked) == 1
    assert answer["text"].startswith(GOOD)


async def test_at_most_one_second_search_is_made(index: Path) -> None:
    still = "The sources do not say how to mount the folder with your documentation in a container image."
    async with answering(index, in_two(MISSING, lambda n: f"{install(n)} {still}")) as (client, model):
        await ask(client)
    assert len(model.asked) == 2


@pytest.mark.parametrize("second", [400, lambda _: "pip " * 400])
async def test_a_second_pass_that_is_of_no_use_leaves_the_first(
    index: Path, second: Callable[[int], str] | int
) -> None:
    async with answering(index, in_two(MISSING, second)) as (client, model):
        answer = await ask(client)
    assert len(model.asked) == 2
    assert answer["mode"] == "model"
    assert "pip pip" not in answer["text"]
    assert answer["text"].startswith(GOOD)


async def test_a_second_pass_is_within_the_budget(index: Path) -> None:
    async with answering(index, in_two(MISSING, install)) as (client, model):
        await ask(client)
        first = sum(len(message["content"]) for message in model.asked[0]["messages"])
    # Room for the first request, whose unused tokens come back, and for less than a second one.
    day = first // 3 + 800
    async with answering(index, in_two(MISSING, install), model_day_tokens=day) as (client, model):
        answer = await ask(client)
    assert len(model.asked) == 1
    assert (answer["mode"], answer["text"].startswith(GOOD)) == ("model", True)


async def test_a_reader_who_leaves_ends_the_second_pass(index: Path) -> None:
    def script(messages: list[dict[str, str]]) -> Sequence[str]:
        return [MISSING] if FURTHER not in messages[-1]["content"] else [*"Install the package with pip.\n" * 5]

    with scripted_model(script, pause=0.05) as model:
        given = {"index": index, "model_url": model.url, "model_name": "tiny"}
        service = Service(load_settings({}, options=given))
        events = service.ask(Question(QUESTION))
        seen = 0
        async for event in events:
            seen += event.name == "sources"
            if seen == 2 and isinstance(event, DeltaEvent) and event.text.strip():
                break
        await events.aclose()
        await asyncio.to_thread(wait_until, lambda: len(model.asked) >= 2 and model.left)
        await service.close()


def reference(given: str) -> CheckedReference:
    found = resolve(Manifest("g", (), (), ()), given)
    return CheckedReference(found.given, found.href, found.url, "unlinked", "", None, decision="removed")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The sources do not mention how to change the port. [1]", "how to change the port"),
        (
            "It is `8000`. [1] There is no information about the prefix in the sources.",
            "about the prefix in the sources",
        ),
        ("The default port is not specified.", "The default port is"),
        ("Do not use `--force`. It says nothing else.", ""),
        ("", ""),
    ],
)
def test_the_words_that_a_text_says_are_missing_are_searched_for(text: str, expected: str) -> None:
    assert follow_up_query(text, [], []) == expected


def test_names_and_links_that_the_sources_lack_are_searched_for() -> None:
    text = "Set `--no-build` and `kiln.fire`."
    marks = [
        Mark(5, 15, "", "not-in-sources", "--no-builds"),
        Mark(22, 31, "", "not-in-sources"),
        Mark(0, 4, "", "no-source"),
    ]
    found = follow_up_query(text, marks, [reference("setup/night-mode/#switch"), reference("setup/night-mode/#switch")])
    assert found == "--no-build kiln.fire setup night mode switch"


@pytest.mark.parametrize("piece", ["no ", "not say ", "nothing is missing ", "neither ", "n't "])
def test_a_long_text_gives_a_short_search(piece: str) -> None:
    assert len(follow_up_query(piece * 20_000, [], [])) <= 300
