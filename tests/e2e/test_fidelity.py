"""The manifest holds exactly the places that Chromium makes of the files: nothing is missed, nothing invented.

Chromium's DOMParser is the judge: a document without scripts, as the file says it. Twenty pages by chance from each
of the large sites; TRUEREF_ALL_PAGES=1 takes them all.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.conftest import DEVELOPMENT_SITES, DevelopmentSite, Docs
from tests.e2e.judging import differences, judge_of
from tests.plugin.mutations import mutated, originals

from trueref_core.generations.served_generation import read_manifest
from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest
from trueref_plugin.build.build import index_site
from trueref_plugin.reading.guarding.decode import decode_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser]

SAMPLE = 20
MUTATED = 200
ODD = Path(__file__).parent.parent / "sites" / "odd"

# Encodings that a page of the odd site is in; the judge is given text, as the reader of a file would decode it.
ENCODINGS = {"utf16.html": "utf-16", "latin.html": "windows-1252"}


@pytest.fixture(scope="module")
def judge(browser: Browser) -> Page:
    """Chromium, to parse with."""
    return judge_of(browser)


def decoded(file: str, data: bytes) -> str:
    return data.decode(ENCODINGS.get(file, "utf-8-sig"), "replace")


def files_of(site: Path) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


def chosen(files: Sequence[str], seed: int) -> Sequence[str]:
    if os.environ.get("TRUEREF_ALL_PAGES"):
        return files
    return random.Random(seed).sample(files, min(SAMPLE, len(files)))


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("development_site", DEVELOPMENT_SITES, indirect=True)
def test_the_manifest_of_a_development_site_is_what_a_browser_finds(
    judge: Page, development_site: DevelopmentSite, seed: int
) -> None:
    site, manifest = development_site.site, read_manifest(development_site.index)
    files = files_of(site)
    assert {page.file for page in manifest.pages()} == set(files)
    sample = chosen(files, seed)
    print(f"{len(sample)} of {len(files)} pages, seed {seed}")
    assert differences(judge, site, manifest, sample) == {}


def test_the_manifest_of_our_docs_is_what_a_browser_finds(judge: Page, docs: Docs) -> None:
    manifest = read_manifest(docs.index)
    files = files_of(docs.site)
    assert {page.file for page in manifest.pages()} == set(files)
    assert differences(judge, docs.site, manifest, files) == {}


@pytest.fixture(scope="module")
def odd_manifest(tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    index = tmp_path_factory.mktemp("odd") / "index"
    report = index_site(ODD, index=index, embedder="lexical")
    assert report.refused == ()
    return read_manifest(index)


@pytest.mark.parametrize("file", files_of(ODD))
def test_an_odd_page_is_read_as_a_browser_reads_it(judge: Page, odd_manifest: Manifest, file: str) -> None:
    assert differences(judge, ODD, odd_manifest, [file], decoded) == {}


@pytest.mark.long
def test_broken_pages_are_read_as_a_browser_reads_them(judge: Page, tmp_path: Path, seed: int) -> None:
    """What is broken is read as a browser reads it: neither of them has seen such a page before."""
    chance, whole, site = random.Random(seed), originals(), tmp_path / "site"
    site.mkdir()
    for number in range(MUTATED):
        (site / f"p{number}.html").write_bytes(mutated(chance, chance.choice(whole), whole))
    report = index_site(site, index=tmp_path / "index", embedder="lexical")
    files = sorted({path.name for path in site.iterdir()} - {file for file, _ in report.refused})
    assert len(files) > MUTATED * 0.9
    # The encoding of what is broken is a guess, and the same one for both.
    wrong = differences(judge, site, read_manifest(tmp_path / "index"), files, lambda _, data: decode_page(data)[0])
    assert wrong == {}


def test_every_place_of_the_odd_pages_can_be_linked(odd_manifest: Manifest) -> None:
    """The encoded link of every place resolves to that place again."""
    wrong = [
        (page.page, anchor.anchor, reference.status)
        for page in odd_manifest.pages()
        for anchor in odd_manifest.anchors(page.page)
        for reference in [resolve(odd_manifest, odd_manifest.href(page.page, anchor.anchor))]
        if (reference.status, reference.page, reference.anchor) != ("exact", page.page, anchor.anchor)
    ]
    assert wrong == []
