"""The option `strict` of the MkDocs plugin, in real builds; and the same builds checked from outside."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.plugin.projects import PREFIX, Project, make, previewing
from tests.waiting import wait_until

from trueref_plugin.checking.check import check

pytestmark = pytest.mark.slow

BROKEN = {
    "broken.md": "# Broken\n\nSee [stripes](zebras.md#strips),\n[manes](far/away/lions.md#tails) and [food](zebras.md#food).\n"
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = make(tmp_path, BROKEN)
    made.configure({"strict": True})
    return made


def test_findings_fail_the_build_with_file_and_line(project: Project) -> None:
    said = project.run(code=1)
    assert "2 of them do not land" in said
    assert "docs/broken.md:3:15: missing-anchor: `zebras.md#strips`" in said
    assert "docs/broken.md:4:9: missing-anchor: `far/away/lions.md#tails`" in said
    assert "Traceback" not in said


def test_a_strict_build_of_a_sound_site_succeeds(project: Project) -> None:
    project.write({"broken.md": "# Sound\n\n[stripes](zebras.md#stripes)\n"})
    assert "do not land" not in project.run()


def test_a_strict_build_lists_at_most_twenty_findings(project: Project) -> None:
    project.write({"broken.md": "".join(f"[{number}](zebras.md#x{number}-y-z)\n\n" for number in range(27))})
    said = project.run(code=1)
    assert len(re.findall("missing-anchor", said)) == 20
    assert "and 7 more. `trueref check` lists them all." in said


def test_without_the_option_nothing_is_checked(project: Project) -> None:
    project.configure()
    assert "land" not in project.run()


def test_under_serve_findings_are_warnings(project: Project) -> None:
    project.configure({"strict": True}, site_url="https://example.org/zoo/")
    with previewing(project) as preview:
        wait_until(lambda: (found := preview.get(f"/zoo{PREFIX}/readyz") or preview.get(f"{PREFIX}/readyz")) and found)
        log = preview.log.read_text()
        assert "WARNING" in log
        assert "docs/broken.md:3:15: missing-anchor" in log
        project.write({"broken.md": "# Mended\n\n[stripes](zebras.md#strip)\n"})
        wait_until(lambda: "docs/broken.md:3:11" in preview.log.read_text())
        assert preview.process.poll() is None


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"use_directory_urls": False}])
def test_a_built_site_is_mapped_to_its_sources(
    project: Project, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    project.configure(**options)
    project.run()
    monkeypatch.chdir(project.folder)
    expected = [("docs/broken.md", 3, "zebras.md#strips"), ("docs/broken.md", 4, "far/away/lions.md#tails")]
    found = check(["site"]).findings
    assert [(finding.location.file, finding.location.line, finding.link) for finding in found] == expected
    in_files = check(["docs"]).findings
    assert [(finding.location.file, finding.location.line, finding.link) for finding in in_files] == expected
    assert [finding.correction for finding in in_files] == [finding.correction for finding in found]
    fixed = check(["docs"], fix=True)
    assert [finding.correction for finding in fixed.fixed] == ["zebras.md#stripes"]
    assert "[stripes](zebras.md#stripes)" in (project.folder / "docs/broken.md").read_text()
    project.run()
    assert [finding.link for finding in check(["site"]).findings] == ["far/away/lions.md#tails"]


def test_a_link_that_most_authors_wrote_is_told_for_each(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    same = "# Page\n\n[stripes](zebras.md#strips)\n"
    project.write(dict.fromkeys(("broken.md", "index.md", "a.md", "b.md"), same))
    project.configure()
    project.run()
    monkeypatch.chdir(project.folder)
    found = check(["site"]).findings
    assert [finding.location.file for finding in found] == [f"docs/{name}.md" for name in ("a", "b", "broken", "index")]
    assert [finding.repeated for finding in found] == [0] * 4


def test_a_broken_configuration_leaves_the_lines_of_the_html(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.configure()
    project.run()
    monkeypatch.chdir(project.folder)
    (project.folder / "mkdocs.yml").write_text("markdown_extensions: [no.such.extension]")
    report = check(["site"])
    assert {finding.location.file for finding in report.findings} == {"site/broken/index.html"}
    assert any("no.such.extension" in note for note in report.notes)
