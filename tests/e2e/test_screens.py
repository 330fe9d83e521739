"""Screenshots of the widget, for people to look at, and the cheap truths that a program can see in them.

They are written to `test-results/`, which is not under version control.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error, expect
from tests.e2e.browsing import DESKTOP, PHONE, Reader
from tests.e2e.cards import BLOCKS, answer, answers_with
from tests.e2e.colours import CONTRAST, POOR, READABLE
from tests.e2e.states import ANSWERS, QUESTION

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from tests.e2e.hosting import SiteServer

pytestmark = [pytest.mark.browser]

PAGE = "configuration/"

Box = dict[str, float]

READ = (
    "new", "close", "question", "source", "path", "heading", "badge", "citation", "answer", "send", "card-title",
    "telling", "excerpt", "highlight", "highlight > code", "admonition p > code", "gap", "label", "whole", "note",
    "closest", "copy", "code-head span", "admonition", "excerpt th", "excerpt td", "sources h4", "more h4",
)  # fmt: skip


LONG = pytest.mark.long
LOOKS = [
    pytest.param(("desktop", "light"), id="desktop-light"),
    pytest.param(("phone", "dark"), id="phone-dark"),
    pytest.param(("desktop", "dark"), id="desktop-dark", marks=LONG),
    pytest.param(("phone", "light"), id="phone-light", marks=LONG),
]
"""Each size and each colour scheme once, and the other pairs in the long rounds."""


@pytest.fixture(params=LOOKS)
def look(request: pytest.FixtureRequest) -> tuple[str, str]:
    size, scheme = request.param
    return size, scheme


@pytest.fixture
def size(look: tuple[str, str]) -> str:
    return look[0]


@pytest.fixture
def scheme(look: tuple[str, str]) -> str:
    return look[1]


@pytest.fixture
def tab(browser: Browser, server: SiteServer, size: str, scheme: str) -> Iterator[Reader]:
    tab = Reader(browser, server.origin, size=PHONE if size == "phone" else DESKTOP, dark=scheme == "dark")
    tab.goto(PAGE)
    yield tab
    tab.close()
    assert tab.errors == []
    assert tab.foreign == []


def box(tab: Reader, name: str) -> Box:
    found = tab.part(name).first.bounding_box()
    assert found is not None, f"{name} is not on screen"
    left, top, width, height = found["x"], found["y"], found["width"], found["height"]
    return {"x": left, "y": top, "width": width, "height": height, "right": left + width, "bottom": top + height}


def shot(tab: Reader, root: Path, name: str) -> None:
    folder = root / "test-results"
    folder.mkdir(exist_ok=True)
    tab.page.screenshot(path=folder / f"{name}.png")


def test_the_button_is_seen_and_can_be_pressed_in_each_size_and_scheme(
    tab: Reader, root: Path, size: str, scheme: str
) -> None:
    shot(tab, root, f"closed-{size}-{scheme}")
    width, height = PHONE if size == "phone" else DESKTOP
    pill = box(tab, "pill")
    assert pill["right"] <= width - 8
    assert pill["bottom"] <= height - 8
    assert pill["height"] >= 40, "too small for a finger"
    assert tab.part("pill").evaluate(CONTRAST) >= READABLE
    check_page(tab, scheme)


def test_the_panel_fits_each_size_and_is_readable_in_each_scheme(
    tab: Reader, root: Path, size: str, scheme: str
) -> None:
    tab.open()
    tab.part("suggestion").first.wait_for()
    shot(tab, root, f"welcome-{size}-{scheme}")
    tab.ask(QUESTION)
    tab.page.mouse.move(10, 300)
    shot(tab, root, f"open-{size}-{scheme}")
    width, height = PHONE if size == "phone" else DESKTOP
    panel = box(tab, "panel")
    assert panel["x"] >= 0
    assert panel["y"] >= 0
    assert panel["right"] <= width
    assert panel["bottom"] <= height
    for name in ("close", "new", "input", "send"):
        inside = box(tab, name)
        assert panel["x"] <= inside["x"], name
        assert inside["right"] <= panel["right"], name
        assert inside["bottom"] <= panel["bottom"], name
    if size == "phone":
        assert (panel["x"], panel["right"], panel["bottom"]) == (0, width, height)
        assert panel["y"] >= 20, "nothing of the page is left to tap on"
    else:
        assert panel["right"] == width
        assert on_top(tab, ".md-search__input"), "the panel covers the search of the header"
    assert tab.part("log").evaluate("it => it.scrollWidth <= it.clientWidth")
    check_page(tab, scheme)
    check_text(tab)


def test_each_kind_of_answer_fits_and_can_be_read(tab: Reader, root: Path, size: str, scheme: str) -> None:
    for name, given in ANSWERS.items():
        tab.open()
        answers_with(tab, given)
        exchange = tab.ask(QUESTION)
        shot(tab, root, f"{name}-{size}-{scheme}")
        tab.places(exchange)
        check_text(tab)
        assert tab.part("log").evaluate("it => it.scrollWidth <= it.clientWidth"), name
        if exchange.locator("[part~=fold]").count():
            exchange.locator("[part~=fold]").first.scroll_into_view_if_needed()
            shot(tab, root, f"{name}-unfolded-{size}-{scheme}")
        tab.part("new").click()


def test_every_state_of_a_button_can_be_read(tab: Reader, size: str) -> None:
    """Under the pointer, with the focus, while it is pressed, and afterwards; the style of the panel does not leak out."""
    pill = tab.part("pill")
    if size == "phone":
        tab.open()
        tab.part("close").tap()
    else:
        pill.hover()
        # The panel with its styles comes in now, and the pointer is still there.
        tab.page.wait_for_function("document.querySelector('trueref-chat').shadowRoot.adoptedStyleSheets.length === 2")
        assert pill.evaluate(CONTRAST) >= READABLE
        tab.page.mouse.down()
        assert pill.evaluate(CONTRAST) >= READABLE
        tab.page.mouse.up()
        tab.part("close").click()
    expect(pill).to_be_focused()
    assert pill.evaluate(CONTRAST) >= READABLE
    tab.open()
    answers_with(tab, answer(*BLOCKS["code"]))
    tab.ask(QUESTION)
    for name in ("send", "new", "close", "copy", "fold", "retry"):
        for button in tab.part(name).locator("visible=true").all():
            button.scroll_into_view_if_needed()
            button.hover()
            assert button.evaluate(CONTRAST) >= READABLE, f"{name} under the pointer"
            button.focus()
            assert button.evaluate(CONTRAST) >= READABLE, f"{name} with the focus"
            tab.page.mouse.down()
            assert button.evaluate(CONTRAST) >= READABLE, f"{name} while it is pressed"
            tab.page.mouse.move(0, 0)
            tab.page.mouse.up()


def test_the_colours_follow_the_switch_of_the_theme(tab: Reader, scheme: str) -> None:
    other = "light" if scheme == "dark" else "dark"
    for expected in (other, scheme):
        tab.page.locator("label.md-header__button[for^=__palette]:visible").click()
        tab.page.wait_for_function(
            "dark => document.querySelector('trueref-chat').hasAttribute('dark') === dark", arg=expected == "dark"
        )
        check_page(tab, expected)


def test_what_has_left_the_page_has_no_contrast(browser: Browser) -> None:
    """It is an error, not a contrast of 1: a button that was drawn again looked as if nobody could read it."""
    page = browser.new_page()
    page.set_content("<p style='color: black'>a</p>")
    text = page.locator("p").element_handle()
    assert text.evaluate(CONTRAST) == 21
    text.evaluate("it => it.remove()")
    with pytest.raises(Error, match="has left the page"):
        text.evaluate(CONTRAST)
    page.close()


def test_search_opens_over_the_panel(tab: Reader, size: str) -> None:
    """The theme's own search can be used while the panel is open; its results lie over the panel."""
    if size == "phone":
        # The sheet is modal: the page behind it, search included, rests until it is closed.
        tab.open()
        assert tab.part("panel").evaluate("it => it.matches(':modal')")
        return
    tab.open()
    tab.page.locator(".md-search__input").click()
    tab.page.keyboard.type("embedder")
    result = tab.page.locator(".md-search-result__link").first
    result.wait_for()
    assert on_top(tab, ".md-search-result__link")


def test_a_sheet_closes_by_a_tap_beside_it_and_a_panel_does_not(tab: Reader, size: str) -> None:
    if size == "desktop":
        # Beside the page, not over it: a click on the page is a click on the page.
        tab.open()
        tab.page.mouse.click(300, 400)
        assert tab.part("panel").is_visible()
        return
    tab.open()
    tab.page.touchscreen.tap(200, 20)
    tab.part("panel").wait_for(state="hidden")


def on_top(tab: Reader, selector: str) -> bool:
    """Whether the first of these elements is what a click on its middle would meet."""
    script = """selector => {
      const it = document.querySelector(selector);
      const box = it.getBoundingClientRect();
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height, 40) / 2);
      return it === hit || it.contains(hit);
    }"""
    found: Any = tab.page.evaluate(script, selector)
    return found is True


def check_text(tab: Reader) -> None:
    """All text on screen can be read."""
    poor = tab.chat.evaluate(POOR, [READ, READABLE])
    assert poor == [], "text that is hard to read"


def check_page(tab: Reader, scheme: str) -> None:
    """No sideways scrolling, and the widget is as dark as the page."""
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    slate = tab.page.evaluate("document.body.dataset.mdColorScheme === 'slate'")
    dark = tab.chat.get_attribute("dark") is not None
    assert (slate, dark) == (scheme == "dark", scheme == "dark")
