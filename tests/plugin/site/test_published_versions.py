"""What a folder tells of the versions in it, without any page being read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.work import is_linear

from trueref_plugin.reading.parsed import Head
from trueref_plugin.site.published_versions import PublishedVersions

FILES = ("index.html", "1/a/index.html", "2/a/index.html", "2/b.html", "new/a/index.html", "new/c.html")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("<title>T</title>")
    listed = [{"version": "2", "title": "Two", "aliases": ["new"]}, {"version": "1", "title": "1"}]
    (tmp_path / "versions.json").write_text(json.dumps(listed))
    return tmp_path


def test_the_version_of_a_page_is_that_of_its_folder(site: Path) -> None:
    versions = PublishedVersions(site, [])
    assert [versions.version_of(file, Head()) for file in FILES] == ["", "1", "2", "2", "2", "2"]
    assert [versions.root_of(file) for file in FILES] == ["", "1", "2", "2", "new", "new"]


def test_pages_of_an_alias_have_its_version_where_the_folder_of_the_version_is_not_there(site: Path) -> None:
    (site / "versions.json").write_text('[{"version": "9", "aliases": ["new"]}]')
    versions = PublishedVersions(site, [])
    assert (versions.version_of("new/c.html", Head()), versions.root_of("new/c.html")) == ("9", "new")


def test_copies_are_known_by_the_page_they_are_copies_of(site: Path) -> None:
    pages = {"new/a/": "new/a/index.html", "new/c.html": "new/c.html", "2/a/": "2/a/index.html", "": "index.html"}
    assert PublishedVersions(site, []).copies(pages) == {"new/a/": "/2/a/"}


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "device"])
def test_lists_that_are_no_files_are_not_read(site: Path, make: Callable[[Path], None]) -> None:
    """A pipe was waited for without end, and a device filled the memory."""
    (site / "versions.json").unlink()
    make(site / "versions.json")
    assert PublishedVersions(site, []).version_of("2/b.html", Head()) == ""


def test_a_version_that_is_told_twice_is_that_of_the_folder(site: Path) -> None:
    (site / "_static").mkdir()
    (site / "_static" / "documentation_options.js").write_text("const X = {\n    VERSION: '9.9',\n}")
    versions = PublishedVersions(site, [])
    assert (
        versions.version_of("2/b.html", Head(generator="Sphinx")),
        versions.version_of("c/d/e.html", Head(generator="Sphinx")),
    ) == ("2", "9.9")
    # Another generator's file of that name says nothing.
    assert versions.version_of("c/d/e.html", Head(generator="mkdocs-1.6.1")) == ""


@pytest.mark.parametrize("piece", ["VERSION: '", "VERSION: 'a", ".dev1", "VERSION", "VERSION: 'x\n"])
def test_a_version_in_a_long_file_is_found_in_linear_time(site: Path, piece: str) -> None:
    (site / "_static").mkdir()

    def read(text: str) -> str:
        (site / "_static" / "documentation_options.js").write_text(text)
        return PublishedVersions(site, []).version_of("index.html", Head(generator="Sphinx"))

    assert is_linear(read, piece, longest=900_000)


def tagged(docs: str, *versions: str) -> list[Head]:
    return [Head(docs=docs, version=version) for version in versions]


def test_docs_of_docusaurus_without_versions_have_none(tmp_path: Path) -> None:
    """Docusaurus calls the only version `current` too, and readers of versioned docs would never see such pages."""
    manual, community = tagged("docs-default", "current", "2.0"), tagged("docs-community", "current", "current")
    versions = PublishedVersions(tmp_path, [*manual, *community, Head(), Head(version="7")])
    assert [versions.version_of("a.html", head) for head in manual] == ["current", "2.0"]
    assert [versions.version_of("a.html", head) for head in community] == ["", ""]
    assert versions.version_of("a.html", Head(version="7")) == "7"
    alone = tagged("docs-default", "1.4")
    assert PublishedVersions(tmp_path, alone).version_of("a.html", alone[0]) == "1.4"
