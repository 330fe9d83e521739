"""A question that a PDF answers: cited by its page, and the browser's own viewer opens there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.e2e.browsing import PATIENCE_MS, Reader
from tests.e2e.hosting import SiteServer
from tests.plugin.pdfs import write_pdf, write_site

from trueref_plugin.build.build import index_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame

pytestmark = [pytest.mark.browser]


@pytest.fixture(scope="module")
def manuals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """A site with a PDF of a hundred pages, and one that it does not publish."""
    folder = tmp_path_factory.mktemp("manuals")
    site = write_site(folder / "site")
    (folder / "pdf").mkdir()
    for path, name in ((site / "bolts.pdf", "bolt"), (folder / "pdf" / "nuts.pdf", "nut")):
        pages = [[f"Chapter {n} of {name}s.", "", f"The torque of {name}{n} is {n * 3} units."] for n in range(1, 101)]
        write_pdf(path, pages, title=f"All {name}s")
    index_site(site, index=folder / "index", name="docs", embedder="lexical", pdf=[folder / "pdf"])
    served = SiteServer(site, folder / "index", folder / "log")
    served.start()
    yield served
    served.stop()


@pytest.mark.parametrize(
    ("question", "file", "where"),
    [
        ("What is the torque of bolt57?", "bolts.pdf", r"/bolts\.pdf#page=57"),
        ("What is the torque of nut57?", "nuts.pdf", r"/_trueref/documents/[0-9a-f]{32}#page=57"),
    ],
)
def test_the_link_opens_the_page(browser: Browser, manuals: SiteServer, question: str, file: str, where: str) -> None:
    reader = Reader(browser, manuals.origin)
    reader.goto("")
    reader.open()
    exchange = reader.ask(question)
    source = reader.places(exchange).first
    assert f"Page 57 of {file}" in source.inner_text()
    href = source.get_attribute("href")
    assert href is not None
    assert re.fullmatch(re.escape(manuals.origin) + where, href)
    # A tab without the guard of requests: the viewer is an extension of the browser.
    page = browser.new_page()
    with page.expect_event("framenavigated", is_viewer, timeout=PATIENCE_MS) as viewer:
        page.goto(href)
    expect(viewer.value.locator("#pageSelector")).to_have_value("57")
    page.close()
    reader.close()
    assert reader.foreign == []


def is_viewer(frame: Frame) -> bool:
    """Whether a frame is that of Chromium's own viewer."""
    return frame.url.startswith("chrome-extension://")
