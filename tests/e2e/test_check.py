"""`trueref check` finds exactly the links that a browser does not find a page or a place for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from tests.e2e.conftest import DEVELOPMENT_SITES, DevelopmentSite, Docs
from tests.e2e.hosting import clean_environment
from tests.e2e.looking_up import SlowChecker
from tests.plugin.checking.site.test_built_site import BROKEN, LANDS
from tests.plugin.checking.sites import BASE, link, zoo

from trueref_plugin.checking.check import check

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser]

TRUTH = {"mkdocs-material": 3, "uv": 1}
"""Broken links of each development site, as the browser found them once."""


def looked_up(browser: Browser, site: Path, base_url: str) -> set[tuple[str, str]]:
    checker = SlowChecker(browser, site, base_url)
    try:
        return checker.broken()
    finally:
        checker.close()


def found(site: Path, base_url: str) -> set[tuple[str, str]]:
    """HTML file and link of each finding."""
    report = check([site], base_url=base_url)
    return {
        (Path(finding.location.file).resolve().relative_to(site.resolve()).as_posix(), finding.link)
        for finding in report.findings
    }


def test_the_check_finds_what_a_browser_finds_on_a_small_site(browser: Browser, tmp_path: Path) -> None:
    """Every case of the table of links, on one page, and each of them on its own says the same."""
    targets = [*LANDS, *(target for _, target in BROKEN)]
    body = "".join(map(link, targets)) + '<img src="../../assets/zebra.png">'
    site = zoo(tmp_path / "site", body)
    broken = looked_up(browser, site, BASE)
    assert len(broken) == len(BROKEN)
    assert found(site, BASE) == broken


def test_a_browser_and_the_check_find_no_broken_link_in_our_docs(browser: Browser, docs: Docs) -> None:
    base_url = "https://docs.example.org/"
    assert looked_up(browser, docs.site, base_url) == found(docs.site, base_url) == set()


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("development_site", DEVELOPMENT_SITES, indirect=True)
def test_the_check_finds_what_a_browser_finds_on_a_development_site(
    browser: Browser, development_site: DevelopmentSite
) -> None:
    base_url = DEVELOPMENT_SITES[development_site.name]
    # These copies are of pages alone: what a link to an image finds says nothing.
    everything = looked_up(browser, development_site.site, base_url)
    broken = {(file, link) for file, link in everything if not PurePosixPath(urlsplit(link).path).suffix}
    assert len(broken) == TRUTH[development_site.name]
    assert found(development_site.site, base_url) == broken


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_broken_links_of_a_site_built_here_are_told_in_its_markdown(
    browser: Browser, shared: Path, tmp_path: Path
) -> None:
    """Material's docs, built here from their sources: the lines of the three broken links in the Markdown."""
    with tarfile.open(shared / "mkdocs-material.source.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    project = next(path.parent for path in tmp_path.rglob("mkdocs.yml"))
    config = project / "mkdocs.yml"
    # The one plugin that this project does not install, and none of its own is in there.
    plain = re.sub(r"(?m)^  - minify:\n(?:^ {6}.*\n)*", "", config.read_text(encoding="utf-8"))
    config.write_text(plain.replace("\nplugins:\n", "\nplugins:\n  - trueref: {embedder: lexical}\n"), encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    environment = clean_environment()
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    site, base_url = project / "site", DEVELOPMENT_SITES["mkdocs-material"]
    in_markdown = check([site]).findings
    assert len(in_markdown) == TRUTH["mkdocs-material"]
    for finding in in_markdown:
        lines = Path(finding.location.file).read_text(encoding="utf-8").split("\n")
        assert finding.location.file.endswith(".md")
        assert lines[finding.location.line - 1][finding.location.column - 1 :].startswith(finding.link)
    # Without the sources beside it the same links are told where they stand in the HTML.
    alone = Path(shutil.move(os.fspath(site), tmp_path / "alone"))
    assert found(alone, base_url) == looked_up(browser, alone, base_url)
    assert len(found(alone, base_url)) == TRUTH["mkdocs-material"]
