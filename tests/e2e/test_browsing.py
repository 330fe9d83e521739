"""What the tests in a browser rest on: nothing leaves this machine, and what would is noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.e2e.browsing import Reader
from tests.e2e.hosting import static_host

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

ELSEWHERE = ["https://docs.example.org/a.png", "http://192.0.2.1/b.png"]
"""By name, and by a number that no host has."""


def test_what_would_leave_this_machine_fails_and_is_noted(browser: Browser, tmp_path: Path) -> None:
    images = "".join(f"<img src={address}>" for address in ELSEWHERE)
    (tmp_path / "index.html").write_text(f"<!doctype html><title>T</title>{images}")
    with static_host(tmp_path) as origin:
        tab = Reader(browser, origin)
        tab.page.goto(origin)
        tab.page.evaluate("fetch('https://docs.example.org/c').catch(() => 0)")
        tab.close()
    assert {*tab.foreign} == {*ELSEWHERE, "https://docs.example.org/c"}
    assert f"{origin}/" in tab.requested
    failed = [error for error in tab.errors if "net::ERR_NAME_NOT_RESOLVED" in error]
    assert len(failed) == len(tab.foreign)
