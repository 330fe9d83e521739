"""Questions that compare things: the section about each has an open card, unless one section is about all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.handmade import publish_demo

from trueref_core.records import ChunkKind
from trueref_server.answering.differences import telling_of
from trueref_server.answering.excerpts.excerpt import MAX_WORDS
from trueref_server.answering.sections.passage import Passage
from trueref_server.question.comparison import MAX_COMPARED, compared_things
from trueref_server.records import Answer, ExcerptBlock, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

STEP = "The controller then waits until every sensor of the kiln has reported that it is ready for the next program. "
PAGES = {
    "kiln/options/": {
        "warn-on-smoke": "Prints a warning when the smoke sensor reports anything while a program runs.",
        "stop-on-smoke": "Stops the program when the smoke sensor reports anything, and opens the damper.",
        "strict": "Turns on `--warn-on-smoke` and `--stop-on-smoke`, and every other check of smoke and of ash that "
        "there is: `--warn-on-smoke`, `--stop-on-smoke`, `--warn-on-ash`.",
        "log": "The option `--log` of old releases, now called `--smoke-log`, is gone. Write `--smoke-log` in its place.",
        "smoke-log": "A file to write what the smoke sensor reports to.",
        "smoke-bell": "Rings when the smoke sensor reports anything.",
        "slow-cooling": "Lets the kiln cool for a day with its door closed.",
        "quick-cooling": "Opens the damper and the door as soon as the program has ended.",
        "bisque-firing": f"A bisque firing is the first one and hardens the clay slowly. {STEP * 6}",
        "glaze-firing": f"A glaze firing is the second one and melts the glaze to glass. {STEP * 6}",
    },
    "kiln/cooling/": {
        "after-the-program": "A kiln may cool in two ways, slow cooling and quick cooling. The difference between the two is "
        "how matt the glaze becomes: crystals need time to grow.",
    },
    "kiln/data/": {
        "lists": "A list keeps the order of its items.",
        "sets": "A set has each item once.",
        "hosts": "Unlike earlier releases, this setting lets you set a list of hosts that may read the list.",
        "ports": "The default differs from that of earlier releases. You may set a list of ports, a list and a set.",
        "tuples": "See the page of items for the difference between a list and a tuple, or a tuple and a list.",
        "map": "Unlike a map, a dict keeps the order of its keys.",
    },
    "kiln/commands/": {
        "build": "Builds each page of the site from its sources once.",
        "serve": "Serves each page of the site while it is written.",
        "continuous-integration": "Unlike a laptop, a CI machine should build the page and never serve it: build, not "
        "serve.",
    },
    "kiln/choice/": {
        "cone-6-and-cone-10": "Cone 6 and cone 10 differ in heat: cone 10 needs twice as much gas.",
        "cone-6": "Cone 6 is reached at 1222 degrees.",
        "cone-10": "Cone 10 is reached at 1305 degrees.",
        "oxidation": "Oxidation is a firing with much air.",
        "reduction": "Reduction is a firing with little air, and needs an open damper.",
        "atmosphere": "The main differences between oxidation and reduction are: copper turns green or red, and the "
        "body stays light or darkens.",
        "slip": "A slip is liquid clay.",
        "engobe": "An engobe is liquid clay as well.",
        "colours": "Different colours can be had for a slip and an engobe.",
    },
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    index = tmp_path_factory.mktemp("index")
    publish_demo(index, PAGES)
    return index


@pytest.fixture
async def service(index: Path) -> AsyncIterator[Service]:
    service = Service(Settings(index=index))
    yield service
    await service.close()


def opened(answer: Answer) -> list[str]:
    """The anchors of the open cards."""
    return [source.anchor for source in answer.sources if source.n in answer.citations]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ("difference between warn-on-smoke and stop-on-smoke", ["warn-on-smoke", "stop-on-smoke"]),
        ("stop-on-smoke vs warn-on-smoke?", ["stop-on-smoke", "warn-on-smoke"]),
        ("How does a glaze firing differ from a bisque firing?", ["glaze-firing", "bisque-firing"]),
        # Nor is another option meant whose name is a part of both.
        ("--smoke-log vs --smoke-bell", ["smoke-log", "smoke-bell"]),
        # Words that all things have need not be in their titles, nor need words such as `option`.
        ("difference between kiln warn-on-smoke and kiln stop-on-smoke", ["warn-on-smoke", "stop-on-smoke"]),
        ("the warn-on-smoke option vs the stop-on-smoke option", ["warn-on-smoke", "stop-on-smoke"]),
        # Names in code whose words are the titles.
        ("difference between BisqueFiring and GlazeFiring", ["bisque-firing", "glaze-firing"]),
        # One section is about both.
        ("cone 6 vs cone 10", ["cone-6-and-cone-10"]),
        # A section with another title says what the difference is.
        ("oxidation vs reduction", ["atmosphere"]),
        ("slip vs engobe", ["slip", "engobe"]),  # several colours are no difference between both
        # A section about something else says how they differ.
        ("slow cooling vs quick cooling", ["after-the-program"]),
        ("slow cooling or quick cooling, which one should I use?", ["after-the-program"]),
        # Words such as `unlike` speak of something else, and `set` is a verb.
        ("What is the difference between a list and a set?", ["lists", "sets"]),
        ("difference between build and serve", ["build", "serve"]),
        # The docs have nothing about one of them.
        ("bisque firing or raku firing, what is the difference?", ["bisque-firing"]),
    ],
)
async def test_the_section_about_each_thing_is_opened(service: Service, text: str, anchors: list[str]) -> None:
    answer = await service.ask_whole(Question(text))
    assert opened(answer) == anchors
    assert answer.verdict == "answer" or len(anchors) == 1


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("The main differences between lists and sets are:", "plainly"),
        ("Note that the difference between a set and a list is the order.", "plainly"),
        ("A set differs from a list in its order.", "plainly"),
        ("A list is different from a set.", "plainly"),
        ("Unlike a list, a set has no order.", ""),  # a single difference
        ("There are lists, a list and a set. The difference between these two is the order.", "of two"),
        ("There are a list and a set. Both hold items. The difference between these two is the order.", "of two"),
        ("There are a list and a set. Boxes hold items. The difference between these two is the order.", ""),
        ("Unlike earlier releases, this setting lets you set a list of hosts.", ""),
        ("The default differs from that of earlier releases. You may set a list of hosts.", ""),
        ("Unlike lists, you can set tuples.", ""),
        ("A list and a set differ in size.", ""),
        ("The difference between releases is that you may set a list and a set.", ""),
        ("You may set a list. The difference between the two is the order.", ""),
        ("There are two: list, and set. The former has an order, and the latter has each item once.", "of two"),
        ("A list and a set are two types. The former has an order. The latter has each item once.", "of two"),
        ("A list and a set are two types. The former is often taken.", ""),
        ("You may set a list. The former is faster than the latter.", ""),
        ("See the page of items for the differences between a list and a set.", ""),
    ],
)
def test_a_passage_says_how_things_differ_right_around_the_things(text: str, telling: str) -> None:
    passage = Passage("paragraph", (ExcerptBlock("prose", text),))
    assert telling_of(passage, ("list", "set")) == telling
    assert telling_of(passage, ("set", "list")) == telling
    assert telling_of(passage, ("set", "list", "map")) == ""


def test_three_things_differ_in_one_sentence() -> None:
    passage = Passage("paragraph", (ExcerptBlock("prose", "The differences between a map, a list and a set are:"),))
    assert telling_of(passage, ("set", "list", "map")) == "plainly"


@pytest.mark.parametrize(
    ("kind", "text", "telling"),
    [
        ("list", "- `list`: Keeps the order.\n- `set`: Has each item once.\n- `map`: Has keys for values.", "plainly"),
        ("list", "1. List - keeps all in order.\n2. Set - has each item once.", "plainly"),
        (
            "table",
            "| Type | What |\n| --- | --- |\n| `list` | Keeps the order. |\n| `set` | Has each item once. |",
            "plainly",
        ),
        ("list", "- List the hosts of the site.\n- Set: has each item once.", ""),  # a verb
        ("list", "- `list`\n- `set`", ""),
        ("list", "- `list`: Keeps the order.\n- `map`: The keys of a set.", ""),
        ("list", "- `list`: Keeps it in order.\n- `set`: Has each item once.\n" + "- `x`: Is another type.\n" * 3, ""),
    ],
)
def test_a_short_list_about_each_thing_says_how_they_differ(kind: ChunkKind, text: str, telling: str) -> None:
    passage = Passage("list", (ExcerptBlock(kind, text.rstrip()),))
    assert telling_of(passage, ("set", "list")) == telling


@pytest.mark.anyio
async def test_open_cards_share_the_room_of_one(service: Service) -> None:
    alone = await service.ask_whole(Question("What is a bisque firing?"))
    both = await service.ask_whole(Question("bisque firing vs glaze firing"))
    (whole,) = (excerpt for excerpt in alone.excerpts if excerpt.n in alone.citations)
    word_counts = [
        sum(len(block.text.split()) for block in excerpt.blocks)
        for excerpt in both.excerpts
        if excerpt.n in both.citations
    ]
    assert len(word_counts) == 2
    assert max(word_counts) <= MAX_WORDS // 2 < sum(len(block.text.split()) for block in whole.blocks)
    assert all("firing is the" in excerpt.blocks[0].text for excerpt in both.excerpts[:2])


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("what is the difference between --capture=fd and --capture=sys?", ("--capture=fd", "--capture=sys")),
        ("What's the difference between the eager and the lazy mode in practice", ("eager", "lazy mode")),
        ("difference between sql.Identifier, sql.Literal and sql.Placeholder", ("sql.Identifier", "sql.Literal", "sql.Placeholder")),
        ("REPLACE INTO vs INSERT OR REPLACE, same thing?", ("REPLACE INTO", "INSERT OR REPLACE")),
        ("docker tags: latest vs. stable?", ("latest", "stable")),
        ("SIGTERM versus SIGQUIT for dirty workers", ("SIGTERM", "SIGQUIT")),
        ("how is a blueprint different from an app?", ("blueprint", "app")),
        ("How does PATCH differ from PUT in the update, are all fields required", ("PATCH", "PUT")),
        ("capfd or capsys, what's the difference", ("capfd", "capsys")),
        ("difference between skip and xfail, and which one is faster?", ("skip", "xfail")),
        ("what's the difference between skip and xfail and when should I use which", ("skip", "xfail")),
        ("is there a difference between skip and xfail or are they the same?", ("skip", "xfail")),
        ("is --skip the same as --xfail?", ("--skip", "--xfail")),
        ("-o vs -O", ("-o", "-O")),
        ("skip and xfail difference", ("skip", "xfail")),
        ("should I use setup_method or fixtures, and can I mix both in one file", ("setup_method", "fixtures")),
        ("Which should I use, cookie or bearer? I have a mobile app", ("cookie", "bearer")),
        ("which one is better for a web frontend: the cookie or the bearer transport?", ("cookie", "bearer transport")),
        ("cookie or bearer, which one should I pick for an app?", ("cookie", "bearer")),
        ("should I use --lock or --sync in CI", ("--lock", "--sync")),
        ("when should I use a wheel instead of an egg?", ("wheel", "egg")),
        # Nothing to compare, a clause, the same twice, and what only an earlier question names.
        ("how do I compare two files", ()),
        ("how do I use a wheel instead of an egg", ()),
        ("which file should I use?", ()),
        ("should I use a lock file or not", ()),
        ("how do I see the difference between the index and the working tree?", ()),
        ("how to get the difference between two dates and times", ()),
        ("time difference between start and end", ()),
        ("how can I tell the difference between a wheel and an egg", ("wheel", "egg")),
        ("columns whose names differ from the fields", ()),
        ("Should I use sudo to install or upgrade the package?", ()),
        ("Should I use more or less memory?", ()),
        ("Should I choose yes or no at the prompt?", ()),
        ("When should I use git over ssh?", ()),
        ("Are the units the same as for width and height?", ()),
        ("a page that is written by hand vs one that is made from code comments by the build", ()),
        ("difference between static and static", ()),
        ("what is the difference between it and a wheel?", ()),
        ("difference between one, two, three and four workers", ()),
    ],
)  # fmt: skip
def test_the_things_that_are_compared_are_told(text: str, things: tuple[str, ...]) -> None:
    assert compared_things(text) == things


@given(
    st.lists(
        st.sampled_from("difference between and vs or , the a --dry-run pip.conf mode how does differ from ? :".split())
    )
)
def test_what_is_compared_stands_in_the_question(pieces: list[str]) -> None:
    query = " ".join(pieces)
    things = compared_things(query)
    assert len(things) in (0, 2, MAX_COMPARED)
    assert all(thing and thing == thing.strip() and thing in query for thing in things)
