"""The sheet of a phone under a finger: what a swipe moves, and how large what is pressed is."""

from __future__ import annotations

from collections.abc import Iterator
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

STEPS = 10

SMALL = """host => [...host.shadowRoot.querySelectorAll("a,button,input,textarea")]
  .filter(it => it.checkVisibility() && !it.matches(".citation") && it.getBoundingClientRect().height < 24)
  .map(it => it.outerHTML)"""
"""What is lower than 24 pixels, which WCAG 2.2 asks of all but the links inside a sentence."""


@pytest.fixture
def sheet(browser: Browser, server: SiteServer) -> Iterator[Reader]:
    """An answer in a sheet, over a page that is scrolled."""
    tab = Reader(browser, server.origin, size=PHONE)
    tab.goto("configuration/")
    tab.page.evaluate("scrollTo(0, 500)")
    tab.part("pill").tap()
    answers_with(tab, answer(*BLOCKS["code"], *BLOCKS["table"], feedback=True))
    tab.ask(QUESTION)
    yield tab
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def swipe(tab: Reader, x: float, y: float, by: float) -> None:
    """Moves a finger up or down, and lets go where it rests."""
    session = tab.context.new_cdp_session(tab.page)
    at = y
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": at}]})
    for _ in range(STEPS):
        at += by / STEPS
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": at}]})
        tab.page.evaluate(FRAMES, 1)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    tab.page.evaluate(FRAMES, 3)
    session.detach()


def middle(tab: Reader, selector: str) -> tuple[float, float]:
    box = tab.chat.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_swipe_on_the_sheet_scrolls_the_answer_and_never_the_page(sheet: Reader) -> None:
    swipe(sheet, *middle(sheet, "[part~=log]"), by=-200)
    assert sheet.part("log").evaluate("it => it.scrollTop") > 50
    for selector in ("header h2", "footer p"):
        swipe(sheet, *middle(sheet, selector), by=-100)
        assert sheet.page.evaluate("scrollY") == 500, selector
    swipe(sheet, 200, 20, by=60)
    assert sheet.page.evaluate("scrollY") == 500, "beside the sheet"
    assert sheet.part("panel").is_visible()


def test_what_is_pressed_is_large_enough_for_a_finger(sheet: Reader) -> None:
    assert sheet.chat.evaluate(SMALL) == []
