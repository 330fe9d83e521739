"""A source in a PDF opens in the widget's viewer at its page, over the page that the reader is on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.e2e.browsing import DESKTOP, PHONE, Reader
from tests.e2e.hosting import SiteServer, static_host
from tests.e2e.rules import broken_now
from tests.e2e.test_strict_page import POLICY, violations
from tests.e2e.widths import poor_controls
from tests.plugin.pdfs import noise, write_hostile, write_pdf, write_site

from trueref_plugin.build.build import index_site
from trueref_widget import WidgetOptions, file_bytes, inject, snippet

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Locator, Request

pytestmark = [pytest.mark.browser]

PAGES = [[f"Chapter {n}.", "", f"The torque of bolt{n} is {n * 3} units.", "Turn it slowly."] for n in range(1, 101)]
QUESTIONS = {"bolts.pdf": "What is the torque of bolt57?", "nuts.pdf": "What is the torque of nut57?"}
"""One PDF lies in the site, the other is given by the server."""


@pytest.fixture(scope="module")
def manuals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    folder = tmp_path_factory.mktemp("viewer")
    site = write_site(folder / "site")
    scaled = '<meta name="viewport" content="width=device-width">'
    (site / "index.html").write_text((site / "index.html").read_text().replace("<title>", f"{scaled}<title>"))
    meta = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    (site / "strict.html").write_text((site / "index.html").read_text().replace("<title>", f"{meta}<title>"))
    plain = snippet(WidgetOptions(base="./", assets="/_trueref/widget/", pdf="link"))
    (site / "links.html").write_text(inject((site / "index.html").read_text(), plain))
    (folder / "pdf").mkdir()
    write_pdf(site / "bolts.pdf", PAGES, title="All bolts")
    nuts = [[line.replace("bolt", "nut") for line in lines] for lines in PAGES]
    write_pdf(folder / "pdf" / "nuts.pdf", nuts, title="All nuts")
    write_hostile(site / "hostile.pdf", "The torque of hostile screws is 9 units.")
    index_site(site, index=folder / "index", name="docs", embedder="lexical", pdf=[folder / "pdf"])
    served = SiteServer(site, folder / "index", folder / "log")
    served.start()
    yield served
    served.stop()


def source_of(tab: Reader, question: str, path: str = "") -> Locator:
    tab.goto(path)
    tab.open()
    return tab.places(tab.ask(question)).first


def noted(addresses: list[str]) -> Callable[[Request], None]:
    """Writes down what could not be fetched."""
    return lambda request: addresses.append(request.url)


def dismissed(said: list[str]) -> Callable[[Dialog], None]:
    """Writes down what a dialog of the browser says, and closes it."""

    def dismiss(dialog: Dialog) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    return dismiss


def at_page(tab: Reader, number: int) -> None:
    """Waits until the page is on screen: its number is told at once, its text comes with its picture."""
    expect(tab.part("pdf-number")).to_have_value(str(number))
    expect(tab.part("pdf-text")).to_contain_text(f"Chapter {number}.")


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_source_opens_at_its_page_with_the_passage_marked(browser: Browser, manuals: SiteServer, name: str) -> None:
    tab = Reader(browser, manuals.origin)
    source = source_of(tab, QUESTIONS[name])
    assert not [url for url in tab.requested if "trueref-pdf" in url or ".pdf" in url]
    source.click()
    at_page(tab, 57)
    expect(tab.part("pdf-count")).to_have_text("of 100")
    marks = tab.part("passage")
    assert f"The torque of {name[:-5]}57 is 171 units." in "".join(marks.all_inner_texts())
    expect(marks.first).to_be_in_viewport()
    assert source.get_attribute("href") == tab.part("pdf-file").get_attribute("href")
    [worker] = tab.page.workers
    tab.page.keyboard.press("ArrowRight")
    at_page(tab, 58)
    expect(marks).to_have_count(0)
    tab.page.keyboard.press("ArrowLeft")
    at_page(tab, 57)
    expect(marks).not_to_have_count(0)
    with worker.expect_event("close"):
        tab.page.keyboard.press("Escape")
    expect(tab.part("pdf")).to_be_hidden()
    expect(source).to_be_focused()
    expect(tab.part("panel")).to_be_visible()
    assert tab.page.url == f"{manuals.origin}/"
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def test_pages_are_turned_and_zoomed(browser: Browser, manuals: SiteServer) -> None:
    tab = Reader(browser, manuals.origin)
    source_of(tab, QUESTIONS["bolts.pdf"]).click()
    at_page(tab, 57)
    sheet = tab.part("pdf-sheet")
    fitting = sheet.evaluate("it => [it.clientWidth, it.parentElement.clientWidth]")
    assert abs(fitting[0] - fitting[1]) <= 1
    tab.part("pdf-larger").click()
    expect(sheet).not_to_have_css("width", f"{fitting[0]}px")
    assert sheet.evaluate("it => it.clientWidth") > fitting[1]
    tab.part("pdf-fit").click()
    expect(sheet).to_have_css("width", f"{fitting[0]}px")
    tab.part("pdf-next").click()
    at_page(tab, 58)
    tab.part("pdf-previous").click()
    at_page(tab, 57)
    for typed, shown in (("3", 3), ("999", 100), ("1", 1)):
        tab.part("pdf-number").fill(typed)
        tab.part("pdf-number").press("Enter")
        at_page(tab, shown)
    expect(tab.part("pdf-previous")).to_be_disabled()
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def test_on_a_dark_phone_back_closes_it_alone(browser: Browser, manuals: SiteServer) -> None:
    tab = Reader(browser, manuals.origin, size=PHONE, dark=True)
    source = source_of(tab, QUESTIONS["bolts.pdf"])
    source.tap()
    at_page(tab, 57)
    expect(tab.part("passage").first).to_be_in_viewport()
    box = tab.part("pdf").bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, *PHONE)
    assert tab.part("pdf-view").evaluate("it => it.scrollWidth <= it.clientWidth")
    assert tab.part("pdf").evaluate("it => getComputedStyle(it).backgroundColor") == "rgb(27, 30, 38)"
    tab.page.evaluate("history.back()")
    expect(tab.part("pdf")).to_be_hidden()
    expect(tab.part("panel")).to_be_visible()
    tab.page.evaluate("history.back()")
    expect(tab.part("panel")).to_be_hidden()
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


@pytest.mark.long
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_viewer_breaks_no_rule_of_accessibility(
    browser: Browser, manuals: SiteServer, dark: bool, size: tuple[int, int], root: Path
) -> None:
    pictures = root / "test-results" / "states" / f"pdf-{size[0]}-{'dark' if dark else 'light'}"
    pictures.mkdir(parents=True, exist_ok=True)
    tab = Reader(browser, manuals.origin, size=size, dark=dark)
    source_of(tab, QUESTIONS["bolts.pdf"]).click()
    at_page(tab, 57)
    tab.page.screenshot(path=pictures / "page.png")
    assert broken_now(tab) == []
    # The letters of the page are in its picture, and those over it are transparent.
    assert poor_controls(tab, {"pdf-view"}, tab.part("pdf")) == {}
    tab.page.keyboard.press("Escape")
    tab.page.route("**/bolts.pdf", lambda route: route.fulfill(body="%PDF-1.7 and no more"))
    tab.part("card-title").first.click()
    expect(tab.part("pdf-note")).to_have_text("This file cannot be shown here.")
    tab.page.screenshot(path=pictures / "unreadable.png")
    assert broken_now(tab) == []
    tab.close()


def test_without_the_viewer_the_link_leads_to_the_page(browser: Browser, manuals: SiteServer) -> None:
    for path, lost in (("links.html", ""), ("", "**/trueref-pdf.js")):
        tab = Reader(browser, manuals.origin)
        tried: list[str] = []
        tab.page.on("requestfailed", noted(tried))
        if lost:
            tab.page.route(lost, lambda route: route.abort())
        with tab.page.expect_request("**/bolts.pdf") as asked:
            source_of(tab, QUESTIONS["bolts.pdf"], path).click()
        assert asked.value.is_navigation_request()
        assert bool(lost) == any("trueref-pdf.js" in url for url in tried)
        assert not any("trueref-pdf" in url for url in tab.requested if url not in tried)
        tab.close()


def test_a_file_that_cannot_be_read_leaves_its_link(browser: Browser, manuals: SiteServer) -> None:
    tab = Reader(browser, manuals.origin)
    source = source_of(tab, QUESTIONS["bolts.pdf"])
    tab.page.route("**/bolts.pdf", lambda route: route.fulfill(body="%PDF-1.7 and no more"))
    source.click()
    expect(tab.part("pdf-note")).to_have_text("This file cannot be shown here.")
    expect(tab.part("pdf-file")).to_be_focused()
    tab.page.keyboard.press("Escape")
    expect(source).to_be_focused()
    tab.close()


WITHOUT_TYPES = POLICY.partition("; require-trusted-types-for")[0]


@pytest.mark.parametrize(
    ("name", "policy", "workers"),
    # Trusted Types forbid an address as the script of a worker. The first policy stands in the page, the others are sent.
    [("bolts.pdf", "", 0), ("nuts.pdf", "", 0), ("nuts.pdf", POLICY, 0), ("bolts.pdf", WITHOUT_TYPES, 1)],
)
def test_under_a_strict_policy_nothing_is_tried_that_it_forbids(
    browser: Browser, manuals: SiteServer, name: str, policy: str, workers: int
) -> None:
    tab = Reader(browser, manuals.origin)
    violations(tab.page)
    if policy:
        page = f"{manuals.origin}/"
        headers = {"Content-Security-Policy": policy, "Content-Type": "text/html"}
        body = tab.context.request.get(page).text()
        tab.page.route(page, lambda route: route.fulfill(body=body, headers=headers))
    source_of(tab, QUESTIONS[name], "" if policy else "strict.html").click()
    at_page(tab, 57)
    expect(tab.part("passage").first).to_be_in_viewport()
    assert len(tab.page.workers) == workers
    assert tab.page.evaluate("breaches") == []
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def test_a_file_that_keeps_the_worker_busy_does_so_until_it_is_closed(browser: Browser, manuals: SiteServer) -> None:
    tab = Reader(browser, manuals.origin)
    source = source_of(tab, QUESTIONS["bolts.pdf"])
    busy = "addEventListener('message', ({data}) => { if (data.action === 'GetPage') for (;;); });"
    body = file_bytes("trueref-pdf-worker.js").decode() + busy
    tab.page.route("**/trueref-pdf-worker.js", lambda it: it.fulfill(body=body, content_type="text/javascript"))
    source.click()
    expect(tab.part("pdf-count")).to_have_text("of 100")
    [worker] = tab.page.workers
    with worker.expect_event("close"):
        tab.page.keyboard.press("Escape")
    expect(source).to_be_focused()
    tab.close()


@pytest.mark.parametrize("path", ["", "strict.html"])
def test_a_hostile_file_runs_and_fetches_nothing(browser: Browser, manuals: SiteServer, path: str) -> None:
    tab = Reader(browser, manuals.origin)
    source = source_of(tab, "What is the torque of hostile screws?", path)
    before = len(tab.requested)
    said: list[str] = []
    tab.page.on("dialog", dismissed(said))
    tab.context.on("page", lambda page: said.append(page.url))
    source.click()
    expect(tab.part("pdf-text")).to_contain_text("hostile screws")
    # Its link lies over all of the page, and so do its field and its button.
    tab.part("pdf-sheet").click()
    assert tab.part("pdf-sheet").locator("a, input, button, section, iframe, object, embed").count() == 0
    assert tab.page.evaluate("window.hostile") is None
    tab.page.keyboard.press("Escape")
    expect(source).to_be_focused()
    allowed = ("/hostile.pdf", "/trueref-pdf.js", "/trueref-pdf-worker.js", f"{manuals.origin}/{path}")
    assert [url for url in tab.requested[before:] if not url.endswith(allowed)] == []
    assert (said, tab.foreign, len(tab.context.pages)) == ([], [], 1)
    tab.close()


def test_of_a_large_file_on_another_host_only_parts_are_fetched(browser: Browser, tmp_path: Path) -> None:
    site, pdfs = tmp_path / "site", tmp_path / "pdf"
    pdfs.mkdir()
    write_pdf(pdfs / "nuts.pdf", PAGES, draw=noise)
    write_site(site)
    index_site(site, index=tmp_path / "index", name="docs", embedder="lexical", pdf=[pdfs])
    with static_host(site) as origin:
        answers = SiteServer(None, tmp_path / "index", tmp_path / "log", TRUEREF_ALLOWED_ORIGINS=origin)
        answers.start()
        script = f'<script type="module" src="{answers.origin}/_trueref/widget/trueref.js"></script>'
        (site / "index.html").write_text((site / "index.html").read_text().replace("</body>", f"{script}</body>"))
        tab = Reader(browser, origin)
        parts: list[int] = []
        tab.page.on(
            "response", lambda it: parts.append(int(it.headers["content-length"])) if it.status == 206 else None
        )
        source_of(tab, QUESTIONS["bolts.pdf"]).click()
        at_page(tab, 57)
        expect(tab.part("passage").first).to_be_in_viewport()
        # A browser takes no worker from another host.
        assert tab.page.workers == []
        assert 0 < sum(parts) < (pdfs / "nuts.pdf").stat().st_size / 2
        tab.close()
        answers.stop()
    assert (tab.errors, tab.foreign) == ([], [])
