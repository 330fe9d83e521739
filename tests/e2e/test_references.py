"""What leaves the gate in a real browser: the addresses are those that Chromium makes of the rendered text."""

from __future__ import annotations

import warnings
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.conftest import SEED
from tests.server.handmade import content
from tests.server.hostile import BASE, hostile_answer, lands, renderings

from trueref_core.manifest.lookup import Manifest
from trueref_server.references.gate import check_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SAMPLE = 60

SHOW = """html => {
  const main = document.querySelector("main");
  main.innerHTML = html;
  return [...main.querySelectorAll("[href], [src], img, script, iframe, form")].map((node) => node.href ?? node.outerHTML);
}"""


def test_every_link_lands_and_nothing_is_loaded(browser: Browser) -> None:
    made = content()
    manifest = Manifest("g", made.sites, made.pages, made.anchors)
    page = browser.new_page()
    requests: list[str] = []
    page.route("**", lambda route: route.fulfill(body="<!doctype html><main></main>", content_type="text/html"))
    page.goto(BASE)
    page.on("request", lambda request: requests.append(request.url))
    followed = 0
    for seed in range(SAMPLE):
        out = check_text(manifest, hostile_answer(Random(f"{SEED} {seed}")), sources=2).text
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rendered = renderings(out)
        for html in rendered:
            addresses = page.evaluate(SHOW, html)
            assert [address for address in addresses if not lands(address, manifest)] == [], seed
            followed += len(addresses)
    page.close()
    assert followed > SAMPLE / 2
    assert requests == []
