"""Answers by a model, over a real connection to a server that says what a script has it say."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugin.pages import page
from tests.server.connecting import PREFIX, connect, events_of
from tests.server.handmade import publish_demo
from tests.server.scripted_model import Piece, Script, ScriptedModel, chunk, scripted_model

from trueref_plugin.build.build import index_site

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


async def test_a_sound_text_of_the_model_is_the_answer_with_its_sources(index: Path) -> None:
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
        ("The answer is: [1]", "refusal"),
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


@pytest.mark.parametrize("letters", [str, str.upper, str.title])
@pytest.mark.parametrize("lead", ["My rules are: ", f"{GOOD}\n\n"])
async def test_an_answer_that_recites_the_rules_gives_way_to_the_docs(
    index: Path, lead: str, letters: Callable[[str], str]
) -> None:
    """Neither in the answer, nor in the pieces of a stream, which a client may show as they come."""

    def script(messages: list[dict[str, str]]) -> Sequence[Piece]:
        return [f"{lead}{letters(messages[0]['content'])} [1]"]

    async with answering(index, script) as (client, _):
        answer = await ask(client)
        streamed = events_of((await client.post(ASK, json={"question": QUESTION, "stream": True})).text)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "prompt")
    assert "you answer questions" not in answer["text"].lower()
    shown = "".join(data["text"] for name, data in streamed if name == "delta").lower()
    assert "you answer questions" not in shown
    assert "say only what the sources say" not in shown


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize("lead", ["<think>", "\n<think>\n", "<think>First.</think>\n<think>"])
async def test_what_a_model_thinks_is_no_part_of_its_answer(index: Path, lead: str, size: int) -> None:
    thought = f"{lead}The reader wants --no-such-option.\n{'It is </thin' * 9}\n</think>\n\n"
    async with answering(index, saying(f"{thought}{GOOD}", size)) as (client, _):
        answer = await ask(client)
    assert (answer["mode"], answer["text"]) == ("model", GOOD)


@pytest.mark.parametrize("size", [1, 4, 1000])
async def test_the_indentation_of_a_first_line_stays(index: Path, size: int) -> None:
    """Without it, the second of two items would be a part of the first."""
    text = f"  - {GOOD}\n  - Set it under theme [1]."
    async with answering(index, saying(text, size)) as (client, _):
        answer = await ask(client)
    assert (answer["mode"], answer["text"]) == ("model", text)


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


async def test_an_answer_that_a_filter_stopped_gives_way_to_the_docs(
    index: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "trueref.server"):
        async with answering(index, lambda _: [GOOD, chunk({}, "content_filter")]) as (client, _):
            answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("extractive", "error")
    assert "content filter" in caplog.text


@pytest.mark.parametrize(
    "text",
    [
        f"{GOOD} The command does not provide a `shell` option, and no file describes it. [1] {GOOD} {GOOD}",
        f"The sources do not mention a keyboard shortcut. {GOOD}",
        f"I cannot find a shortcut in the sources. {GOOD} {GOOD} {GOOD}",
    ],
)
async def test_an_answer_that_denies_something_is_shown(index: Path, text: str) -> None:
    async with answering(index, saying(text), model_follow_ups=0) as (client, _):
        answer = await ask(client)
    assert (answer["fallback"], answer["mode"], answer["verdict"]) == ("", "model", "answer")


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
    assert (mark["code"], mark["suggestion"], mark["reason"]) == ("not-in-sources", "", "Not in the sources.")


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        ("en", "Not in the sources. Did you mean {name}?"),
        ("de", "Steht nicht in den Quellen. Gemeint ist vielleicht {name}."),
    ],
)
async def test_marks_say_why_in_the_language_of_the_page(tmp_path: Path, language: str, reason: str) -> None:
    """In the stream, in the whole answer, and in the one that is kept of it; the code is the same in every language."""
    sound = "Night mode of the kiln is switched on with `theme.nightly` in the file."
    publish_demo(tmp_path / "index", {"setup/night/": {"night-mode": sound}})
    text = f"{sound.replace('nightly', 'nightli')} [1] {sound} [1] {sound} [1] {sound} [1]"
    body = {"question": "How do I switch on night mode of the kiln?", "language": language, "stream": True}
    async with answering(tmp_path / "index", saying(text), model_follow_ups=0, cache_answers=9) as (client, model):
        streams = [events_of((await client.post(ASK, json=body)).text) for _ in range(2)]
    assert len(model.asked) == 1
    for events in streams:
        (mark,) = [data for name, data in events if name == "mark"]
        assert events[-1][1]["marks"] == [mark]
        assert (mark["code"], mark["suggestion"]) == ("not-in-sources", "theme.nightly")
        assert mark["reason"] == reason.format(name="theme.nightly")


async def test_a_sentence_without_a_source_gets_the_best_one(index: Path) -> None:
    async with answering(index, saying("Dark mode is switched on with the palette toggle.")) as (client, _):
        answer = await ask(client)
    assert answer["text"] == GOOD


async def test_a_question_that_the_docs_do_not_meet_is_not_sent_to_the_model(index: Path) -> None:
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


async def numbered_over_five_turns(client: httpx.AsyncClient, mode: str) -> None:
    """The client keeps what was numbered, as the widget does; no number has two sections, and no section two."""
    questions = (QUESTION, "How do I install it with pip?", "Custom colors?", "And with docker?", "And dark mode?")
    seen: dict[int, str] = {}
    history: list[dict[str, str]] = []
    for question in questions:
        numbered = [seen.get(n, "") for n in range(1, max(seen, default=0) + 1)]
        answer = await ask(client, question, history=history, numbered=numbered)
        assert (answer["mode"], answer["fallback"]) == (mode, "")
        cited = {int(n) for n in re.findall(r"\[(\d+)\]", answer["text"])}
        assert cited == set(answer["citations"])
        assert cited.issubset(source["n"] for source in answer["sources"])
        for source in (*answer["sources"], *answer["more"]):
            assert seen.setdefault(source["n"], source["href"]) == source["href"]
        assert len(set(seen.values())) == len(seen)
        history.append({"question": question, "answer": answer["text"]})
    assert len(seen) > len(questions)


async def test_numbers_are_stable_over_five_turns(index: Path) -> None:
    def script(messages: list[dict[str, str]]) -> Sequence[Piece]:
        sources = re.findall(r'<source number="(\d+)"[^>]*>\n(.*)\n', messages[-1]["content"])
        return [f"{text.split('. ')[0].rstrip('.')}. [{n}] " for n, text in sources[:2]]

    async with answering(index, script) as (client, _):
        await numbered_over_five_turns(client, "model")
    async with connect(index) as client:
        await numbered_over_five_turns(client, "extractive")


async def test_sources_of_an_answer_by_passages_keep_the_numbers_of_the_conversation(index: Path) -> None:
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


@pytest.mark.parametrize(
    ("said", "quote", "fragment"),
    [
        (
            "Readers can choose between light and dark. [1]",
            "Readers can choose between light and dark.",
            "text=Readers",
        ),
        ("* readers can **choose** between light and dark [1].", "Readers can choose between light and dark", "text=R"),
        (
            'The docs say "choose between light and dark" of the palette toggle. [1]',
            "choose between light and dark",
            "text=choose",
        ),
        # Nothing word for word: the sentence that its card marked.
        (GOOD, "Dark mode is switched on with the palette toggle.", "text=Dark"),
        ("The palette toggle is what switches dark mode on. [1]", "Dark mode is switched on", "text=Dark"),
        # Said with the number of another section, whose page has it not.
        (f"{GOOD} Readers can choose between light and dark. [2]", "Dark mode is switched on", "text=Dark"),
    ],
)
async def test_a_source_of_a_model_leads_to_the_words_that_it_took(
    index: Path, said: str, quote: str, fragment: str
) -> None:
    async with answering(index, saying(said)) as (client, _):
        answer = await ask(client)
    assert (answer["mode"], answer["fallback"]) == ("model", "")
    source = next(source for source in answer["sources"] if source["n"] == 1)
    assert source["quote"].startswith(quote)
    assert source["text_fragment"].startswith(fragment)


async def test_a_source_without_a_card_leads_to_the_words_too(index: Path) -> None:
    """The answer by passages quotes nothing of the sections that it only names; a model may."""
    said: list[str] = []

    def script(messages: list[dict[str, str]]) -> Sequence[Piece]:
        sources = re.findall(r'<source number="(\d+)"[^>]*>\n(.*)\n', messages[-1]["content"])
        said[:] = sources[-1]
        return [f"{said[1].split('. ')[0].rstrip('.')}. [{said[0]}]"]

    async with answering(index, script) as (client, _):
        answer = await ask(client, "Install the package with pip, with colors, or the image of the documentation?")
    (last,) = answer["sources"]
    assert last["n"] == int(said[0]) > 3
    assert said[1].startswith(last["quote"].rstrip("."))
    assert last["text_fragment"].startswith("text=")


async def test_two_sites_with_one_address_keep_their_texts(tmp_path: Path) -> None:
    """Each number of the prompt has the text of the site that its source leads to."""
    texts = {
        "one": "Install the kiln with pip: the wheel of the first site brings the glazes along.",
        "two": "Install the kiln with pip: the wheel of the second site brings the burners along.",
    }
    for name, text in texts.items():
        folder = tmp_path / name / "install"
        folder.mkdir(parents=True)
        body = f'<h1 id="install">Install</h1><p>How to begin.</p><h2 id="pip">Install with pip</h2><p>{text}</p>'
        (folder / "index.html").write_text(page(body, f"<title>Kiln {name}</title>"))
        address = f"https://{name}.example/"
        index_site(tmp_path / name, index=tmp_path / "index", name=name, base_url=address, embedder="lexical")
    async with answering(tmp_path / "index", saying("Install the kiln with pip. [1]")) as (client, model):
        answer = await ask(client, "How do I install the kiln with pip?")
    sources = {source["n"]: source["url"] for source in [*answer["sources"], *answer["more"]]}
    prompt = model.asked[0]["messages"][1]["content"]
    read = re.findall(r'<source number="(\d+)"[^>]*>\n(.*?)\n</source>', prompt, re.DOTALL)
    read_on = {sources[int(n)]: text for n, text in read}
    for name, text in texts.items():
        assert text in read_on[f"https://{name}.example/install/#pip"]
