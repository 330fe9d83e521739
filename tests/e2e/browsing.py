"""A reader with a real Chromium: opens pages, asks, follows sources. What leaves this machine fails and is noted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, Request, expect, sync_playwright
from tests.waiting import wait_until

UNUSED = [
    # Each window, and so each tab of a test, otherwise loads two pages of the browser itself, for suggestions below the
    # address, which no test sees.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    # What Playwright leaves out. Of two lists Chromium takes the last, which is this one.
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *(
        "DestroyProfileOnBrowserClose",
        "HttpsFirstBalancedModeAutoEnable",
        "HttpsUpgrades",
        "LensOverlay",
        "MediaRouter",
    ),
    *("NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    *("TcpPortRandomizationWin", "ThirdPartyStoragePartitioning"),
]
"""Features of Chromium that tests do without."""

FLAGS = [
    # Nothing leaves this machine, whoever asks for it.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    f"--disable-features={','.join(UNUSED)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = (1280, 800)
PHONE = (390, 844)
PATIENCE_MS = 120_000
"""How long the browser is waited for: its own five seconds, or thirty, would judge how busy the machine is."""

expect.set_options(timeout=PATIENCE_MS)

# Whether words of the page are on screen.
IN_SIGHT = """words => {
  const plain = (text) => text.replace(/\\s+/g, " ").trim().toLowerCase();
  const holders = [...document.querySelectorAll("p, li, dd, td, div")].filter(
    (element) => plain(element.innerText).includes(plain(words)));
  const boxes = holders.filter((element) => !holders.some((other) => other !== element && element.contains(other)))
    .map((element) => element.getBoundingClientRect());
  return boxes.some(({ top, bottom }) => bottom > 0 && top < innerHeight);
}"""

# Where the browser is after a link was followed. A fragment that is empty or names nothing but "top" is the page top. A
# text fragment shows its words, and the anchor may be above the screen.
LANDED = f"""words => {{
  const fragment = decodeURIComponent(location.hash.slice(1));
  const quoted = Boolean(words) && ({IN_SIGHT})(words);
  if (!fragment) return {{found: quoted || scrollY === 0, seen: true}};
  const target = document.getElementById(fragment) ?? document.querySelector(`a[name="${{CSS.escape(fragment)}}"]`);
  const box = target?.getBoundingClientRect();
  return {{found: Boolean(target), seen: quoted || (Boolean(box) && box.bottom >= 0 && box.top < innerHeight)}};
}}"""


@contextmanager
def launched(path: str) -> Iterator[Browser]:
    """A running browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def without_text_fragment(href: str) -> str:
    """The address of a page or an anchor, without the words that a browser is to scroll to."""
    return href.partition(":~:")[0].removesuffix("#")


def words_of(directive: str) -> str:
    """The words that a text fragment leads to, without those around them."""
    parts = directive.removeprefix("text=").split(",")
    return unquote(next((part for part in parts if not (part.startswith("-") or part.endswith("-"))), ""))


class Reader:
    """One tab on one site, and the widget in it."""

    def __init__(self, browser: Browser, origin: str, *, size: tuple[int, int] = DESKTOP, dark: bool = False) -> None:
        self.origin = origin
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.requested: list[str] = []
        self.words = ""
        phone = size[0] < 600
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            has_touch=phone,
            is_mobile=phone,
            device_scale_factor=2 if phone else 1,
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(PATIENCE_MS)
        # Playwright's routes would do as well, but with one Chromium does without its cache, and each load costs more.
        self.context.on("request", self._note_request)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.chat: Locator = self.page.locator("trueref-chat")

    @property
    def address(self) -> str:
        """Where the tab is, without a text fragment: pages are not told of it, and Playwright tells it now and then."""
        return without_text_fragment(self.page.url)

    def part(self, name: str) -> Locator:
        """A part of the widget, by the name its styles and tests use."""
        return self.chat.locator(f"[part~={name}]")

    def goto(self, path: str) -> int:
        """Opens a page of the site; gives the status."""
        response = self.page.goto(f"{self.origin}/{path}")
        assert response is not None
        self.part("pill").wait_for(state="attached")
        return response.status

    def open(self) -> None:
        """Opens the panel where it is closed."""
        if self.chat.get_attribute("open") is None:
            self.part("pill").click()
        self.part("panel").wait_for()

    def ask(self, question: str, *, state: str = "done") -> Locator:
        """Types a question, sends it, and waits for the end of the answer; gives the exchange."""
        before = self.part("exchange").count()
        self.part("input").fill(question)
        self.part("input").press("Enter")
        exchange = self.part("exchange").nth(before)
        self.chat.locator(f"[part~=exchange]:nth-of-type({before + 1})[data-state={state}]").wait_for()
        return exchange

    def places(self, exchange: Locator) -> Locator:
        """All links of an answer to its sections, the titles of its cards first; folded cards are opened."""
        folds = exchange.locator("[part~=fold][aria-expanded=false]")
        while folds.count():
            folds.first.click()
        return exchange.locator("a[part~=card-title], a[part~=source]")

    def follow(self, source: Locator) -> str:
        """Clicks a link to a section and waits until the browser has arrived; gives the address it was to lead to."""
        href = source.get_attribute("href")
        assert href is not None, f"a source without a link: {source.inner_text()!r}"
        assert href.startswith(f"{self.origin}/"), href
        source.click()
        address, _, directive = href.partition(":~:")
        self.words = words_of(directive)
        self.page.wait_for_url(lambda _: self.address == address.removesuffix("#"))
        return address.removesuffix("#")

    def landed(self) -> dict[str, bool]:
        """Whether the address names a place of the page, and whether that place is on screen.

        A site that draws its pages itself, such as one of VitePress, changes the address before it has drawn the page: it
        is waited for as long as a browser may take.
        """
        patient_until = time.monotonic() + PATIENCE_MS / 1000

        def looked() -> dict[str, bool] | None:
            landed: dict[str, bool] = self.page.evaluate(LANDED, self.words)
            return landed if all(landed.values()) or time.monotonic() > patient_until else None

        return wait_until(looked)

    def close(self) -> None:
        """Closes the tab."""
        self.context.close()

    def accessible(self) -> list[dict[str, Any]]:
        """What assistive technology is told of the page: role and name of every node that is not ignored."""
        session = self.context.new_cdp_session(self.page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        session.detach()
        return [
            {"role": node["role"]["value"], "name": node.get("name", {}).get("value", "")}
            for node in nodes
            if not node["ignored"]
        ]

    def _note_request(self, request: Request) -> None:
        self.requested.append(request.url)
        if urlsplit(request.url).hostname not in ("127.0.0.1", None):
            self.foreign.append(request.url)

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            try:
                where = message.location.get("url", "")
            except Error:
                where = ""
            if where.endswith("/favicon.ico"):
                # Chromium asks every host for it, whatever its pages say.
                return
            self.errors.append(f"{message.text} ({where})")
