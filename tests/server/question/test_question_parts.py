"""Questions of several parts: each has an open card, and what only tells a reason has none."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.handmade import publish_demo

from trueref_server.answering.extractive import MAX_CARDS
from trueref_server.question.plan import MAX_ASKED, make_plan
from trueref_server.records import Answer, Question
from trueref_server.service import Service
from trueref_server.settings import Settings
from trueref_server.wording import sentences

pytestmark = pytest.mark.anyio

TWO = "How do I switch on dark mode? And how do I install the package with pip?"
THREE = f"{TWO} How many megabytes has the container image?"


@pytest.fixture
async def service(index: Path) -> AsyncIterator[Service]:
    service = Service(Settings(index=index))
    yield service
    await service.close()


def opened(answer: Answer) -> list[str]:
    """The anchors of the open cards."""
    return [source.anchor for source in answer.sources if source.n in answer.citations]


async def test_each_part_has_an_open_card_in_the_order_in_which_it_is_asked(service: Service) -> None:
    answer = await service.ask_whole(Question(TWO))
    assert opened(answer) == ["dark-mode", "with-pip"]
    assert answer.citations == (1, 2)
    first, second = answer.text.split("\n\n**With pip** [2]\n\n")
    assert first.startswith("**Dark mode** [1]\n\nDark mode is switched on with the palette toggle.")
    assert second.startswith("Install the package with pip.")
    assert first.endswith("[1]")
    assert second.endswith("[2]")
    assert answer.verdict == "answer"


async def test_three_parts_of_a_question_have_an_open_card_each(service: Service) -> None:
    answer = await service.ask_whole(Question(THREE))
    assert len(opened(answer)) == len(set(opened(answer))) == MAX_CARDS == MAX_ASKED
    assert {"dark-mode", "with-pip"} < set(opened(answer))


async def test_no_section_has_two_cards_or_is_named_again_below(service: Service) -> None:
    for text in (TWO, THREE, "How do I switch on dark mode?"):
        answer = await service.ask_whole(Question(text))
        places = [(source.page, source.anchor) for source in (*answer.sources, *answer.more)]
        assert len(places) == len(set(places))
        assert [source.n for source in (*answer.sources, *answer.more)] == list(range(1, len(places) + 1))


@pytest.mark.parametrize(
    "text",
    [
        # A reason, a symptom and a remark ask nothing.
        "How do I switch on dark mode? The first build takes long on this laptop.",
        # The second is of the first.
        "How do I switch on dark mode? How do I turn it off again?",
        # Both are answered by one section.
        "How do I switch on dark mode? Where is the palette toggle of dark mode?",
        # The docs have nothing on one of them.
        "How do I switch on dark mode? Which helicopter permits does Norway ask of pilots?",
    ],
)
async def test_one_card_is_open_where_one_thing_is_asked(service: Service, text: str) -> None:
    assert opened(await service.ask_whole(Question(text))) == ["dark-mode"]


async def test_what_answers_one_of_two_questions_is_close(service: Service) -> None:
    text = "How do I switch on dark mode? Which helicopter permits does Norway ask of pilots?"
    answer = await service.ask_whole(Question(text))
    assert answer.verdict == "closest"
    assert answer.text.startswith(sentences("en")["closest"])


async def test_the_least_sure_part_says_how_sure_the_answer_is(service: Service) -> None:
    parts = [await service.ask_whole(Question(part)) for part in make_plan(Question(TWO), "en").asks]
    answer = await service.ask_whole(Question(TWO))
    assert answer.confidence == min(part.confidence for part in parts)


async def test_a_part_that_points_back_is_read_with_the_part_before_it(tmp_path: Path) -> None:
    """Both machines have a scale, and only the first part says whose is meant."""
    pages = {
        "kettle/": {
            "fill": "Fill the kettle with two liters of water through the lid.",
            "kettle-scale": "The scale of the kettle is removed with vinegar, once a month.",
        },
        "grinder/": {
            "grinder-scale": "The scale of the grinder is removed with a brush, once a month, and scale is bad."
        },
    }
    publish_demo(tmp_path, pages)
    service = Service(Settings(index=tmp_path))
    answer = await service.ask_whole(Question("How do I fill the kettle with water? And how is its scale removed?"))
    assert opened(answer) == ["fill", "kettle-scale"]
    await service.close()


async def test_each_part_is_read_with_what_stands_before_both(tmp_path: Path) -> None:
    """Only the words before the first question say which machine is meant."""
    pages = {
        "kettle/": {
            "kettle-scale": "The scale of the kettle is removed with vinegar, once a month, and the scale is white.",
            "kettle-lamp": "The lamp of the kettle shows that the water is hot, and the lamp is red.",
        },
        "grinder/": {
            "grinder-scale": "The scale of the grinder is removed with a brush.",
            "grinder-lamp": "The lamp of the grinder shows that it is full.",
        },
    }
    publish_demo(tmp_path, pages)
    service = Service(Settings(index=tmp_path))
    answer = await service.ask_whole(
        Question("We have a grinder. How is the scale removed and what does the lamp show?")
    )
    assert opened(answer) == ["grinder-scale", "grinder-lamp"]
    await service.close()


@pytest.mark.parametrize("text", ["What is dark mode? What is pip?", "What is pip and what is dark mode?"])
async def test_plain_questions_of_one_word_are_parts(service: Service, text: str) -> None:
    assert sorted(opened(await service.ask_whole(Question(text)))) == ["dark-mode", "with-pip"]


async def test_nothing_is_opened_where_the_docs_have_nothing(service: Service) -> None:
    text = "Which helicopter permits does Norway ask of pilots? When does the coast guard fly to Svalbard?"
    answer = await service.ask_whole(Question(text))
    assert (answer.verdict, answer.citations, answer.excerpts) == ("not-found", (), ())


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        (TWO, ("How do I switch on dark mode?", "how do I install the package with pip?")),
        ("How does one add a page? How does one remove a page?", ("How does one add a page?", "How does one remove a page?")),
        ("How do I build the docs and where does the log go?", ("How do I build the docs", "where does the log go?")),
        # What points back is a part beside what it points to.
        ("How do I fill the kettle, and where does it keep its log file?", ("How do I fill the kettle", "where does it keep its log file?")),
        ("How do I fill the kettle, and how do I empty it?", ()),
        ("Where does it keep its log file? How do I fill the kettle?", ()),
        ("Where does it keep its log file? How do I change its color scheme?", ()),
        ("How do I build the docs? The log is empty.", ()),
        ("How do I build the docs? Can these be served?", ()),
        ("The log is empty. The build takes long.", ()),
        # A topic before them is what both are about.
        ("grinder: how do I remove the scale and where does the log go?", ("grinder: how do I remove the scale", "grinder: where does the log go?")),
        ("We use wood. How do I split and dry it, but what is the lamp for?", ("We use wood. How do I split and dry it", "We use wood. what is the lamp for?")),
        ("The lid is stuck, and how do I open the kiln and where is the lamp?", ("how do I open the kiln", "where is the lamp?")),
        ("glaze in a kiln: what melts first and how do I stop the fire?", ("glaze in a kiln: what melts first", "glaze in a kiln: how do I stop the fire?")),
        ("How do I fire a kiln: what melts first and what melts last?", ("How do I fire a kiln: what melts first", "what melts last?")),
        ("We use docker compose. How do I install the agent, and how do I remove the package?", ("We use docker compose. How do I install the agent", "We use docker compose. how do I remove the package?")),
        ("With docker, how do I build the docs and where does the log go?", ("With docker how do I build the docs", "With docker where does the log go?")),
        # Small talk, announcements and symptoms are no topic.
        ("I hope you can help. How do I install the agent, and how do I remove the package?", ("How do I install the agent", "how do I remove the package?")),
        ("Please help me out. What is a set? What is a backup?", ("What is a set?", "What is a backup?")),
        ("I searched the docs for hours and found nothing. How do I install the agent? How do I remove the package?", ("How do I install the agent?", "How do I remove the package?")),
        ("I am new here. What is a list, and what is a backup?", ("What is a list", "what is a backup?")),
        ("First question, what is a list, and how do I restore a backup?", ("what is a list", "how do I restore a backup?")),
        ("Two questions: how do I build the docs, and where does the log go?", ("how do I build the docs", "where does the log go?")),
        ("I have a problem with lists. How do I build the docs, and where does the log go?", ("How do I build the docs", "where does the log go?")),
        ("I have searched the docs. How do I build the docs, and where does the log go?", ("How do I build the docs", "where does the log go?")),
        ("Kiln: when I open the lid it stops, how do I go on?", ()),
        ("Is one enough or should I fire twice? I see which is red and which one is white.", ("should I fire twice?", "which one is white.")),
        ("So, how do I build the docs and where does the log go?", ("how do I build the docs", "where does the log go?")),
        ("How do I build the docs?", ()),
    ],
)  # fmt: skip
def test_questions_that_stand_side_by_side_are_told_apart(text: str, asks: tuple[str, ...]) -> None:
    parts = make_plan(Question(text), "en").asks
    assert tuple(part.removeprefix("And ") for part in parts) == asks
