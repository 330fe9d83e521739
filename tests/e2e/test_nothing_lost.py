"""What a reader has typed, asked or reached with the keyboard is not lost when the window or the page changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from tests.e2e.browsing import FLAGS, PATIENCE_MS, PHONE, Reader
from tests.e2e.cards import answer, answers_with, source
from tests.e2e.widths import FRAMES
from tests.waiting import wait_until

if TYPE_CHECKING:
    from tests.e2e.hosting import SiteServer

pytestmark = [pytest.mark.browser]

PAGE = "configuration/"
QUESTION = "How do I change the text of the button?"
TURNED = (844, 390)
ZOOMED_400 = (320, 200)
"""A screen of 1280 x 800 at 400 %, in CSS pixels."""

# The part of the widget that has the focus; "" if an element of the page has it.
FOCUSED = "it => it.shadowRoot.activeElement?.part.value ?? ''"


def tab_of(browser: Browser, server: SiteServer, size: tuple[int, int]) -> Iterator[Reader]:
    tab = Reader(browser, server.origin, size=size)
    # Back leads there. A style sheet costs less than a page.
    tab.page.goto(f"{server.origin}/assets/extra.css")
    tab.goto(PAGE)
    yield tab
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


@pytest.fixture
def desk(browser: Browser, server: SiteServer) -> Iterator[Reader]:
    yield from tab_of(browser, server, (1440, 900))


@pytest.fixture
def phone(browser: Browser, server: SiteServer) -> Iterator[Reader]:
    yield from tab_of(browser, server, PHONE)


def resize(tab: Reader, size: tuple[int, int]) -> None:
    tab.page.set_viewport_size({"width": size[0], "height": size[1]})
    tab.page.evaluate(FRAMES, 3)


def focused(tab: Reader) -> str:
    return str(tab.chat.evaluate(FOCUSED))


def hold(tab: Reader, address: str | re.Pattern[str]) -> list[Route]:
    """Holds back the requests to an address; they are in the list that is returned."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    tab.page.route(address, keep)
    return held


def first(tab: Reader, held: list[Route]) -> Route:
    """The first request that was held back."""
    return nth(tab, held, 1)


def nth(tab: Reader, held: list[Route], count: int) -> Route:
    """One of those that were held back. Playwright hands requests over while the page is asked something."""
    wait_until(lambda: tab.page.evaluate("true") and len(held) >= count)
    return held[count - 1]


def bottom(part: Locator) -> float:
    return float(part.evaluate("it => it.getBoundingClientRect().bottom"))


def test_a_phone_that_is_turned_keeps_what_is_typed_and_the_conversation(phone: Reader) -> None:
    resize(phone, TURNED)
    phone.open()
    answers_with(phone, answer())
    phone.ask(QUESTION)
    phone.part("input").fill("And its col")
    resize(phone, PHONE)
    assert focused(phone) == "input"
    phone.page.keyboard.type("or?")
    expect(phone.part("input")).to_have_value("And its color?")
    phone.page.keyboard.press("Enter")
    expect(phone.part("question")).to_have_text([QUESTION, "And its color?"])


def test_a_window_that_is_made_narrow_leaves_the_focus_where_it_is(desk: Reader) -> None:
    desk.open()
    answers_with(desk, answer())
    desk.ask(QUESTION).locator("a[part~=card-title]").first.focus()
    for width in (550, 1100):
        resize(desk, (width, 800))
        assert focused(desk) == "card-title"


def test_back_closes_the_sheet_of_a_phone_that_was_turned_upright(phone: Reader) -> None:
    resize(phone, TURNED)
    phone.open()
    resize(phone, PHONE)
    phone.page.go_back()
    expect(phone.part("panel")).to_be_hidden()
    assert phone.address == f"{phone.origin}/{PAGE}"


def test_a_link_is_followed_beside_the_panel_of_a_phone_that_was_turned(phone: Reader) -> None:
    phone.open()
    here = source(1, "The server", PAGE) | {"href": f"{PAGE}#the-server"}
    answers_with(phone, answer(sources=[here]))
    exchange = phone.ask(QUESTION)
    resize(phone, TURNED)
    phone.follow(exchange.locator("a[part~=card-title]").first)
    assert phone.landed() == {"found": True, "seen": True}
    expect(phone.part("panel")).to_be_visible()
    # A link of the page is no step back either.
    phone.page.evaluate("location.hash = '#the-widget'")
    phone.page.evaluate(FRAMES, 3)
    expect(phone.part("panel")).to_be_visible()


def test_a_second_question_waits_until_answers_can_be_drawn(desk: Reader) -> None:
    held = hold(desk, re.compile(r"/trueref-answers\.js"))
    desk.open()
    answers_with(desk, answer())
    field = desk.part("input")
    field.fill(QUESTION)
    field.press("Enter")
    expect(desk.part("status")).to_have_text(re.compile("Searching"))
    field.fill("And its color?")
    field.press("Enter")
    expect(field).to_have_value("And its color?")
    first(desk, held).continue_()
    desk.chat.locator("[part~=exchange][data-state=done]").wait_for()
    expect(desk.part("question")).to_have_text([QUESTION])
    field.press("Enter")
    expect(desk.part("question")).to_have_text([QUESTION, "And its color?"])


def test_a_question_that_is_too_long_is_kept_and_said(desk: Reader) -> None:
    desk.open()
    long = "word " * 600 + "Why does this fail?"
    desk.part("input").fill(long)
    desk.part("input").press("Enter")
    expect(desk.part("input")).to_have_value(long)
    assert desk.part("input").evaluate("it => it.validationMessage") != ""
    expect(desk.part("exchange")).to_have_count(0)
    answers_with(desk, answer())
    desk.ask("Why does this fail?")


def test_the_pages_before_know_what_was_asked_after_them(
    browser: Browser, browser_path: str, server: SiteServer
) -> None:
    """Chromium keeps a page that is left as it was, and shows it again for Back. Playwright turns that off otherwise."""
    keeping = browser.browser_type.launch(
        executable_path=browser_path, args=FLAGS, ignore_default_args=["--disable-back-forward-cache"]
    )
    page = keeping.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{server.origin}/{PAGE}")
    page.evaluate("addEventListener('pageshow', ({persisted}) => window.wasKept = persisted)")
    page.locator("[part~=pill]").click()
    ask(page, QUESTION, 1)
    page.goto(f"{server.origin}/deploy/")
    ask(page, "How do I run the server with Docker?", 2)
    page.go_back(wait_until="commit")
    assert page.evaluate("window.wasKept"), "Chromium loaded the page anew"
    expect(page.locator("[part~=question]")).to_have_text([QUESTION, "How do I run the server with Docker?"])
    ask(page, "How do I check links in CI?", 3)
    page.goto(f"{server.origin}/check/")
    expect(page.locator("[part~=question]")).to_have_count(3)
    keeping.close()


def ask(page: Page, question: str, count: int) -> None:
    """Asks when the questions before it are on screen again; with it there are so many."""
    expect(page.locator("[part~=exchange]")).to_have_count(count - 1)
    page.locator("[part~=input]").fill(question)
    page.locator("[part~=input]").press("Enter")
    expect(page.locator("[part~=exchange][data-state=done]")).to_have_count(count)


def test_a_reader_who_zooms_in_sees_the_panel_enlarged(phone: Reader) -> None:
    phone.open()
    height = phone.part("panel").evaluate("it => it.offsetHeight")
    session = phone.context.new_cdp_session(phone.page)
    session.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 3})
    phone.page.wait_for_function("visualViewport.scale === 3")
    phone.page.evaluate(FRAMES, 3)
    assert phone.part("panel").evaluate("it => it.offsetHeight") == pytest.approx(height, abs=2)


def test_the_field_and_its_button_stay_in_a_window_at_400_percent(desk: Reader) -> None:
    resize(desk, ZOOMED_400)
    desk.open()
    desk.part("input").fill("word " * 21)
    assert bottom(desk.part("input")) <= ZOOMED_400[1]
    assert bottom(desk.part("send")) <= ZOOMED_400[1]


def test_the_focus_stays_in_the_panel_when_what_has_it_is_gone(desk: Reader) -> None:
    desk.page.route("**/_trueref/feedback", lambda route: route.fulfill(status=204))
    desk.open()
    answers_with(desk, answer(feedback=True))
    group = desk.ask(QUESTION).get_by_role("group", name="Was this helpful?")
    group.get_by_role("button", name="Yes").click()
    group.get_by_role("textbox").fill("It has an example.")
    group.get_by_role("textbox").press("Enter")
    expect(group.get_by_role("textbox")).to_be_hidden()
    expect(group.get_by_role("button", name="Yes")).to_be_focused()
    held = hold(desk, "**/_trueref/ask")
    desk.part("input").fill("And its color?")
    desk.part("input").press("Enter")
    desk.part("stop").focus()
    first(desk, held).fulfill(status=500)
    expect(desk.part("stop")).to_be_hidden()
    assert focused(desk) == "input"
    desk.errors.clear()


def test_a_new_conversation_is_not_said_to_be_searched(desk: Reader) -> None:
    held = hold(desk, "**/_trueref/ask")
    desk.open()
    desk.part("input").fill(QUESTION)
    desk.part("input").press("Enter")
    expect(desk.part("status")).to_have_text(re.compile("Searching"))
    desk.part("new").click()
    expect(desk.part("status")).to_have_text("")
    first(desk, held).abort()
    desk.errors.clear()


def test_esc_shows_what_the_panel_covers_and_leaves_the_focus_there(desk: Reader) -> None:
    desk.open()
    covered = desk.page.locator(".md-sidebar--secondary a[href^='#']").first
    covered.focus()
    assert (
        desk.page.evaluate("document.elementFromPoint(innerWidth - 100, innerHeight / 2).localName") == "trueref-chat"
    )
    desk.page.keyboard.press("Escape")
    expect(desk.part("panel")).to_be_hidden()
    expect(covered).to_be_focused()
    desk.open()
    desk.page.locator(".md-content a").first.focus()
    desk.page.keyboard.press("Escape")
    expect(desk.part("panel")).to_be_visible()


def test_selecting_text_does_not_close_the_sheet(browser: Browser, server: SiteServer) -> None:
    tab = Reader(browser, server.origin, size=(601, 800))
    resize(tab, (580, 800))
    tab.goto(PAGE)
    tab.open()
    answers_with(tab, answer())
    text = tab.ask(QUESTION).locator("[part~=excerpt]").first.bounding_box()
    assert text is not None
    tab.page.mouse.move(text["x"] + 5, text["y"] + 8)
    tab.page.mouse.down()
    tab.page.mouse.move(200, 20, steps=4)
    tab.page.mouse.up()
    expect(tab.part("panel")).to_be_visible()
    tab.page.mouse.click(200, 20)
    expect(tab.part("panel")).to_be_hidden()
    tab.close()


def test_the_panel_takes_no_room_on_paper(desk: Reader) -> None:
    desk.open()
    desk.page.wait_for_function("() => document.adoptedStyleSheets.length === 1")
    rules = desk.page.evaluate("[...document.adoptedStyleSheets[0].cssRules].map(rule => rule.media?.mediaText)")
    assert rules == ["screen"]


@pytest.mark.parametrize("key", ["Escape", "Control+i"])
def test_the_focus_returns_to_where_it_was_before_the_panel(desk: Reader, key: str) -> None:
    link = desk.page.locator(".md-content a[href]").first
    link.focus()
    desk.page.keyboard.press("Control+i")
    expect(desk.part("input")).to_be_focused()
    desk.page.keyboard.press(key)
    expect(desk.part("panel")).to_be_hidden()
    expect(link).to_be_focused()
    desk.page.keyboard.press("Control+i")
    expect(desk.part("input")).to_be_focused()
    link.evaluate("it => it.remove()")
    desk.page.keyboard.press(key)
    expect(desk.part("pill")).to_be_focused()


def test_the_shortcut_leaves_the_focus_that_has_gone_on_to_the_page(desk: Reader) -> None:
    desk.page.keyboard.press("Control+i")
    expect(desk.part("input")).to_be_focused()
    link = desk.page.locator(".md-content a[href]").first
    link.focus()
    desk.page.keyboard.press("Control+i")
    expect(desk.part("panel")).to_be_hidden()
    expect(link).to_be_focused()


@pytest.mark.parametrize(
    ("key", "code", "opens"), [("ш", "KeyI", True), ("ι", "KeyI", True), ("c", "KeyI", False), ("I", "KeyG", True)]
)
def test_the_shortcut_is_where_the_keys_have_other_letters(desk: Reader, key: str, code: str, opens: bool) -> None:
    """Russian and Greek have other letters on that key; Dvorak has a Latin one, and its I elsewhere."""
    session = desk.context.new_cdp_session(desk.page)
    session.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "modifiers": 2, "key": key, "code": code})
    desk.page.evaluate(FRAMES, 3)
    if opens:
        expect(desk.part("input")).to_be_focused()
    else:
        expect(desk.part("panel")).to_have_count(0)


def test_a_copy_of_the_element_with_an_open_panel_shows_the_button(desk: Reader) -> None:
    """Turbo shows a copy of the page that a reader comes back to, with its attributes as they were on leaving it."""
    desk.open()
    desk.page.evaluate("copy = document.body.cloneNode(true)")
    desk.part("close").click()
    desk.page.evaluate("document.body.replaceWith(copy)")
    desk.part("pill").hover()
    # The panel with its styles has come, and is closed.
    desk.part("panel").wait_for(state="attached")
    expect(desk.part("pill")).to_be_visible()
    desk.page.evaluate("copy = document.body.cloneNode(true)")
    desk.page.evaluate("copy.querySelector('trueref-chat').setAttribute('open', ''); document.body.replaceWith(copy)")
    desk.page.keyboard.press("Control+i")
    desk.part("panel").wait_for()
    desk.page.keyboard.press("Control+i")
    desk.part("panel").wait_for(state="hidden")


def test_trying_again_waits_for_the_answer_that_comes_in(desk: Reader) -> None:
    desk.open()
    desk.page.route("**/_trueref/ask", lambda route: route.fulfill(status=429))
    for _ in range(2):
        desk.ask(QUESTION, state="error")
    desk.errors.clear()
    desk.page.unroute("**/_trueref/ask")
    held = hold(desk, "**/_trueref/ask")
    desk.part("input").fill("And its color?")
    desk.part("input").press("Enter")
    kept = first(desk, held)
    for again in desk.part("retry").all():
        again.click()
        expect(again).to_be_disabled()
    expect(desk.part("question")).to_have_text([QUESTION, QUESTION, "And its color?"])
    kept.fulfill(status=429)
    for count in (2, 3):
        nth(desk, held, count).fulfill(status=429)
    expect(desk.chat.locator("[part~=exchange][data-state=error]")).to_have_count(3)
    expect(desk.part("question")).to_have_text(["And its color?", QUESTION, QUESTION])
    desk.errors.clear()
