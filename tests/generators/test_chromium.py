"""The manifest holds exactly the places that Chromium makes of every page that the generators built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.e2e.browsing import launched
from tests.e2e.judging import differences, judge_of

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.generators.conftest import Built

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def judge(browser_path: str) -> Iterator[Page]:
    """Chromium, to parse with."""
    with launched(browser_path) as browser:
        yield judge_of(browser)


def test_the_ids_of_all_pages_are_those_that_chromium_finds(judge: Page, built: Built) -> None:
    files = sorted(path.relative_to(built.site).as_posix() for path in built.site.rglob("*.html"))
    assert {page.file for page in built.manifest.pages()} == set(files)
    assert differences(judge, built.site, built.manifest, files) == {}
