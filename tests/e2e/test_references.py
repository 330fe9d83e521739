"""What leaves the gate in a real browser: the addresses are those that Chromium makes of the rendered text.

It is rendered by two families of Markdown renderers, as other chatbots do, and by the widget itself.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from tests.conftest import SEED
from tests.e2e.browsing import Reader, without_text_fragment
from tests.e2e.cards import answer
from tests.server.handmade import content
from tests.server.hostile import (
    ALL_ANSWERS,
    ANSWERS,
    BASE,
    hostile_answer,
    lands,
    recorded_answers,
    renderings,
)

from trueref_core.manifest.lookup import Manifest
from trueref_server.references.gate import check_text
from trueref_widget import FILES, file_bytes

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = pytest.mark.browser

IN_WIDGET = 40
"""Answers that the widget draws."""
SHOW = """all => {
  const main = document.querySelector("main");
  main.replaceChildren(...all.map((html) => {
    const part = document.createElement("div");
    part.innerHTML = html;
    return part;
  }));
  const scripted = [...main.querySelectorAll("*")].filter((node) =>
    [...node.attributes].some(({ name, value }) => value && name.startsWith("on")));
  const leading = [...main.querySelectorAll("[href], [src], img, script, iframe, form")];
  return [...scripted.map((node) => node.outerHTML), ...leading.map((node) => node.href ?? node.outerHTML)];
}"""


def made_manifest() -> Manifest:
    made = content()
    return Manifest("g", made.sites, made.pages, made.anchors)


def sample(first: int, last: int) -> list[range]:
    """Answers in parts of a thousand at most."""
    return [range(at, min(at + 1000, last)) for at in range(first, last, 1000)]


@pytest.mark.parametrize(
    "seeds",
    [
        *sample(0, ANSWERS),
        *(pytest.param(seeds, marks=pytest.mark.long) for seeds in sample(ANSWERS, max(ANSWERS, ALL_ANSWERS))),
    ],
    ids=str,
)
def test_every_link_lands_and_nothing_is_loaded(browser: Browser, seeds: range) -> None:
    assert followed_links(browser, [hostile_answer(Random(f"{SEED} {seed}")) for seed in seeds]) > len(seeds) / 2


def test_links_of_recorded_answers_land(browser: Browser) -> None:
    followed_links(browser, recorded_answers())


def followed_links(browser: Browser, answers: Sequence[str]) -> int:
    """Show answers as they leave the gate, and count their links. Each has to land, and nothing may be loaded."""
    manifest = made_manifest()
    page = browser.new_page()
    requests: list[str] = []
    page.route("**", lambda route: route.fulfill(body="<!doctype html><main></main>", content_type="text/html"))
    page.goto(BASE)
    page.on("request", lambda request: requests.append(request.url))
    followed = 0
    for text in answers:
        out = check_text(manifest, text, sources=2).text
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rendered = renderings(out)
        addresses = page.evaluate(SHOW, rendered)
        assert [address for address in addresses if not lands(address, manifest)] == [], text
        followed += len(addresses)
    page.close()
    assert requests == []
    return followed


WIDGET_PAGE = """<!doctype html><html lang=en><title>Demo</title><main></main>
<script type=module src="/_trueref/widget/trueref.js" data-base="/demo/"></script>"""

LINKS = "it => [...it.querySelectorAll('a, [src], img, script, iframe, form')].map((one) => one.href ?? one.outerHTML)"


def test_the_widget_draws_no_other_link(browser: Browser) -> None:
    """A stream of a hostile model as it leaves the gate, in the reader's panel: links are those of the sources."""
    manifest = made_manifest()
    asked = 0

    def serve(route: Route) -> None:
        path = urlsplit(route.request.url).path
        name = path.rpartition("/")[2]
        if path.endswith("/_trueref/ask"):
            out = check_text(manifest, hostile_answer(Random(f"{SEED} {asked}")), sources=2).text
            route.fulfill(body=stream_of(out), content_type="text/event-stream")
        elif "/_trueref/widget/" in path and name in FILES:
            route.fulfill(body=file_bytes(name), content_type="text/javascript")
        elif "/_trueref/" in path:
            route.fulfill(status=404, body="{}", content_type="application/json")
        else:
            route.fulfill(body=WIDGET_PAGE, content_type="text/html")

    reader = Reader(browser, BASE.removesuffix("/"))
    reader.page.route("**", serve)
    reader.goto("")
    reader.open()
    cited = 0
    for asked in range(IN_WIDGET):
        before = len(reader.requested)
        exchange = reader.ask("What is written?")
        found: list[str] = exchange.evaluate(LINKS)
        assert [address for address in found if not lands(without_text_fragment(address), manifest)] == [], asked
        cited += exchange.locator("[part~=citation]").count()
        assert [
            url for url in reader.requested[before:] if not url.startswith("https://docs.example.org/_trueref/")
        ] == []
        # So that the panel has one answer.
        reader.part("new").click()
    reader.close()
    assert cited > 0


def stream_of(text: str) -> str:
    """The events of a model's answer, cut into pieces of eleven characters."""
    places = (("setup/colors/", "dark-mode"), ("install/", "with-pip"))
    sources = [
        {"n": n, "title": page, "section": anchor, "breadcrumb": [page], "page": page, "anchor": anchor}
        | {"href": f"{page}#{anchor}", "url": f"{BASE}{page}#{anchor}", "kind": "guide", "kind_name": "Guides"}
        for n, (page, anchor) in enumerate(places, 1)
    ]
    done = answer(excerpts=[], more=[], sources=sources, citations=[1, 2], text=text, mode="model")
    deltas = [("delta", {"text": text[at : at + 11]}) for at in range(0, len(text), 11)]
    events = [("sources", {"sources": sources}), *deltas, ("done", done)]
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)
