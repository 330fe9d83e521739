"""Links to pages of PDFs in a built site."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plugin.checking.sites import link, zoo
from tests.plugin.pdfs import write_pdf

from trueref_plugin.checking.check import check
from trueref_plugin.checking.site.built_site import walk_site


@pytest.fixture
def site(tmp_path: Path) -> Path:
    site = zoo(tmp_path / "site")
    (site / "files").mkdir()
    write_pdf(site / "files" / "guide.pdf", [[f"Page {number}."] for number in range(1, 13)])
    write_pdf(site / "files" / "Grüße aus Köln.PDF", [["One."], ["Two."]])
    write_pdf(site / "files" / "closed.pdf", [["One."]], password="secret")
    (site / "files" / "damaged.pdf").write_bytes(b"%PDF-1.4\n" + b"\0" * 100)
    return site


def findings(site: Path, target: str) -> list[tuple[str, str]]:
    zebra = site / "animals" / "zebra" / "index.html"
    zebra.write_text(f"<!doctype html><title>Z</title><body>{link(target)}")
    return [(found.kind, found.link) for found in check([site]).findings]


@pytest.mark.parametrize(
    "target",
    [
        "../../files/guide.pdf",
        "../../files/guide.pdf#page=1",
        "../../files/guide.pdf#page=12",
        "../../files/guide.pdf#page=5&zoom=100",
        "../../files/Gr%C3%BC%C3%9Fe%20aus%20K%C3%B6ln.PDF#page=2",
        "/docs/files/guide.pdf#page=3",
        # Of these nothing is known.
        "../../files/guide.pdf#nameddest=start",
        "../../files/closed.pdf#page=9",
        "../../files/damaged.pdf#page=9",
        "https://elsewhere.example/guide.pdf#page=99",
    ],
)
def test_a_link_to_a_page_that_a_pdf_has_or_may_have_is_no_finding(site: Path, target: str) -> None:
    assert findings(site, target) == []


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("../../files/guide.pdf#page=13", "missing-anchor"),
        ("../../files/guide.pdf#page=0", "missing-anchor"),
        ("/docs/files/guide.pdf#page=120", "missing-anchor"),
        ("../../files/Gr%C3%BC%C3%9Fe%20aus%20K%C3%B6ln.PDF#page=3", "missing-anchor"),
    ],
)
def test_a_link_to_a_page_that_a_pdf_lacks_is_a_finding(site: Path, target: str, kind: str) -> None:
    assert findings(site, target) == [(kind, target)]
    (found,) = check([site]).findings
    # 120 is not 12 with a typing error: what another page holds is not known.
    assert (found.correction, found.reference and found.reference.suggestion) == (None, None)


def test_a_pdf_that_is_not_there_is_a_missing_file(site: Path) -> None:
    both = '../../files/none.pdf#page=1"></a><a href="../../files/guide.pdf#page=2'
    zebra = site / "animals" / "zebra" / "index.html"
    zebra.write_text(f'<!doctype html><title>Z</title><body><a href="{both}"></a>')
    assert [(found.kind, found.link) for found in check([site]).findings] == [
        ("missing-file", "../../files/none.pdf#page=1")
    ]


def test_pdfs_are_opened_only_where_a_link_names_a_page(site: Path) -> None:
    findings(site, "../../files/guide.pdf")
    assert [page.file for page in walk_site(site).pages if page.kind == "pdf"] == []
    findings(site, "../../files/guide.pdf#page=2")
    assert [page.file for page in walk_site(site).pages if page.kind == "pdf"] == ["files/guide.pdf"]


def test_without_the_extra_pages_are_not_counted(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trueref_plugin.checking.site.linked_pdf_pages.find_spec", lambda _: None)
    assert findings(site, "../../files/guide.pdf#page=99") == []
