"""`import trueref`: what a program of its user's may call."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.core.odd_site import manifest

import trueref

PAGE = '<html><body><main><h1 id="top">{0}</h1><p>{0} leads to <a href="{1}">another page</a>.</p></main></body></html>'


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site of two pages in the current folder, of whose links one does not land."""
    folder = tmp_path / "site"
    (folder / "setup").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE.format("Start", "setup/"), encoding="utf-8")
    (folder / "setup" / "index.html").write_text(PAGE.format("Setup", "../nowhere/"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def test_a_published_manifest_resolves_links(tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    file.write_bytes(manifest().encode())
    published = trueref.Manifest.load(file)
    assert isinstance(published, trueref.Manifest)
    assert published.resolve("setup/#setup").status == "exact"
    assert published.resolve("#setup", "setup/").href == "setup/#setup"
    assert published.resolve("nowhere/").status == "unlinked"


@pytest.mark.anyio
async def test_an_index_is_built_opened_and_asked_by_strings(site: Path) -> None:
    report = trueref.index_site("site", index=".trueref", embedder="lexical")
    assert report.generation.counts["pages"] == 2
    index = await trueref.open_index(".trueref")
    try:
        assert [scored.id for scored in await index.search_text("setup", limit=1)]
        assert trueref.resolve(index.manifest, "#top", "setup/").href == "setup/#top"
    finally:
        await index.close()
    assert trueref.read_graph(".trueref").is_section(("setup/", "top"))
    assert [finding.link for finding in trueref.check("site", index=".trueref").findings] == ["../nowhere/"]


@pytest.mark.parametrize("paths", ["site", Path("site"), ["site"], (Path("site"),)])
def test_one_path_is_checked_as_a_list_of_one(site: Path, paths: str | Path | list[str | Path]) -> None:
    """A string is a list of its letters: the first of an absolute path would name all files of the machine."""
    findings = trueref.check(paths).findings
    assert [(finding.location.file, finding.link) for finding in findings] == [("site/setup/index.html", "../nowhere/")]


def test_errors_are_caught_by_one_name(tmp_path: Path) -> None:
    for wrong in (lambda: trueref.read_graph(tmp_path), lambda: trueref.check(tmp_path / "none")):
        with pytest.raises(trueref.TruerefError):
            wrong()
