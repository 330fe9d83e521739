"""Addresses that are easily taken for something else: the root of a flat site, names with dots, a page that reloads."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plugin.checking.sites import canonical, link, page, verdicts, write_files, zoo

from trueref_plugin.checking.check import check


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("./", None),
        (".", None),
        ("./#home", None),
        ("index.html#home", None),
        ("/docs/#home", None),
        ("https://example.org/docs/#home", None),
        ("sub/../#home", None),
        ("./#nope", "missing-anchor"),
        ("/docs/#nope", "missing-anchor"),
        ("https://example.org/docs/#nope", "missing-anchor"),
    ],
)
def test_the_root_of_a_site_whose_addresses_are_files_is_its_index(
    tmp_path: Path, target: str, kind: str | None
) -> None:
    """As MkDocs makes it without `use_directory_urls`, and Sphinx with `html_baseurl`."""
    files = {
        "index.html": page('<h1 id="home">Home</h1>', canonical("index.html")),
        "setup.html": page(link(target), canonical("setup.html")),
    }
    report = check([write_files(tmp_path, files)])
    assert verdicts(report) == ([(kind, target)] if kind else [])


def test_the_root_leads_on_where_the_index_of_a_flat_site_redirects(tmp_path: Path) -> None:
    files = {
        "index.html": page("", canonical("index.html") + '<meta http-equiv="refresh" content="0; url=setup.html">'),
        "setup.html": page('<h1 id="setup">Setup</h1>' + link("./#setup") + link("./#gone"), canonical("setup.html")),
    }
    assert verdicts(check([write_files(tmp_path, files)])) == [("missing-anchor", "./#gone")]


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("../../releases/v1.2/", None),
        ("../../releases/v1.2", None),
        ("../../releases/v1.3/", "missing-page"),
        ("../../releases/v1.3", "missing-page"),
        ("../../releases/1.x", "missing-page"),
        ("../../releases/2.0rc1", "missing-page"),
        ("../../reference/pkg.client/", "missing-page"),
        ("../../downloads/zoo.zip", "missing-file"),
        ("../../downloads/zoo.7z", "missing-file"),
        ("../../downloads/zoo-1.3.zip", "missing-file"),
    ],
)
def test_a_dot_in_the_name_of_a_page_makes_no_file_of_it(tmp_path: Path, target: str, kind: str | None) -> None:
    files = {"releases/v1.2/index.html": page("")}
    report = check([zoo(tmp_path, link(target), files=files)])
    assert verdicts(report) == ([(kind, target)] if kind else [])


def test_a_missing_page_with_a_dot_in_its_name_is_corrected(tmp_path: Path) -> None:
    files = {"v1/releases/v1.2/index.html": page('<h1 id="x">x</h1>')}
    (finding,) = check([zoo(tmp_path, link("../../Releases/v1.2/#x"), files=files)]).findings
    assert (finding.kind, finding.suggestion or finding.correction) == ("missing-page", "../../v1/releases/v1.2/#x")


def test_pages_that_load_no_file_are_no_copy_without_files(tmp_path: Path) -> None:
    site = write_files(tmp_path, {"index.html": page(link("manual.zip"))})
    report = check([site])
    assert verdicts(report) == [("missing-file", "manual.zip")]
    assert (report.notes, report.checked, report.skipped.get("no-files")) == ((), 1, None)
    # What another site loads for them does not count either.
    write_files(site, {"index.html": page(link("manual.zip") + '<script src="https://elsewhere.org/a.js"></script>')})
    assert verdicts(check([site])) == [("missing-file", "manual.zip")]


@pytest.mark.parametrize("address", ["status.html", "./status.html", "status", "https://example.org/docs/status.html"])
def test_a_page_that_reloads_itself_is_no_redirect(tmp_path: Path, address: str) -> None:
    reload = f'<meta http-equiv="refresh" content="300; url={address}">'
    files = {
        "index.html": page(link("status.html#now") + link("status.html#then"), canonical("")),
        "status.html": page('<h2 id="now">Now</h2>' + link("gone.html"), canonical("status.html") + reload),
    }
    report = check([write_files(tmp_path, files)])
    assert verdicts(report) == [("missing-anchor", "status.html#then"), ("missing-page", "gone.html")]
