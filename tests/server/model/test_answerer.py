"""Answers by a model, over a real connection to a server that says what a script has it say."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from itsdangerous import TimestampSigner
from tests.server.connecting import PREFIX, connect, events_of
from tests.server.scripted_model import Piece, Script, ScriptedModel, chunk, scripted_model

from trueref_core.errors import OptionError
from trueref_core.text.tokens import count_tokens
from trueref_server.model.budget import Budget
from trueref_server.model.chat_history import MESSAGES_MOST, TOKENS_MOST, recent
from trueref_server.model.lines import LineCutter
from trueref_server.model.numbered_sources import ModelSource
from trueref_server.model.prompt import Prompts
from trueref_server.model.sessions import Sessions
from trueref_server.records import Exchange, Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

if TYPE_CHECKING:
    import httpx

pytestmark = pytest.mark.anyio

ASK = f"{PREFIX}/ask"
QUESTION = "How do I switch on dark mode?"
GOOD = "Dark mode is switched on with the palette toggle. [1]"


@asynccontextmanager
async def answering(
    index: Path, script: Script, pause: float = 0.0, **options: object
) -> AsyncGenerator[tuple[httpx.AsyncClient, ScriptedModel]]:
    """A client of an application whose answers a scripted model writes."""
    with scripted_model(script, pause) as model:
        setup: dict[str, Any] = {"model_name": "tiny", "model_key": "secret-key"} | options
        async with connect(index, model_url=model.url, **setup) as client:
            yield client, model


def saying(text: str, size: int = 7) -> Script:
    return lambda _: [text[at : at + size] for at in range(0, len(text), size)]


async def ask(client: httpx.AsyncClient, question: str = QUESTION, **fields: Any) -> dict[str, Any]:
    response = await client.post(ASK, json={"question": question, **fields})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def test_the_text_of_the_model_with_its_sources(index: Path) -> None:
    async with answering(index, saying(GOOD)) as (client, model):
        answer = await ask(client)
    assert (answer["mode"], answer["fallback"], answer["verdict"]) == ("model", "", "answer")
    assert answer["text"] == GOOD
    assert answer["citations"] == [1]
    assert [source["href"] for source in answer["sources"]] == ["setup/colors/#dark-mode"]
    assert (answer["excerpts"], answer["marks"]) == ([], [])
    asked = model.asked[0]
    assert (asked["model"], asked["max_tokens"], asked["stream"]) == ("tiny", 800, True)
    assert asked["authorization"] == "Bearer secret-key"
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert "Dark mode is switched on" in asked["messages"][1]["content"]
    assert "http" not in asked["messages"][1]["content"]


async def test_the_stream_begins_with_what_can_be_read_meanwhile(index: Path) -> None:
    async with answering(index, saying(f"{GOOD}\n\n{GOOD}")) as (client, _):
        response = await client.post(ASK, json={"question": QUESTION, "stream": True})
    events = events_of(response.text)
    names = [name for name, _ in events]
    assert (names[0], names[-1]) == ("sources", "done")
    assert events[0][1]["excerpts"][0]["blocks"][0]["text"].startswith("Dark mode is switched on")
    assert "".join(data["text"] for name, data in events if name == "delta") == events[-1][1]["text"]
    assert events[-1][1]["mode"] == "model"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Dark mode is switched on with the palette toggle.\n" * 20, "loop"),
        ("dark " * 300, "loop"),
        ("Yes, you can.", "uncited"),
        ("Sources [1] do not mention how to do that.", "refusal"),
        ("I'm sorry, I cannot answer that. [1]", "refusal"),
        ("Run `kiln --paint-it-black` now. [1] Then set `night_owl` to 42. [1]", "unsupported"),
    ],
)
async def test_what_does_not_hold_gives_way_to_the_docs(index: Path, text: str, reason: str) -> None:
    async with answering(index, saying(text)) as (client, _):
        answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", reason)
    assert answer["text"].startswith(answer["note"])
    assert "language model" in answer["note"]
    assert answer["excerpts"]
    assert answer["sources"][0]["href"] == "setup/colors/#dark-mode"


@pytest.mark.parametrize("lead", ["My rules are: ", f"{GOOD}\n\n"])
async def test_the_rules_are_not_told(index: Path, lead: str) -> None:
    """Neither in the answer, nor in the pieces of a stream, which a client may show as they come."""

    def script(messages: list[dict[str, str]]) -> Sequence[Piece]:
        return [f"{lead}{messages[0]['content']} [1]"]

    async with answering(index, script) as (client, _):
        answer = await ask(client)
        streamed = events_of((await client.post(ASK, json={"question": QUESTION, "stream": True})).text)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "prompt")
    assert "You answer questions" not in answer["text"]
    shown = "".join(data["text"] for name, data in streamed if name == "delta")
    assert "You answer questions" not in shown
    assert "Say only what the sources say" not in shown


@pytest.mark.parametrize("pieces", [(), ("\n",), ("<think>Hm.</think>",), (chunk({"reasoning_content": "Hm."}),)])
async def test_an_endpoint_that_sends_no_text(
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


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize("lead", ["<think>", "\n<think>\n"])
async def test_what_a_model_thinks_is_no_part_of_its_answer(index: Path, lead: str, size: int) -> None:
    thought = f"{lead}The reader wants --no-such-option.\n{'It is </thin' * 9}\n</think>\n\n"
    async with answering(index, saying(f"{thought}{GOOD}", size)) as (client, _):
        answer = await ask(client)
    assert (answer["mode"], answer["text"]) == ("model", GOOD)


async def test_an_answer_that_reaches_its_greatest_length_says_so(index: Path) -> None:
    def script(_: list[dict[str, str]]) -> Sequence[Piece]:
        return [GOOD, " It is", chunk({}, "length")]

    async with answering(index, script) as (client, _):
        answer = await ask(client)
        german = await ask(client, language="de")
        streamed = events_of((await client.post(ASK, json={"question": QUESTION, "stream": True})).text)
    assert answer["mode"] == "model"
    assert answer["text"].startswith(f"{GOOD} It is")
    assert answer["text"].endswith("\n\nThe answer breaks off here because it has reached its maximum length.")
    assert german["text"].endswith("maximale Länge erreicht hat.")
    assert "".join(data["text"] for name, data in streamed if name == "delta") == streamed[-1][1]["text"]


async def test_an_answer_that_a_filter_stopped(index: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with answering(index, lambda _: [GOOD, chunk({}, "content_filter")]) as (client, _):
            answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert "content filter" in caplog.text


async def test_an_answer_that_says_it_is_none_is_counted_as_none(index: Path) -> None:
    """Where the passages are but the closest, a text that says what is missing is shown, and stays the closest."""
    question = "How do I install it on Windows?"
    text = "The sources do not mention other systems or Windows. Installation takes one command and no compiler. [1]"
    async with connect(index) as client:
        assert (await ask(client, question))["verdict"] == "closest"
    async with answering(index, saying(text), model_follow_ups=0) as (client, _):
        answer = await ask(client, question)
    assert (answer["mode"], answer["verdict"], answer["text"]) == ("model", "closest", text)
    assert answer["marks"] == [], "what is missing stands in no source, and the rules ask the model to say it"


@pytest.mark.parametrize("status", [401, 404, 429, 500])
async def test_an_endpoint_that_refuses(index: Path, status: int, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with answering(index, lambda _: status) as (client, model):
            answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert f"HTTP {status}" in caplog.text
    assert "secret-key" not in caplog.text
    # What may pass is tried again, once.
    assert len(model.asked) == (2 if status in (429, 500) else 1)


async def test_an_endpoint_that_is_not_there(index: Path) -> None:
    async with connect(index, model_url="http://127.0.0.1:9/v1", model_name="tiny") as client:
        answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")


async def test_a_model_that_is_too_slow(index: Path) -> None:
    async with answering(index, saying(GOOD), pause=0.4, model_seconds=1) as (client, model):
        answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert model.left == 1


async def test_a_reader_who_leaves_ends_the_request(index: Path) -> None:
    with scripted_model(saying(f"{GOOD}\n" * 3, 1), pause=0.05) as model:
        given = {"index": index, "model_url": model.url, "model_name": "tiny"}
        service = Service(load_settings({}, given=given))
        events = service.ask(Question(QUESTION))
        async for event in events:
            if event.name == "delta":
                break
        await events.aclose()
        async with asyncio.timeout(10):
            while not model.left:
                await asyncio.sleep(0.02)
        await service.close()


async def test_links_of_the_model_land_or_leave(index: Path) -> None:
    """Whatever the syntax, and wherever the stream is cut: one link of the docs, and nothing else."""
    text = (
        "Dark mode is switched on with the [palette](setup/colors/#dark-mode) toggle, see https://evil-host.net/a, "
        '![x](https://evil-host.net/b.png) <a href="https://evil-host.net">c</a> and [this](setup/colours/#nope). [1] [9]'
    )
    texts: set[str] = set()
    for size in (1, 3, 1000):
        async with answering(index, saying(text, size)) as (client, _):
            answer = await ask(client)
        texts.add(answer["text"])
        assert answer["references"]["removed"] >= 3
    (whole,) = texts
    assert "evil-host.net" not in whole
    assert "[9]" not in whole
    assert "(https://docs.example.org/demo/setup/colors/#dark-mode)" in whole


async def test_marks_say_what_is_not_in_the_docs(index: Path) -> None:
    text = f"{GOOD} Dark mode is switched on with the palette toggle since version 9.4.2. [1] {GOOD} {GOOD} {GOOD}"
    async with answering(index, saying(text)) as (client, _):
        answer = await ask(client)
    assert answer["mode"] == "model"
    (mark,) = answer["marks"]
    assert answer["text"][mark["start"] : mark["end"]] == "9.4.2"
    assert mark["reason"] == "not in the sources"


async def test_a_sentence_without_a_source_gets_the_best_one(index: Path) -> None:
    async with answering(index, saying("Dark mode is switched on with the palette toggle.")) as (client, _):
        answer = await ask(client)
    assert answer["text"] == GOOD


async def test_what_is_not_near_is_not_sent(index: Path) -> None:
    async with answering(index, saying(GOOD)) as (client, model):
        answer = await ask(client, "zxqv wuggle frobnitz")
    assert answer["verdict"] == "not-found"
    assert model.asked == []


async def test_the_conversation_is_sent(index: Path) -> None:
    history = [{"question": f"Question {n}?", "answer": f"Answer {n}."} for n in range(8)]
    async with answering(index, saying(GOOD)) as (client, model):
        await ask(client, history=history)
    sent = [message["content"] for message in model.asked[0]["messages"]][1:-1]
    assert sent == [text for turn in history[-5:] for text in (turn["question"], turn["answer"])]


async def test_numbers_are_those_of_the_conversation(index: Path) -> None:
    """What has a number keeps it; a number of an earlier answer that is no source now is taken out."""
    numbered = ["install/#with-pip", "nowhere/", "setup/colors/#dark-mode"]
    text = "Dark mode is switched on with the palette toggle. [1][2][3]"
    async with answering(index, saying(text)) as (client, model):
        answer = await ask(client, numbered=numbered)
    assert (answer["mode"], answer["text"]) == ("model", f"{GOOD[:-3]}[3]")
    assert [(source["n"], source["href"]) for source in answer["sources"]] == [(3, "setup/colors/#dark-mode")]
    asked = model.asked[0]["messages"][1]["content"]
    assert '<source number="3"' in asked
    assert '<source number="2"' not in asked
    others = [source["n"] for source in answer["more"]]
    assert all(n > 3 or numbered[n - 1] for n in others)
    assert len({3, *others}) == len(others) + 1


async def test_passages_are_numbered_likewise(index: Path) -> None:
    async with connect(index) as client:
        first = await ask(client)
        again = await ask(client, numbered=["x/", *(source["href"] for source in first["sources"])])
        long = await client.post(ASK, json={"question": QUESTION, "numbered": ["x"] * 301})
    assert [source["n"] for source in again["sources"]] == [n + 2 for n in range(len(first["sources"]))]
    assert again["citations"] == [2]
    assert again["text"] == first["text"].replace("[1]", "[2]")
    assert [card["n"] for card in again["excerpts"]] == [source["n"] for source in again["sources"]]
    assert long.status_code == 422


async def test_a_source_leads_to_its_quote_and_says_its_kind(index: Path) -> None:
    async with connect(index) as client:
        answer = await ask(client)
        german = await ask(client, language="de")
    source = answer["sources"][0]
    assert source["kind_name"] == "Guides"
    assert german["sources"][0]["kind_name"] == "Anleitungen"
    assert source["quote"].startswith("Dark mode is switched on")
    assert source["text_fragment"].startswith("text=Dark%20mode%20is%20switched%20on")


@pytest.mark.slow
async def test_two_hundred_questions_against_tokens_for_one_hundred(index: Path) -> None:
    """A budget for one hundred of them, told in the tokens that one takes: the messages and the answer."""
    async with answering(index, saying(GOOD, 1000)) as (client, model):
        await ask(client)
        messages = model.asked[0]["messages"]
    cost = sum(count_tokens(message["content"]) for message in messages) + count_tokens(GOOD)
    # While one is under way, all its tokens are set aside.
    day = 99 * cost + cost - 1 + 800
    options = {"model_day_tokens": day, "model_network_tokens": 0}
    async with answering(index, saying(GOOD, 1000), **options) as (client, model):
        modes = [(await ask(client))["mode"] for _ in range(200)]
    assert modes == ["model"] * 100 + ["extractive"] * 100
    assert len(model.asked) == 100


async def tokens_counted(client: httpx.AsyncClient) -> tuple[float, float]:
    """The tokens sent and received, by the metrics."""
    text = (await client.get(f"{PREFIX}/metrics")).text
    numbers = dict(line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("trueref_model_tokens_total"))
    return tuple(float(numbers[f'trueref_model_tokens_total{{direction="{way}"}}']) for way in ("sent", "received"))  # type: ignore[return-value]


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


@pytest.mark.parametrize("status", [401, 429, 500])
async def test_a_request_that_is_refused_costs_nothing(index: Path, status: int) -> None:
    """Else an endpoint that is down for an hour would use up the tokens of the day."""
    refuse = [True]

    def script(_: list[dict[str, str]]) -> Sequence[Piece] | int:
        return status if refuse[0] else [GOOD]

    async with answering(index, script, model_day_tokens=2000) as (client, _):
        for _ in range(5):
            assert (await ask(client))["fallback"] == "error"
        refuse[0] = False
        assert (await ask(client))["mode"] == "model"


@pytest.mark.parametrize("secret", ["", "the same in all processes"])
async def test_a_model_answers_sessions_only(index: Path, secret: str) -> None:
    options = {"model_session_seconds": 60, "model_session_secret": secret} if secret else {"model_session_seconds": 60}
    body = {"question": QUESTION}
    async with answering(index, saying(GOOD), **options) as (client, model):
        refused = await client.post(ASK, json=body)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "no-session")
        streamed = await client.post(ASK, json=body | {"stream": True})
        assert [(name, data["error"]["code"]) for name, data in events_of(streamed.text)] == [("error", "no-session")]
        issued = (await client.post(f"{PREFIX}/session")).json()
        assert issued["seconds"] == 60
        for session in (
            issued["session"][:-1],
            issued["session"] + "x",
            "a.b.c",
            "",
            "\u00e9",
            Sessions("", 60).issue("x"),
        ):
            assert (await client.post(ASK, json=body | {"session": session})).status_code == 403, session
        assert model.asked == []
        assert (await ask(client, session=issued["session"]))["mode"] == "model"
        assert len(model.asked) == 1
    async with answering(index, saying(GOOD), **options) as (client, _):
        response = await client.post(ASK, json=body | {"session": issued["session"]})
        # A restart forgets a secret that it made itself.
        assert response.status_code == (200 if secret else 403)


async def test_without_a_model_no_session_is_needed(index: Path) -> None:
    async with connect(index, model_session_seconds=60) as client:
        assert (await client.post(f"{PREFIX}/session")).json() == {"session": "", "seconds": 0}
        assert (await ask(client))["mode"] == "extractive"
        assert (await ask(client, session="old"))["mode"] == "extractive"


def test_a_session_is_good_on_its_network_and_for_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions("secret", 100)
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: 1_000_000)
    session = sessions.issue("192.0.2.0/24")
    assert sessions.issue("192.0.2.0/24") != session
    assert Sessions("secret", 100).is_good(session, "192.0.2.0/24")
    assert not Sessions("another", 100).is_good(session, "192.0.2.0/24")
    assert not sessions.is_good(session, "198.51.100.0/24")
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: 1_000_101)
    assert not sessions.is_good(session, "192.0.2.0/24")


def test_the_log_says_when_a_network_is_near_its_limit(caplog: pytest.LogCaptureFixture) -> None:
    budget = Budget(0, 1000, now=lambda: 0.0)
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


def test_budget_of_a_network_and_of_a_day(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    budget = Budget(1000, 300, networks=2, now=lambda: now[0])
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
    budget = Budget(1000, 0, now=lambda: now[0])
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
    budget = Budget(1000, 0, now=lambda: 0.0)
    reserved = budget.reserve("a", 100)
    assert reserved
    budget.settle(reserved, 900)
    assert not budget.reserve("a", 101)
    assert budget.reserve("a", 100)


@settings(derandomize=True)
@given(st.lists(st.tuples(st.text(max_size=2000), st.text(max_size=2000)), max_size=12))
def test_recent_exchanges_are_whole_and_within_their_tokens(pairs: list[tuple[str, str]]) -> None:
    history = [Exchange(question, answer) for question, answer in pairs]
    kept = recent(history)
    assert kept == history[len(history) - len(kept) :]
    assert 2 * len(kept) <= MESSAGES_MOST
    assert sum(count_tokens(turn.question) + count_tokens(turn.answer) for turn in kept) <= TOKENS_MOST


@settings(derandomize=True)
@given(st.text(alphabet="a`\n .", max_size=200), st.integers(0, 2**32))
def test_lines_do_not_depend_on_the_pieces(text: str, seed: int) -> None:
    rng = random.Random(seed)
    pieces: list[str] = []
    at = 0
    while at < len(text):
        end = at + rng.randint(1, 9)
        pieces.append(text[at:end])
        at = end
    cutter, whole = LineCutter(), LineCutter()
    lines = [line for piece in pieces for line in cutter.push(piece)] + cutter.close()
    assert lines == whole.push(text) + whole.close()
    assert "".join(line.text for line in lines) == text


def test_templates_of_a_site(tmp_path: Path) -> None:
    (tmp_path / "system.jinja").write_text("Answer like a pirate of {{ site }}.", encoding="utf-8")
    system, asked = Prompts(tmp_path).render("Demo", "Why?", [ModelSource(1, "Page", "guide", "", "Text.")])
    assert system == "Answer like a pirate of Demo."
    assert '<source number="1" place="Page" kind="guide">\nText.\n</source>' in asked


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model_url": "http://127.0.0.1/v1"}, "model_name is not: name the model"),
        ({"model_url": "localhost"}, "is not an address such as"),
        ({"model_url": "http://me:pw@host/v1", "model_name": "m"}, "give the key as TRUEREF_MODEL_KEY"),
        ({"model_url": "http://h/v1", "model_name": "m", "model_prompts": "nowhere"}, "there is no folder nowhere"),
    ],
)
def test_what_cannot_work_is_said_at_the_start(options: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        Service(load_settings({}, given=options))


@pytest.mark.parametrize("template", ["{{ nothing }}", "{% if %}"])
def test_a_template_that_cannot_be_used(tmp_path: Path, template: str) -> None:
    (tmp_path / "question.jinja").write_text(template, encoding="utf-8")
    with pytest.raises(OptionError, match="model_prompts: a template in"):
        Prompts(tmp_path).check()


def test_the_key_is_in_no_representation() -> None:
    assert "secret" not in repr(load_settings({"TRUEREF_MODEL_KEY": "secret"}))
