"""Settings of mkdocs.yml that decide where links lead: sources and the site that MkDocs builds give the same findings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.plugin.projects import Project

from trueref_plugin.checking.check import check

pytestmark = pytest.mark.slow

FILES: dict[str, str | bytes] = {
    "index.md": "# Home\n\n[x](secret.md)\n[x](draft.md)\n[x](/guide/page.md#part)\n[x](/guide/gone.md)\n![x](secret.png)\n",
    "guide/page.md": "# Page\n\n## Part\n\n[x](../index.md#home)\n",
    "secret.md": "# Secret\n\nOther pages include this.\n\n[x](gone.md)\n",
    "draft.md": "# Draft\n\n[x](other-draft.md)\n[x](gone.md)\n",
    "other-draft.md": "# Other draft\n",
    "secret.png": b"png",
}
LEFT_OUT = {"exclude_docs": "secret.*\n", "draft_docs": "*draft.md\n"}


def found(project: Project, name: str) -> list[tuple[str, str]]:
    report = check([project.folder / name])
    return sorted((Path(finding.location.file).name, finding.link) for finding in report.findings)


def built(folder: Path, **settings: Any) -> Project:
    project = Project(folder)
    project.write(FILES)
    project.configure(**settings)
    project.run()
    return project


IN_SOURCES = [("draft.md", "gone.md"), ("secret.md", "gone.md")]
IN_SITE = [("index.md", "draft.md"), ("index.md", "secret.md"), ("index.md", "secret.png")]


def test_files_that_are_left_out_of_the_site_are_no_targets(tmp_path: Path) -> None:
    """They are on disk, so that links to them counted as right. A draft still finds another draft."""
    project = built(tmp_path, **LEFT_OUT, validation={"links": {"absolute_links": "relative_to_docs"}})
    in_site = [*IN_SITE, ("index.md", "/guide/gone.md")]
    assert found(project, "site") == sorted(in_site)
    assert found(project, "docs") == sorted([*in_site, *IN_SOURCES])
    reasons = {finding.link: finding.reason for finding in check([project.folder / "docs"]).findings}
    assert reasons["secret.md"] == "mkdocs.yml leaves `secret.md` out of the site (`exclude_docs`, `draft_docs`)."


def test_a_leading_slash_counts_from_the_root_of_the_host_unless_a_setting_says_other(tmp_path: Path) -> None:
    """MkDocs leaves such a link as it is written: no host has a page `/guide/page.md`."""
    project = built(tmp_path, **LEFT_OUT)
    in_site = [*IN_SITE, ("index.md", "/guide/gone.md"), ("index.md", "/guide/page.md#part")]
    assert found(project, "site") == sorted(in_site)
    assert found(project, "docs") == sorted([*in_site, *IN_SOURCES])
