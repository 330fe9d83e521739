"""The picture of the widget in the docs: the panel with an answer, on a page that has no picture of itself."""

from __future__ import annotations

import os
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from tests.docs.test_pictures import PICTURES
from tests.e2e.browsing import Reader

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser
    from tests.e2e.hosting import SiteServer

pytestmark = [pytest.mark.browser]

SIZE = (1200, 700)
COLOURS = 96
"""As many as the text needs to look smooth; all of them make the file three times as large."""


def test_the_widget_answers_beside_a_page(browser: Browser, server: SiteServer, root: Path) -> None:
    tab = Reader(browser, server.origin, size=SIZE)
    tab.goto("how-it-works/")
    tab.open()
    exchange = tab.ask("How do I install Trueref?")
    assert exchange.get_attribute("data-verdict") == "answer"
    tab.page.mouse.move(10, 300)
    drawn = Image.open(BytesIO(tab.page.screenshot()))
    tab.close()
    file = root / PICTURES / "widget.png"
    if os.environ.get("TRUEREF_WRITE_PICTURES"):
        drawn.convert("RGB").quantize(COLOURS).save(file, optimize=True)
    with Image.open(file) as kept:
        assert kept.size == drawn.size == SIZE
