"""How long comparing two builds takes."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from trueref_core.compare.diff import diff
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site

ROUNDS = 3


@pytest.mark.long
@pytest.mark.parametrize("per_page", [20, 4000])
@pytest.mark.parametrize("change", ["renamed", "reworded", "gone", "repeated"])
def test_time_grows_with_the_number_of_anchors(per_page: int, change: str) -> None:
    # The least of some runs: what else the machine does only ever adds to one.
    small, large = (
        min(measured(count, min(per_page, count), change) for _ in range(ROUNDS)) for count in (2000, 20_000)
    )
    assert large < 25 * small + 0.2


def measured(count: int, per_page: int, change: str) -> float:
    def anchor(at: int) -> Anchor:
        text = "Fixes" if change == "repeated" else f"Section {at}"
        return Anchor("docs", f"p{at // per_page}/", f"section-{at}-here", "heading", 2, text, position=at)

    before = [anchor(at) for at in range(count)]
    after = {
        "renamed": [replace(item, anchor=f"x{item.position}") for item in before],
        "reworded": [replace(item, anchor=f"x{item.position}", text=f"New {item.text}") for item in before],
        "repeated": [replace(item, anchor=f"x{item.position}") for item in before[1:]],
        "gone": [],
    }[change]
    pages = [Page("docs", f"p{at}/", f"p{at}/index.html", f"Page {at}") for at in range(count // per_page)]
    old, new = (Manifest("g", [Site("docs")], pages, anchors) for anchors in (before, after))
    started = time.process_time()
    found = diff(old, new)
    assert len(found.changes) >= count
    return time.process_time() - started
