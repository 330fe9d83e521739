"""Cards in a real browser: folding, keyboard, copying, what is marked, and what a reader sees first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Locator, expect
from tests.e2e.browsing import PHONE, Reader, without_text_fragment
from tests.e2e.cards import BLOCKS, CLOSEST, HOSTILE, NOT_FOUND, WRITTEN, Json, answer, answers_with, block
from tests.e2e.colours import SEEN, strongest_contrast
from tests.e2e.hosting import static_host

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.hosting import SiteServer

pytestmark = [pytest.mark.browser]

PAGE = "configuration/"
QUESTION = "How do I change the text of the button?"


@pytest.fixture
def tab(reader: Reader) -> Iterator[Reader]:
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.goto(PAGE)
    reader.open()
    yield reader
    assert reader.errors == []


def asked(tab: Reader, given: Json, question: str = QUESTION) -> Locator:
    answers_with(tab, given)
    return tab.ask(question)


def clipboard(tab: Reader) -> str:
    text: str = tab.page.evaluate("navigator.clipboard.readText()")
    return text


def bare(text: str) -> str:
    """A text without white space, and without the marks that are not shown."""
    return re.sub(r"[|`\s]", "", text)


def test_the_best_card_is_open_and_the_others_are_one_line(tab: Reader) -> None:
    exchange = asked(tab, answer())
    expect(exchange.locator("[part~=excerpt]:visible")).to_have_count(1)
    expect(exchange.locator("a[part~=card-title]")).to_have_text(["Texts"])
    expect(exchange.locator("[part~=telling]:visible")).to_have_count(2)
    lines = exchange.locator("[part~=telling]:visible").first
    assert lines.evaluate("it => it.clientHeight / parseFloat(getComputedStyle(it).lineHeight)") == pytest.approx(
        2, abs=0.2
    )
    # Two sections of one title on pages of one title: the page tells them apart.
    assert exchange.locator("[part~=path]").all_inner_texts()[1:3] == ["Docker (quick-start/)", "Docker (deploy/)"]
    expect(exchange.locator("[part~=more] [part~=source]")).to_have_count(2)


def test_a_folded_card_is_opened_and_closed_by_mouse(tab: Reader) -> None:
    exchange = asked(tab, answer())
    # All of the folded head opens it, not the arrow alone.
    exchange.locator("[part~=telling]:visible").first.click(force=True)
    opened = exchange.locator("[part~=card]").nth(1)
    expect(opened.locator("[part~=excerpt]")).to_be_visible()
    expect(opened.locator("[part~=telling]")).to_be_hidden()
    expect(opened.locator("a[part~=card-title]")).to_have_attribute("href", f"{tab.origin}/quick-start/#texts")
    opened.locator("[part~=fold]").click()
    expect(opened.locator("[part~=excerpt]")).to_be_hidden()
    expect(opened.locator("a[part~=card-title]")).to_have_count(0)


def test_a_folded_card_is_opened_and_closed_by_keyboard(tab: Reader) -> None:
    for key in ("Enter", " "):
        check_a_fold_by(tab, key)
        tab.part("new").click()


def check_a_fold_by(tab: Reader, key: str) -> None:
    """A key on the fold of a card opens it, and closes it again."""
    exchange = asked(tab, answer())
    fold = exchange.get_by_role("button", name="Installation", expanded=False).first
    fold.focus()
    tab.page.keyboard.press(key)
    opened = exchange.locator("[part~=card]").nth(1)
    expect(opened.locator("[part~=excerpt]")).to_be_visible()
    # The focus is where it was, on what now closes the card again.
    focused = exchange.get_by_role("button", name="Installation", expanded=True)
    expect(focused).to_be_focused()
    tab.page.keyboard.press("Shift+Tab")
    expect(opened.locator("a[part~=card-title]")).to_be_focused()
    tab.page.keyboard.press("Tab")
    tab.page.keyboard.press(key)
    expect(opened.locator("[part~=excerpt]")).to_be_hidden()
    expect(opened.locator("[part~=fold]")).to_be_focused()


def test_assistive_technology_is_told_headings_links_and_the_result(tab: Reader) -> None:
    exchange = asked(tab, answer(*BLOCKS["code"], *BLOCKS["table"]))
    nodes = {(node["role"], node["name"]) for node in tab.accessible()}
    assert nodes >= {
        ("heading", QUESTION),
        ("heading", "Texts"),
        ("link", "Texts"),
        ("button", "Installation"),
        ("group", "Code mkdocs.yml: plugins:"),
        ("group", "Table: Name, Default, What it does"),
        ("mark", ""),
    }
    assert exchange.locator("h3").count() == 1
    assert exchange.locator("h4").count() == 4
    expect(tab.chat.get_by_role("status")).to_have_text("Answer ready. Sections: 3 – Texts")
    asked(tab, NOT_FOUND)
    expect(tab.chat.get_by_role("status")).to_have_text("Not found in these docs. Closest sections: 2")
    asked(tab, CLOSEST)
    expect(tab.chat.get_by_role("status")).to_have_text(
        "This may not answer the question. It is the closest that these docs have: Texts"
    )


def test_code_and_tables_scroll_by_keyboard(tab: Reader) -> None:
    wide = "| " + " | ".join(f"`a_rather_long_name_{n}`" for n in range(9)) + " |"
    exchange = asked(tab, answer(block("code", "x" * 400), block("table", wide)))
    for name in ("Code", "Table"):
        region = exchange.get_by_role("group", name=name).first
        region.focus()
        tab.page.keyboard.press("ArrowRight")
        tab.page.wait_for_function("it => it.scrollLeft > 0", arg=region.element_handle())
    assert tab.part("log").evaluate("it => it.scrollWidth <= it.clientWidth"), "the log scrolls sideways"


def test_a_path_in_a_cell_leaves_room_for_the_column_that_explains_it(tab: Reader) -> None:
    table = "| Option | Default | Meaning |\n| --- | --- | --- |\n| `retention_days_of_readings` | `/var/lib/kettle/data` | "
    exchange = asked(tab, answer(block("table", f"{table}How many days readings are kept before they are reduced. |")))
    assert exchange.locator("[part~=table]").evaluate("it => it.scrollWidth <= it.clientWidth")
    explained = exchange.get_by_role("cell", name="How many days").bounding_box()
    assert explained is not None
    assert explained["width"] > 120
    # What is copied is the name, in one piece.
    assert exchange.locator("td code").first.evaluate("it => it.textContent") == "retention_days_of_readings"


def test_a_name_in_code_stays_on_one_line_and_a_long_one_in_the_card(tab: Reader) -> None:
    """Each word before it moves the option on by a little, so that it comes to the end of a line at every place."""
    texts = [f"{'x ' * count}`--dev-addr-of-the-port`" for count in range(60)]
    exchange = asked(tab, answer(*(block("prose", text) for text in texts), block("prose", f"`{'long-' * 60}`")))
    lines = (
        exchange.locator("[part~=excerpt]")
        .first.locator("p:has(code)")
        .evaluate_all(
            """paragraphs => paragraphs.map(paragraph => {
            const range = document.createRange();
            range.selectNodeContents(paragraph.querySelector("code"));
            return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
        })"""
        )
    )
    assert lines[:-1] == [1] * len(texts)
    assert lines[-1] > 1
    assert tab.part("log").evaluate("it => it.scrollWidth <= it.clientWidth"), "the log scrolls sideways"


def test_code_without_a_name_begins_at_the_top_of_its_box(tab: Reader) -> None:
    """Copy is there under the pointer, and has no empty line kept for it."""
    exchange = asked(tab, answer(block("code", "npm ci")))
    code = exchange.locator("[part~=code]").first
    box, text = code.bounding_box(), code.locator("pre > code").bounding_box()
    assert box is not None
    assert text is not None
    assert text["y"] - box["y"] < 20
    code.hover()
    expect(code.locator("[part~=copy]")).to_have_css("opacity", "1")


def test_code_is_copied_as_it_stands(tab: Reader) -> None:
    code = BLOCKS["code"]
    exchange = asked(tab, answer(*code))
    box = exchange.locator("[part~=code]").first
    box.hover()
    box.locator("[part~=copy]").click()
    expect(box.locator("[part~=copy]")).to_have_text("Copied")
    assert clipboard(tab) == code[1]["text"]
    assert box.locator("code").evaluate("it => it.textContent") == code[1]["text"]
    exchange.locator("[part~=foot] [part~=copy]").first.click()
    tab.page.wait_for_function(
        "async text => (await navigator.clipboard.readText()) === text",
        arg=f"{code[0]['text']}\n\nmkdocs.yml\n{code[1]['text']}\n\nTexts {tab.origin}/configuration/#texts",
    )


def test_the_highlight_marks_exactly_its_characters(tab: Reader) -> None:
    """Each character of the highlight and no other, counted in code points; marks of the text itself are not shown."""
    for kind, blocks in BLOCKS.items():
        exchange = asked(tab, answer(*blocks))
        shown = exchange.locator("[part~=excerpt]").first.locator("mark").all_text_contents()
        given = next(given for given in blocks if given["highlight"])
        start, end = given["highlight"]
        assert bare("".join(shown)) == bare(given["text"][start:end]), kind


@pytest.mark.parametrize("question", [QUESTION, "word " * 400], ids=["short", "long"])
def test_the_first_line_is_seen_without_scrolling(browser: Browser, server: SiteServer, question: str) -> None:
    tab = Reader(browser, server.origin, size=PHONE)
    tab.goto(PAGE)
    tab.open()
    for kind, blocks in BLOCKS.items():
        exchange = asked(tab, answer(*blocks, read_as="How do I?", note="This is from version 1.2."), question)
        first = exchange.locator("[part~=excerpt]").first.locator("p, li, th, pre").first.bounding_box()
        composer = tab.part("input").bounding_box()
        assert first is not None, kind
        assert composer is not None, kind
        assert first["y"] > 0, kind
        assert first["y"] + 24 < composer["y"], kind
        # Each is the first of its conversation: what is above would scroll it into sight.
        tab.part("new").click()
    tab.close()
    assert tab.errors == []


def test_a_hostile_answer_stays_text(tab: Reader) -> None:
    tab.page.evaluate("window.hit = 0")
    before = len(tab.requested)
    exchange = asked(tab, HOSTILE)
    assert '<img src="x"' in exchange.inner_text()
    tab.goto(PAGE)
    expect(tab.part("card")).to_have_count(3)
    assert tab.page.evaluate("window.hit ?? 0") == 0
    assert tab.chat.locator("img, script, iframe, [href^=javascript]").count() == 0
    assert [url for url in tab.requested[before:] if url.rpartition("/")[2] == "x"] == []


def test_a_conversation_is_drawn_again_as_it_was_after_a_page_load(tab: Reader) -> None:
    before: list[str] = []
    drawn = "it => it.innerHTML.replace(/card-\\d+/g, 'card')"
    for given in (answer(), CLOSEST, NOT_FOUND, WRITTEN):
        exchange = asked(tab, given)
        if exchange.locator("[part~=fold]").count():
            exchange.locator("[part~=fold]").first.click()
        before.append(exchange.evaluate(drawn))
    tab.goto(PAGE)
    expect(tab.part("exchange")).to_have_count(len(before))
    assert [exchange.evaluate(drawn) for exchange in tab.part("exchange").all()] == before


def test_a_marker_of_a_written_answer_leads_where_its_source_leads(tab: Reader) -> None:
    """Where there is a text instead of cards, its markers lead where the sources below it lead."""
    exchange = asked(tab, WRITTEN)
    assert exchange.evaluate(
        "it => Boolean(it.querySelector('.answer').compareDocumentPosition(it.querySelector('.sources')) & 4)"
    ), "the sources stand before the answer"
    links = exchange.locator("[part~=source]").evaluate_all("all => all.map(one => one.href)")
    markers = exchange.locator("[part~=citation]")
    assert markers.evaluate_all("all => all.map(one => one.href)") == links[:2]
    expect(markers.first).to_have_attribute("aria-label", "Source 1: Texts")
    tab.follow(markers.first)
    assert tab.landed() == {"found": True, "seen": True}


def test_a_page_from_right_to_left_turns_cards_and_not_code(tab: Reader) -> None:
    tab.page.evaluate("document.body.dir = 'rtl'")
    exchange = asked(tab, answer(*BLOCKS["code"]))
    card, fold = (exchange.locator(f"[part~={name}]").nth(at).bounding_box() for name, at in (("card", 1), ("fold", 0)))
    assert card is not None
    assert fold is not None
    assert fold["x"] < card["x"] + card["width"] / 4
    assert exchange.locator("pre").first.evaluate("it => getComputedStyle(it).direction") == "ltr"
    assert tab.part("log").evaluate("it => it.scrollWidth <= it.clientWidth")


def test_forced_colours_keep_the_mark(tab: Reader) -> None:
    exchange = asked(tab, answer(*BLOCKS["code"]))
    tab.page.emulate_media(forced_colors="active")
    paint = "it => getComputedStyle(it).backgroundColor"
    assert exchange.locator("mark").first.evaluate(paint) != exchange.locator("pre").first.evaluate(paint)


def test_forced_colours_keep_the_pressed_button_and_the_edge_of_the_sheet(tab: Reader) -> None:
    tab.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    tab.page.route("**/_trueref/feedback", lambda route: route.fulfill(status=204))
    exchange = asked(tab, answer(feedback=True))
    exchange.get_by_role("button", name="Yes").click()
    tab.page.mouse.move(0, 0)
    tab.page.emulate_media(forced_colors="active", color_scheme="dark")
    paint = "it => getComputedStyle(it).backgroundColor"
    assert exchange.locator("[part~=yes]").evaluate(paint) != exchange.locator("[part~=no]").evaluate(paint)
    top = tab.part("panel").evaluate("it => it.getBoundingClientRect().top")
    assert strongest_contrast(tab.page.screenshot(clip={"x": 40, "y": top, "width": 200, "height": 4})) >= SEEN


LABEL_IS_LEFT = """it => {
  const walk = document.createTreeWalker(it, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const at = node.data.indexOf("(label)");
    if (at < 0) continue;
    const left = (start, end) => {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      return range.getBoundingClientRect().left;
    };
    return left(at, at + 7) < left(0, 4);
  }
}"""


def test_a_title_from_right_to_left_begins_at_the_right(tab: Reader) -> None:
    """What follows the Arabic words of a title stands at their left, on a page in English too."""
    arabic = {"section": "كيف أغيّر نص الزر؟ (label)", "breadcrumb": ["الإعدادات (label)"]}
    given = answer(block("prose", "غيّر النص."))
    for source in given["sources"] + given["more"]:
        source |= arabic
    exchange = asked(tab, given)
    for name in ("card h4", "card [part~=path]", "source [part~=heading]", "source [part~=path]"):
        outer, _, inner = name.partition(" ")
        assert exchange.locator(f"[part~={outer}] {inner}").first.evaluate(LABEL_IS_LEFT) is True, name


def test_text_fades_at_the_lower_edge_as_long_as_more_of_it_follows(tab: Reader) -> None:
    tab.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    exchange = asked(tab, answer(*BLOCKS["code"]))
    line = exchange.get_by_text("More sections")
    assert contrast_of_line(tab, line, above_the_edge=2) < 1.5 < contrast_of_line(tab, line, above_the_edge=40)
    tab.part("log").evaluate("log => log.scrollTop = 0")
    shown = line.evaluate("it => { it.scrollIntoView({block: 'nearest'}); return it.getBoundingClientRect().bottom; }")
    assert shown <= lower_edge(tab) - 23, "what the panel scrolls to is covered"
    tab.part("log").evaluate("log => log.scrollTop = log.scrollHeight")
    last = exchange.evaluate("it => it.getBoundingClientRect().bottom")
    # The fade is 24 pixels high; a position is rounded to whole ones.
    assert last <= lower_edge(tab) - 23, "the end is covered"


def lower_edge(tab: Reader) -> float:
    """Where the log of the panel ends, from the top of the window."""
    edge: float = tab.part("log").evaluate("it => it.getBoundingClientRect().bottom")
    return edge


def contrast_of_line(tab: Reader, line: Locator, above_the_edge: float) -> float:
    """The contrast in the middle of a line of text, with its middle scrolled to a distance from the lower edge."""
    log = tab.part("log")
    log.evaluate("it => it.style.scrollBehavior = 'auto'")
    middle = "it => { const {top, height} = it.getBoundingClientRect(); return top + height / 2; }"
    log.evaluate("(it, by) => it.scrollTop += by", line.evaluate(middle) - lower_edge(tab) + above_the_edge)
    at = line.evaluate(middle)
    assert at == pytest.approx(lower_edge(tab) - above_the_edge, abs=1), "the log cannot be scrolled so far"
    picture = tab.page.screenshot(clip={"x": 40, "y": at - 1, "width": PHONE[0] - 80, "height": 2})
    return strongest_contrast(picture)


FRAME = '<!doctype html><title>Frame</title><iframe src="{}" width=1000 height=600></iframe><textarea></textarea>'


@pytest.mark.parametrize("is_refused", [False, True], ids=["older way", "no way"])
def test_what_is_copied_in_a_frame_of_another_host(
    browser: Browser, server: SiteServer, tmp_path: Path, is_refused: bool
) -> None:
    """Such a frame may not write to the clipboard as other pages do. Where the older way is closed too, it is said."""
    (tmp_path / "index.html").write_text(FRAME.format(f"{server.origin}/{PAGE}"))
    page = browser.new_page()
    with static_host(tmp_path) as origin:
        page.goto(origin.replace("127.0.0.1", "localhost"))
        frame = page.frame_locator("iframe")
        frame.locator("[part~=pill]").click()
        frame.locator("[part~=input]").fill("How do I install Trueref?")
        frame.locator("[part~=input]").press("Enter")
        copy = frame.locator("[part~=foot] [part~=copy]").first
        copy.wait_for()
        if is_refused:
            page.frames[1].evaluate("document.execCommand = () => false")
        copy.click()
        expect(copy).to_have_text("Could not copy" if is_refused else "Copied")
        title = frame.locator("a[part~=card-title]").first
        source = f"{title.inner_text()} {without_text_fragment(title.get_attribute('href') or '')}"
        if not is_refused:
            page.locator("textarea").press("Control+v")
            assert page.locator("textarea").input_value().endswith(source)
    page.close()
