"""The widget on a page that allows almost nothing: its own scripts and connections, no inline style, no HTML strings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect
from tests.e2e.browsing import DESKTOP, PHONE, Reader
from tests.e2e.hosting import SiteServer
from tests.e2e.states import states

from trueref_plugin.build.build import index_site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
PAGE = f"""<!doctype html><html lang=en><head><meta charset=utf-8><title>Zebras</title>
<meta http-equiv="Content-Security-Policy" content="{POLICY}"></head><body><main><h1 id=zebras>Zebras</h1>
<p>A zebra lives in the grass.</p><h2 id=stripes>Stripes</h2><p>The stripes of a zebra are black and white.</p>
<pre><code>zebra --stripes</code></pre><table><tr><th>Part</th><th>Colour</th></tr><tr><td>stripes</td><td>black</td></tr>
</table><h2 id=food>How to feed a zebra</h2><p>Hay will do.</p></main></body></html>"""
# Bigger than any window, so that a link to it has to scroll.
PAGE = PAGE.replace("<h2", "<p>Grass.</p>" * 200 + "<h2")


@pytest.fixture(scope="module")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    folder = tmp_path_factory.mktemp("strict")
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text(PAGE)
    index_site(folder / "site", index=folder / "index", embedder="lexical")
    served = SiteServer(folder / "site", folder / "index", folder / "log")
    served.start()
    yield served
    served.stop()


def violations(page: Page) -> None:
    """Notes every breach of the policy where the test can read it."""
    page.add_init_script(
        "window.breaches = []; addEventListener('securitypolicyviolation', e => breaches.push(e.violatedDirective))"
    )


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_widget_works_under_a_strict_content_security_policy(
    browser: Browser, strict_server: SiteServer, size: tuple[int, int]
) -> None:
    tab = Reader(browser, strict_server.origin, size=size)
    violations(tab.page)
    tab.goto("")
    tab.open()
    exchange = tab.ask("Which colour are the stripes of a zebra?")
    expect(exchange.locator("[part~=answer]")).to_contain_text("black")
    # Styled, not only drawn: the panel is a layer of its own at the edge of the window.
    assert tab.part("panel").evaluate("it => getComputedStyle(it).position") == "fixed"
    tab.follow(tab.places(exchange).first)
    assert tab.landed() == {"found": True, "seen": True}
    assert tab.address.endswith("#stripes")
    assert tab.page.evaluate("breaches") == []
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


@pytest.mark.long
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_no_state_breaches_a_strict_policy(browser: Browser, strict_server: SiteServer, size: tuple[int, int]) -> None:
    tab = Reader(browser, strict_server.origin, size=size)
    violations(tab.page)
    tab.goto("")
    for state in states(tab):
        assert tab.page.evaluate("breaches") == [], state
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def test_a_base_of_another_host_moves_neither_the_script_nor_the_site(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "site" / "guide").mkdir(parents=True)
    based = PAGE.replace("<title>", '<base href="https://elsewhere.invalid/x/"><title>').replace(
        "base-uri 'none'; ", ""
    )
    (tmp_path / "site" / "index.html").write_text(PAGE)
    (tmp_path / "site" / "guide" / "index.html").write_text(based)
    index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical")
    served = SiteServer(tmp_path / "site", tmp_path / "index", tmp_path / "log")
    served.start()
    try:
        tab = Reader(browser, served.origin)
        tab.goto("guide/")
        tab.open()
        exchange = tab.ask("Which colour are the stripes of a zebra?")
        expect(exchange.locator("[part~=answer]")).to_contain_text("black")
        assert tab.foreign == []
        tab.follow(tab.places(exchange).first)
        assert tab.page.url.startswith(served.origin)
        tab.close()
    finally:
        served.stop()


def test_an_element_that_is_moved_while_its_panel_loads_can_be_opened(
    browser: Browser, strict_server: SiteServer
) -> None:
    """Frameworks take elements off the page and put them back."""
    tab = Reader(browser, strict_server.origin)
    tab.goto("")
    tab.chat.evaluate("it => { void it.open(); it.remove(); document.body.append(it); }")
    tab.page.wait_for_load_state("networkidle")
    tab.open()
    tab.ask("Which colour are the stripes of a zebra?")
    tab.close()
    assert tab.errors == []


def test_a_router_that_answers_at_once_leaves_the_sheet_open(browser: Browser, strict_server: SiteServer) -> None:
    """As single-spa does: it tells the page of each new entry of the history by the event of a step back."""
    tab = Reader(browser, strict_server.origin, size=PHONE)
    tab.page.add_init_script(
        """const push = history.pushState.bind(history);
        history.pushState = (...given) => { push(...given); dispatchEvent(new PopStateEvent("popstate")); };"""
    )
    tab.goto("")
    tab.open()
    tab.part("close").click()
    expect(tab.part("panel")).to_be_hidden()
    tab.open()
    tab.ask("Which colour are the stripes of a zebra?")
    tab.close()
    assert tab.errors == []
