"""The widget above every theme: nothing of a page lies over it, its colours can be read in every state, and the page
makes room for the panel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.browsing import DESKTOP, PHONE, Reader
from tests.e2e.cards import BLOCKS, answer, answers_with
from tests.e2e.colours import CONTRAST, GROUND, READABLE, SEEN
from tests.e2e.hosting import SiteServer
from tests.e2e.rules import broken_rules
from tests.e2e.themes import PAGE, THEMES, build_themes
from tests.e2e.widths import WIDTHS, check_buttons, check_controls, check_layers, check_pill, check_room

from trueref_plugin.build.build import index_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.long, pytest.mark.browser]


@pytest.fixture(scope="module")
def themes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """The themes with their answers, on 127.0.0.1."""
    folder = tmp_path_factory.mktemp("themes")
    site = build_themes(folder)
    index_site(site, index=folder / "index", embedder="lexical")
    served = SiteServer(site, folder / "index", folder / "log")
    served.start()
    yield served
    served.stop()


@pytest.fixture(params=THEMES)
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def dark(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def opened(browser: Browser, themes: SiteServer, theme: str, width: int, *, dark: bool = False) -> Reader:
    tab = Reader(browser, themes.origin, size=(width, 800), dark=dark)
    tab.goto(f"{theme}/{PAGE}.html")
    return tab


def in_scheme(theme: str, *, dark: bool) -> str:
    """The site of a theme in a scheme: Material takes the one that its owner set, whatever the system says."""
    return "material-dark" if dark and theme == "material" else theme


@pytest.mark.parametrize("width", [1200, *WIDTHS])
def test_the_text_makes_room_for_the_panel_and_nothing_lies_over_the_widget(
    browser: Browser, themes: SiteServer, theme: str, width: int
) -> None:
    tab = opened(browser, themes, theme, width)
    check_room(tab)
    check_layers(tab)
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def test_buttons_can_be_read_in_every_state(browser: Browser, themes: SiteServer, theme: str, dark: bool) -> None:
    tab = opened(browser, themes, theme, 1440, dark=dark)
    check_pill(tab)
    answers_with(tab, answer(*BLOCKS["code"], feedback=True))
    tab.ask("How do I keep a hive?")
    tab.part("no").click()
    check_buttons(tab, ("send", "new", "close", "copy", "fold", "yes", "no", "tell"))
    tab.close()


def test_the_pill_can_be_read_after_a_tap(browser: Browser, themes: SiteServer, theme: str, dark: bool) -> None:
    tab = Reader(browser, themes.origin, size=PHONE, dark=dark)
    tab.goto(f"{theme}/{PAGE}.html")
    tab.part("pill").tap()
    tab.part("panel").wait_for()
    tab.part("close").tap()
    assert tab.part("pill").evaluate(CONTRAST) >= READABLE
    tab.close()


def test_buttons_can_be_seen_on_a_dark_page_with_a_black_header(browser: Browser, themes: SiteServer) -> None:
    """The colour of the header was that of the buttons, which then looked like holes in the page and in the panel."""
    tab = opened(browser, themes, "material-dark", 1440, dark=True)
    assert tab.page.locator(".md-header").evaluate("it => getComputedStyle(it).backgroundColor") == "rgb(20, 21, 26)"
    assert tab.part("pill").evaluate(GROUND) >= SEEN
    tab.open()
    assert tab.part("send").evaluate(GROUND) >= SEEN
    tab.close()


@pytest.mark.parametrize("theme", ["material", "material-light-accent", "furo"])
def test_all_that_can_be_used_is_readable_in_every_state(
    browser: Browser, themes: SiteServer, theme: str, dark: bool
) -> None:
    tab = opened(browser, themes, in_scheme(theme, dark=dark), 1440, dark=dark)
    check_controls(tab)
    tab.close()


@pytest.mark.parametrize(
    ("theme", "size", "dark"),
    [("material", DESKTOP, False), ("material", PHONE, True), ("furo", DESKTOP, False), ("furo", DESKTOP, True)],
)
def test_no_state_breaks_a_rule_of_accessibility(
    browser: Browser, themes: SiteServer, theme: str, dark: bool, size: tuple[int, int], root: Path
) -> None:
    tab = Reader(browser, themes.origin, size=size, dark=dark)
    tab.goto(f"{in_scheme(theme, dark=dark)}/{PAGE}.html")
    assert broken_rules(tab, root / "test-results", f"{theme}-{size[0]}-{'dark' if dark else 'light'}") == {}
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])
