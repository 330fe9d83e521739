"""The docs of other projects, built from their sources: Trueref and the browser agree about every id and every link.

Only for the projects that TRUEREF_OTHER_SITES names: each is downloaded and built, which takes minutes.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scripts.other_sites import SOURCES, compared

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.long]

NAMES = os.environ.get("TRUEREF_OTHER_SITES", "").split()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not NAMES, reason="TRUEREF_OTHER_SITES names no project to build")
@pytest.mark.parametrize("name", NAMES)
def test_trueref_and_the_browser_agree(browser: Browser, tmp_path: Path, name: str) -> None:
    (source,) = (source for source in SOURCES if source.name == name)
    row = compared(browser, source, tmp_path)
    assert row.pages > 0
    assert row.different == {}
    assert row.looked_up == row.reported


def test_the_sites_to_compare_have_names_of_their_own() -> None:
    assert set(NAMES) <= {source.name for source in SOURCES}
    assert len({source.name for source in SOURCES}) == len(SOURCES)
