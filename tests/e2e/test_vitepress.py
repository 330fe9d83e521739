"""The widget on a VitePress site with its styles and scripts, which are not among what is committed of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.e2e.browsing import PHONE, Reader
from tests.e2e.docusaurus import run
from tests.e2e.hosting import SiteServer
from tests.e2e.widths import WIDTHS, check_back, check_controls, check_layers, check_pill, check_room
from tests.generators.building import SITES, gather

from trueref_plugin.build.build import index_site

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(shutil.which("npm") is None, reason="Node.js with npm is not installed"),
]

PAGE = "settings"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    folder = tmp_path_factory.mktemp("vitepress")
    project = _project(folder)
    for command in (("npm", "install", "--no-audit", "--no-fund"), ("npx", "vitepress", "build")):
        done = run(command, project)
        assert done.returncode == 0, done.stdout + done.stderr
    site = project / ".vitepress" / "dist"
    index_site(site, index=folder / "index", embedder="lexical")
    served = SiteServer(site, folder / "index", folder / "log")
    served.start()
    yield served
    served.stop()


def _project(folder: Path) -> Path:
    return gather(
        "vitepress/source", folder / "project", ".", tuple(path.name for path in (SITES / "hive").glob("*.md"))
    )


@pytest.mark.parametrize(("width", "dark"), [*((width, False) for width in WIDTHS), (WIDTHS[0], True)])
def test_nothing_of_the_theme_lies_over_the_widget_and_the_text_makes_room(
    browser: Browser, served: SiteServer, width: int, dark: bool
) -> None:
    tab = Reader(browser, served.origin, size=(width, 800), dark=dark)
    tab.goto(PAGE)
    check_room(tab)
    check_layers(tab)
    tab.part("close").click()
    check_pill(tab)
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_all_that_can_be_used_is_readable_in_every_state(browser: Browser, served: SiteServer, dark: bool) -> None:
    tab = Reader(browser, served.origin, dark=dark)
    tab.goto(PAGE)
    check_controls(tab)
    tab.close()


def test_back_closes_the_sheet(browser: Browser, served: SiteServer) -> None:
    tab = Reader(browser, served.origin, size=PHONE)
    tab.goto(PAGE)
    tab.page.wait_for_load_state("networkidle")
    check_back(tab)
    tab.close()
