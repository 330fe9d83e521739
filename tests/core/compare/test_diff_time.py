"""How much work comparing two builds is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.work import lines_run

from trueref_core.compare.changes import Difference
from trueref_core.compare.diff import diff
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site


@pytest.mark.parametrize("per_page", [20, 4000])
@pytest.mark.parametrize("change", ["renamed", "reworded", "gone", "repeated"])
def test_the_work_of_a_comparison_grows_with_the_number_of_anchors(per_page: int, change: str) -> None:
    small, large = (lines_to_compare(count, min(per_page, count), change) for count in (1000, 4000))
    # Comparing each with all others would run sixteen times as many.
    assert large < 6 * small, (small, large)


def lines_to_compare(count: int, per_page: int, change: str) -> int:
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
    found: list[Difference] = []
    lines = lines_run(lambda: found.append(diff(old, new)))
    assert len(found[0].changes) >= count
    return lines
