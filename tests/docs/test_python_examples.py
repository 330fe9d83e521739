"""The Python examples of the docs run, on a small site that was built and indexed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.test_docs import examples

from trueref_plugin.build.build import index_site

PAGE = '<html><body><main><h1 id="{id}">{title}</h1><p>{text}</p></main></body></html>'


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the site `site`, its manifest in it, and one link that does not land."""
    folder = tmp_path_factory.mktemp("project")
    colors = folder / "site" / "setup" / "colors"
    colors.mkdir(parents=True)
    (colors / "index.html").write_text(
        PAGE.format(id="palette", title="Palette", text="Name a color."), encoding="utf-8"
    )
    (folder / "site" / "index.html").write_text(
        PAGE.format(id="start", title="Start", text='See <a href="setup/colors/#hues">the hues</a>.'), encoding="utf-8"
    )
    index_site(folder / "site", index=folder / ".trueref", embedder="lexical", exports=["manifest"])
    return folder


def run(code: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """The names that an example leaves, run in the folder of the project."""
    monkeypatch.chdir(project)
    names: dict[str, object] = {"__name__": "__main__"}
    exec(compile(code, "example", "exec"), names)
    return names


@pytest.mark.parametrize(("where", "code"), examples("python"))
def test_examples_in_the_docs_run(where: str, code: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that use Trueref, and the lines of a `conf.py`, which is a program too."""
    run(code, project, monkeypatch)


def example(page: str) -> str:
    """The program of a page that uses Trueref."""
    (code,) = [code for where, code in examples("python") if where == f"docs/{page}" and "trueref import" in code]
    return code


def test_the_example_of_a_check_prints_what_does_not_land(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(example("check.md"), project, monkeypatch)
    assert capsys.readouterr().out.startswith("site/index.html 1 `setup/colors/#hues`: ")


def test_the_example_of_a_manifest_resolves_its_link(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = run(example("exports.md"), project, monkeypatch)["reference"]
    assert getattr(reference, "href", None) == "setup/colors/#palette"


def test_the_manifests_in_the_examples_of_a_check_are_where_a_build_writes_them(project: Path, root: Path) -> None:
    text = (root / "docs/check.md").read_text(encoding="utf-8")
    published = re.findall(r"--manifest https://[^/\s]+/(\S+)", text)
    beside = re.findall(r"--manifest \.\./api/(\S+)", text)
    assert published
    assert beside
    assert all((project / "site" / path).is_file() for path in published)
    assert all((project / path).is_file() for path in beside)
