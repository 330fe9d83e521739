"""One finding about a link of a source file from which several pages are made: which correction it has."""

from __future__ import annotations

import pytest

from trueref_plugin.checking.findings import FileLocation, Finding, one_for_all_pages

PAGES = ("a", "fr/a", "nl/a")


def finding(page: str, correction: str | None) -> Finding:
    return Finding("missing-anchor", FileLocation("a.md", 1, 1), "#x", "It is missing.", None, correction, page)


@pytest.mark.parametrize(
    ("corrections", "expected"),
    [
        (("#y", "#y", "#y"), "#y"),
        (("#y", "#z", "#y"), None),
        ((None, None, None), None),
        # The link is broken on the French page with any correction, so this one can only help.
        (("#y", None, "#y"), "#y"),
        ((None, "#y", None), "#y"),
    ],
)
def test_a_correction_is_kept_unless_another_page_needs_another_one(
    corrections: tuple[str | None, ...], expected: str | None
) -> None:
    (one,) = one_for_all_pages([finding(page, each) for page, each in zip(PAGES, corrections, strict=True)])
    assert (one.correction, one.reason) == (expected, "It is missing.")


def test_no_correction_breaks_a_page_on_which_the_link_lands() -> None:
    (one,) = one_for_all_pages([None, finding("fr/a", "#y"), None])
    assert (one.correction, one.reason) == (None, "On the page `fr/a`: It is missing.")


def test_a_link_that_lands_on_all_pages_is_no_finding() -> None:
    assert list(one_for_all_pages([None, None])) == []
