"""A reader asks this project's own docs, in a real browser, and goes where the answers point."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Locator, expect
from tests import local_http
from tests.e2e.browsing import IN_SIGHT, Reader, words_of
from tests.e2e.hosting import PREFIX, SiteServer
from tests.server.scripted_model import scripted_model

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.conftest import Docs

pytestmark = [pytest.mark.browser]

QUESTIONS = {
    "How do I install Trueref?": "quick-start/",
    "What does server_url do?": "configuration/",
    "What happens when the index is damaged?": "faq/",
    "Which file does the plugin write into the site folder?": "exports/",
    "How can I keep a page out of the answers?": "configuration/",
    "Does any question leave my machine?": "data/",
    "How do I change the text of the button?": "configuration/",
    "How many questions a minute may one reader ask?": "configuration/",
    "Which embedding model is shipped?": "decisions/shipped-model/",
    "What is in the events of a streamed answer?": "reference/http/",
}
"""Questions with the page whose section is open first. All of them are answered."""

ROW_QUESTION = "What is the setting for days that question texts are kept?"
"""The row of a table answers it: a link leads to the longest of its cells."""

SHORT_QUESTIONS = {
    "How do I change the port?": "configuration/#change-the-port",
    "how do I fix broken links automatically": "check/#fix-broken-links-automatically",
    "can I use ChatGPT to write the answers?": "faq/#can-i-use-chatgpt-to-write-the-answers",
    "What happens when two headings have the same id?": "faq/#what-happens-when-two-headings-have-the-same-id",
    "how does it compare to DocSearch": "faq/#how-does-trueref-compare-with-docsearch",
    "How do I add Trueref to my MkDocs site?": "quick-start/#add-trueref-to-your-mkdocs-site",
}
"""Questions of people who decide for or set up the program, with page and anchor of the section that is open first."""


@pytest.fixture
def tab(reader: Reader) -> Iterator[Reader]:
    """A tab with the panel open, whose console has to stay quiet."""
    reader.goto("")
    reader.open()
    yield reader
    assert reader.errors == []


def test_the_panel_is_not_fetched_until_it_is_wanted(reader: Reader) -> None:
    reader.goto("quick-start/")
    expect(reader.part("pill")).to_be_visible()
    expect(reader.part("panel")).to_have_count(0)
    assert not any("trueref-panel" in url for url in reader.requested), "the panel is fetched before it is wanted"
    reader.open()
    expect(reader.part("panel")).to_be_visible()
    expect(reader.part("pill")).to_be_hidden()
    assert reader.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, pytest.param(len(QUESTIONS), marks=pytest.mark.long)])
def test_every_source_of_some_questions_lands(tab: Reader, seed: int, count: int) -> None:
    """Each question is asked on the page where the last one led; each of its sections is clicked from where the one
    before it led, so that the conversation has to survive every page load, with the cards that were opened."""
    questions = random.Random(seed).sample([*QUESTIONS], count)
    print(f"seed {seed}: {questions}")
    followed = 0
    for number, question in enumerate(questions):
        exchange = tab.ask(question)
        assert exchange.get_attribute("data-verdict") == "answer", question
        assert exchange.locator("[part~=excerpt]:visible").count(), question
        opened = exchange.locator("a[part~=card-title]").first.get_attribute("href") or ""
        assert opened.split("#")[0] == f"{tab.origin}/{QUESTIONS[question]}", question
        for at in range(tab.places(exchange).count()):
            again = tab.part("exchange").nth(number)
            assert again.locator("[aria-expanded=false]").count() == 0, "a card is folded again"
            href = tab.follow(tab.places(again).nth(at))
            assert tab.landed() == {"found": True, "seen": True}, f"{question!r} leads to {href}"
            assert "404" not in tab.page.title(), href
            expect(tab.part("question").nth(number)).to_have_text(question)
            followed += 1
    assert tab.part("exchange").count() == len(questions)
    print(f"{followed} sections followed")


@pytest.mark.parametrize("question", SHORT_QUESTIONS)
def test_what_people_ask_before_they_use_it_is_answered(server: SiteServer, question: str) -> None:
    response = local_http.post(f"{server.origin}{PREFIX}/ask", json={"question": question})
    answer = response.raise_for_status().json()
    assert (answer["sources"][0]["href"], answer["verdict"]) == (SHORT_QUESTIONS[question], "answer")


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_question_is_answered_from_its_page(server: SiteServer, question: str) -> None:
    response = local_http.post(f"{server.origin}{PREFIX}/ask", json={"question": question})
    answer = response.raise_for_status().json()
    assert (answer["sources"][0]["page"], answer["verdict"]) == (QUESTIONS[question], "answer")


def test_the_page_the_reader_is_on_is_marked(tab: Reader) -> None:
    tab.follow(tab.places(tab.ask("How do I install Trueref?")).first)
    expect(tab.part("card").first).to_be_visible()
    page = tab.page.url.split("#")[0]
    cards = tab.chat.locator("[data-page]").evaluate_all(
        """all => all.map(it => [
          (it.href ?? it.querySelector('a').href).split('#')[0], it.querySelector('.badge').checkVisibility()
        ])"""
    )
    assert any(marked for _, marked in cards)
    assert all(marked is (address == page) for address, marked in cards), cards


def test_all_is_done_with_the_keyboard_alone(tab: Reader) -> None:
    page = tab.page
    page.keyboard.press("Control+i")
    expect(tab.part("panel")).to_be_hidden()
    expect(tab.part("pill")).to_be_focused()
    page.keyboard.press("Control+i")
    expect(tab.part("panel")).to_be_visible()
    expect(tab.part("input")).to_be_focused()
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    expect(tab.part("input")).to_have_value("one\ntwo")
    expect(tab.part("exchange")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(tab.part("input")).to_have_value("")
    expect(tab.part("exchange")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(tab.part("panel")).to_be_hidden()
    expect(tab.part("pill")).to_be_focused()


def test_nothing_is_sent_where_nothing_is_typed(tab: Reader) -> None:
    tab.part("input").fill(" \n ")
    tab.part("send").click()
    expect(tab.part("exchange")).to_have_count(0)
    assert not any(url.endswith("/ask") for url in tab.requested)


def test_the_hotkeys_of_the_theme_stay_quiet(tab: Reader) -> None:
    tab.part("input").focus()
    tab.page.keyboard.type("/sfnp.,")
    expect(tab.part("input")).to_have_value("/sfnp.,")
    expect(tab.part("input")).to_be_focused()
    assert tab.page.evaluate("document.querySelector('#__search').checked") is False
    assert tab.page.url == f"{tab.origin}/"


def test_the_status_line_says_what_came_of_a_question(tab: Reader) -> None:
    status = tab.chat.get_by_role("status")
    expect(status).to_have_text("")
    exchange = tab.ask("How do I install Trueref?")
    cards = exchange.locator("[part~=card]")
    heading = cards.first.locator("h4").inner_text()
    expect(status).to_have_text(f"Answer ready. Sections: {cards.count()} – {heading}")
    nearest = tab.ask("What does the moon taste like on Tuesdays?").locator("[part~=more] li")
    expect(status).to_have_text(f"Not found in these docs. Closest sections: {nearest.count()}")


def test_every_button_has_a_name(tab: Reader) -> None:
    """What Chromium tells assistive technology, not what the markup seems to say."""
    tab.ask("How do I install Trueref?")
    nodes = tab.accessible()
    assert [node for node in nodes if node["role"] in ("button", "link", "textbox") and not node["name"]] == []
    named = {(node["role"], node["name"]) for node in nodes}
    assert named >= {
        ("dialog", "Ask the docs"),
        ("log", "Conversation"),
        ("textbox", "Your question"),
        ("button", "New conversation"),
        ("button", "Close"),
        ("button", "Send"),
    }
    assert "status" in {node["role"] for node in nodes}


def test_markup_in_a_question_is_shown_as_text(tab: Reader) -> None:
    question = (
        '<img src=x onerror="window.hit=1"><script>window.hit=2</script> `<b>` How do I install [1](javascript:hit)?'
    )
    tab.page.evaluate("window.hit = 0")
    before = len(tab.requested)
    exchange = tab.ask(question)
    expect(exchange.locator("[part~=question]")).to_have_text(question)
    # And again when the conversation is drawn from the session's storage.
    tab.goto("data/")
    expect(tab.part("question")).to_have_text(question)
    assert tab.page.evaluate("window.hit ?? 0") == 0
    assert tab.chat.locator("img, script, b b, iframe").count() == 0
    assert [url for url in tab.requested[before:] if url.rpartition("/")[2] == "x"] == []


def test_a_new_conversation_begins_empty_and_stays_so(tab: Reader) -> None:
    tab.ask("How do I install Trueref?")
    tab.part("new").click()
    expect(tab.part("exchange")).to_have_count(0)
    expect(tab.part("input")).to_be_focused()
    tab.goto("data/")
    expect(tab.part("exchange")).to_have_count(0)


def test_a_page_that_is_missing_answers_too(reader: Reader) -> None:
    assert reader.goto("no/such/page/at/all") == 404
    reader.open()
    reader.follow(reader.places(reader.ask("How do I install Trueref?")).first)
    assert reader.landed() == {"found": True, "seen": True}
    # Chromium itself notes every 404 on the console; nothing else may stand there.
    assert [line for line in reader.errors if "404 (Not Found)" not in line] == []


def test_a_long_question_with_a_long_word_fits_its_place(tab: Reader) -> None:
    """The longest question that the field takes is answered, with one word in it that fits no line."""
    tab.ask("install " * 100 + "W" * 1000)
    assert tab.part("log").evaluate("it => it.scrollWidth <= it.clientWidth"), "the log scrolls sideways"


@pytest.mark.slow
def test_a_server_that_dies_is_told_and_asking_again_works_once_it_is_back(
    browser: Browser, server: SiteServer
) -> None:
    """The panel says so and offers to try again, which works once the server is back at the same place."""
    tab = Reader(browser, server.origin)
    tab.goto("quick-start/")
    tab.open()
    tab.ask("How do I install Trueref?")
    server.kill()
    try:
        exchange = tab.ask("What does server_url do?", state="error")
        expect(exchange.locator("[part~=error]")).to_have_text("The answer service cannot be reached.")
        expect(tab.chat.get_by_role("status")).to_have_text("The answer service cannot be reached.")
        expect(exchange.locator("[part~=retry]")).to_have_text("Try again")
        exchange.locator("[part~=retry]").click()
        expect(tab.part("error")).to_have_count(1)
    finally:
        server.start()
    tab.part("retry").click()
    expect(tab.part("exchange").nth(1)).to_have_attribute("data-state", "done")
    expect(tab.part("exchange")).to_have_count(2)
    expect(tab.part("error")).to_have_count(0)
    tab.follow(tab.places(tab.part("exchange").nth(1)).first)
    assert tab.landed() == {"found": True, "seen": True}
    tab.close()
    assert [line for line in tab.errors if "ERR_CONNECTION_REFUSED" not in line] == []


@pytest.mark.slow
def test_what_the_server_refuses_is_said_in_the_panel(browser: Browser, docs: Docs, tmp_path: Path) -> None:
    """Both ways in which an error comes: as a response, and as an event of a stream that has begun."""
    index = tmp_path / "index"
    shutil.copytree(docs.index, index)
    server = SiteServer(docs.site, index, tmp_path / "log", TRUEREF_RATE_PER_MINUTE="1", TRUEREF_RATE_BURST="2")
    server.start()
    try:
        tab = Reader(browser, server.origin)
        tab.goto("quick-start/")
        tab.open()
        tab.ask("How do I install Trueref?")
        shutil.rmtree(index / "builds")
        broken = tab.ask("What does server_url do?", state="error")
        expect(broken.locator("[part~=error]")).to_have_text(
            "The answer service has no index that it can read. Try again later."
        )
        refused = tab.ask("Does any question leave my machine?", state="error")
        expect(refused.locator("[part~=error]")).to_have_text(
            re.compile(r"^Too many questions at once\. Try again in \d\d seconds\.$")
        )
        tab.close()
    finally:
        server.stop()


@pytest.mark.slow
def test_the_docs_are_read_while_a_model_writes(browser: Browser, docs: Docs, tmp_path: Path) -> None:
    """The open card stands at once; the text of the model takes its place, and its citations lead where they should."""
    text = (
        "Set `server_url` to the address of your server: it is where the widget asks. [1]\n\n"
        "The widget asks there. [1] The option stands in the configuration. [1] "
        "It was `sever_url` once, see [there](https://evil-host.net/a). [1]"
    )
    with scripted_model(lambda _: [text[at : at + 9] for at in range(0, len(text), 9)], pause=0.15) as model:
        variables = {"TRUEREF_MODEL_URL": model.url, "TRUEREF_MODEL_NAME": "scripted"}
        server = SiteServer(docs.site, docs.index, tmp_path / "log", **variables)
        server.start()
        try:
            tab = Reader(browser, server.origin)
            tab.goto("quick-start/")
            tab.open()
            tab.part("input").fill("What does server_url do?")
            tab.part("input").press("Enter")
            exchange = tab.part("exchange").last
            expect(exchange.locator("[part~=progress]")).to_have_text("An answer is being written from these sections.")
            expect(exchange.locator("[part~=excerpt]:visible").first).to_be_visible()
            expect(exchange).to_have_attribute("data-state", "done")
            expect(exchange.locator("[part~=excerpt]")).to_have_count(0)
            answer = exchange.locator("[part~=answer]")
            expect(answer).to_contain_text("it is where the widget asks")
            expect(answer.locator("[part~=mark]")).to_have_text(["sever_url"])
            check_reason(tab, answer.locator("[part~=mark]"))
            expect(exchange).to_contain_text("Written by a language model from these sections.")
            assert exchange.locator("a[href*='evil']").count() == 0
            tab.follow(exchange.locator("a[part~=citation]").first)
            assert tab.landed() == {"found": True, "seen": True}
            tab.close()
            assert tab.errors == []
        finally:
            server.stop()


def check_reason(tab: Reader, mark: Locator) -> None:
    """Why a part of an answer is marked is said to a pointer over it, and to a finger and the keyboard behind its text."""
    reason = mark.get_attribute("title") or ""
    assert "server_url" in reason
    said = "it => getComputedStyle(it, '::after').content"
    assert mark.evaluate(said) == "none"
    mark.click()
    assert reason in mark.evaluate(said)
    tab.part("input").focus()
    assert mark.evaluate(said) == "none"


@pytest.mark.slow
@pytest.mark.parametrize(
    "questions",
    [
        pytest.param([ROW_QUESTION, *list(QUESTIONS)[:2]], id="some"),
        pytest.param(list(QUESTIONS)[2:], id="the others", marks=pytest.mark.long),
    ],
)
def test_text_fragments_lead_to_their_quotes(browser: Browser, server: SiteServer, questions: list[str]) -> None:
    """The browser finds the words of every quote that has a fragment, and shows them. Without an anchor, so that nothing
    but the words can have brought it there."""
    page = browser.new_page(viewport={"width": 900, "height": 400})
    quoted = 0
    for question in questions:
        answer = page.request.post(f"{server.origin}{PREFIX}/ask", data={"question": question}).json()
        if question == ROW_QUESTION:
            assert answer["sources"][0]["text_fragment"].startswith("text=Days%20that%20"), answer["sources"][0]
        for source in answer["sources"]:
            if not source["text_fragment"]:
                continue
            quoted += 1
            page.goto("about:blank")
            page.goto(f"{server.origin}/{source['page']}#:~:{source['text_fragment']}")
            page.wait_for_function(IN_SIGHT, arg=words_of(source["text_fragment"]))
    assert quoted >= len(questions) / 2, quoted
    page.close()
