"""Sites of several parts that change at random: after each build the index is what a whole build makes."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import SEED
from tests.plugin.build.test_incremental import LONG, Site
from tests.plugin.pages import page

from trueref_core.generations.served_generation import served_build
from trueref_core.storage.sealed_folders import verify

STEPS = int(os.environ.get("TRUEREF_CHANGES", "12"))
FOLDERS = ("", "a/", "b/c/", "d e/")


class RandomSite(Site):
    """Pages in folders, with stubs, twins, titles that recur, ids that come and go, and links of every form."""

    def __init__(self, folder: Path, chance: random.Random, pages: int) -> None:
        self.folder, self.site, self.index, self.embedder = folder, folder / "site", folder / "index", "lexical"
        self.chance = chance
        self.site.mkdir()
        for _ in range(pages):
            self.put(self.name())

    def name(self) -> str:
        return f"{self.chance.choice(FOLDERS)}p{self.chance.randrange(70):02}{self.chance.choice(('', '/index'))}.html"

    def files(self) -> list[str]:
        return sorted(path.relative_to(self.site).as_posix() for path in self.site.rglob("*.html"))

    def link(self, source: str) -> str:
        known = self.files()
        target = self.chance.choice(known) if known and self.chance.random() < 0.7 else self.name()
        plain = target.removesuffix(".html").removesuffix("/index")
        form = self.chance.choice(
            (target, target, target.removesuffix("index.html"), plain, f"{plain}/", f"{plain}.md")
        )
        fragment = self.chance.choice(("", "", f"#part-{self.chance.randrange(12)}", "#title", "#top"))
        return "../" * source.count("/") + form.replace(" ", "%20") + fragment

    def put(self, file: str) -> None:
        path = self.site / file
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.chance.random() < 0.12:
            path.write_text(page("", f'<meta http-equiv="refresh" content="0; url={self.link(file)}">'))
            return
        head = f"<title>Title {self.chance.randrange(4)}</title>"
        if self.chance.random() < 0.3:
            head += f'<link rel="next" href="{self.link(file)}">'
        if self.chance.random() < 0.05:
            head += '<meta name="robots" content="noindex">'
        path.write_text(page(self.text(file), head))

    def text(self, file: str) -> str:
        parts = [
            f'<h1 id="title">Title {self.chance.randrange(5)}</h1><p>About {self.chance.choice((file, "it"))}.</p>'
        ]
        for _ in range(self.chance.randrange(4)):
            said = self.chance.choice(
                (*(f"{LONG} Variant {number}." for number in range(4)), f"{self.chance.random()}")
            )
            parts.append(f'<h2 id="part-{self.chance.randrange(12)}">Part {self.chance.randrange(3)}</h2><p>{said}</p>')
        parts.extend(f'<p><a href="{self.link(file)}">there</a></p>' for _ in range(self.chance.randrange(4)))
        return "".join(parts)

    def change(self) -> str:
        kind = self.chance.choice(("write", "write", "write", "new", "remove", "rename", "copy", "many"))
        file = self.chance.choice(self.files())
        if kind == "write":
            self.put(file)
        elif kind == "new":
            self.put(self.name())
        elif kind == "many":
            for _ in range(self.chance.choice((5, 40))):
                self.put(self.name())
        else:
            text = (self.site / file).read_text()
            if kind != "copy":
                (self.site / file).unlink()
            if kind != "remove":
                target = self.site / self.name()
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text)
        return f"{kind} {file}"


@pytest.mark.long
@pytest.mark.timeout(120 + 10 * STEPS)
@pytest.mark.parametrize("pages", [124, 260])
def test_what_a_build_makes_of_changes_is_what_a_whole_one_makes(tmp_path: Path, pages: int) -> None:
    site = RandomSite(tmp_path, random.Random(SEED + pages), pages)
    options: dict[str, Any] = {"base_url": "https://docs.example/"}
    site.build(**options)
    for step in range(STEPS):
        print(step, *(site.change() for _ in range(site.chance.choice((1, 1, 2, 3)))))
        site.build(**options)
        site.check_same_as_whole(**options)
        verify(served_build(site.index))
    shutil.rmtree(tmp_path / "whole")


def test_a_stub_that_names_another_anchor_moves_the_edges_through_it(tmp_path: Path) -> None:
    site = Site(tmp_path)
    stub = '<meta http-equiv="refresh" content="0; url=p05.html#{}">'
    site.write("old", "", stub.format("part-5"))
    site.write("p01", site.body(1, '<a href="old.html">old</a>'))
    site.build()
    site.write("old", "", stub.format("title-5"))
    site.build()
    site.check_same_as_whole()


@pytest.mark.parametrize("file", ["LICENSE", "notes.md", ".hidden/page.html", "p05.html.md"])
def test_a_file_that_comes_or_goes_is_a_link_to_a_file_or_a_broken_one(tmp_path: Path, file: str) -> None:
    site = Site(tmp_path)
    site.write("p01", site.body(1, f'<a href="{file}">file</a>'))
    site.build()
    (site.site / file).parent.mkdir(exist_ok=True)
    (site.site / file).write_text("<p>A file.</p>")
    site.build()
    site.check_same_as_whole()
    (site.site / file).unlink()
    site.build()
    site.check_same_as_whole()


def test_markdown_beside_a_page_changes_nothing(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.build()
    (site.site / "p01.html.md").write_text("# Page 1")
    assert not site.build().changed


def test_a_stub_that_led_nowhere_gives_its_links_to_the_page_it_leads_to(tmp_path: Path) -> None:
    site = Site(tmp_path)
    (site.site / "foo").mkdir()
    site.write("foo/index", site.body(30))
    site.write("foo", "", '<meta http-equiv="refresh" content="0; url=nowhere.html">')
    site.write("p01", site.body(1, '<a href="foo.html">foo</a>'))
    site.build()
    site.write("foo", "", '<meta http-equiv="refresh" content="0; url=p05.html">')
    site.build()
    site.check_same_as_whole()
