"""What an index knows of pages whose address or head is easily misread: the root of a flat site, a page that reloads."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plugin.small_project import HOME, SETUP, Project

from trueref_core.generations.served_generation import read_manifest
from trueref_core.links.resolve import resolve
from trueref_plugin.checking.check import check


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_page_that_reloads_itself_is_searched(project: Project) -> None:
    reloading = SETUP.replace("</head>", '<meta http-equiv="refresh" content="300; url=setup.html"></head>')
    project.write(index=HOME, setup=reloading).build()
    assert project.searched() == {"", "setup.html"}
    assert resolve(read_manifest(project.index), "setup.html#gone").status == "page-only"


def test_the_root_is_the_index_of_a_site_whose_addresses_are_files(project: Project) -> None:
    for name, html in (("index", HOME), ("setup", SETUP.replace("</p>", ' See <a href="./#home">home</a>.</p>', 1))):
        head = f'<link rel="canonical" href="https://example.org/docs/{name}.html"></head>'
        project.write(**{name: html.replace("</head>", head)})
    project.build()
    manifest = read_manifest(project.index)
    assert [page.page for page in manifest.pages()] == ["index.html", "setup.html"]
    reference = resolve(manifest, "https://example.org/docs/#home")
    assert (reference.status, reference.url) == ("redirected", "https://example.org/docs/index.html#home")
    assert reference.reason.startswith("`/` leads to `index.html`.")
    (readme := project.site.parent / "README.md").write_text("[x](https://example.org/docs/#home)\n")
    assert check([readme], index=project.index, fix=True).findings == ()
    assert readme.read_text() == "[x](https://example.org/docs/#home)\n"
