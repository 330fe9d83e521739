"""What must hold of the widget on any page, whatever the theme: it is on top, it can be read, and the text makes room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e.colours import CONTRAST, LEAST, READABLE, RING, SEEN, strongest_change
from tests.e2e.states import states

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from tests.e2e.browsing import Reader

WIDTHS = (1280, 1366, 1440, 1920)
"""Of common screens, in CSS pixels."""

# What a click would meet instead of the widget, at the points of a grid over an element.
COVERED = """it => {
  const {left, top, width, height} = it.getBoundingClientRect();
  const over = [];
  for (let x = 1; x < 10; x++) for (let y = 1; y < 10; y++) {
    const hit = document.elementFromPoint(left + width * x / 10, top + height * y / 10);
    if (hit?.localName !== "trueref-chat") over.push(hit?.outerHTML.slice(0, 90) ?? "nothing");
  }
  return [...new Set(over)];
}"""

# Lines of the text that the panel lies over. Code scrolls in its own box, so that its box counts and not its lines.
UNDER = """panel => {
  const {left, right} = panel.getBoundingClientRect();
  const under = [];
  for (const it of document.querySelectorAll("p, pre, h2")) {
    if (it.closest("nav, aside, footer, header, [class*=toc]")) continue;
    const range = document.createRange();
    range.selectNodeContents(it);
    const boxes = it.localName === "pre" ? [it.getBoundingClientRect()] : range.getClientRects();
    for (const box of boxes)
      if (box.width && box.left < right && box.right > left) under.push(it.textContent.slice(0, 40));
  }
  return [...new Set(under)];
}"""

# Waits until the browser has drawn so many frames.
FRAMES = """left => new Promise(done => {
  const next = () => left-- > 0 ? requestAnimationFrame(next) : done();
  next();
})"""

SETTLED = 90
"""Frames in which a router that moves the page, at once or smoothly, has done so."""


def scroll(tab: Reader, top: int) -> None:
    """Scrolls the page at once, and waits until the widget has heard of it."""
    tab.page.evaluate("top => scrollTo({top, behavior: 'instant'})", top)
    tab.page.evaluate(FRAMES, 3)


def check_layers(tab: Reader) -> None:
    """Nothing of the page lies over the pill, nor over the open panel, however far the page is scrolled."""
    for top in (0, 3000):
        scroll(tab, top)
        uncovered(tab.part("pill"))
    tab.part("pill").click()
    tab.part("panel").wait_for()
    for top in (0, 30, 3000):
        scroll(tab, top)
        for part in ("panel", "close", "new"):
            uncovered(tab.part(part))


def uncovered(part: Locator) -> None:
    """A click anywhere on a part of the widget meets the widget."""
    assert part.evaluate(COVERED) == [], "something of the page lies over the widget"


ENDS = """() => Math.max(...Array.from(document.querySelectorAll("p, pre, h2"), it =>
  it.closest("nav, aside, footer, header, [class*=toc]") ? 0 : it.getBoundingClientRect().right))"""
"""Where the text of the page ends, at the right."""

LOST = 80
"""Pixels that a page may lose beside the panel besides those that the panel takes: the gap, and the padding of a theme."""

NO_ROOM = "() => document.adoptedStyleSheets.length === 0"
"""Whether the page has all its room."""


def check_room(tab: Reader) -> None:
    """The panel lies over no text, what was read stays where it was, and closed it gives all room back."""
    # It may have been closed a moment ago, and the room is given back with the next frame.
    tab.page.wait_for_function(NO_ROOM)
    before = tab.page.locator("h1").first.bounding_box()
    ended = tab.page.evaluate(ENDS)
    tab.open()
    tab.page.wait_for_function(f"panel => !({UNDER})(panel).length", arg=tab.part("panel").element_handle())
    panel = tab.part("panel").bounding_box()
    assert panel is not None
    ends = tab.page.evaluate(ENDS)
    assert ends > min(ended, panel["x"]) - LOST, (
        f"the text ends at {ends}, {panel['x'] - ends} before the panel ({ended})"
    )
    tab.part("close").click()
    tab.page.wait_for_function(NO_ROOM)
    assert tab.page.locator("h1").first.bounding_box() == before


def check_pill(tab: Reader) -> None:
    """The text of the pill and the ring of its focus can be seen in every state."""
    pill = tab.part("pill")
    states = {"at rest": pill.evaluate(CONTRAST)}
    pill.hover()
    # The panel with its styles comes in now, and the pointer is still there.
    tab.page.wait_for_function("document.querySelector('trueref-chat').shadowRoot.adoptedStyleSheets.length === 2")
    states["under the pointer"] = pill.evaluate(CONTRAST)
    tab.page.mouse.down()
    states["pressed"] = pill.evaluate(CONTRAST)
    tab.page.mouse.move(0, 0)
    tab.page.mouse.up()
    states["let go"] = pill.evaluate(CONTRAST)
    tab.page.keyboard.press("Shift")
    pill.focus()
    states["with the focus"] = pill.evaluate(CONTRAST)
    assert {state: round(ratio, 2) for state, ratio in states.items() if ratio < READABLE} == {}
    assert pill.evaluate(RING) >= SEEN, "the ring of the focus"
    tab.page.keyboard.press("Enter")
    tab.part("panel").wait_for()


def check_buttons(tab: Reader, names: tuple[str, ...]) -> None:
    """The text of every button on screen can be read in every state."""
    poor: dict[str, float] = {}
    for name in names:
        for button in tab.part(name).locator("visible=true").all():
            button.scroll_into_view_if_needed()
            for state, act in (("hover", button.hover), ("focus", button.focus), ("press", tab.page.mouse.down)):
                act()
                poor[f"{name} {state}"] = round(button.evaluate(CONTRAST), 2)
            tab.page.mouse.move(0, 0)
            tab.page.mouse.up()
    assert poor, "no button is on screen"
    assert {name: ratio for name, ratio in poor.items() if ratio < READABLE} == {}


MAX_PICTURES = 3
"""Pairs of pictures that are taken of a control, without the focus and with it, until its sign is seen."""


def check_controls(tab: Reader) -> None:
    """Links, fields and buttons of every state of the widget can be read at rest, under the pointer and pressed, and are
    seen to have the focus."""
    looked_at: set[str] = set()
    poor = {state: found for state in states(tab) if (found := poor_controls(tab, looked_at))}
    assert poor == {}, poor
    assert {"pill", "suggestion", "stop", "card-title", "source", "fold", "copy", "citation", "retry"} <= set(
        " ".join(looked_at).split()
    )


def poor_controls(tab: Reader, looked_at: set[str], within: Locator | None = None) -> dict[str, float]:
    """Contrast that is too small, of all that can be used on screen: its text in every state, and the sign of its focus.

    `looked_at` are the kinds of controls that were measured before; those that are measured now are added. Where a
    dialog lies over all else, `within` names it.
    """
    poor: dict[str, float] = {}
    for control in (within or tab.chat).locator("button, a, input, textarea, [tabindex]").locator("visible=true").all():
        name = control.get_attribute("part") or control.evaluate("it => it.localName")
        if name in looked_at or control.is_disabled():
            continue
        looked_at.add(name)
        control.scroll_into_view_if_needed()
        contrasts = {"at rest": control.evaluate(LEAST)}
        control.hover()
        contrasts["under the pointer"] = control.evaluate(LEAST)
        tab.page.mouse.down()
        contrasts["pressed"] = control.evaluate(LEAST)
        tab.page.mouse.move(0, 0)
        tab.page.mouse.up()
        tab.page.evaluate("getSelection().empty()")  # which the pointer drew on its way
        for state, least in contrasts.items():
            if least < READABLE:
                poor[f"{name} {state}"] = round(least, 2)
        # An answer that comes in is drawn again, perhaps between two pictures: a sign that is there is seen the next time.
        best = 1.0
        for _ in range(MAX_PICTURES):
            best = max(best, _change_by_focus(tab, control))
            if best >= SEEN:
                break
        else:
            poor[f"{name}: the focus"] = round(best, 2)
    return poor


def _change_by_focus(tab: Reader, control: Locator) -> float:
    """How well it is seen that a control has the focus: the greatest contrast between what was there and what is."""
    tab.page.keyboard.press("Shift")  # so that the browser takes the reader for one with a keyboard
    control.evaluate("it => it.blur()")
    box, size = control.bounding_box(), tab.page.viewport_size
    assert box is not None
    assert size is not None
    left, top = max(0, box["x"] - 8), max(0, box["y"] - 8)
    width, height = min(box["width"] + 16, size["width"] - left), min(box["height"] + 16, size["height"] - top)

    def picture() -> bytes:
        return tab.page.screenshot(clip={"x": left, "y": top, "width": width, "height": height}, caret="hide")

    before = picture()
    control.focus()
    return strongest_change(before, picture())


def check_back(tab: Reader) -> None:
    """Back closes the sheet, and the page stays where it was: no load, no other address, no jump."""
    scroll(tab, 600)
    address, top = tab.page.url, tab.page.evaluate("scrollY")
    tab.page.evaluate("window.stayed = true")
    tab.open()
    tab.page.evaluate("history.back()")
    tab.part("panel").wait_for(state="hidden")
    # What a router does, it does now. Where it scrolls, the page is for a frame where it should not stay.
    tab.page.wait_for_load_state("networkidle")
    tab.page.evaluate(FRAMES, SETTLED)
    now = (tab.page.url, tab.page.evaluate("scrollY"), tab.page.evaluate("window.stayed"))
    assert now == (address, top, True), f"{now}, and before {address} at {top}"
