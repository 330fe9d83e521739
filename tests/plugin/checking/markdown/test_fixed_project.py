"""`trueref check --fix` on a project that a real MkDocs builds: its site, its sources, and both at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.running import run
from tests.plugin.projects import Project, make

LIONS = "far/away/lions"
SOURCE = f"""# Zebras

See <a href='../{LIONS}/#mane'>one</a> and <a class='x' href = '../{LIONS}/#mane' title="it's">two</a>.

<A HREF='../{LIONS}/#mane'>three</A>, <a href="../{LIONS}/#mane">four</a>, <a href=../{LIONS}/#mane>five</a>.

<div title='a > b'><a
  href='../{LIONS}/#lions_roar'>six</a></div>

| A | B |
|---|---|
| <a href='../{LIONS}/#mane'>seven</a> | [eight]({LIONS}.md#mane) |

[nine]({LIONS}.md#mane 'a title'), and in code: `<a href='../{LIONS}/#mane'>`, `[x]({LIONS}.md#mane)`.

    <a href='../{LIONS}/#mane'>code</a>

<!-- <a href='../{LIONS}/#mane'>no link</a> -->
"""
FIXED = (
    SOURCE.replace("/#mane'>code", "/#MANE'>code")
    .replace("/#mane'>no link", "/#MANE'>no link")
    .replace("/#mane'>`", "/#MANE'>`")
    .replace("md#mane)`", "md#MANE)`")
    .replace("#mane", "#manes")
    .replace("#MANE", "#mane")
    .replace("#lions_roar", "#lion%27s-roar")
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    lions = '# Lions\n\n## Manes\n\nThey darken.\n\n<h2 id="lion\'s-roar">Roar</h2>\n\nLoud.\n'
    made = make(tmp_path, {f"{LIONS}.md": lions, "zebras.md": SOURCE})
    made.configure(markdown_extensions=["tables", "md_in_html"], site_url="https://docs.example.org/animals/")
    made.run()
    return made


@pytest.mark.long
@pytest.mark.parametrize("paths", [("site",), ("docs",), ("site", "docs"), ("docs", "site"), ("docs", "docs")])
def test_checks_of_site_and_sources_in_any_order_correct_the_same(project: Project, paths: tuple[str, ...]) -> None:
    checked = run("check", *paths, "--format", "json", cwd=project.folder)
    assert checked.returncode == 1
    findings = json.loads(checked.stdout)["findings"]
    lines = [(found["file"], found["line"]) for found in findings]
    assert lines == [("docs/zebras.md", line) for line in (3, 3, 5, 5, 5, 8, 12, 12, 14)]
    done = run("check", *paths, "--fix", cwd=project.folder)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "9 corrected" in done.stderr
    assert (project.folder / "docs/zebras.md").read_text() == FIXED
    project.run()
    again = run("check", "site", "docs", "--fix", cwd=project.folder)
    assert (again.returncode, again.stdout) == (0, "")
    assert "all land" in again.stderr
    assert (project.folder / "docs/zebras.md").read_text() == FIXED


@pytest.mark.long
def test_a_mistyped_page_is_corrected_and_named_as_its_author_writes_it(project: Project) -> None:
    project.write({"zebras.md": f"# Zebras\n\nSee [one]({LIONS[:-1]}.md#manes), [two](far/away/lionesses.md).\n"})
    project.run()
    done = run("check", "docs", "--fix", cwd=project.folder)
    assert f"docs/zebras.md:3:11: corrected: `{LIONS[:-1]}.md#manes` is now `{LIONS}.md#manes`." in done.stderr
    assert done.stdout.startswith("docs/zebras.md:3:42: missing-page: `far/away/lionesses.md`")
    assert done.stdout.endswith(f"The closest is `{LIONS}.md`.\n")
    written = f"# Zebras\n\nSee [one]({LIONS}.md#manes), [two](far/away/lionesses.md).\n"
    assert (project.folder / "docs/zebras.md").read_text() == written


@pytest.mark.long
def test_a_site_that_is_older_than_its_corrected_sources_is_said_to_be(project: Project) -> None:
    before = run("check", "site", cwd=project.folder)
    assert "is older than its sources" not in before.stderr
    assert run("check", "site", "--fix", cwd=project.folder).returncode == 0
    again = run("check", "site", cwd=project.folder)
    assert again.returncode == 1
    assert again.stdout.startswith("site/zebras/index.html:")
    assert again.stderr.splitlines()[1] == (
        "trueref: site is older than its sources: docs/zebras.md changed since and may have these links corrected. "
        "Build it again: `mkdocs build`."
    )
    project.run()
    assert run("check", "site", cwd=project.folder).returncode == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        ("<a href='../{}/?q=&#39;a&#39;&amp;b=1#mane'>x</a>", "<a href='../{}/?q=%27a%27&b=1#manes'>x</a>"),
        ('<a href="../{}/?q=&quot;a b&quot;#mane">x</a>', '<a href="../{}/?q=%22a%20b%22#manes">x</a>'),
        ('<a href="../{}/?q=a&gt;b#mane">x</a>', '<a href="../{}/?q=a%3Eb#manes">x</a>'),
        ("<a href='../{}/?a=1&amp;copy;=2#mane'>x</a>", "<a href='../{}/?a=1&amp;copy;=2#manes'>x</a>"),
        ("<a href='../far&#47;away/lions/#mane'>x</a>", "<a href='../{}/#manes'>x</a>"),
    ],
)
def test_what_is_written_as_an_entity_never_ends_the_attribute(project: Project, written: str, fixed: str) -> None:
    project.write({"zebras.md": f"# Zebras\n\nSee {written.format(LIONS)}.\n"})
    project.run()
    assert run("check", "site", "docs", "--fix", cwd=project.folder).returncode == 0
    assert (project.folder / "docs/zebras.md").read_text() == f"# Zebras\n\nSee {fixed.format(LIONS)}.\n"
