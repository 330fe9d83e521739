"""Which passages the widget shows on a host that serves files and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.e2e.browsing import Reader
from tests.e2e.hosting import static_host

from trueref_plugin.build.build import index_site

pytestmark = [pytest.mark.browser]

NOTED = (
    "<!doctype html><title>Zebras</title><main><h1 id=zebras>Zebras</h1><p>Zebras live in herds."
    '<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup></p><p>They eat grass.</p>'
    '<div class="footnote"><hr><ol><li id="fn:1"><p>Grevy stallions roam alone.&#160;<a class="footnote-backref" '
    'href="#fnref:1">↩</a></p></li></ol></div></main>'
)


def test_a_footnote_answers_behind_what_refers_to_it(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(NOTED)
    index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(tmp_path / "site") as origin:
        tab = Reader(browser, origin)
        tab.goto("index.html")
        tab.open()
        answers = [
            tab.ask(question).locator("[part~=answer]")
            for question in ("Which stallions roam alone?", "Do they eat grass?")
        ]
        expect(answers[0].locator("[part~=excerpt] p")).to_have_text(
            ["Zebras live in herds.", "Grevy stallions roam alone."]
        )
        expect(answers[1]).not_to_contain_text("stallions")
        tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


SHELVED = (
    "<!doctype html><title>Zoo</title><main><h1 id=zoo>Zoo</h1><h2 id=zebras>Feeding zebras</h2><p>Feed the zebras hay.</p>"
    "<h2 id=hours>Hours of feeding zebras</h2><table><tr><th>Day</th><th>Hour</th></tr><tr><td><code>mon|tue</code></td>"
    "<td>9</td></tr></table><h2 id=order>Ordering for feeding zebras</h2><pre><code>zoo order --zebras</code></pre>"
    "<p>Order a day before.</p></main>"
)


def test_a_folded_card_tells_a_row_of_its_table_and_a_sentence_beside_its_code(
    browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(SHELVED)
    index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(tmp_path / "site") as origin:
        tab = Reader(browser, origin)
        tab.goto("index.html")
        tab.open()
        exchange = tab.ask("feeding zebras")
        captions = {
            card.locator("h4").inner_text(): card.locator("[part~=telling]").inner_text()
            for card in exchange.locator("[part~=card]").all()
        }
        tab.close()
    assert captions["Hours of feeding zebras"] == "mon|tue – 9"
    assert captions["Ordering for feeding zebras"] == "Order a day before."
    assert (tab.errors, tab.foreign) == ([], [])


LONG = "Keepers bring hay and water to each of the animals. " * 12
TITLED = (
    "<!doctype html><title>Zoo</title><main><h1 id=zoo>Zoo</h1><h2 id=feeding>Feeding times</h2>"
    f"<p>Visitors may watch. {LONG}</p><p>{LONG}</p>"
    "<p>Feeding times change in winter, and the feeding times of seals are at the pool.</p></main>"
)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        # No word of a title tells the passages of its section apart.
        ("What are the feeding times?", "Visitors may watch"),
        ("Feeding times in winter", "Feeding times change"),
    ],
)
def test_a_question_made_of_a_title_shows_how_its_section_begins(
    browser: Browser, tmp_path: Path, question: str, begins: str
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(TITLED)
    index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(tmp_path / "site") as origin:
        tab = Reader(browser, origin)
        tab.goto("index.html")
        tab.open()
        expect(tab.ask(question).locator("[part~=excerpt] p").first).to_contain_text(begins)
        tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


CONTROLLER = {
    "index.html": "<h1 id=kiln>Kiln</h1><p>The controller fires clay.</p>",
    "begin.html": "<h1 id=begin>First steps</h1><p>Fire an empty chamber once, and listen to the fan.</p>",
    "sensors.html": "<h1 id=sensors>Sensors</h1><p>Install the sensor first.</p><h2 id=in>Installing a sensor</h2>"
    "<p>Install it beside the door. Installing it takes an hour.</p>",
    "setup.html": "<h1 id=setup>Installing Kiln</h1><p>Put the controller beside the wall, and join the cable.</p>",
}


def test_what_newcomers_ask_first_is_answered_by_the_page_about_it(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    for name, content in CONTROLLER.items():
        page = f"<!doctype html><title>{name}</title><main>{content}</main>"
        (tmp_path / "site" / name).write_text(page, encoding="utf-8")
    index_site(tmp_path / "site", index=tmp_path / "index", widget="none")
    first_cards = {
        "How do I install it?": ("Installing Kiln", "Put the controller beside the wall"),
        "quickstart": ("First steps", "Fire an empty chamber once"),
        "How do I install a sensor?": ("Sensors", "Install the sensor first."),
    }
    with static_host(tmp_path / "site") as origin:
        tab = Reader(browser, origin)
        tab.goto("index.html")
        tab.open()
        for question, (title, text) in first_cards.items():
            card = tab.ask(question).locator("[part~=card]").first
            expect(card.locator("h4")).to_have_text(title)
            expect(card.locator("[part~=excerpt]")).to_contain_text(text)
        tab.close()
    assert (tab.errors, tab.foreign) == ([], [])
