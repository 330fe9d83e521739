"""A question that points to something it does not name is read with the page that it is asked from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.handmade import SITE, chunk, content, publish_demo

from trueref_core.generations.publication import publish
from trueref_core.records import Page
from trueref_server.question.conversation import MAX_CARRIED, began_on_page, in_conversation, needs_page, on_page
from trueref_server.question.plan import make_plan
from trueref_server.records import Exchange, Hit, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

PRINTER = {"printer/": {"": "The printer stands in the hall.", "power": "The printer is switched on with a button."}}


def test_a_question_is_read_with_the_page_that_it_is_asked_from() -> None:
    page = Page("demo", "annotations/", "annotations/index.html", "Annotations of the Icon")
    read = on_page(make_plan(Question("can I change the icon"), "en"), page)
    assert read.query == "can I change the icon annotations"
    assert read.parts == ("can I change the icon",)
    assert read.carried == ("annotations",)
    assert read.read_as == "can I change the icon (Annotations of the Icon)"
    assert read.topic == ("demo", "annotations/")
    # What says it all itself is read as it stands.
    whole = on_page(make_plan(Question("the icon of annotations"), "en"), page)
    assert (whole.query, whole.read_as, whole.topic) == ("the icon of annotations", "", ("demo", "annotations/"))


def test_of_a_long_title_of_a_page_the_beginning_is_carried() -> None:
    page = Page("demo", "long/", "long/index.html", " ".join(f"word{number}" for number in range(5_000)))
    read = on_page(make_plan(Question("can I change it"), "en"), page)
    assert len(read.carried) == MAX_CARRIED
    assert len(read.read_as) < 150
    section = replace(chunk("long/", "a", "Text.", 0), title=page.title)
    followed = in_conversation(make_plan(Question("can I change it")), (), Hit("demo", "long/", "a", 1.0, (section,)))
    assert len(followed.query) < 150
    # Words without spaces between them are cut, and not left out.
    assert "很很很" in on_page(make_plan(Question("can I change it"), "en"), replace(page, title="很" * 500)).read_as


@pytest.mark.parametrize(
    ("text", "language", "points"),
    [
        ("how do I turn it off?", "en", True),
        ("can I change those colours", "", True),
        ("can I do that with docker", "en", True),
        # What it says points into the question, or nowhere.
        ("How do I run a script that needs numpy?", "en", False),
        ("Why does uv need hardlinks?", "en", False),
        ("what happens if there's no lock file?", "en", False),
        ("is there a dark mode", "en", False),
        ("What about Windows?", "en", False),
        ("So how do I install uv?", "en", False),
        # Short, and of the whole site.
        ("how do I install uv?", "en", False),
        ("dark mode", "en", False),
        # Nothing of its own: the page would answer it whatever it says.
        ("why?", "en", False),
        ("and that?", "en", False),
        ("so installiere ich das", "de", False),
        ("どうやって無効にしますか", "ja", False),
        ("如何安装", "zh", False),
    ],
)
def test_a_question_is_known_to_need_the_page_or_not(text: str, language: str, points: bool) -> None:
    assert needs_page(make_plan(Question(text, language=language or None), language)) == points


def test_a_conversation_that_begins_on_a_page_says_nothing_of_its_topic() -> None:
    pointing = tuple(Exchange(f"how do I turn it {way}?") for way in ("off", "on", "around"))

    def begun_on_page(*history: Exchange, language: str = "en") -> bool:
        return began_on_page(make_plan(Question("and on one page?", history, language=language)))

    assert begun_on_page(*pointing)
    # Also where that was long ago.
    assert not begun_on_page(Exchange("what is a workspace?"), *pointing)
    assert not begun_on_page(Exchange("uvx"))
    assert not begun_on_page(*pointing, language="de")


@pytest.mark.anyio
async def test_a_question_that_leans_on_the_page_is_answered_from_it(tmp_path: Path) -> None:
    publish_demo(tmp_path, PRINTER)
    service = Service(Settings(index=tmp_path))
    for page, anchor in (("setup/colors/", "dark-mode"), ("printer/", "power")):
        answer = await service.ask_whole(Question("how is it switched on?", page=page))
        assert (answer.sources[0].anchor, answer.read_as) == (anchor, f"how is it switched on? ({page})")
    # A question that says what it is about, short or long, and a term alone, are of the whole site.
    for text in (
        "dark mode",
        "is there a dark mode?",
        "How do readers choose between the light and the dark mode of these docs?",
    ):
        answer = await service.ask_whole(Question(text, page="printer/"))
        assert (answer.sources[0].anchor, answer.read_as) == ("dark-mode", "")
    await service.close()


@pytest.mark.anyio
@pytest.mark.parametrize("address", ["printer/index.html", "printer/#power", "printer/?from=mail"])
async def test_the_page_is_known_by_all_its_addresses(tmp_path: Path, address: str) -> None:
    made = content(PRINTER)
    pages = [replace(page, aliases=(f"{page.page}index.html",)) for page in made.pages]
    publish(tmp_path, replace(made, pages=tuple(pages)))
    service = Service(Settings(index=tmp_path))
    answer = await service.ask_whole(Question("how is it switched on?", page=address))
    assert (answer.sources[0].anchor, answer.read_as) == ("power", "how is it switched on? (printer/)")
    await service.close()


@pytest.mark.anyio
async def test_a_page_of_several_sites_tells_no_topic(tmp_path: Path) -> None:
    made, other = content(PRINTER), replace(SITE, name="other")
    extra = [replace(page, site="other", title="Kettle") for page in made.pages if page.page == "printer/"]
    publish(tmp_path, replace(made, sites=(SITE, other), pages=(*made.pages, *extra)))
    service = Service(Settings(index=tmp_path))
    assert (await service.ask_whole(Question("how is it switched on?", page="printer/"))).read_as == ""
    await service.close()


@pytest.mark.anyio
async def test_a_conversation_that_leans_on_the_page_goes_on_from_it(tmp_path: Path) -> None:
    publish_demo(tmp_path, PRINTER)
    service = Service(Settings(index=tmp_path))
    history = (Exchange("how is it switched on?"),)
    answer = await service.ask_whole(Question("and why?", history, "printer/"))
    assert (answer.sources[0].page, answer.sources[0].anchor) == ("printer/", "power")
    await service.close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    "hidden",
    [
        {"hidden": True},
        {"draft": True},
        {"kind": "landing"},
        {"kind": "redirect"},
        {"kind": "changelog"},
        {"title": "demo"},
        {"title": ""},
    ],
)
async def test_a_hidden_or_unknown_page_adds_nothing_to_a_question(tmp_path: Path, hidden: dict[str, object]) -> None:
    made = content(PRINTER)
    pages = [replace(page, **hidden) if page.page == "printer/" else page for page in made.pages]  # type: ignore[arg-type]
    publish(tmp_path, replace(made, pages=tuple(pages)))
    service = Service(Settings(index=tmp_path))
    for address in ("printer/", "no/such/page/", ""):
        assert (await service.ask_whole(Question("how is it switched on?", page=address))).read_as == ""
    await service.close()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
