"""A reader on the built Docusaurus example: the widget above its theme, and every link of an answer lands without a page
load."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect
from tests.e2e.browsing import Reader, without_text_fragment
from tests.e2e.docusaurus import BASE, NEEDS_NPM, Built
from tests.e2e.docusaurus_material import QUESTIONS, THERE, as_shown, follow
from tests.e2e.hosting import SiteServer
from tests.e2e.rules import broken_rules
from tests.e2e.widths import WIDTHS, check_back, check_controls, check_layers, check_pill, check_room

pytestmark = NEEDS_NPM


@pytest.fixture(scope="module")
def server_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Built], SiteServer]]:
    """Gives the server of a build, which answers until the last test of this file has ended."""
    with ExitStack() as servers:

        @cache
        def start(built: Built) -> SiteServer:
            served = SiteServer(built.site, built.index, tmp_path_factory.mktemp("served") / "log", base=BASE)
            servers.callback(served.stop)
            served.start()
            return served

        yield start


@pytest.fixture
def reader(browser: Browser, built: Built, server_of: Callable[[Built], SiteServer]) -> Iterator[Reader]:
    """A tab on a build that is served with its answers, whose console has to stay quiet."""
    reader = Reader(browser, server_of(built).origin)
    yield reader
    reader.close()
    assert (reader.foreign, reader.errors) == ([], [])


@pytest.mark.parametrize("built", ["true"], indirect=True)
def test_nothing_of_the_theme_lies_over_the_widget_and_the_text_makes_room(reader: Reader) -> None:
    """Nothing of the theme lies over it, its colours can be read in every state, and the text makes room."""
    for scheme in ("light", "dark"):
        reader.page.emulate_media(color_scheme=scheme)
        reader.page.set_viewport_size({"width": 1440, "height": 800})
        reader.goto("manual/docs/guides/cleaning")
        reader.page.evaluate("scheme => document.documentElement.dataset.theme = scheme", scheme)
        check_pill(reader)
        reader.part("close").click()
    for width in WIDTHS:
        reader.page.set_viewport_size({"width": width, "height": 800})
        check_room(reader)
        check_layers(reader)
        reader.part("close").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("built", ["true"], indirect=True)
def test_no_state_breaks_a_rule_of_accessibility(reader: Reader, root: Path, scheme: str) -> None:
    reader.goto("manual/docs/guides/cleaning")
    reader.page.evaluate("scheme => document.documentElement.dataset.theme = scheme", scheme)
    assert broken_rules(reader, root / "test-results", f"docusaurus-{scheme}") == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("built", ["true"], indirect=True)
def test_all_that_can_be_used_is_readable_in_every_state(reader: Reader, scheme: str) -> None:
    reader.goto("manual/docs/guides/cleaning")
    reader.page.evaluate("scheme => document.documentElement.dataset.theme = scheme", scheme)
    check_controls(reader)


def test_back_closes_the_sheet(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 390, "height": 844})
    reader.goto("manual/docs/guides/cleaning")
    check_back(reader)


def test_the_sources_of_five_questions_are_followed_without_a_page_load(reader: Reader, built: Built) -> None:
    """Each source is followed from where the one before led; the page is never loaded again."""
    reader.goto(f"manual/{as_shown('docs/', built.name)}")
    reader.page.evaluate("window.sameLoad = true")
    reader.open()
    for number, (question, expected) in enumerate(QUESTIONS.items()):
        exchange = reader.ask(question)
        links = [*map(without_text_fragment, reader.places(exchange).evaluate_all("all => all.map(one => one.href)"))]
        assert f"{reader.origin}{BASE}{as_shown(expected, built.name)}" in links
        for at in range(len(links)):
            follow(reader, reader.places(reader.part("exchange").nth(number)).nth(at))
            expect(reader.part("question").nth(number)).to_have_text(question)
    assert reader.page.evaluate("window.sameLoad") is True
    assert reader.part("exchange").count() == len(QUESTIONS)
    # Back is the page before, as with the site's own links.
    here = reader.page.url
    follow(reader, reader.places(reader.part("exchange").first).first)
    reader.page.go_back()
    reader.page.wait_for_url(here)
    assert reader.page.evaluate("window.sameLoad") is True


@pytest.mark.parametrize("built", ["true"], indirect=True)
def test_the_second_of_two_links_in_a_hurry_is_where_the_reader_lands(reader: Reader, built: Built) -> None:
    """The router scrolls to a place before its page is drawn, if it still fetches the page of the link before."""
    reader.page.clock.install()
    # In a higher window the place is in sight from the top of its page.
    reader.page.set_viewport_size({"width": 1280, "height": 480})
    reader.goto(f"manual/{as_shown('docs/', built.name)}")
    reader.open()
    sources = reader.places(reader.ask("How do I remove limescale?"))
    links = [*map(without_text_fragment, sources.evaluate_all("all => all.map(one => one.href)"))]
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    reader.page.route("**/assets/js/*.js", hold)
    for place in ("docs/category/guides", "docs/guides/cleaning#the-filter"):
        before = len(held)
        with reader.page.expect_request("**/assets/js/*.js"):
            sources.nth(links.index(f"{reader.origin}{BASE}{as_shown(place, built.name)}")).click()
        reader.page.clock.run_for(1250)
    for route in held[:before]:
        route.continue_()
    # The search for a place gave up after two seconds.
    reader.page.clock.run_for(2500)
    # This lets go of all that is still held.
    reader.page.unroute("**/assets/js/*.js")
    expect(reader.page.locator("#the-filter")).to_be_in_viewport()


def test_a_reader_of_french_pages_is_answered_from_them(reader: Reader, built: Built) -> None:
    """A reader of the French pages is answered from them; the conversation outlasts the load to another locale."""
    reader.goto(f"manual/{as_shown('fr/docs/', built.name)}")
    reader.open()
    exchange = reader.ask("Comment enlever le calcaire ?")
    wanted = as_shown("fr/docs/guides/cleaning#enlever-le-calcaire", built.name)
    first = reader.places(exchange).first
    assert first.get_attribute("href") == f"{reader.origin}{BASE}{wanted}"
    follow(reader, first)
    reader.goto(f"manual/{as_shown('docs/guides/cleaning', built.name)}")
    expect(reader.part("question").first).to_have_text("Comment enlever le calcaire ?")
    follow(reader, reader.part("card-title").first)


def test_a_link_to_the_top_of_the_open_page_scrolls_without_a_page_load(reader: Reader, built: Built) -> None:
    """A link without a fragment to the page itself: the browser alone would load it again."""
    page = as_shown("docs/guides/display", built.name)
    reader.goto(f"manual/{page}#in-a-script")
    reader.page.evaluate("window.sameLoad = true")
    reader.open()
    sources = reader.places(reader.ask("What does E3 on the display mean?"))
    links = [*map(without_text_fragment, sources.evaluate_all("all => all.map(one => one.href)"))]
    follow(reader, sources.nth(links.index(f"{reader.origin}{BASE}{page}")))
    reader.page.wait_for_function("() => scrollY === 0")
    assert reader.page.evaluate("window.sameLoad") is True


@pytest.mark.parametrize("place", ["wash-the-filter", "grams", "rinse-three-times"])
def test_places_in_folds_and_behind_tabs_are_shown(reader: Reader, built: Built, place: str) -> None:
    """At a page load, and on a page that is open already."""
    page = f"manual/{as_shown('docs/guides/cleaning', built.name)}"
    reader.goto(f"{page}#{place}")
    reader.page.wait_for_function(THERE)
    reader.goto(page)
    reader.page.evaluate("place => { location.hash = place }", place)
    reader.page.wait_for_function(THERE)


def test_an_old_address_leads_on(reader: Reader) -> None:
    reader.page.goto(f"{reader.origin}{BASE}docs/descale/#remove-limescale")
    reader.page.wait_for_url(re.compile(r"/docs/guides/cleaning/?#remove-limescale$"))
    reader.page.wait_for_function(THERE)
