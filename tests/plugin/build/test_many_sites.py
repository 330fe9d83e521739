"""Several sites in one index: each is built, replaced and dropped alone, and the others stay what they are."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import SEED
from tests.plugin.build.test_incremental import LONG, Site
from tests.plugin.pages import page

from trueref_core.errors import OptionError
from trueref_core.generations.served_generation import read_current, read_generation, read_manifest, served_build
from trueref_core.links.resolve import resolve
from trueref_core.records import Page
from trueref_plugin.build import generation_content
from trueref_plugin.build.build import IndexReport, index_site
from trueref_plugin.build.site_removal import drop_site
from trueref_plugin.cutting.cut import cut_page
from trueref_plugin.digests import digest_of_bytes
from trueref_plugin.files.read_cache import ReadCache
from trueref_plugin.progress import Reporter

NAMES = ("one", "two", "three")


class Heard(Reporter):
    """Keeps what a build says."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def warn(self, line: str) -> None:
        self.lines.append(line)

    def note(self, line: str) -> None:
        self.lines.append(line)


class Sites:
    """Three sites of seven pages with the same addresses, and their index."""

    def __init__(self, folder: Path, embedder: str = "lexical") -> None:
        self.folder, self.index, self.embedder = folder, folder / "index", embedder
        self.heard = Heard()
        for name in NAMES:
            (folder / name).mkdir()
            for number in range(7):
                self.write(name, f"p{number}", f"Of {name}.")

    def write(self, site: str, name: str, text: str, head: str = "<title>Page</title>") -> None:
        body = (
            f'<h1 id="title">{name}</h1><p>About number {name}. {text}</p><h2 id="part">Part</h2><p>{LONG}</p>'
            f'<p><a href="p0.html#title">home</a> <a href="https://two.example/p1.html#part">over there</a></p>'
        )
        (self.folder / site / f"{name}.html").write_text(page(body, head))

    def build(self, site: str, index: Path | None = None, **options: Any) -> IndexReport:
        given = {"name": site, "base_url": f"https://{site}.example/", "embedder": self.embedder, "report": self.heard}
        return index_site(self.folder / site, index=index or self.index, **{**given, **options})

    def build_all(self) -> None:
        for name in NAMES:
            self.build(name)

    @property
    def names(self) -> list[str]:
        return [site.name for site in read_generation(self.index).sites]

    def rows(self, index: Path) -> dict[str, list[str]]:
        return Site.rows(index)

    def check_same_as_anew(self, order: list[str] | None = None, **options: Any) -> None:
        """Compares the index with one that is made anew, of the sites in any order."""
        anew = self.folder / "anew"
        shutil.rmtree(anew, ignore_errors=True)
        for name in order or self.names:
            self.build(name, anew, **options)
        mine, whole = self.rows(self.index), self.rows(anew)
        for name in mine.keys() | whole.keys():
            assert mine.get(name) == whole.get(name), name
        assert read_current(self.index) == read_current(anew)


@pytest.fixture
def sites(tmp_path: Path) -> Sites:
    return Sites(tmp_path)


def inodes(build: Path, table: str) -> dict[str, int]:
    files = (build / "tables" / f"{table}.lance" / "data").iterdir()
    return {file.name: file.stat().st_ino for file in files}


def test_a_site_is_added_beside_others(sites: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    sites.build("one")
    cut: list[str] = []

    def counting(page: Page, *rest: Any) -> Any:
        cut.append(page.site)
        return cut_page(page, *rest)

    monkeypatch.setattr(generation_content, "cut_page", counting)
    before = inodes(served_build(sites.index), "anchors")
    done = sites.build("two")
    assert (sites.names, done.site, set(cut)) == (["one", "two"], "two", {"two"})
    assert sites.heard.lines == ["The site 'two' is added to the index, which holds the site 'one'."]
    assert before.items() <= inodes(served_build(sites.index), "anchors").items()
    assert done.lines(sites.index)[-1] == "It holds 2 sites: one, two. This build was of two."
    assert not sites.build("one").changed
    assert not sites.build("two").changed


def test_the_order_in_which_sites_come_does_not_matter(sites: Sites) -> None:
    sites.build_all()
    sites.check_same_as_anew(["three", "one", "two"])


@pytest.mark.long
def test_builds_and_drops_at_random_leave_what_builds_anew_make(sites: Sites) -> None:
    """Random steps over three sites; after each the index is what it would be if it were made anew."""
    chance = random.Random(SEED)
    sites.build_all()
    for step in range(24):
        name = chance.choice(NAMES)
        kind = chance.randrange(6)
        if kind == 0 and len(sites.names) > 1 and name in sites.names:
            drop_site(sites.index, name)
        elif kind == 1:
            # More than a quarter: the site is made anew, and no other.
            for number in range(5):
                sites.write(name, f"p{number}", f"Words of step {step}.")
            sites.build(name)
        elif kind == 2:
            (sites.folder / name / f"p{chance.randrange(7)}.html").unlink(missing_ok=True)
            sites.write(name, "p0", "Home.")
            sites.build(name)
        elif kind == 3:
            # Enough pages for another number of parts, and back.
            for number in range(70 if chance.random() < 0.5 else 0):
                sites.write(name, f"more{number}", f"More {number}.")
            sites.build(name)
            for file in (sites.folder / name).glob("more*"):
                file.unlink()
            sites.build(name)
        else:
            sites.write(name, f"p{chance.randrange(7)}", f"Words of step {step}.")
            sites.build(name)
        sites.check_same_as_anew(chance.sample(sites.names, len(sites.names)))


def test_a_build_keeps_and_reuses_the_vectors_of_other_sites(tmp_path: Path) -> None:
    sites = Sites(tmp_path, "bundled")
    sites.build("one")
    # One text is the same on all pages of all sites.
    assert sites.build("two").embedded == 7
    sites.write("two", "p3", "New words.")
    done = sites.build("two")
    assert (done.embedded, done.reused) == (1, 13)
    sites.check_same_as_anew()
    drop_site(sites.index, "one")
    sites.check_same_as_anew()


def test_sites_come_and_go_beside_one_without_text(sites: Sites) -> None:
    """Its table of chunks is empty, and nothing in it is indexed for full text."""
    for file in (sites.folder / "one").iterdir():
        sites.write("one", file.stem, "Nothing.", '<meta name="robots" content="noindex">')
    sites.build("one")
    assert read_generation(sites.index).counts["chunks"] == 0
    sites.build("two")
    sites.check_same_as_anew()
    assert found(sites.index, "over there") == {"two"}
    drop_site(sites.index, "two")
    sites.check_same_as_anew()
    assert found(sites.index, "over there") == set()
    sites.build("three")
    assert found(sites.index, "over there") == {"three"}


def found(index: Path, query: str) -> set[str]:
    """The sites of which full text finds something."""
    import asyncio

    from trueref_core.generations.served_generation import open_index

    async def ask() -> set[str]:
        opened = await open_index(index)
        try:
            hits = await opened.search_text(query, limit=50)
            return {chunk.site for chunk in (await opened.chunks([hit.id for hit in hits])).values()}
        finally:
            await opened.close()

    return asyncio.run(ask())


def test_options_of_a_build_are_those_of_its_site_alone(sites: Sites) -> None:
    sites.build("one")
    sites.build("two", exclude=["p3*"])
    before = read_generation(sites.index)
    assert sites.build("one", full=True).changed
    assert sites.build("one", exclude=["p1*"]).changed
    after = read_generation(sites.index)
    assert before.recipes["two"] == after.recipes["two"]
    assert before.recipes["one"] != after.recipes["one"]
    assert not sites.build("two", exclude=["p3*"]).changed
    hidden = {(page.site, page.page) for page in read_manifest(sites.index).pages() if page.hidden}
    assert hidden == {("one", "p1.html"), ("two", "p3.html")}


def test_what_was_read_of_others_is_remembered(sites: Sites) -> None:
    sites.build_all()
    pages = {f"p{number}.html" for number in range(7)}
    assert remembered(sites, "one") == pages
    for step in range(6):
        sites.write("two", "p1", f"Words {step}.")
        sites.build("two", content_selector="main")
    assert remembered(sites, "one") == pages
    drop_site(sites.index, "one")
    assert not remembered(sites, "one")


def remembered(sites: Sites, site: str) -> set[str]:
    """The files of a site that the next build need not read."""
    reads = ReadCache(sites.index, None, site)
    files = (sites.folder / site).glob("*.html")
    return {file.name for file in files if reads.summary(digest_of_bytes(file.read_bytes())) is not None}


@pytest.mark.parametrize(
    ("made", "other", "embedder"), [("lexical", "bundled", "lexical"), ("bundled", "lexical", "bundled")]
)
def test_one_index_has_one_embedder(sites: Sites, made: str, other: str, embedder: str) -> None:
    sites.build("one", embedder=made)
    with pytest.raises(OptionError) as caught:
        sites.build("two", embedder=other)
    assert str(caught.value) == (
        f"The index holds the site 'one', made with the embedder '{embedder}', and all sites of an index have the same. "
        f"Use '{embedder}' for this site too, or another index."
    )
    # The only site may have another one.
    assert sites.build("one", embedder=other).changed


def test_a_dropped_site_leaves_nothing_in_the_index(sites: Sites) -> None:
    sites.build_all()
    sites.write("one", "p9", "It will be gone.")
    sites.build("one")
    (sites.folder / "one" / "p9.html").unlink()
    sites.build("one")
    assert [entry.site for entry in read_manifest(sites.index).history.entries] == ["one"]
    with pytest.raises(OptionError) as caught:
        drop_site(sites.index, "four")
    assert str(caught.value) == "The index holds no site 'four'. It holds: 'one', 'three', 'two'."
    drop_site(sites.index, "one")
    assert (sites.names, read_manifest(sites.index).history.entries) == (["three", "two"], ())
    drop_site(sites.index, "two")
    with pytest.raises(OptionError) as caught:
        drop_site(sites.index, "three")
    assert str(caught.value) == f"'three' is the only site of the index. Delete the folder {sites.index} instead."


TITLE = '<title>Page</title><meta property="og:site_name" content="{}">'


def retitle(sites: Sites, site: str, title: str) -> None:
    for file in (sites.folder / site).iterdir():
        sites.write(site, file.stem, "Words.", TITLE.format(title))


def test_a_site_with_another_title_is_the_same_site(sites: Sites) -> None:
    """Nobody chose its name: at the same address it replaces what was there, and no other."""
    retitle(sites, "one", "One")
    sites.build("one", name=None)
    sites.build("two")
    retitle(sites, "one", "First")
    sites.heard.lines.clear()
    sites.build("one", name=None)
    assert sites.names == ["First", "two"]
    assert sites.heard.lines == ["The index held the site 'One'; it is replaced by 'First'. Give a name to have both."]
    # A name that is given is one to have.
    sites.heard.lines.clear()
    sites.build("one", name="mine")
    assert sites.names == ["First", "mine", "two"]
    assert sites.heard.lines == [
        "The site 'mine' is added to the index, which holds the sites 'First', 'two'.",
        "The sites 'mine' and 'First' have the same address https://one.example/, so that links cannot tell them apart. "
        "Give each its base URL, or drop one: `trueref index --drop First`.",
    ]


def test_a_site_at_another_address_is_another_site(sites: Sites) -> None:
    for name in ("one", "two"):
        retitle(sites, name, name.title())
        sites.build(name, name=None)
    assert sites.names == ["One", "Two"]


def test_what_is_lost_with_a_damaged_index_is_said(sites: Sites) -> None:
    sites.build_all()
    part = next((served_build(sites.index) / "anchors").iterdir())
    part.write_bytes(part.read_bytes()[:-3])
    sites.heard.lines.clear()
    sites.write("one", "p1", "New.")
    sites.build("one")
    assert sites.names == ["one"]
    assert sites.heard.lines[-1] == (
        "The index cannot be used, so the sites 'three', 'two' in it cannot be kept. Build each lost site again."
    )
    sites.check_same_as_anew()


def test_a_link_to_another_site_is_decided_by_its_pages(sites: Sites) -> None:
    sites.build_all()
    manifest = read_manifest(sites.index)
    found = resolve(manifest, "https://two.example/p1.html#part")
    assert (found.site, found.page, found.status) == ("two", "p1.html", "exact")
    assert resolve(manifest, "https://two.example/none.html").status == "unlinked"
    assert resolve(manifest, "p1.html").reason.startswith("A relative link needs the site on which it stands")
