"""The Docusaurus example, built with the plugin: pages, addresses and places are those of the browser.

Built with `trailingSlash` left out, true and false; the last without a server, so that `trueref serve --site` alone
puts the widget on its pages. TRUEREF_NODE_CACHE names a folder that keeps what npm installs from one run to the next.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, expect
from tests.e2e.docusaurus import ADDRESS, BASE, FASTER, NEEDS_NPM, Built, Project, sources, texts_of
from tests.e2e.docusaurus_material import BROKEN, FIXED, PLANTED, REDIRECTS, SHOWN, as_shown
from tests.e2e.hosting import PREFIX, SiteServer, clean_environment, free_port, wait_for
from tests.e2e.judging import differences, judge_of

from trueref_core.generations.served_generation import read_generation, read_manifest
from trueref_core.links.resolve import resolve
from trueref_core.version import __version__
from trueref_widget import FILES, file_bytes

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

    from trueref_core.manifest.lookup import Manifest

pytestmark = NEEDS_NPM


@pytest.fixture
def manifest(built: Built) -> Manifest:
    return read_manifest(built.index)


@pytest.fixture(scope="module")
def judge(browser: Browser) -> Tab:
    return judge_of(browser)


def test_every_id_is_there_that_the_browser_has(judge: Tab, built: Built, manifest: Manifest) -> None:
    assert {page.file for page in manifest.pages()} == set(built.files())
    assert differences(judge, built.site, manifest, built.files()) == {}


def test_ids_of_every_kind_can_be_linked(built: Built, manifest: Manifest) -> None:
    """Of JSX headings and components, named anchors, folds, tabs, headings in them, footnotes and ids by hand."""
    kinds = {
        "docs/guides/display": {"errors", "display-e1", "display-e3", "quiet-mode", "in-a-script"},
        "docs/guides/cleaning": {
            *("remove-limescale", "rinse-three-times", "grams", "filter-details", "wash-the-filter"),
            *("old-filter-anchor", "œufs-à-la-coque--more"),
        },
        "docs/": {"set-temperature", "user-content-fn-1"},
        "": {"colours"},
    }
    for page, ids in kinds.items():
        shown = as_shown(page, built.name)
        assert ids <= {anchor.anchor for anchor in manifest.anchors(shown)}, page
        for anchor in ids:
            reference = resolve(manifest, f"{ADDRESS}{shown}#{anchor}")
            assert (reference.status, reference.page, reference.anchor) == ("exact", shown, anchor)


def test_addresses_are_those_that_the_site_shows(judge: Tab, built: Built, manifest: Manifest) -> None:
    pages = {page.page for page in manifest.pages()}
    shown = {
        unquote(href.partition("#")[0]).removeprefix(BASE)
        for file in built.files()
        if not file.endswith("404.html")
        for href in judge.evaluate(SHOWN, (built.site / file).read_text(encoding="utf-8"))
        if href.startswith(BASE)
    }
    assert len(shown) > 20
    assert shown <= pages
    assert (built.site / "assets/trueref/urls.txt").read_text().splitlines()[0] == ADDRESS


def test_pages_of_redirects_are_aliases(built: Built, manifest: Manifest) -> None:
    for folder in ("", "fr/"):
        for old, new in REDIRECTS.items():
            page = manifest.page(as_shown(folder + new, built.name))
            assert page is not None
            assert folder + old in page.aliases
            reference = resolve(manifest, f"{ADDRESS}{folder}{old}")
            assert (reference.status, reference.page) == ("redirected", page.page)
    stubs = [page.file for page in manifest.pages() if page.kind == "redirect"]
    assert len(stubs) == 2 * len(REDIRECTS)


def test_the_index_has_what_docusaurus_knew_of_its_pages(built: Built, manifest: Manifest) -> None:
    def facts(address: str) -> tuple[str, str, str, str]:
        page = manifest.page(as_shown(address, built.name))
        assert page is not None
        return (page.source_path, page.language, page.version, page.hidden_by)

    assert facts("docs/guides/cleaning") == ("docs/guides/cleaning.mdx", "en", "current", "")
    assert facts("docs/1.0/guides/cleaning")[2] == "1.0"
    translated = "i18n/fr/docusaurus-plugin-content-docs/current/guides/cleaning.mdx"
    assert facts("fr/docs/guides/cleaning") == (translated, "fr", "current", "")
    assert facts("docs/guides/hidden") == ("docs/guides/hidden.md", "en", "current", "search exclusion")
    assert facts("warranty") == ("src/pages/warranty.md", "en", "", "")
    assert {facts(page)[3] for page in ("blog", "docs/tags", "docs/tags/care", "fr/blog")} == {"list of pages"}
    assert facts("blog/archive")[3] == "search exclusion"
    assert manifest.sites[0].name == "Kettle"
    assert manifest.sites[0].base_url == ADDRESS


def test_who_is_on_no_version_is_answered_from_the_newest(built: Built) -> None:
    """The newest docs are called `current` and stand at the root, as `lastVersion` says."""
    cleaning = as_shown("docs/guides/cleaning#remove-limescale", built.name)
    for page in (None, "", as_shown("warranty", built.name), as_shown("docs/", built.name)):
        cited = sources(built.index, "How do I remove limescale?", page)
        assert cited[0] == cleaning
        assert not any("/1.0/" in href for href in cited)
    old = sources(built.index, "How do I remove limescale?", as_shown("docs/1.0/", built.name))
    assert old[0] == as_shown("docs/1.0/guides/cleaning#remove-limescale", built.name)


def test_text_of_a_tab_is_cited_by_the_heading_around_the_tabs(built: Built) -> None:
    """And not by the last heading of the tab before, which hides it."""
    cited = sources(built.index, "How many grams of citric acid?")
    assert cited[0] == as_shown("docs/guides/cleaning#remove-limescale", built.name)


def test_a_category_holds_its_own_text_alone(built: Built) -> None:
    category = as_shown("docs/category/guides", built.name)

    # Its cards repeat the titles and first lines of the pages.
    assert texts_of(built.index, category) == ["How to live with a kettle."]


def test_locales_with_addresses_of_their_own_are_sites_in_one_index(project: Project) -> None:
    places = {"fr": {"url": "https://bouilloire.example", "baseUrl": "/manuel/"}}
    built = project.build(
        "places", future=FASTER, i18n={"defaultLocale": "en", "locales": ["en", "fr"], "localeConfigs": places}
    )
    manifest = read_manifest(built.index)
    assert {site.name: (site.base_url, site.language) for site in manifest.sites} == {
        "Kettle": (ADDRESS, "en"),
        "Kettle (fr)": ("https://bouilloire.example/manuel/", "fr"),
    }
    # The pages of the other site lie in a folder of this one: they can be linked, and are never searched there.
    assert {page.hidden_by for page in manifest.pages("Kettle") if page.page.startswith("fr/")} <= {"option", ""}
    reference = resolve(manifest, "https://bouilloire.example/manuel/docs/guides/cleaning#enlever-le-calcaire")
    assert (reference.site, reference.status) == ("Kettle (fr)", "exact")
    asked = sources(built.index, "Comment enlever le calcaire ?")
    assert asked[0] == "docs/guides/cleaning#enlever-le-calcaire"


def test_the_widget_is_on_every_page(built: Built, manifest: Manifest) -> None:
    for page in manifest.pages():
        html = (built.site / page.file).read_text(encoding="utf-8")
        # Docusaurus minifies its pages, and may take the quotes away.
        plain = html.replace('"', "")
        here = f"<trueref-chat server={PREFIX} base={BASE} lang={'fr' if page.page.startswith('fr/') else 'en'}>"
        has_widget = page.kind != "redirect"
        # Without a server it is there too, and searches in the files that the index is made with.
        assert (("<trueref-chat server" if built.name == "false" else here) in plain) is has_widget, page.file
        assert (f"src={BASE}assets/trueref/trueref.js" in plain) is has_widget, page.file
    facts = json.loads((built.site / "assets/trueref/build.json").read_text(encoding="utf-8"))
    assert facts == {"generation": read_generation(built.index).id, "questions": True}
    assert ("No serverUrl" in built.said.replace("no serverUrl", "No serverUrl")) is (built.name == "false")


def test_the_package_holds_the_widget_and_has_the_version_of_this_one(project: Project) -> None:
    with tarfile.open(project.tarball) as archive:
        packed = {member.name for member in archive.getmembers()}
        for name in FILES:
            file = archive.extractfile(f"package/lib/widget/{name}")
            assert file is not None
            assert file.read() == file_bytes(name)
        package = archive.extractfile("package/package.json")
        assert package is not None
        assert json.load(package)["version"] == __version__
    assert {"package/lib/index.js", "package/lib/index.d.ts", "package/lib/client/router.js"} <= packed
    assert not any("/src/" in name or "/test/" in name for name in packed)


def test_start_asks_a_server_on_this_machine(browser: Browser, project: Project, tmp_path: Path) -> None:
    """`docusaurus start` with the answers of `trueref serve`, on one origin."""
    built = project.built("undefined")
    served = SiteServer(built.site, built.index, tmp_path / "log")
    served.start()
    port, log = free_port(), tmp_path / "start"
    config = project.configure("start", future=FASTER)
    with log.open("ab") as output:
        preview = subprocess.Popen(
            ["node_modules/.bin/docusaurus", "start", "--config", config, "--no-open", "--port", str(port)],
            cwd=project.folder,
            env=clean_environment(TRUEREF_PORT=served.origin.rpartition(":")[2]),
            stdout=output,
            stderr=output,
            start_new_session=sys.platform != "win32",
        )
    try:
        wait_for(f"http://localhost:{port}{BASE}docs/", preview, log)
        tab = browser.new_page()
        tab.goto(f"http://localhost:{port}{BASE}docs/")
        tab.locator("h1").wait_for()
        tab.evaluate("window.sameLoad = true")
        tab.locator("trueref-chat [part~=pill]").click()
        tab.locator("trueref-chat [part~=input]").fill("How do I remove limescale?")
        tab.locator("trueref-chat [part~=input]").press("Enter")
        tab.locator("trueref-chat a[part~=card-title]").first.click()
        tab.wait_for_url(f"**{BASE}docs/guides/cleaning#remove-limescale")
        expect(tab.locator("h1")).to_have_text("Cleaning")
        assert tab.evaluate("window.sameLoad") is True
        tab.close()
    finally:
        os.killpg(preview.pid, signal.SIGTERM)
        preview.wait()
        served.stop()
    assert "questions go to http://127.0.0.1:" in log.read_text()


def test_other_commands_are_not_told_where_questions_go(project: Project) -> None:
    """`docs:version` makes the plugin too, and builds nothing."""
    done = project.run("node_modules/.bin/docusaurus", "docs:version", "1.0")
    said = done.stdout + done.stderr
    assert "already exists" in said
    assert "trueref" not in said.replace(str(project.folder), "")


def test_findings_are_in_the_sources_and_corrected_there(project: Project) -> None:
    """Of the finished site, which has the file once a locale, and of the sources: the same places, once each."""
    file = project.folder / "docs/guides/planted.mdx"
    file.write_text(PLANTED, encoding="utf-8")
    try:
        given = {"onBrokenLinks": "warn", "onBrokenAnchors": "warn", "future": FASTER}
        built = project.build("planted", **given)
        reports = [
            json.loads(project.run("trueref", "check", path, "--index", built.index.name, "--format", "json").stdout)
            for path in (built.site.name, "docs", "docs/guides/planted.mdx")
        ]
        places = [[(row["file"], row["line"], row["column"]) for row in report["findings"]] for report in reports]
        lines = PLANTED.splitlines()
        meant = [
            (number, text.find(link) + 1) for link in BROKEN for number, text in enumerate(lines, 1) if link in text
        ]
        assert places[0] == [("docs/guides/planted.mdx", *place) for place in meant]
        assert places[1:] == [places[0]] * 2
        assert [report["skipped"] for report in reports] == [{"outside": 2}, {"outside": 1}, {"outside": 1}]
        assert [row["correction"] for row in reports[0]["findings"]] == [*FIXED, None, None]
        project.run("trueref", "check", built.site.name, "--index", built.index.name, "--fix")
        assert all(f"]({link})" in file.read_text(encoding="utf-8") for link in FIXED)
    finally:
        file.unlink()
