from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import ROOT
from tests.server.handmade import chunk, publish_demo

from trueref_server.question.conversation import (
    MAX_CARRIED,
    carried_words,
    depends_on_earlier,
    in_conversation,
    last_topic,
)
from trueref_server.question.plan import make_plan
from trueref_server.question.pointing import is_fragment, refers_to_earlier
from trueref_server.question.question_text import is_courtesy
from trueref_server.records import Exchange, Hit, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

MAX_DEPENDENT = 0.02
"""Share of questions that readers ask first which may look like the second of a conversation."""


@pytest.mark.parametrize(
    "text",
    [
        "and with Docker?",
        "why?",
        "How do I uninstall it?",
        "what about the colours",
        "Is there an option for that?",
        "pip?",
        "and --no-deps?",
        "from a local folder?",
        "mine is not from Google",
        "does that also work on Windows?",
        "how long does that take?",
        "and how often is that checked?",
        "how do I change its colour?",
        "and tie a package to one?",
        "so where is it kept, and how do I move it?",
        "what if my code is not in src",
        "with a specific Python version?",
        "to a custom one",
        "on GitLab?",
        "2.0?",
    ],
)
def test_a_question_that_cannot_stand_alone_depends_on_the_one_before(text: str) -> None:
    assert depends_on_earlier(text)


@pytest.mark.parametrize(
    "text",
    [
        "How do I change the colours of the header?",
        "Install a package from a private index with a token",
        "--no-deps",
        "What is `edit_uri`?",
        "When I build the site, the search plugin says that its language is not supported. How do I change it?",
        "In which file is the font set?",
        "On which platforms does the lock hold?",
        "Under Windows the path breaks when a site is built",
        "With Docker the build of the image stops at once",
        # Short, and whole.
        "how do i change fonts",
        "what does uvx do?",
        "dark mode",
        "logo",
        # It goes on, and says all that it asks.
        "And how do I deploy to AWS Lambda?",
        "also, how do I add my own CSS?",
        # Words that point elsewhere in other places.
        "hide the table of contents on one page",
        "Is it possible to build without isolation?",
        "is it safe to delete the cache?",
        "where does uv store its cache",
        "a script that needs numpy",
        "how do I use both formulas and code?",
        "upgrade instead of pinning",
        # What it points to, it says itself.
        "I built a wheel of my project, where is it put?",
        "we have a private repository, how can CI log in to it",
    ],
)
def test_a_question_that_names_what_it_asks_depends_on_nothing(text: str) -> None:
    assert not depends_on_earlier(text)


@pytest.mark.parametrize(
    "text", ["Under Windows the path breaks", "for Windows installation", "for loops", "with Docker?"]
)
def test_a_beginning_that_may_begin_another_topic_does_not_refer(text: str) -> None:
    assert not refers_to_earlier(text)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("docker?", True), ("for CPU only?", True), ("on GitLab", True), ("Typography", False), ("Is there one?", False)],
)
def test_a_few_words_may_be_the_end_of_the_question_before(text: str, is_one: bool) -> None:
    assert is_fragment(text) == is_one


def test_questions_that_readers_ask_first_stand_alone() -> None:
    questions = [
        json.loads(line)["question"]
        for file in sorted((ROOT / "training" / "questions").glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    dependent = [text for text in questions if depends_on_earlier(make_plan(Question(text)).query)]
    print(f"{len(dependent)} of {len(questions)}")
    # 168 of 1,780 were taken for a part of what came before, of most of them because they are short.
    assert len(dependent) <= MAX_DEPENDENT * len(questions), dependent


def test_a_version_alone_asks_for_the_same_in_that_version() -> None:
    bare, named = make_plan(Question("2.0?")), make_plan(Question("what changed in 2.0?"))
    assert bare.releases == named.releases == ("2.0",)
    assert in_conversation(bare, ("cache",), None).releases == ()
    assert in_conversation(named, ("cache",), None).releases == ("2.0",)


def test_words_are_carried_up_to_the_question_that_stands_alone() -> None:
    history = [
        Exchange("How do I switch the search plugin off?"),
        Exchange("How do I install a package with pip?"),
        Exchange("and from a wheel?"),
    ]
    assert carried_words(history) == ("wheel", "install", "package", "pip")
    assert last_topic(history) == "pip package install wheel"
    assert last_topic(history[:2]) == "How do I install a package with pip?"


def test_the_question_and_what_it_depends_on_are_searched_side_by_side() -> None:
    plan = make_plan(Question("and with Docker?"))
    section = replace(chunk("install/", "with-pip", "Text.", 0), title="Installing with pip")
    read = in_conversation(plan, ("install", "docker"), Hit("demo", "install/", "with-pip", 1.0, (section,)))
    assert read.query == "and with Docker? install Installing with pip"
    assert read.parts == ("and with Docker?",)
    assert read.terms == ("docker", "instal")
    assert read.carried == ("install",)
    assert read.read_as == "and with Docker? (Installing with pip)"
    assert read.topic == ("demo", "install/")


def test_a_conversation_that_tells_nothing_changes_nothing() -> None:
    plan = make_plan(Question("docker?"))
    assert in_conversation(plan, ("docker",), None) == plan


@pytest.mark.parametrize(
    "text",
    [
        "thanks",
        "Thank you very much!",
        "hello",
        "ok, thanks a lot.",
        "great!",
        "Hi there, ok",
        "no thanks",
        "thank u",
        "thanks for the help",
        "that worked, thanks a bunch",
        "ok got it, makes sense",
        "It works now!",
        "Thank you so much for your help!",
        "thanks for that",
        "that's great, thanks again",
        "hello there",
        "good morning",
        "yep, understood",
    ],
)
def test_courtesies_ask_nothing(text: str) -> None:
    assert is_courtesy(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "???",
        "why?",
        "thanks, and with docker?",
        "okapi",
        "hi-res images",
        "ok but how",
        "no module named yaml",
        "nicely",
        "hello world",
        "thanks for the tip and docker?",
        "thanks for the help how install?",
        "good practices",
        "that is nice for docker",
    ],
)
def test_a_polite_question_is_no_courtesy(text: str) -> None:
    assert not is_courtesy(text)


@given(st.lists(st.text(max_size=60), max_size=6))
def test_of_any_history_a_bounded_number_of_words_is_carried(questions: list[str]) -> None:
    history = [Exchange(question) for question in questions]
    carried = carried_words(history)
    assert len(carried) <= MAX_CARRIED
    assert len(set(carried)) == len(carried)
    if history:
        assert isinstance(last_topic(history), str)


@pytest.mark.anyio
async def test_a_follow_up_finds_what_it_could_not_find_alone(index: Path) -> None:
    service = Service(Settings(index=index))
    history = (Exchange("How do I install the package with pip?", "With one command."),)
    answer = await service.ask_whole(Question("and with docker?", history))
    assert answer.sources[0].anchor == "with-docker"
    assert answer.read_as.startswith("and with docker? (install, package, With pip")
    assert answer.text.startswith(f"Read as: {answer.read_as}\n\n")
    alone = await service.ask_whole(Question("How do I install the package with pip?", history))
    assert alone.read_as == ""
    assert not alone.text.startswith("Read as")
    await service.close()


@pytest.mark.anyio
@pytest.mark.parametrize("text", ["What is the weather?", "kubernetes operators?", "and the weather?"])
async def test_what_came_before_does_not_answer_what_no_page_tells(index: Path, text: str) -> None:
    service = Service(Settings(index=index))
    history = (Exchange("How do I install the package with pip?", "With one command."),)
    alone = await service.ask_whole(Question(text))
    answer = await service.ask_whole(Question(text, history))
    # That its form goes on changes nothing: no page has a word of it.
    assert (alone.verdict, answer.verdict, answer.read_as) == ("not-found", "not-found", "")
    await service.close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("and how is it Zeppelined?", "Zeppelined"),
        ("can it fly to Märs?", "fly, Märs"),
        ("and hindenburg?", "hindenburg"),
        ("what is FooBar_quxify and can I eat it?", "eat, FooBar, quxify"),
    ],
)
async def test_a_refusal_names_only_words_that_were_typed(index: Path, text: str, typed: str) -> None:
    service = Service(Settings(index=index))
    history = (Exchange("Which kubernetes operator reconciles the Installation?", "None."),)
    answer = await service.ask_whole(Question(text, history))
    named = re.findall(r"[^\W_]+", answer.text.partition("No page mentions:")[2])
    assert sorted(named) == sorted(re.findall(r"[^\W_]+", typed))
    assert (answer.verdict, answer.read_as) == ("not-found", "")
    assert not answer.text.startswith("Read as")
    await service.close()


@pytest.mark.anyio
async def test_a_word_that_begins_another_topic_is_asked_as_it_stands(index: Path) -> None:
    service = Service(Settings(index=index))
    history = (Exchange("Which compiler takes the installation command of the package?"),)
    answer = await service.ask_whole(Question("dark mode", history))
    assert (answer.verdict, answer.read_as, answer.sources[0].anchor) == ("answer", "", "dark-mode")
    await service.close()


@pytest.mark.anyio
@pytest.mark.parametrize("text", ["what about dark mode?", "and dark mode?", "how about dark mode", "also dark mode"])
async def test_an_ellipsis_on_another_page_begins_a_new_topic(index: Path, text: str) -> None:
    service = Service(Settings(index=index))
    history = (Exchange("How do I install the package with pip?", "With one command."),)
    answer = await service.ask_whole(Question(text, history))
    assert (answer.verdict, answer.read_as, answer.sources[0].anchor) == ("answer", "", "dark-mode")
    going_on = await service.ask_whole(Question("what about the container image?", history))
    assert going_on.read_as.startswith("what about the container image? (")
    await service.close()


PORTS = {
    "serve/": {
        "": "How the server is started, with all that can be set.",
        "change-the-port": "Change the port with `--port 8001` where the port is taken.",
        "other-settings": "A setting names the host, the folder of PDF files, and the fonts of the report.",
        "fonts": "The fonts of the report are those of the system.",
    },
    "pdfs/": {"": "PDF files are read page by page.", "marked": "Marked PDF files have headings."},
    "fonts/": {"": "Fonts are loaded from the site. Choose fonts that readers have."},
}
"""A long page that tells of much in passing, and two pages that are called by what it tells of."""


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("text", "goes_on"),
    # The host has no page of its own. The fonts have one, and a section on the page of the topic that is called by them.
    [("what about PDF files?", False), ("and the host?", True), ("and fonts?", True)],
)
async def test_what_a_long_page_tells_in_passing_may_be_the_topic_of_another(
    tmp_path: Path, text: str, goes_on: bool
) -> None:
    publish_demo(tmp_path, PORTS)
    service = Service(Settings(index=tmp_path))
    history = (Exchange("How do I change the port?", "With an option."),)
    answer = await service.ask_whole(Question(text, history))
    assert (answer.read_as != "", answer.sources[0].page) == (goes_on, "serve/" if goes_on else "pdfs/")
    await service.close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("text", "found"),
    [("--no-deps", True), ("what is --no-deps?", True), ("--no-wheels", False), ("--no-deps --no-wheels", False)],
)
async def test_an_identifier_that_is_there_as_it_is_written_is_answered(tmp_path: Path, text: str, found: bool) -> None:
    # Many other sections with it leave no margin between the first and the tenth.
    extra = {f"more/{n}/": {"": f"Page {n} has the option `--no-deps`, too, for case {n}."} for n in range(12)}
    publish_demo(tmp_path, extra)
    service = Service(Settings(index=tmp_path))
    answer = await service.ask_whole(Question(text))
    assert (answer.verdict == "answer") == found
    await service.close()


@pytest.mark.anyio
async def test_the_conversation_may_be_about_nothing_here(index: Path) -> None:
    service = Service(Settings(index=index))
    answer = await service.ask_whole(Question("and why?", (Exchange("quantum chromodynamics"),)))
    assert answer.verdict == "not-found"
    await service.close()


@pytest.mark.anyio
async def test_thanks_do_not_end_what_a_follow_up_depends_on(index: Path) -> None:
    service = Service(Settings(index=index))
    asked, thanks = Exchange("How do I install the package with pip?"), Exchange("ok, thanks!")
    plain = await service.ask_whole(Question("and with docker?", (asked,)))
    polite = await service.ask_whole(Question("and with docker?", (asked, thanks)))
    assert (polite.read_as, polite.sources) == (plain.read_as, plain.sources)
    # After nothing but thanks it is the first question.
    first = await service.ask_whole(Question("how is it switched on?", (thanks,), "setup/colors/"))
    assert first.read_as == "how is it switched on? (setup/colors/)"
    await service.close()


@pytest.mark.anyio
async def test_thanks_are_no_question(index: Path) -> None:
    service = Service(Settings(index=index))
    history = (Exchange("How do I install the package with pip?", "With one command."),)
    answer = await service.ask_whole(Question("ok, thanks!", history, "install/"))
    assert (answer.verdict, answer.sources, answer.read_as) == ("not-found", (), "")
    assert answer.text == "Ask with a few words of what you are looking for."
    await service.close()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
