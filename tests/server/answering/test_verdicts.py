"""What is said to be an answer: what a question asks in the very words of the docs, and no name that they do not have."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.answering.test_passages import section
from tests.server.competing import asked
from tests.server.kiln_site import Sections, write_site

from trueref_plugin.build.build import index_site
from trueref_server.answering.answered_parts import AnsweredPart
from trueref_server.ranking.confidence import AS_WRITTEN_UNREAD
from trueref_server.records import Answer, Hit, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

PAGES: dict[str, Sections] = {
    "settings/": (
        ("settings", "Settings", "<p>The kiln is set by a file. Its protocol is <code>KILN/2</code> since 2020.</p>"),
        ("codes", "Codes", "<p><code>E_KILN_HOT</code> says that the kiln is too hot to be opened by hand.</p>"),
        ("heat", "heatLimit", "<p>How hot the kiln gets in the first hour of a firing, in degrees of Celsius.</p>"),
    ),
    "firing/": (
        (
            "firing",
            "Firing",
            "<p>Bowls are stacked in the kiln with room between them. A slip has to be dry before they are.</p>"
            "<blockquote><p><strong>What is a slip?</strong></p><p>Clay that is thin enough to be poured.</p></blockquote>",
        ),
    ),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verdicts")
    index_site(write_site(folder / "site", PAGES), index=folder / "index", name="docs", embedder="lexical")
    return folder / "index"


def ask(index: Path, question: str) -> Answer:
    async def asked() -> Answer:
        service = Service(Settings(index=index))
        answer = await service.ask_whole(Question(question))
        await service.close()
        return answer

    return asyncio.run(asked())


@pytest.mark.parametrize(
    ("question", "is_answer"),
    [
        ("what is the protocol KILN/2", True),
        ("what is the protocol KILN/3", False),
        ("E_KILN_HOT", True),
        ("E_KILN_COLD", False),
        ("heat_limit", True),
    ],
)
def test_a_name_that_the_docs_do_not_have_is_not_answered(index: Path, question: str, is_answer: bool) -> None:
    assert (ask(index, question).verdict == "answer") == is_answer


def test_a_question_that_the_docs_ask_in_these_words_is_answered_below_it(index: Path) -> None:
    answer = ask(index, "what is a slip")
    marked = [block.text[slice(*block.highlight)] for block in answer.excerpts[0].blocks if block.highlight]
    assert (answer.verdict, marked) == ("answer", ["Clay that is thin enough to be poured."])


@pytest.mark.parametrize(
    ("heading", "is_named"),
    [("Why bowls above plates", True), ("Why those bowls above", False), ("Why it sags", False)],
)
def test_a_heading_that_points_to_other_text_is_not_answered_for_its_words(heading: str, is_named: bool) -> None:
    shrinking = section(("prose", heading, "heading"), ("prose", "They are of porcelain, so that they hardly shrink."))
    others = [section(("prose", "Bowls are dried for a day."))] * 8
    hits = [Hit("demo", "a/", f"s{number}", 0.5, tuple(chunks)) for number, chunks in enumerate([shrinking, *others])]
    assert (AnsweredPart.of(asked(heading), hits, None).confidence == AS_WRITTEN_UNREAD) is is_named
