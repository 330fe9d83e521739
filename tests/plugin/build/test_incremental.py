"""Builds that change a generation: what they make is what a whole build makes, and they make no more than they must."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import pytest
from tests.another_program import table_rows
from tests.conftest import SEED
from tests.plugin.pages import page

from trueref_core.generations.served_generation import (
    open_index,
    read_current,
    read_ledger,
    read_manifest,
    served_build,
    verified_vectors,
)
from trueref_plugin.build import generation_content
from trueref_plugin.build.build import IndexReport, index_site
from trueref_plugin.cutting.cut import cut_page
from trueref_plugin.files.read_cache import FILE
from trueref_plugin.progress import Reporter

LONG = "This line is in several pages, and it is long enough to be known as the twin of another."


class Site:
    """A site of twenty pages that link to each other, and its index."""

    def __init__(self, folder: Path, embedder: str = "lexical") -> None:
        self.folder, self.site, self.index, self.embedder = folder, folder / "site", folder / "index", embedder
        self.site.mkdir()
        for number in range(20):
            self.write(f"p{number:02}", self.body(number))

    @staticmethod
    def body(number: int, text: str = "", anchor: str = "") -> str:
        following = f"p{(number + 1) % 20:02}.html"
        return (
            f'<h1 id="title-{number}">Page {number}</h1><p>About number {number}. {text}</p>'
            f'<h2 id="{anchor or f"part-{number}"}">Part</h2><p>{LONG if number % 3 == 0 else f"Only {number}."}</p>'
            f'<p><a href="{following}#part-{(number + 1) % 20}">next part</a> and <a href="p00.html">home</a></p>'
        )

    def write(self, name: str, body: str, head: str = "", chrome: str = "") -> None:
        (self.site / f"{name}.html").write_text(page(body, head).replace("</body>", f"{chrome}</body>"))

    def build(self, index: Path | None = None, **options: Any) -> IndexReport:
        return index_site(self.site, index=index or self.index, **{"embedder": self.embedder, **options})

    @classmethod
    def rows(cls, index: Path) -> dict[str, list[str]]:
        """What an index has, but for the times at which it was written, as servers and other programs read it."""
        build = served_build(index)
        documents = [replace(row, created_at="", updated_at="", last_modified="") for row in read_ledger(index)]
        chunks, links = asyncio.run(cls._searched(index))
        found = {
            **{f"table {name}": rows for name, rows in table_rows(index).items()},
            "documents": sorted(map(repr, documents)),
            "chunks": sorted(map(repr, chunks)),
            "links": sorted(map(repr, links)),
        }
        for file in sorted([*build.glob("*/*.json"), build / "manifest.json", build / "states.json"]):
            found[file.relative_to(build).as_posix()] = [file.read_text()]
        vectors = verified_vectors(build, None)
        found["vectors"] = sorted(
            f"{key} {of_text.vector.tobytes().hex()} {of_text.wordpieces.hex()}" for key, of_text in vectors.items()
        )
        return found

    @staticmethod
    async def _searched(index: Path) -> tuple[list[Any], list[Any]]:
        """All chunks and links of an index, as a server reads them."""
        opened = await open_index(index)
        chunks = await opened.chunks(opened.rows.ids)
        links = await opened.table.links()
        await opened.close()
        assert len(chunks) == len(opened.rows.ids)
        return list(chunks.values()), links

    def check_same_as_whole(self, **options: Any) -> None:
        """Compares the index with one that is made anew."""
        whole = self.folder / "whole"
        shutil.rmtree(whole, ignore_errors=True)
        done = self.build(whole, **options)
        mine, anew = self.rows(self.index), self.rows(whole)
        for name, rows in anew.items():
            assert mine[name] == rows, name
        assert read_current(self.index) == done.generation.id


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = Site(tmp_path)
    made.build()
    return made


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were cut, as they are cut."""
    pages: list[str] = []

    def counting(page: Any, *rest: Any) -> Any:
        pages.append(page.page)
        return cut_page(page, *rest)

    monkeypatch.setattr(generation_content, "cut_page", counting)
    return pages


def move(site: Site) -> None:
    (site.site / "p05.html").rename(site.site / "p50.html")


def fulfil(site: Site) -> None:
    """Links that led nowhere get their pages, one by its folder and one by another address of its file."""
    site.write("p04", site.body(4, '<a href="more">more</a> <a href="p90#part-90">new</a>'))
    site.build()
    (site.site / "more").mkdir()
    site.write("more/index", site.body(91))
    site.write("p90", site.body(90))


CHANGES: dict[str, tuple[Callable[[Site], Any], set[str]]] = {
    "a text": (lambda site: site.write("p04", site.body(4, "New words.")), {"p04.html"}),
    # The page before links to the anchor, so that its edge has another status now.
    "an anchor": (lambda site: site.write("p04", site.body(4, anchor="renamed")), {"p03.html", "p04.html"}),
    "pages that broken links meant": (fulfil, {"p04.html", "p90.html", "more/"}),
    "a page that is gone": (lambda site: (site.site / "p07.html").unlink(), {"p06.html"}),
    "a page that is renamed": (move, {"p04.html", "p50.html"}),
    "a page that is new": (lambda site: site.write("p90", site.body(90)), {"p90.html"}),
    # p00 has the first of the texts that are the same on every third page. The others get another twin, uncut.
    "the first of the twins": (
        lambda site: site.write("p00", "<h1 id='x'>Home</h1><p>Short.</p>"),
        {"p00.html", "p19.html"},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_what_a_whole_build_makes(site: Site, cut: list[str], name: str) -> None:
    change, expected = CHANGES[name]
    change(site)
    assert site.build().changed
    assert set(cut) == expected
    site.check_same_as_whole()


@pytest.mark.parametrize("table", ["anchors", "links"])
def test_a_change_links_the_rows_that_stay(site: Site, table: str) -> None:
    def inodes() -> set[int]:
        return {file.stat().st_ino for file in (served_build(site.index) / f"tables/{table}.lance/data").iterdir()}

    before = inodes()
    site.write("p04", site.body(4, "Other words."))
    assert site.build().changed
    assert before <= inodes()


@pytest.mark.long
def test_many_changes_one_after_the_other_make_what_whole_builds_make(tmp_path: Path) -> None:
    """Sixty random changes; after each the index is the one that a whole build makes."""
    chance = random.Random(SEED)
    site = Site(tmp_path)
    site.build()
    for step in range(60):
        for _ in range(chance.choice([1, 1, 1, 2, 9])):
            number = chance.randrange(20)
            name = f"p{number:02}"
            kind = chance.randrange(8)
            if kind == 0:
                (site.site / f"{name}.html").unlink(missing_ok=True)
            elif kind == 1:
                site.write(name, "", f'<meta http-equiv="refresh" content="0; url=p{chance.randrange(20):02}.html">')
            elif kind == 2:
                site.write(name, site.body(number, anchor=f"part-{chance.randrange(20)}"))
            elif kind == 3:
                following = f'<link rel="next" href="p{chance.randrange(25):02}.html">'
                site.write(name, f"<h1>Title {step}</h1><p>Text.</p>", following)
            elif kind == 4:
                # Three names for one address, and a file that is no page.
                target = site.site / chance.choice(["demo", "demo.html", "demo/index.html"])
                shutil.rmtree(site.site / "demo", ignore_errors=True)
                for other in (site.site / "demo", site.site / "demo.html"):
                    other.unlink(missing_ok=True)
                target.parent.mkdir(exist_ok=True)
                target.write_text(page(f"<h1 id='demo'>Demo {step}</h1><p>Text.</p>"))
            elif kind == 5:
                site.write(name, f'{site.body(number)}<p><a href="demo#demo">See the demo</a></p>')
            else:
                site.write(name, site.body(number, f"Words {step}."))
        site.build()
        site.check_same_as_whole()


def test_a_change_of_chrome_changes_nothing(site: Site, cut: list[str]) -> None:
    """A new entry of the navigation is in every file, and in no text."""
    before = read_current(site.index)
    for number in range(20):
        site.write(f"p{number:02}", site.body(number), chrome='<nav><a href="p01.html">New</a></nav>')
    assert not site.build().changed
    assert (read_current(site.index), cut) == (before, [])


def test_an_id_in_the_chrome_is_a_place_and_no_text(site: Site, cut: list[str]) -> None:
    site.write("p04", site.body(4), chrome='<nav id="side"></nav>')
    assert site.build().changed
    assert cut == ["p04.html"]
    assert read_manifest(site.index).anchor("p04.html", "side") is not None


def test_a_change_embeds_only_what_is_new(tmp_path: Path) -> None:
    site = Site(tmp_path, "bundled")
    assert site.build().embedded > 20
    site.write("p04", site.body(4, "New words."))
    assert site.build().embedded == 1
    move(site)
    assert site.build().embedded == 0
    assert site.build(base_url="https://docs.example/").embedded == 0
    site.check_same_as_whole(base_url="https://docs.example/")


def test_another_version_of_trueref_cuts_again(site: Site, cut: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from trueref_core.generations import content
    from trueref_plugin.site import site_reader

    for module in (content, site_reader):
        monkeypatch.setattr(module, "__version__", "99.0")
    assert site.build().changed
    assert len(cut) == 20


def stopped_in(year: int) -> type[datetime]:
    """The class `datetime` with a clock that stands at the beginning of a year."""

    class Stopped(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Stopped:
            return cls(year, 1, 1, tzinfo=tz)

    return Stopped


def test_the_ledger_keeps_the_times_of_files_that_did_not_change(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row whose file did not change keeps its times; one that did keeps when it was first seen."""
    rows = {row.file_path: row for row in read_ledger(site.index)}
    old = rows["p04.html"]
    assert (old.embedding_status, old.chunk_count) == ("none", 2)
    assert len(old.file_hash) == 32
    shutil.rmtree(site.index)
    monkeypatch.setattr(generation_content, "datetime", stopped_in(2020))
    site.build()
    monkeypatch.setattr(generation_content, "datetime", stopped_in(2021))
    site.write("p04", site.body(4, "New words."))
    site.build()
    rows = {row.file_path: row for row in read_ledger(site.index)}
    assert (rows["p04.html"].created_at[:4], rows["p04.html"].updated_at[:4]) == ("2020", "2021")
    assert (rows["p05.html"].created_at[:4], rows["p05.html"].updated_at[:4]) == ("2020", "2020")
    assert rows["p04.html"].file_hash != old.file_hash


def test_full_makes_everything_anew(site: Site, cut: list[str]) -> None:
    site.build(full=True)
    assert len(cut) == 20


def test_the_earlier_generation_is_what_it_was(site: Site) -> None:
    """Its files are shared by hard links, and are not changed through them."""
    from trueref_core.storage.sealed_folders import verify

    earlier = served_build(site.index)
    site.write("p04", site.body(4, "New words."))
    site.build()
    assert served_build(site.index) != earlier
    verify(earlier)


def test_without_hard_links_a_change_is_what_a_whole_build_makes(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(source: str, target: str) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("os.link", refused)
    site.write("p04", site.body(4, "New words."))
    site.build()
    site.check_same_as_whole()


@pytest.mark.parametrize("damage", ["missing", "garbage", "flipped", "another recipe"])
def test_a_lost_or_damaged_read_cache_changes_nothing_that_is_built(site: Site, damage: str) -> None:
    file = site.index / FILE
    data = bytearray(file.read_bytes())
    if damage == "missing":
        file.unlink()
    elif damage == "garbage":
        file.write_bytes(b"not a database")
    elif damage == "flipped":
        for place in range(5000, len(data), 37):
            data[place] ^= 1
        file.write_bytes(data)
    else:
        site.write("p00", site.body(0), head="<title>x</title>")
        site.build(content_selector="main")
    assert site.build(content_selector="main" if damage == "another recipe" else None).changed is False
    site.write("p04", site.body(4, "New words."))
    site.build()
    site.check_same_as_whole()


def test_files_whose_content_is_damaged_in_the_read_cache_are_read_again(site: Site) -> None:
    """No build opens the contents of pages that stay as they are, so only one that makes them again finds the damage."""
    file = site.index / FILE
    data = file.read_bytes()
    # Texts are in the contents alone. Those of one page in twenty may be across two pages of the file.
    assert data.count(b"About number ") > 10
    file.write_bytes(data.replace(b"About number ", b"Above member "))
    assert not site.build().changed
    assert site.build(language="de").changed
    site.check_same_as_whole(language="de")


def test_full_replaces_vectors_that_are_wrong(tmp_path: Path) -> None:
    """The id says nothing of vectors: the same content is written again, under another id."""
    site = Site(tmp_path, "bundled")
    before = site.build().generation
    again = site.build(full=True)
    assert again.changed
    assert again.embedded > 20
    assert again.generation.id != before.id
    assert not site.build().changed
    site.write("p04", site.body(4, "New words."))
    assert site.build().embedded == 1


def test_a_sidecar_replaces_what_an_earlier_one_said(site: Site) -> None:
    """What it does not say any more is no longer so; a build without one keeps what was said."""
    pages = site.folder / "pages.json"
    pages.write_text('{"pages": [{"file": "p04.html", "hidden": true}], "sidecar": 1}')
    site.build(pages=pages)
    for options, hidden in (({}, True), ({"pages": pages}, True)):
        site.build(**options)
        found = read_manifest(site.index).page("p04.html")
        assert found is not None
        assert found.hidden is hidden
    pages.write_text('{"pages": [], "sidecar": 1}')
    site.build(pages=pages)
    found = read_manifest(site.index).page("p04.html")
    assert found is not None
    assert not found.hidden


def test_what_was_hidden_and_cannot_be_read_is_said(site: Site) -> None:
    class Heard(Reporter):
        lines: list[str] = []  # noqa: RUF012 - one test, one list

        def warn(self, line: str) -> None:
            self.lines.append(line)

    manifest = served_build(site.index) / "manifest.json"
    manifest.write_bytes(manifest.read_bytes()[:-9])
    site.build(report=Heard())
    assert Heard.lines[0].startswith("Which pages an earlier build hid cannot be read: The index is damaged: ")
    assert Heard.lines[0].endswith(" has changed since it was written. Name them again with --pages.")
