"""What is read of the sites that generators build: pages, addresses, versions, languages, and nothing but the text."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.generators.building import BUILDS, SITES
from tests.generators.expected import EXPECTED, SAME_EVERYWHERE

from trueref_core.addresses import fragment_of
from trueref_core.generations.served_generation import open_index, read_manifest
from trueref_core.links.link_target import ResolveContext
from trueref_core.links.resolve import resolve
from trueref_core.records import Chunk, Page
from trueref_plugin.build.build import index_site
from trueref_plugin.checking.site.broken_links import SiteLinks
from trueref_plugin.checking.site.built_site import walk_site
from trueref_plugin.reading.parse import parse_page
from trueref_server.question.site_versions import Editions

if TYPE_CHECKING:
    from tests.generators.conftest import Built

# Building the sites takes half a minute.
pytestmark = [pytest.mark.long, pytest.mark.slow]

CHROME = (
    "¶",
    "404",
    "Back to top",
    "Contents",
    "Cookie",
    "Copy to clipboard",
    "Edit",
    "Join the honey fair",
    "Made with",
    "Menu",
    "Next",
    "On this page",
    "Previous",
    "Redirecting",
    "Return to top",
    "Search for",
    "Skip to",
    "Table of contents",
    "View",
    "You are not viewing the latest version",
)
"""What the sites say around their text, and nowhere in it."""


def chunks_of(index: Path) -> list[Chunk]:
    async def read() -> list[Chunk]:
        opened = await open_index(index)
        try:
            return list((await opened.chunks(opened.rows.ids)).values())
        finally:
            await opened.close()

    return sorted(asyncio.run(read()), key=lambda chunk: (chunk.page, chunk.position))


def test_every_generator_has_its_expectations() -> None:
    assert list(BUILDS) == list(EXPECTED)


def test_the_pages_of_each_generator_are_those_expected(built: Built) -> None:
    pages = [page for page in built.manifest.pages() if page.kind != "redirect"]
    searched = {page.page: (page.title, page.kind, page.language, page.version) for page in pages if not page.hidden}
    assert searched == built.expected.searched
    assert {page.page: page.hidden_by for page in pages if page.hidden} == built.expected.hidden
    assert {page.page for page in built.manifest.pages() if page.kind == "redirect"} == built.expected.redirects


def test_the_site_of_each_generator_is_known_by_base_language_and_name(built: Built) -> None:
    (site,) = built.manifest.sites
    assert (site.base_url, site.language) == (built.expected.base_url, built.expected.language)
    assert site.generator.startswith(built.expected.generator)


def test_a_site_of_each_generator_is_indexed_without_a_warning(built: Built) -> None:
    assert built.warnings == ()


def test_the_content_of_each_generator_is_found_in_its_element(built: Built) -> None:
    files = {page.page: page.file for page in built.manifest.pages()}
    roots = {
        parse_page((built.site / files[page]).read_text(encoding="utf-8")).root for page in built.expected.searched
    }
    assert roots == {built.expected.root}


def test_no_chunk_has_words_of_the_chrome(built: Built) -> None:
    said = [(chunk.page, word) for chunk in chunks_of(built.index) for word in CHROME if word in chunk.text]
    assert said == []


@pytest.mark.parametrize("page", SAME_EVERYWHERE)
def test_a_page_reads_the_same_from_every_generator(built: Built, page: str) -> None:
    address = built.expected.form.format(page)
    texts = [chunk.text for chunk in chunks_of(built.index) if chunk.page == address]
    assert texts == SAME_EVERYWHERE[page]


def test_the_next_page_of_each_generator_is_found(built: Built) -> None:
    pages = {page.page: page for page in built.manifest.pages()}
    for page, following in built.expected.following.items():
        head = parse_page((built.site / pages[page].file).read_text(encoding="utf-8")).head
        reference = resolve(built.manifest, head.next, ResolveContext(page=page))
        assert (reference.page, reference.status) == (following, "exact"), page


def test_every_anchor_of_each_generator_can_be_linked(built: Built) -> None:
    manifest = built.manifest
    wrong = [
        (page.page, anchor.anchor, reference.status)
        for page in manifest.pages()
        if page.kind != "redirect"
        for anchor in manifest.anchors(page.page)
        for reference in [resolve(manifest, f"#{fragment_of(anchor.anchor)}", ResolveContext(page=page.page))]
        if (reference.status, reference.page, reference.anchor) != ("exact", page.page, anchor.anchor)
    ]
    assert wrong == []


def indexed(site: Path, index: Path, **options: object) -> dict[str, Page]:
    """The pages of a site that is indexed with some options, by their files."""
    index_site(site, index=index, embedder="lexical", **options)  # type: ignore[arg-type]
    return {page.file: page for page in read_manifest(index).pages()}


@pytest.mark.parametrize("place", ["", "install/#upgrade"])
def test_links_to_an_alias_lead_to_its_version(builds: Callable[[str], Built], place: str) -> None:
    built = builds("mike")
    reference = resolve(built.manifest, f"latest/{place}")
    assert (reference.status, reference.href) == ("redirected", f"2.1/{place}")
    assert resolve(built.manifest, "latest/install/#no-such-place").status != "redirected"


def test_an_alias_may_be_a_link_to_the_folder_of_its_version(builds: Callable[[str], Built], tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(builds("mike").site, site, ignore=shutil.ignore_patterns(".git"))
    shutil.rmtree(site / "latest")
    (site / "latest").symlink_to("2.1")
    pages = indexed(site, tmp_path / "index", base_url="https://hive.example.org/notes/")
    assert not any(file.startswith("latest/") for file in pages)
    manifest = read_manifest(tmp_path / "index")
    assert resolve(manifest, "latest/install/#upgrade").href == "2.1/install/#upgrade"
    assert resolve(manifest, "https://hive.example.org/notes/latest/").href == "2.1/"


@pytest.mark.parametrize("linked", [False, True])
def test_the_current_version_is_that_of_the_alias(builds: Callable[[str], Built], tmp_path: Path, linked: bool) -> None:
    """Whoever keeps `latest` at 1.0 does not want 2.1 shown, though its number is higher."""
    site = tmp_path / "site"
    shutil.copytree(builds("mike").site, site, ignore=shutil.ignore_patterns(".git"))
    shutil.rmtree(site / "latest")
    if linked:
        (site / "latest").symlink_to("1.0")
    else:
        shutil.copytree(site / "1.0", site / "latest")
    (site / "versions.json").write_text('[{"version": "2.1"}, {"version": "1.0", "aliases": ["latest"]}]')
    pages = [page for page in indexed(site, tmp_path / "index").values() if page.kind != "redirect"]
    (name,) = {page.site for page in pages}
    assert Editions(read_manifest(tmp_path / "index").sites, pages).editions_for(None, None) == ((name, "1.0"),)
    built = builds("mike").manifest
    kept = [page for page in built.pages() if page.kind != "redirect"]
    assert Editions(built.sites, kept).version_for(None, None) == "2.1"


def test_the_version_that_is_told_goes_before_all_others(builds: Callable[[str], Built], tmp_path: Path) -> None:
    for name in ("mike", "furo"):
        pages = indexed(builds(name).site, tmp_path / name, version="7")
        assert {page.version for page in pages.values()} == {"7"}


def test_options_go_before_what_is_recognised(builds: Callable[[str], Built], tmp_path: Path) -> None:
    pages = indexed(
        builds("material").site,
        tmp_path / "index",
        exclude=("tags/*", "blog/archive/*"),
        kinds={"extras/*": "reference"},
    )
    assert pages["tags/index.html"].hidden_by == pages["blog/archive/2026/index.html"].hidden_by == "option"
    assert pages["extras/index.html"].kind == "reference"


def test_lists_of_posts_and_tags_hold_their_title_alone(builds: Callable[[str], Built]) -> None:
    built = builds("material")
    texts = [chunk for chunk in chunks_of(built.index) if chunk.page.startswith(("tags/", "blog/a", "blog/c"))]
    assert [chunk.text for chunk in texts] == ["2026", "Seasons", "Tags"]
    # Their places can be linked all the same.
    assert resolve(built.manifest, "tags/#tag:backup").status == "exact"
    assert resolve(built.manifest, "blog/#swarms-in-may").status == "exact"


def test_redirects_are_other_addresses_of_their_page(builds: Callable[[str], Built]) -> None:
    manifest = builds("material").manifest
    assert resolve(manifest, "setup/").href == "install/"
    assert resolve(manifest, "old/options/").href == "settings/#options"


@pytest.mark.parametrize(("clean", "shown"), [("true", "install"), ("false", "install.html")])
def test_addresses_of_vitepress_are_those_that_its_host_serves(tmp_path: Path, clean: str, shown: str) -> None:
    site = tmp_path / "site"
    shutil.copytree(SITES / "vitepress" / "site", site)
    for file in site.rglob("*.html"):
        html = file.read_text(encoding="utf-8")
        assert '\\"cleanUrls\\":true' in html
        file.write_text(html.replace('\\"cleanUrls\\":true', f'\\"cleanUrls\\":{clean}'), encoding="utf-8")
    assert indexed(site, tmp_path / "index")["install.html"].page == shown


@pytest.mark.parametrize(
    ("release", "version"),
    [("2.1.3", "2.1.3"), ("", ""), ("3.0.dev14+g1a2b3c", "3.0.dev"), ("stable", "stable"), ("4.0rc1+local", "4.0rc1")],
)
def test_the_version_of_pages_is_that_which_sphinx_wrote(
    builds: Callable[[str], Built], tmp_path: Path, release: str, version: str
) -> None:
    site = tmp_path / "site" / "en" / "latest"
    shutil.copytree(builds("furo").site, site)
    script = site / "_static" / "documentation_options.js"
    script.write_text(script.read_text().replace("'2.1.3'", f"'{release}'"))
    pages = indexed(tmp_path / "site", tmp_path / "index")
    assert {page.version for page in pages.values()} == {version}


@pytest.mark.parametrize(
    "listed",
    ["", "[", "{}", '["1.0"]', '[{"version": 1}]', '[{"version": "../1.0"}]', '[{"version": "no-such-folder"}]'],
)
def test_a_versions_json_of_something_else_gives_no_versions(
    builds: Callable[[str], Built], tmp_path: Path, listed: str
) -> None:
    site = tmp_path / "site"
    shutil.copytree(builds("mike").site, site, ignore=shutil.ignore_patterns(".git", "latest"))
    (site / "versions.json").write_text(listed)
    assert {page.version for page in indexed(site, tmp_path / "index").values()} == {""}


def test_a_page_under_an_alias_that_its_version_lacks_is_a_page_of_its_own(
    builds: Callable[[str], Built], tmp_path: Path
) -> None:
    """What stands under an alias and not in its version is a page of its own."""
    site = tmp_path / "site"
    shutil.copytree(builds("mike").site, site, ignore=shutil.ignore_patterns(".git"))
    shutil.rmtree(site / "2.1" / "visits")
    pages = indexed(site, tmp_path / "index")
    assert (pages["latest/visits/index.html"].kind, pages["latest/visits/index.html"].version) == ("guide", "2.1")
    listed = json.loads((site / "versions.json").read_text())
    assert [entry["version"] for entry in listed] == ["2.1", "1.0"]


UNTRANSLATED = {f"/fr/{page}" for page in ("install", "visits", "extras")}
"""VitePress links every page to the same page in the other language, whether it is there or not."""


def test_every_link_of_the_sites_lands(built: Built) -> None:
    broken = {item.link for item in SiteLinks(walk_site(built.site, built.expected.base_url)).broken()}
    # Its scripts and styles are not committed.
    found = {link for link in broken if not link.startswith("/assets/")} if built.name == "vitepress" else broken
    assert found == (UNTRANSLATED if built.name == "vitepress" else set())
