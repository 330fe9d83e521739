"""Links of sites in several languages, built by MkDocs with mkdocs-static-i18n in both of its structures.

A file without a translation becomes a page in each language, whose links lead to pages of that language.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.plugin.projects import Project

from trueref_core.compare.diff import diff
from trueref_plugin.checking.check import check

pytestmark = pytest.mark.slow

LANGUAGES = [
    {"locale": "en", "name": "English", "default": True, "build": True},
    {"locale": "fr", "name": "Français", "build": True},
]
FILES = {
    ("en", "index.md"): "# Home\n\n[lands](guide/setup.md#install)\n[bad](guide/setup.md#nope)\n",
    ("en", "only.md"): (
        "# Only English\n\n## Part\n\n[lands](guide/brew.md#stir)\n[bad in French](guide/setup.md#install)\n"
        "[bad](#parts)\n"
    ),
    ("en", "guide/setup.md"): "# Setup\n\n## Install\n\n[lands](../only.md#part)\n",
    ("en", "guide/brew.md"): "# Brew\n\n## Stir\n",
    ("fr", "index.md"): (
        "# Accueil\n\n[lands](guide/setup.md#installer)\n[bad](guide/setup.md#install)\n[lands](only.md#part)\n"
        "[bad](only.md#parts)\n"
    ),
    (
        "fr",
        "guide/setup.md",
    ): "# Mise en place\n\n## Installer\n\n[lands](../only.md#part)\n[lands](../index.md#accueil)\n",
    ("fr", "ours.md"): "# La nôtre\n",
}
BROKEN = [
    ("en", "index.md", 4, "guide/setup.md#nope", None),
    ("en", "only.md", 6, "guide/setup.md#install", None),
    ("en", "only.md", 7, "#parts", "#part"),
    ("fr", "index.md", 4, "guide/setup.md#install", None),
    ("fr", "index.md", 6, "only.md#parts", "only.md#part"),
]


def source(structure: str, locale: str, name: str) -> str:
    """The name of a source file in a structure."""
    if structure == "folder":
        return f"{locale}/{name}"
    return name if locale == "en" else name.replace(".md", f".{locale}.md")


@pytest.fixture(params=["suffix", "folder"])
def structure(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def project(structure: str, tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.write({source(structure, *file): text for file, text in FILES.items()})
    options: dict[str, Any] = {"docs_structure": structure, "languages": LANGUAGES}
    project.configure(plugins=["search", {"i18n": options}, {"trueref": {"embedder": "lexical"}}])
    project.run()
    return project


def found(project: Project, folder: Path, *, fix: bool = False) -> list[tuple[str, int, str, str | None]]:
    report = check([folder], fix=fix)
    docs = project.folder / "docs"
    return [
        (Path(item.location.file).relative_to(docs).as_posix(), item.location.line, item.link, item.correction)
        for item in (report.fixed if fix else report.findings)
    ]


def test_sources_and_site_have_the_same_broken_links(project: Project, structure: str) -> None:
    """Links of a translation were taken for links to the default language, in either structure."""
    expected = sorted((source(structure, locale, name), *rest) for locale, name, *rest in BROKEN)
    assert sorted(found(project, project.folder / "docs")) == expected
    assert sorted(found(project, project.site)) == expected
    (project.index).rename(project.folder / "elsewhere")
    assert sorted(found(project, project.site)) == expected


def test_a_correction_lands_on_the_pages_of_all_languages(project: Project, structure: str) -> None:
    """`install` is missing on the French page alone: a correction for it would have broken the English page."""
    fixed = found(project, project.folder / "docs", fix=True)
    assert {link for _, _, link, _ in fixed} == {"#parts", "only.md#parts"}
    project.run()
    assert {link for _, _, link, _ in found(project, project.site)} == {"guide/setup.md#nope", "guide/setup.md#install"}


def test_a_file_of_a_third_language_cannot_be_named(project: Project, structure: str) -> None:
    """The plugin does not find it from the pages of another language, and leaves the link as it is written."""
    project.write({source(structure, "en", "new.md"): "# New\n\n[x](ours.md)\n"})
    project.run()
    found_in_new = [item for item in found(project, project.folder / "docs") if "new.md" in item[0]]
    assert found_in_new == [(source(structure, "en", "new.md"), 3, "ours.md", None)]


def test_a_renamed_page_is_found_again_in_each_language(project: Project, structure: str) -> None:
    """The page has the same content in both languages, so that none of them counted as the one that was renamed."""
    before = project.manifest
    for name in ("en", "fr"):
        index = project.folder / "docs" / source(structure, name, "index.md")
        index.write_text(index.read_text().replace("only.md", "sole.md"))
    for name in ("only.md", "guide/setup.md"):
        path = project.folder / "docs" / source(structure, "en", name)
        path.write_text(path.read_text().replace("only.md", "sole.md"))
        path.rename(path.with_name(path.name.replace("only", "sole")))
    project.run()
    moved = [
        (change.page, change.successor and change.successor.page)
        for change in diff(before, project.manifest).changes
        if change.change == "moved"
    ]
    assert moved == [("fr/only/", "fr/sole/"), ("only/", "sole/")]
