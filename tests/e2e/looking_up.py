"""A slow checker of links that shares nothing with Trueref: Chromium opens every page and looks every fragment up.

The site is shown at its real address, and no request leaves this machine.
"""

from __future__ import annotations

import mimetypes
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

REFRESH = re.compile(r"http-equiv=[\"']?refresh", re.IGNORECASE)

LINKS = """() => [...document.querySelectorAll("a[href], area[href]")].map(it => [it.getAttribute("href"), it.href])"""

NAMES = """() => [...document.querySelectorAll("[id]")].map(it => it.id)
  .concat([...document.querySelectorAll("a[name]")].map(it => it.name))"""

# The HTML standard, "find a potential indicated element": as written, then decoded.
LOOK_UP = """fragments => fragments.filter(fragment => {
  const names = [fragment];
  try { names.push(decodeURIComponent(fragment)); } catch { /* it stays as it is written */ }
  const found = names.some(name => document.getElementById(name)
    || [...document.getElementsByTagName("a")].some(it => it.getAttribute("name") === name));
  return !found && fragment.toLowerCase() !== "top";
})"""

INDICATED = """fragment => {
  location.hash = "#" + fragment;
  return document.querySelector(":target") !== null;
}"""


def is_template(html: str) -> bool:
    """Whether a theme's template lies in the site as it is: what it links to stands in no page."""
    return "{%" in html and "<html" not in html.lower()


class SlowChecker:
    """Opens the pages of a site folder in a browser as if they were published at `base_url`."""

    def __init__(self, browser: Browser, site: Path, base_url: str) -> None:
        self._site, self._base = site, base_url
        self._context = browser.new_context(java_script_enabled=False)
        self._context.route("**/*", self._answer)
        self._page: Page = self._context.new_page()

    def close(self) -> None:
        self._context.close()

    def broken(self) -> set[tuple[str, str]]:
        """HTML file and link, as written there, of every link to a page or a place of this site that is not there."""
        wanted: dict[str, dict[str, set[tuple[str, str]]]] = defaultdict(lambda: defaultdict(set))
        names: dict[Path | None, set[str]] = {}
        for file in sorted(self._site.rglob("*.html")):
            name = file.relative_to(self._site).as_posix()
            html = file.read_text(encoding="utf-8", errors="replace")
            if not REFRESH.search(html) and not is_template(html):
                self._page.goto(self._base + name)
                names[file] = set(self._page.evaluate(NAMES))
                for written, resolved in self._page.evaluate(LINKS):
                    address, fragment = urldefrag(resolved)
                    if address.startswith(self._base):
                        # Text fragments are none of an element, and the browser hides them from scripts.
                        wanted[address][fragment.partition(":~:")[0]].add((name, written))
        found: set[tuple[str, str]] = set()
        for address, fragments in wanted.items():
            # A page is opened again only where something seems to be missing from what it had.
            present = names.get(self._file(address))
            if present is not None and all(not it or it in present or unquote(it) in present for it in fragments):
                continue
            for fragment in self._missing(address, [fragment for fragment in fragments if fragment], list(fragments)):
                found |= fragments[fragment]
        return found

    def _missing(self, address: str, fragments: list[str], everything: list[str]) -> list[str]:
        file = self._file(address)
        if file is None:
            return everything
        if file.suffix != ".html":
            return []
        if REFRESH.search(file.read_text(encoding="utf-8", errors="replace")):
            self._page.goto(address)
            self._page.wait_for_function("!document.querySelector('meta[http-equiv=refresh i]')")
            if not self._page.url.startswith(self._base):
                return []
        else:
            self._page.goto(address)
        missing: list[str] = self._page.evaluate(LOOK_UP, fragments)
        # What is said to be missing, the browser itself does not find either.
        assert not any(self._page.evaluate(INDICATED, fragment) for fragment in missing)
        return missing

    def _file(self, address: str) -> Path | None:
        path = unquote(urlsplit(address).path)[len(urlsplit(self._base).path) :]
        candidates = [self._site / path, self._site / path / "index.html", self._site / f"{path}.html"]
        return next((file for file in candidates if file.is_file()), None)

    def _answer(self, route: Route) -> None:
        url = route.request.url
        file = self._file(url) if url.startswith(self._base) and route.request.resource_type == "document" else None
        if file is None:
            route.abort()
            return
        kind = mimetypes.guess_type(file.name)[0] or "text/plain"
        route.fulfill(body=file.read_bytes(), content_type=f"{kind}; charset=utf-8")
