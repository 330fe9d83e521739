"""The panel on a screen with a keyboard on it, which leaves less of the page visible and does not resize the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from tests.e2e.browsing import PHONE, Reader
from tests.e2e.cards import BLOCKS, answer, answers_with
from tests.e2e.states import QUESTION
from tests.e2e.widths import FRAMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from tests.e2e.hosting import SiteServer

pytestmark = [pytest.mark.browser]

VISIBLE = """const all = {width: innerWidth, height: innerHeight, offsetTop: 0, scale: 1};
const visible = Object.assign(new EventTarget(), all);
Object.defineProperty(window, "visualViewport", {value: visible});
window.showKeyboard = height => {
  visible.height = innerHeight - height;
  visible.dispatchEvent(new Event("resize"));
};"""
"""Stands in for the visual viewport: a Chromium without a screen shows no keyboard."""

Opened = Callable[[tuple[int, int]], Reader]


@pytest.fixture
def opened(browser: Browser, server: SiteServer) -> Iterator[Opened]:
    """Gives a panel that is open in a window of some size."""
    tabs: list[Reader] = []

    def open_panel(size: tuple[int, int]) -> Reader:
        tab = Reader(browser, server.origin, size=size)
        tabs.append(tab)
        tab.page.add_init_script(VISIBLE)
        tab.goto("configuration/")
        tab.open()
        return tab

    yield open_panel
    for tab in tabs:
        tab.close()
        assert (tab.errors, tab.foreign) == ([], [])


def show_keyboard(tab: Reader, height: int) -> None:
    tab.page.evaluate("height => showKeyboard(height)", height)
    tab.page.evaluate(FRAMES, 3)


def lower_edge(tab: Reader, name: str) -> float:
    edge: float = tab.part(name).first.evaluate("it => it.getBoundingClientRect().bottom")
    return edge


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize(("size", "keyboard"), [((1024, 768), 360), ((844, 390), 190), (PHONE, 336), ((360, 640), 260)])
def test_a_question_is_typed_above_the_keyboard(
    opened: Opened, size: tuple[int, int], keyboard: int, side: str
) -> None:
    tab = opened(size)
    tab.chat.evaluate("(it, side) => it.setAttribute('position', side)", side)
    show_keyboard(tab, keyboard)
    assert lower_edge(tab, "panel") == size[1] - keyboard
    assert lower_edge(tab, "send") <= size[1] - keyboard
    assert tab.part("close").evaluate("it => it.getBoundingClientRect().top") >= 0
    show_keyboard(tab, 0)
    assert lower_edge(tab, "panel") == size[1]


@pytest.mark.parametrize(("size", "keyboard"), [(PHONE, 336), ((360, 640), 260)])
def test_the_field_for_a_reason_stays_in_sight(opened: Opened, size: tuple[int, int], keyboard: int) -> None:
    tab = opened(size)
    answers_with(tab, answer(*BLOCKS["code"], feedback=True))
    tab.page.route("**/_trueref/feedback", lambda route: route.fulfill(status=204))
    tab.ask(QUESTION).get_by_role("button", name="Yes").click()
    tab.part("reason").click()
    show_keyboard(tab, keyboard)
    assert lower_edge(tab, "panel") == size[1] - keyboard
    # The text fades over the last 24 pixels.
    assert lower_edge(tab, "reason") <= lower_edge(tab, "log") - 23
    # Its form has the ring of the focus, as the form for questions has.
    assert tab.part("reason").evaluate("it => getComputedStyle(it).outlineStyle") == "none"
    assert tab.part("why").evaluate("it => getComputedStyle(it).outlineStyle") == "solid"
