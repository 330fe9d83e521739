"""What a model may cost: tokens of a day and of a network, as they are set aside, counted and given back."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.server.connecting import PREFIX
from tests.server.model.test_answerer import GOOD, answering, ask, saying
from tests.server.scripted_model import Piece, Raw, chunk

from trueref_core.text.tokens import count_tokens
from trueref_server.model.asking.budget import Budget

if TYPE_CHECKING:
    import httpx

pytestmark = pytest.mark.anyio


@pytest.mark.slow
@pytest.mark.parametrize("count", [10, pytest.param(100, marks=pytest.mark.long)])
async def test_of_twice_as_many_questions_as_there_are_tokens_for_half_are_answered_by_the_model(
    index: Path, count: int
) -> None:
    """A budget for half of them, told in the tokens that one takes: the messages and the answer."""
    async with answering(index, saying(GOOD, 1000)) as (client, model):
        await ask(client)
        messages = model.asked[0]["messages"]
    cost = sum(count_tokens(message["content"]) for message in messages) + count_tokens(GOOD)
    # While one is under way, all its tokens are set aside.
    day = (count - 1) * cost + cost - 1 + 800
    options = {"model_day_tokens": day, "model_network_tokens": 0}
    async with answering(index, saying(GOOD, 1000), **options) as (client, model):
        modes = [(await ask(client))["mode"] for _ in range(2 * count)]
    assert modes == ["model"] * count + ["extractive"] * count
    assert len(model.asked) == count


async def tokens_counted(client: httpx.AsyncClient) -> tuple[float, float]:
    """The tokens sent and received, by the metrics."""
    text = (await client.get(f"{PREFIX}/metrics")).text
    numbers = dict(line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("trueref_model_tokens_total"))
    sent, received = (numbers[f'trueref_model_tokens_total{{direction="{way}"}}'] for way in ("sent", "received"))
    return float(sent), float(received)


@pytest.mark.parametrize("size", [1, 7, 10_000])
async def test_tokens_do_not_depend_on_the_pieces(index: Path, size: int) -> None:
    """Some endpoints send a paragraph at once, which is not one token."""
    async with answering(index, saying(f"{GOOD} " * 3, size)) as (client, _):
        await ask(client)
        assert (await tokens_counted(client))[1] == count_tokens(f"{GOOD} " * 3)


async def test_what_an_endpoint_says_it_used_counts(index: Path) -> None:
    """It may have thought for hundreds of tokens that it does not send."""
    used = chunk({}, usage={"prompt_tokens": 500, "completion_tokens": 900, "total_tokens": 1400})
    async with answering(index, lambda _: [GOOD, used], model_day_tokens=2000) as (client, model):
        assert (await ask(client))["mode"] == "model"
        assert await tokens_counted(client) == (500, 900)
        assert (await ask(client, "Where is dark mode switched on?"))["fallback"] == "budget"
    assert len(model.asked) == 1


async def test_tokens_of_a_text_that_breaks_off_are_counted_here(index: Path) -> None:
    """What an endpoint has said of them by then may be a beginning: some say in the first chunk that it is one token."""
    first = chunk({"content": GOOD}, usage={"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6})
    whole = f"data: {json.dumps(first)}\n\ndata: {json.dumps(chunk({'content': ' ' + GOOD}))}\n\n"
    async with answering(index, lambda _: Raw(whole.encode(), "text/event-stream")) as (client, _):
        assert (await ask(client))["fallback"] == "error"
        sent, received = await tokens_counted(client)
    assert sent > 100
    assert received == count_tokens(f"{GOOD} {GOOD}")


@pytest.mark.parametrize("refusal", [401, 429, 500, Raw(b"<h1>Welcome</h1>", "text/html")])
async def test_a_request_that_is_refused_costs_nothing(index: Path, refusal: int | Raw) -> None:
    """Else an endpoint that is down for an hour, or a wrong address, would use up the tokens of the day."""
    refuse = [True]

    def script(_: list[dict[str, str]]) -> Sequence[Piece] | Raw | int:
        return refusal if refuse[0] else [GOOD]

    async with answering(index, script, model_day_tokens=2000) as (client, _):
        for _ in range(5):
            assert (await ask(client))["fallback"] == "error"
        refuse[0] = False
        assert (await ask(client))["mode"] == "model"


def test_the_log_says_when_a_network_is_near_its_limit(caplog: pytest.LogCaptureFixture) -> None:
    budget = Budget(0, 1000, 2, now=lambda: 0.0)
    with caplog.at_level(logging.WARNING, "trueref.server"):
        assert budget.reserve("192.0.2.0/24", 700)
        assert caplog.text == ""
        assert budget.reserve("192.0.2.0/24", 200)
        assert not budget.reserve("192.0.2.0/24", 200)
        assert not budget.reserve("192.0.2.0/24", 200)
    assert [record.message[:40] for record in caplog.records] == [
        "A client network has spent more than 80%",
        "A client network has spent its tokens fo",
    ]
    assert "192.0.2" not in caplog.text


def test_a_budget_limits_each_network_and_the_day(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    budget = Budget(1000, 300, max_networks=2, now=lambda: now[0])
    with caplog.at_level(logging.WARNING, "trueref.server"):
        assert budget.reserve("a", 200)
        assert not budget.reserve("a", 200)
        assert budget.reserve("b", 300)
        reserved = budget.reserve("c", 300)
        assert reserved
        assert not budget.reserve("d", 300)
    assert "80% of the day" not in caplog.text
    assert "until midnight UTC" in caplog.text
    budget.settle(reserved, 0)
    assert budget.reserve("d", 300)


def test_an_answer_over_midnight_leaves_the_new_day_alone() -> None:
    """What was set aside on the day before is not given back to this one, nor counted for it."""
    now = [0.0]
    budget = Budget(1000, 0, 2, now=lambda: now[0])
    before = budget.reserve("a", 1000)
    assert before
    assert not budget.reserve("a", 1)
    now[0] = 86_400.0
    assert budget.reserve("b", 600)
    budget.settle(before, 100)
    assert not budget.reserve("a", 401)
    assert budget.reserve("a", 400)


def test_an_answer_may_use_more_than_was_set_aside() -> None:
    """A model that thinks unseen, or counts tokens in another way, has used them all the same."""
    budget = Budget(1000, 0, 2, now=lambda: 0.0)
    reserved = budget.reserve("a", 100)
    assert reserved
    budget.settle(reserved, 900)
    assert not budget.reserve("a", 101)
    assert budget.reserve("a", 100)
