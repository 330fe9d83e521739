"""The panel beside the page and over it: its width, Back on a phone, an open keyboard, what an empty one offers, and
what a reader says of an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Locator, Route, expect
from tests.e2e.browsing import PHONE, Reader
from tests.e2e.cards import BLOCKS, NOT_FOUND, answer, answers_with, source
from tests.e2e.widths import check_back
from tests.waiting import wait_until

from trueref_core.export.offered_questions import OfferedQuestions

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.conftest import Docs
    from tests.e2e.hosting import SiteServer

pytestmark = [pytest.mark.browser]

PAGE = "configuration/"
BEFORE = "assets/extra.css"
QUESTION = "How do I change the text of the button?"
KEYBOARD = {"width": 390, "height": 500}
"""What is left of a phone's window while its keyboard is open."""


@pytest.fixture
def desk(browser: Browser, server: SiteServer) -> Iterator[Reader]:
    tab = Reader(browser, server.origin, size=(1440, 900))
    tab.goto(PAGE)
    yield tab
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


@pytest.fixture
def phone(browser: Browser, server: SiteServer) -> Iterator[Reader]:
    tab = Reader(browser, server.origin, size=PHONE)
    # Back leads there. A style sheet costs less than a page.
    tab.page.goto(f"{server.origin}/{BEFORE}")
    tab.goto(PAGE)
    yield tab
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def width(tab: Reader) -> float:
    box = tab.part("panel").bounding_box()
    assert box is not None
    return box["width"]


def edge(tab: Reader) -> Locator:
    return tab.chat.get_by_role("separator", name="Width of this panel")


def test_the_panel_is_pulled_wider_and_stays_so(desk: Reader) -> None:
    desk.open()
    assert width(desk) == 440
    desk.page.mouse.move(1000, 450)
    desk.page.mouse.down()
    desk.page.mouse.move(700, 460, steps=4)
    desk.page.mouse.up()
    assert width(desk) == pytest.approx(740, abs=4)
    desk.page.mouse.move(500, 460)
    assert width(desk) == pytest.approx(740, abs=4), "it goes on after the pointer let go"
    desk.goto("quick-start/")
    expect(desk.part("panel")).to_be_visible()
    assert width(desk) == pytest.approx(740, abs=4)
    desk.page.set_viewport_size({"width": 900, "height": 800})
    assert width(desk) <= 900 - 64, "it covers the page"


def test_the_width_of_the_panel_follows_the_keyboard(desk: Reader) -> None:
    desk.open()
    edge(desk).focus()
    expect(edge(desk)).to_have_attribute("aria-valuenow", "440")
    for key, now in (("ArrowLeft", 472), ("ArrowRight", 440), ("Home", 340), ("End", 1080), ("ArrowLeft", 1080)):
        desk.page.keyboard.press(key)
        expect(edge(desk)).to_have_attribute("aria-valuenow", str(now))
        assert width(desk) == now
    expect(edge(desk)).to_be_focused()


def test_on_the_left_the_arrows_still_move_the_edge_where_they_point(desk: Reader) -> None:
    desk.chat.evaluate("it => it.setAttribute('position', 'left')")
    desk.open()
    edge(desk).focus()
    desk.page.keyboard.press("ArrowRight")
    expect(edge(desk)).to_have_attribute("aria-valuenow", "472")
    box = edge(desk).bounding_box()
    assert box is not None
    desk.page.mouse.move(box["x"] + 6, 300)
    desk.page.mouse.down()
    desk.page.mouse.move(600, 300)
    desk.page.mouse.up()
    assert width(desk) == 600


def test_what_was_read_stays_where_it_was(desk: Reader) -> None:
    heading = desk.page.locator("#style, #looks").first
    heading.evaluate("it => scrollTo({top: it.getBoundingClientRect().top + scrollY - 80, behavior: 'instant'})")
    before = heading.bounding_box()
    desk.open()
    desk.page.wait_for_function("() => document.adoptedStyleSheets.length === 1")
    after = heading.bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] == pytest.approx(before["y"], abs=2)


def test_back_closes_the_sheet_and_nothing_else(phone: Reader) -> None:
    length = phone.page.evaluate("history.length")
    check_back(phone)
    for _ in range(3):
        phone.open()
        phone.part("close").click()
        expect(phone.part("panel")).to_be_hidden()
    assert phone.page.evaluate("history.length") == length + 1, "each opening leaves an entry behind"
    phone.page.go_back()
    phone.page.wait_for_url(f"{phone.origin}/{BEFORE}")


def test_back_from_a_section_leads_to_the_page_before_it(phone: Reader) -> None:
    phone.open()
    answers_with(phone, answer(*BLOCKS["paragraph"], sources=[source(1, "Exports", "exports/", "Exports")]))
    phone.follow(phone.ask(QUESTION).locator("a[part~=card-title]"))
    expect(phone.part("panel")).to_be_hidden()
    phone.page.go_back()
    phone.page.wait_for_url(f"{phone.origin}/{PAGE}")


@pytest.mark.parametrize("question", [QUESTION, "word " * 60], ids=["short", "long"])
def test_the_first_line_is_seen_over_an_open_keyboard(phone: Reader, question: str) -> None:
    phone.page.set_viewport_size({"width": KEYBOARD["width"], "height": KEYBOARD["height"]})
    phone.open()
    for kind, blocks in BLOCKS.items():
        answers_with(phone, answer(*blocks, read_as="How do I?", note="This is from version 1.2."))
        exchange = phone.ask(question)
        first = exchange.locator("[part~=excerpt]").first.locator("p, li, th, pre").first.bounding_box()
        log, question_box = phone.part("log").bounding_box(), exchange.locator("h3").bounding_box()
        assert first is not None, kind
        assert log is not None, kind
        assert question_box is not None, kind
        assert question_box["y"] >= log["y"] - 1, f"{kind}: the question is scrolled away"
        assert first["y"] + 24 <= log["y"] + log["height"], kind
        phone.part("new").click()


def test_an_answer_that_is_not_in_the_docs_says_so_first(desk: Reader) -> None:
    desk.open()
    more = [source(n, f"Section {n}", "exports/", "Exports") for n in range(1, 7)]
    answers_with(desk, NOT_FOUND | {"more": more})
    exchange = desk.ask(QUESTION)
    lines = exchange.inner_text().split("\n")
    assert lines[0] == QUESTION
    assert next(filter(None, lines[1:])) == NOT_FOUND["text"]
    expect(exchange.locator("[part~=source]")).to_have_count(3)


def test_an_empty_panel_offers_questions_that_the_page_answers(desk: Reader, docs: Docs) -> None:
    made = json.loads((docs.site / "assets" / "trueref" / "questions.json").read_text(encoding="utf-8"))
    offered = OfferedQuestions(**made)
    desk.open()
    shown = desk.part("suggestion")
    expect(shown).to_have_text([*dict.fromkeys([*offered.pages[PAGE], *offered.languages["en"]])][:4])
    expect(desk.part("shortcut")).to_have_text("Ctrl+I opens and closes this panel.")
    question = offered.pages[PAGE][0]
    shown.first.click()
    desk.chat.locator("[part~=exchange][data-state=done]").wait_for()
    expect(desk.part("question")).to_have_text(question)
    expect(desk.part("card").first).to_have_attribute("data-page", PAGE)
    expect(desk.part("welcome")).to_be_hidden()
    desk.part("new").click()
    expect(shown.first).to_be_visible()


def test_the_styles_in_the_docs_move_the_button_and_hide_it(desk: Reader, root: Path) -> None:
    docs = (root / "docs" / "configuration.md").read_text(encoding="utf-8")
    (moving,) = re.findall(r"```css\n(trueref-chat::part\(pill\).*?)```", docs, re.DOTALL)
    (hiding,) = re.findall(r"```html\n<style>(.*?)</style>", docs)
    desk.page.add_style_tag(content=moving)
    assert desk.part("pill").evaluate("it => innerHeight - it.getBoundingClientRect().bottom") == 80
    desk.open()
    desk.page.add_style_tag(content=hiding)
    expect(desk.part("panel")).to_be_hidden()
    desk.page.keyboard.press("Control+i")
    expect(desk.part("pill")).to_be_hidden()


def test_what_is_offered_is_answered(desk: Reader) -> None:
    """On the pages that readers begin with."""
    verdicts: dict[str, str | None] = {}
    desk.open()
    for page in ("configuration/", "deploy/", "quick-start/"):
        desk.goto(page)
        # It was open on the page before, so it opens by itself.
        desk.part("panel").wait_for()
        desk.part("new").click()
        desk.part("suggestion").first.wait_for()
        for question in desk.part("suggestion").all_inner_texts():
            verdicts[question] = desk.ask(question).get_attribute("data-verdict")
    assert {question for question, verdict in verdicts.items() if verdict != "answer"} == set()


def taken(reader: Reader, requests: Sequence[object]) -> None:
    """Waits for the first request: two that are under way at once may be handed over in either order."""
    # Playwright hands requests over while the page is asked something.
    wait_until(lambda: reader.page.evaluate("true") and requests)


def test_whether_it_helped_is_asked_where_it_is_kept(desk: Reader) -> None:
    posted: list[str] = []

    def keep(route: Route) -> None:
        posted.append(route.request.post_data or "")
        route.fulfill(status=204)

    desk.page.route("**/_trueref/feedback", keep)
    desk.open()
    answers_with(desk, answer())
    expect(desk.ask(QUESTION).get_by_role("group", name="Was this helpful?")).to_have_count(0)
    desk.page.evaluate(
        "window.sent = []; document.addEventListener('trueref-feedback', e => sent.push(JSON.stringify(e.detail)))"
    )
    answers_with(desk, answer(feedback=True))
    group = desk.ask(QUESTION).get_by_role("group", name="Was this helpful?")
    expect(group.get_by_role("textbox")).to_be_hidden()
    group.get_by_role("button", name="No").click()
    expect(group.get_by_role("button", name="No")).to_have_attribute("aria-pressed", "true")
    taken(desk, posted)
    reason = group.get_by_role("textbox", name="Why? (optional)")

    def stands_in_its_field() -> bool:
        # Chromium may lose a text that is put into a field while a busy machine moves the focus there.
        reason.fill("It is of another version.")
        return bool(reason.input_value())

    wait_until(stands_in_its_field)
    # Of two buttons with one name, a screen reader would not tell which one asks the next question.
    expect(desk.chat.get_by_role("button", name="Send", exact=True)).to_have_count(1)
    expect(group.get_by_role("button", name="Send: Was this helpful?")).to_be_visible()
    reason.press("Enter")
    expect(group.get_by_role("status")).to_have_text("Thank you. This helps to mend the docs.")
    expect(group.get_by_role("textbox")).to_be_hidden()
    whole = {"answer_id": "a", "helpful": False}
    assert [json.loads(body) for body in posted] == [whole, whole | {"reason": "It is of another version."}]
    assert desk.page.evaluate("sent") == posted
    desk.goto(PAGE)
    again = desk.part("feedback").get_by_role("button", name="No")
    expect(again).to_have_attribute("aria-pressed", "true")


def test_thanks_stay_where_the_rating_arrives_after_its_reason(desk: Reader) -> None:
    late: list[Route] = []

    def keep(route: Route) -> None:
        # By their order: Chromium does not always hand over the body of a request that is kept alive.
        if late:
            route.fulfill(status=204)
        else:
            late.append(route)

    desk.page.route("**/_trueref/feedback", keep)
    desk.open()
    answers_with(desk, answer(feedback=True))
    group = desk.ask(QUESTION).get_by_role("group", name="Was this helpful?")
    group.get_by_role("button", name="No").click()
    taken(desk, late)
    group.get_by_role("textbox", name="Why? (optional)").fill("It is of another version.")
    desk.page.keyboard.press("Enter")
    thanks = "Thank you. This helps to mend the docs."
    expect(group.get_by_role("status")).to_have_text(thanks)
    with desk.page.expect_request_finished(lambda request: request == late[0].request):
        late[0].fulfill(status=204)
    # What waits for the response has run when another response has been read.
    desk.page.evaluate("() => fetch(location.href).then(response => response.text())")
    expect(group.get_by_role("status")).to_have_text(thanks)


def test_what_could_not_be_sent_is_said(desk: Reader) -> None:
    desk.page.route("**/_trueref/feedback", lambda route: route.fulfill(status=503))
    desk.open()
    answers_with(desk, answer(feedback=True))
    group = desk.ask(QUESTION).get_by_role("group", name="Was this helpful?")
    group.get_by_role("button", name="Yes").click()
    expect(group.get_by_role("status")).to_have_text("This could not be sent.")
    assert desk.errors
    assert all("503" in line for line in desk.errors)
    desk.errors.clear()


def test_a_part_that_cannot_be_loaded_keeps_the_question_to_ask_again(desk: Reader) -> None:
    """The question is not lost, and asking again tries again."""
    part = re.compile(r"/trueref-answers\.js")
    desk.page.route(part, lambda route: route.abort())
    desk.open()
    desk.part("input").fill(QUESTION)
    desk.part("input").press("Enter")
    expect(desk.part("error")).to_have_text("A part of this panel could not be loaded. Ask again.")
    expect(desk.part("input")).to_have_value(QUESTION)
    desk.page.unroute(part)
    answers_with(desk, answer())
    desk.part("input").press("Enter")
    expect(desk.part("card")).to_have_count(3)
    expect(desk.part("error")).to_have_count(0)
    assert desk.errors
    assert all("trueref-answers" in line or "ERR_FAILED" in line for line in desk.errors)
    desk.errors.clear()


@pytest.mark.parametrize(
    ("status", "header", "told"),
    [
        (429, "7", "Too many questions at once. Try again in 7 seconds."),
        (503, "7", "The answer service is busy. Try again in 7 seconds."),
        (429, "Wed, 21 Oct 2015 07:28:00 GMT", "The answer service could not answer."),
        (429, "soon", "The answer service could not answer."),
    ],
)
def test_a_proxy_that_asks_to_wait_is_heard(desk: Reader, status: int, header: str, told: str) -> None:
    """Its body is a page, and no JSON."""
    page = "<h1>Please wait</h1>"
    desk.page.route("**/assets/trueref/search/**", lambda route: route.abort())
    desk.page.route(
        "**/_trueref/ask", lambda route: route.fulfill(status=status, headers={"Retry-After": header}, body=page)
    )
    desk.open()
    expect(desk.ask(QUESTION, state="error").locator("[part~=error]")).to_have_text(told)
    desk.errors.clear()
