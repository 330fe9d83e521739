"""A name of signs or keys is found, explained and shown, although no word of it can be searched for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.kiln_site import Sections, write_site

from trueref_plugin.build.build import index_site
from trueref_server.corpus.corpus import Statistics
from trueref_server.question.plan import make_plan
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Answer, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

OPERATORS = (
    "<p>These operators stand between two firings:</p>"
    "<dl><dt><code>&amp;&amp;</code></dt><dd><p>Begins the second firing only if the first one succeeded.</p></dd>"
    "<dt><code>||</code></dt><dd><p>Begins the second firing only if the first one failed, and cools down.</p></dd></dl>"
)
STATUS = "<p>($?) Expands to the status of the last firing, which is 0 if no pot broke in it.</p>"
BLOCKS = "<p>A block begins with <code>!!!</code>, followed by the kind of the note. Its lines are indented.</p>"
KEYS = (
    "<table><tr><th>Key</th><th>What it does</th></tr><tr><td>C-r</td><td>Rings the bell of the kiln until it is off.</td></tr>"
    "<tr><td>M-f</td><td>Goes forward to the next firing of the plan.</td></tr></table>"
)
STOPPING = "<p>The firing stops at once if somebody types <code>^Z</code>, and goes on with the command for it.</p>"
SHELVES = "<p>Load the shelves from below - the heavy pots first - and leave a hand between them.</p>"

PAGES: dict[str, Sections] = {
    "operators/": (("operators", "Operators", OPERATORS), ("status", "Status", STATUS)),
    "notes/": (("notes", "Notes in a firing plan", BLOCKS), ("shelves", "Shelves", SHELVES)),
    "keys/": (("keys", "Keys", KEYS), ("stopping", "To stop a firing", STOPPING)),
    "example/": (
        ("example", "An example", "<pre><code>heat 900 &amp;&amp; cool || ring\n</code></pre><p>Do as here.</p>"),
    ),
}


@pytest.fixture(scope="module", params=["lexical", "bundled"])
def index(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    folder = tmp_path_factory.mktemp("signs")
    index_site(write_site(folder / "site", PAGES), index=folder / "index", name="kiln", embedder=request.param)
    return folder / "index"


def answer(index: Path, text: str) -> Answer:
    async def ask() -> Answer:
        service = Service(Settings(index=index))
        given = await service.ask_whole(Question(text))
        await service.close()
        return given

    return asyncio.run(ask())


def told(given: Answer) -> str:
    """What is marked on the first card; its first block if nothing is."""
    blocks = given.excerpts[0].blocks
    marked = (block.text[slice(*block.highlight)] for block in blocks if block.highlight is not None)
    return next(marked, blocks[0].text)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("what does && do", "Begins the second firing only if the first one succeeded."),
        ("&&", "Begins the second firing only if the first one succeeded."),
        ("what is `||`?", "Begins the second firing only if the first one failed, and cools down."),
        ("what is $?", "Expands to the status of the last firing, which is 0 if no pot broke in it."),
        ("what does $? mean", "Expands to the status of the last firing, which is 0 if no pot broke in it."),
        ("what does ctrl-r do", "| C-r | Rings the bell of the kiln until it is off. |"),
        ("Alt+F", "| M-f | Goes forward to the next firing of the plan. |"),
    ],
)
def test_what_explains_a_name_is_the_answer(index: Path, question: str, sentence: str) -> None:
    given = answer(index, question)
    assert given.verdict == "answer"
    assert told(given).endswith(sentence)


def test_a_section_that_only_uses_the_name_is_the_closest_one(index: Path) -> None:
    given = answer(index, "what does !!! do")
    assert given.verdict == "closest"
    assert given.excerpts[0].blocks[0].text.startswith("A block begins with `!!!`")


def test_keys_are_found_in_a_text_that_writes_them_otherwise(index: Path) -> None:
    given = answer(index, "what stops at Ctrl+Z")
    assert given.verdict == "answer"
    assert given.excerpts[0].blocks[0].text.startswith("The firing stops at once")


@pytest.mark.parametrize("question", ["what does && do", "what is the difference between && and ||"])
def test_no_card_is_about_something_else(index: Path, question: str) -> None:
    sources = {source.page for source in answer(index, question).sources}
    assert sources <= {"operators/", "example/"}


@pytest.mark.parametrize("question", ["what does <=> do", "===", "what does - do", "ctrl-q", "what does ^Q do"])
def test_names_that_no_page_has_find_nothing(index: Path, question: str) -> None:
    assert answer(index, question).verdict == "not-found"


@pytest.mark.parametrize(
    ("question", "beginning"),
    [
        ("how do I load the shelves - from below?", "Load the shelves from below"),
        ("load the shelves && leave a hand", "Load the shelves from below"),
        ("shelves && pots", "Load the shelves from below"),
        ("load || shelves", "Load the shelves from below"),
        ("what stops a firing with CTRL-Z", "The firing stops at once"),
        ("CTRL-Z", "The firing stops at once"),
    ],
)
def test_signs_between_words_and_keys_in_capitals_lose_no_section(index: Path, question: str, beginning: str) -> None:
    assert answer(index, question).excerpts[0].blocks[0].text.startswith(beginning)


@pytest.mark.parametrize(
    ("question", "is_alone"),
    [
        ("what is the difference between && and ||", True),
        ("what is the difference in meaning between && and ||", False),  # too many words for one about names
        ("load the shelves", False),
    ],
)
def test_sections_are_left_out_only_if_names_alone_are_asked_for(question: str, is_alone: bool) -> None:
    statistics = Statistics(signs={"&&", "||"})
    asked = WeightedQuestion(make_plan(Question(question), "en", statistics), statistics)
    assert asked.asks_for_wordless_alone is is_alone
