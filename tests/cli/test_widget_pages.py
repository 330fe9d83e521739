"""`trueref index --widget`: the widget on the pages of a generator that no plugin runs in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.cli.running import run

from trueref_core.generations.served_generation import read_generation
from trueref_widget import FILES

PAGES = {
    "index.html": "<!doctype html><title>Tea</title><body><main><h1 id=tea>Tea</h1><p>Hot.</p></main></body>",
    "guide/cups.html": "<!doctype html><title>Cups</title><body><main><h1 id=cups>Cups</h1><p>Blue.</p></main></body>",
    "404.html": "<!doctype html><title>Gone</title><body><main><h1>Gone</h1></main></body>",
}
REDIRECT = '<!doctype html><meta http-equiv="refresh" content="0; url=guide/cups.html"><body></body>'
BYTES = b"<!doctype html><title>Caf\xe9</title><body><main><h1 id=cafe>Caf\xe9</h1></main></body>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, html in PAGES.items():
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(html)
    (tmp_path / "site" / "old.html").write_text(REDIRECT)
    (tmp_path / "site" / "latin.html").write_bytes(BYTES)
    return tmp_path / "site"


def put(site: Path, *args: str) -> str:
    done = run("index", site, "--index", site.with_name("index"), "--embedder", "lexical", *args)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_the_widget_is_put_on_every_page_and_asks_the_server(site: Path) -> None:
    said = put(site, "--widget", "https://ask.example.org/_trueref", "--base-url", "https://docs.example.org/tea/")
    assert "The widget was put on 4 pages.\n" in said
    for name, base in {"index.html": "./", "guide/cups.html": "../", "404.html": "/tea/"}.items():
        page = (site / name).read_text()
        assert f'<trueref-chat server="https://ask.example.org/_trueref" base="{base}">' in page, name
        assert f'src="{base}assets/trueref/trueref.js"' in page, name
        assert page.startswith(PAGES[name].partition("</body>")[0]), name
    assert (site / "old.html").read_text() == REDIRECT
    assert (site / "latin.html").read_bytes().startswith(BYTES.partition(b"</body>")[0])
    assert {path.name for path in (site / "assets/trueref").iterdir()} >= set(FILES)


def test_a_second_run_changes_nothing_and_another_server_is_asked_when_told(site: Path) -> None:
    put(site, "--widget", "/_trueref")
    before = {path: path.read_bytes() for path in site.rglob("*.html")}
    said = put(site, "--widget", "/_trueref")
    assert "The widget was put on 0 pages. 4 had it already." in said
    assert "Index unchanged" in said
    assert {path: path.read_bytes() for path in site.rglob("*.html")} == before
    (site / "new.html").write_text(PAGES["index.html"])
    (site / "guide/cups.html").write_text(PAGES["guide/cups.html"])
    assert "The widget was put on 2 pages. 3 had it already." in put(site, "--widget", "/_trueref")
    said = put(site, "--widget", "none")
    written = len(list((site / "assets/trueref/search").iterdir()))
    assert said.splitlines()[-1] == f"Wrote {written} files into {site}: assets/trueref/search/."
    assert '<trueref-chat server="" base="./">' in (site / "index.html").read_text()


def test_what_is_no_file_of_the_site_gets_no_widget(site: Path) -> None:
    """A link to nothing, which a copy of a site may have, kept the widget from all of its pages."""
    os.mkfifo(site / "pipe.html")
    (site / "gone.html").symlink_to("nowhere.html")
    (site / "\x1b[31m.html").write_text(PAGES["index.html"])
    done = run("index", site, "--index", site.with_name("index"), "--widget", "none", "--exports", "markdown")
    assert done.returncode == 1
    assert "pipe.html was left out: it cannot be opened (it is a pipe, a socket or a device)." in done.stderr
    assert "gone.html was left out: it cannot be opened (No such file or directory)." in done.stderr
    assert "The widget was put on 5 pages." in done.stderr
    assert r"\x1b[31m.html.md" in done.stderr
    assert "\x1b" not in done.stderr


def test_without_a_server_the_files_that_answer_are_written(site: Path) -> None:
    said = put(site, "--widget", "none", "--exports", "urls", "--base-url", "https://docs.example.org/")
    assert (site / "assets/trueref/search/index.json").is_file()
    assert (site / "assets/trueref/urls.txt").is_file()
    assert "Wrote " in said


def test_without_a_server_nothing_is_embedded_unless_told(site: Path) -> None:
    """The first build of a static site takes seconds; its widget could not use vectors."""
    options = ("index", site, "--index", site.with_name("index"), "--widget", "none")
    done = run(*options)
    assert "If a server is to answer from this index as well, give --embedder bundled." in done.stderr
    assert not read_generation(site.with_name("index")).vectors
    done = run(*options, "--embedder", "bundled")
    assert "Nothing is embedded" not in done.stderr
    assert read_generation(site.with_name("index")).vectors


@pytest.mark.parametrize("address", ["ftp://ask.example.org", "ask.example.org", ""])
def test_an_address_that_no_page_can_ask_is_refused_and_changes_no_page(site: Path, address: str) -> None:
    done = run("index", site, "--index", site.with_name("index"), "--widget", address)
    assert done.returncode == 2
    assert "is not an address like" in done.stderr
    assert (site / "index.html").read_text() == PAGES["index.html"]


def test_pages_stay_as_they_are_without_the_option(site: Path) -> None:
    put(site)
    assert (site / "index.html").read_text() == PAGES["index.html"]
    assert not (site / "assets").exists()
