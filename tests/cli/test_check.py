"""`trueref check` in a process of its own: what it prints where, and how it exits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.running import run
from tests.cli.test_light import HEAVY, loaded_by, running
from tests.plugin.checking.sites import link, zoo


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    return zoo(tmp_path / "site", link("../lion/#mane_of_a_lion") + '<img src="../../assets/zebra.png">')


def test_a_site_without_findings_exits_with_0_and_says_what_was_checked(tmp_path: Path) -> None:
    done = run("check", zoo(tmp_path / "site", '<img src="../../assets/zebra.png">'))
    assert (done.returncode, done.stdout) == (0, "")
    taken = f"trueref: {tmp_path / 'site'} is taken for a built site: 8 pages, 404.html among them.\n"
    assert done.stderr == f"{taken}trueref: 3 links checked: all land. Not checked: 1 to other sites.\n"


def test_findings_are_on_stdout_and_the_rest_on_stderr(broken: Path) -> None:
    done = run("check", "site", cwd=broken.parent)
    assert done.returncode == 1
    assert done.stdout.startswith("site/animals/zebra/index.html:1:")
    assert "missing-anchor: `../lion/#mane_of_a_lion`" in done.stdout
    assert done.stdout.endswith("Write `../lion/#mane-of-a-lion`.\n")
    assert done.stderr.splitlines() == [
        "trueref: site is taken for a built site: 8 pages, 404.html among them.",
        "trueref: 4 links checked: 1 of them does not land. Not checked: 1 to other sites.",
    ]


@pytest.mark.skipif(os.name == "nt", reason="names have no control characters there")
def test_what_is_said_of_a_folder_does_not_reach_the_terminal_as_a_command(tmp_path: Path) -> None:
    done = run("check", zoo(tmp_path / "a\x1b[2Jb"))
    assert "a\\x1b[2Jb is taken for a built site" in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_a_program_can_read_each_form_of_the_findings(broken: Path, form: str) -> None:
    done = run("check", broken, "--format", form)
    assert done.returncode == 1
    assert json.loads(done.stdout)


def test_findings_for_github_are_annotations(broken: Path) -> None:
    assert run("check", "site", "--format", "github", cwd=broken.parent).stdout.startswith("::error file=site/animals")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("check",), "Missing argument"),
        (("check", "gone"), "gone does not exist"),
        (("check", "README.md"), "there is no index of them"),
        (("check", "site", "--manifest", "gone.json"), "The manifest gone.json is not a file"),
        (("check", "site", "--format", "xml"), "'xml' is not one of"),
        (("check", "README.md", "--index", "gone"), "No index at gone"),
    ],
)
def test_a_check_that_cannot_begin_says_why_in_one_line(broken: Path, args: tuple[str, ...], said: str) -> None:
    (broken.parent / "README.md").write_text("[x](y.md)")
    done = run(*args, cwd=broken.parent)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_readme_is_checked_where_mkdocs_is_not_installed(broken: Path) -> None:
    """A project without mkdocs.yml, as the small installation of a Sphinx project finds it."""
    from trueref_plugin.checking.site.built_site import walk_site

    root = broken.parent
    (root / "README.md").write_text("# Zoo\n\n[x](gone.md) [y](site) [z](#zoo) `[c](d.md)`\n")
    (root / "manifest.json").write_bytes(walk_site(broken).manifest.encode())
    for name in ("mkdocs", "markdown"):
        (root / "missing").mkdir(exist_ok=True)
        (root / f"missing/{name}.py").write_text(
            f"raise ModuleNotFoundError('No module named {name!r}', name='{name}')"
        )
    done = subprocess.run(
        [sys.executable, "-m", "trueref", "check", "README.md", "--manifest", "manifest.json"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "missing")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.count("\n")) == (1, 1), done.stderr
    assert done.stdout.startswith("README.md:3:5: missing-page: `gone.md`")


def test_restructured_text_is_said_not_to_be_read(broken: Path) -> None:
    from trueref_plugin.checking.site.built_site import walk_site

    root = broken.parent
    (root / "manifest.json").write_bytes(walk_site(broken).manifest.encode())
    (root / "install.rst").write_text("Install\n=======\n\n`x <gone.html>`_ and :doc:`gone`\n")
    said = (
        "trueref: install.rst is reStructuredText, of which only whole addresses are read. "
        "Build the site and name its folder: `trueref check build/html`."
    )
    done = run("check", "install.rst", "--manifest", "manifest.json", cwd=root)
    assert (done.returncode, done.stderr.splitlines()) == (0, [said, "trueref: No link was checked."])
    done = run("check", "install.rst", cwd=root)
    assert (done.returncode, done.stderr.splitlines()) == (2, [said])


def test_the_environment_names_the_index(broken: Path) -> None:
    (broken.parent / "a.md").write_text("x")
    done = run("check", "a.md", cwd=broken.parent, env={"TRUEREF_INDEX": "elsewhere"})
    assert "No index at elsewhere" in done.stderr


def test_fix_corrects_the_markdown_of_a_built_site(broken: Path) -> None:
    root = broken.parent
    (root / "mkdocs.yml").write_text("site_name: Zoo\n")
    source = root / "docs/animals/zebra.md"
    source.parent.mkdir(parents=True)
    (source.parent / "lion.md").write_text("# Lion\n")
    source.write_text("# Zebra\n\nIts [mane](lion.md#mane_of_a_lion).\n")
    checked = run("check", "site", cwd=root)
    assert checked.stdout.startswith("docs/animals/zebra.md:3:12: missing-anchor: `lion.md#mane_of_a_lion`")
    done = run("check", "site", "--fix", cwd=root)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines()[1:] == [
        "docs/animals/zebra.md:3:12: corrected: `lion.md#mane_of_a_lion` is now `lion.md#mane-of-a-lion`.",
        "trueref: 4 links checked: all land, 1 corrected. Not checked: 1 to other sites.",
    ]
    assert source.read_text() == "# Zebra\n\nIts [mane](lion.md#mane-of-a-lion).\n"


def test_a_check_of_a_site_loads_nothing_heavy(tmp_path: Path) -> None:
    site = zoo(tmp_path / "site", '<img src="../../assets/zebra.png">')
    heavy = set(loaded_by(running("check", str(site)))) - {"trueref_plugin", "trueref_server"}
    assert heavy == set(), HEAVY


def test_help_loads_nothing_heavy() -> None:
    code = f"import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()):\n    exec({running('check', '--help')!r})"
    assert loaded_by(code) == []


def test_the_library_finds_what_the_command_finds(broken: Path) -> None:
    from trueref import check

    report = check([broken])
    assert [finding.kind for finding in report.findings] == ["missing-anchor"]


def test_a_file_that_cannot_be_rendered_is_named_and_the_others_are_checked(broken: Path) -> None:
    from trueref_plugin.checking.site.built_site import walk_site

    root = broken.parent
    extensions = "[{pymdownx.snippets: {check_paths: true}}]"
    (root / "mkdocs.yml").write_text(f"site_name: Zoo\nmarkdown_extensions: {extensions}\n")
    (root / "docs").mkdir()
    (root / "docs/a.md").write_text('--8<-- "gone.txt"\n')
    (root / "docs/b.md").write_text("[x](https://example.org/docs/gone/)\n")
    (root / "manifest.json").write_bytes(walk_site(broken).manifest.encode())
    done = run("check", "docs", "--manifest", "manifest.json", cwd=root)
    assert done.returncode == 2
    assert done.stdout.startswith("docs/b.md:1:5: missing-page")
    assert "docs/a.md cannot be rendered as the site would be" in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["--config", "none.yml"], 2, "There is no configuration at none.yml. "),
        (["--index", "none"], 2, "No index at none. "),
        (["--site", "two"], 0, "site is checked without the site 'two': name the index that has it, --index DIR."),
    ],
)
def test_an_option_that_can_do_nothing_is_not_passed_over(
    tmp_path: Path, args: list[str], code: int, said: str
) -> None:
    """A site without a broken link was checked as if the option was not there."""
    zoo(tmp_path / "site")
    done = run("check", "site", *args, cwd=tmp_path)
    assert (done.returncode, said in done.stderr) == (code, True)
