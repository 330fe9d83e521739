"""The text of the widget follows the size that a reader sets in the browser, whatever size the page gives its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.e2e.browsing import DESKTOP, Reader
from tests.e2e.cards import BLOCKS, answer, answers_with
from tests.e2e.states import QUESTION

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession
    from tests.e2e.hosting import SiteServer

pytestmark = [pytest.mark.browser]

SIZES = """host => [...host.shadowRoot.querySelectorAll("*")]
  .filter(it => it.matches("textarea,input")
    || [...it.childNodes].some(({nodeType, data}) => nodeType === 3 && data.trim()))
  .map(it => [it.outerHTML.slice(0, 60), Number.parseFloat(getComputedStyle(it).fontSize)])"""
"""How large the letters of each element with text are, in pixels."""

USUAL = 16
"""The pixels of the text that browsers show if nobody has set another size."""


@pytest.fixture
def tab(browser: Browser, server: SiteServer) -> Iterator[Reader]:
    """A window that is high enough for large text: in a low one the question gets smaller."""
    tab = Reader(browser, server.origin, size=(1280, 1600))
    yield tab
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def setting(tab: Reader) -> CDPSession:
    """The settings of the browser for this tab."""
    session = tab.context.new_cdp_session(tab.page)
    session.send("Page.enable")
    return session


def set_size(session: CDPSession, size: int) -> None:
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size * 13 // 16}})


def show_all(tab: Reader) -> None:
    """Shows the panel with an answer that has every kind of text."""
    tab.goto("configuration/")
    tab.open()
    blocks = [block for kind in ("code", "table", "admonition") for block in BLOCKS[kind]]
    answers_with(tab, answer(*blocks, feedback=True, read_as="Which label?", note="This is from version 1.2."))
    tab.ask(QUESTION)


@pytest.mark.parametrize("size", [20, 24])
def test_every_text_grows_with_the_size_that_the_reader_sets(tab: Reader, size: int) -> None:
    session = setting(tab)
    show_all(tab)
    before = tab.chat.evaluate(SIZES)
    assert min(pixels for _, pixels in before) >= 12
    set_size(session, size)
    after = tab.chat.evaluate(SIZES)
    wanted = [[element, pytest.approx(pixels * size / USUAL, abs=0.1)] for element, pixels in before]
    assert after == wanted


@pytest.mark.parametrize(
    "style",
    ["html {font-size: 62.5%}", "html {font-size: 200%} body {font-size: 2em}", "body {font-family: monospace}"],
)
def test_the_sizes_of_a_page_change_nothing_in_the_widget(tab: Reader, style: str) -> None:
    show_all(tab)
    before = tab.chat.evaluate(SIZES)
    tab.page.add_style_tag(content=style)
    assert tab.chat.evaluate(SIZES) == before


def test_the_button_is_as_high_as_its_text(tab: Reader) -> None:
    set_size(setting(tab), 64)
    tab.goto("configuration/")
    assert tab.part("pill").evaluate("it => it.scrollHeight <= it.clientHeight")


@pytest.mark.parametrize("window", [DESKTOP, (390, 844), (360, 640)])
def test_large_text_fits_the_panel(browser: Browser, server: SiteServer, window: tuple[int, int]) -> None:
    tab = Reader(browser, server.origin, size=window)
    set_size(setting(tab), 24)
    show_all(tab)
    assert tab.part("log").evaluate("it => it.scrollWidth <= it.clientWidth")
    panel = tab.part("panel").bounding_box()
    assert panel is not None
    for name in ("new", "close", "input", "send"):
        inside = tab.part(name).bounding_box()
        assert inside is not None
        assert panel["x"] <= inside["x"], name
        assert inside["x"] + inside["width"] <= panel["x"] + panel["width"], name
        assert inside["y"] + inside["height"] <= panel["y"] + panel["height"], name
    tab.part("input").fill("How?\n" * 20)
    assert tab.part("log").evaluate("it => it.clientHeight") >= 100, "a long question leaves no room for the answer"
    tab.close()


def test_no_field_of_a_phone_has_letters_so_small_that_it_is_zoomed(browser: Browser, server: SiteServer) -> None:
    """Safari on a phone zooms into a field whose letters have less than 16 pixels, and does not zoom out again."""
    tab = Reader(browser, server.origin, size=(390, 844))
    show_all(tab)
    sizes = [pixels for element, pixels in tab.chat.evaluate(SIZES) if element.startswith(("<textarea", "<input"))]
    assert len(sizes) == 2
    assert min(sizes) >= 16
    tab.close()
