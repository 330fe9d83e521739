"""The wheel: what it holds, and that it works where nothing of the checkout is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

PACKAGES = {"trueref", "trueref_core", "trueref_plugin", "trueref_server", "trueref_widget"}
OWN = ("PYTHON", "TRUEREF_", "VIRTUAL_ENV")
MODEL = "trueref_core/models/all-MiniLM-L6-v2"

PAGE = """\
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Brewing</title></head><body><main>
<h1 id="brewing">Brewing</h1><p>Everything about the tea machine.</p>
<h2 id="water-temperature">Water temperature</h2>
<p>Green tea wants water of 80 degrees. Set it with the option <code>--degrees 80</code> before the first cup.</p>
<h2 id="cleaning">Cleaning</h2><p>Rinse the tank with vinegar once a month.</p>
</main></body></html>
"""


class Installed:
    """A clean environment with the wheel in it, and a folder outside the checkout to work in."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        venv.create(folder / "env", with_pip=True)
        self.bin = folder / "env" / "bin"
        self.run("python", "-m", "pip", "install", "--quiet", f"{wheel}[mkdocs]")

    def run(self, program: str, *arguments: str) -> str:
        """What the program says on standard output."""
        # Nothing of the developer's own Python may help: not its path, not its user folder.
        environment = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
        environment["HOME"] = str(self.folder)
        done = subprocess.run(
            [str(self.bin / program), *arguments],
            cwd=self.folder, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{program} {' '.join(arguments)}\n{done.stdout}\n{done.stderr}"
        return done.stdout


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution, so that both are whole."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = out.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("elsewhere"), wheel)


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_holds_the_five_packages_and_nothing_else(names: set[str]) -> None:
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES


@pytest.mark.parametrize("package", sorted(PACKAGES - {"trueref_widget"}))
def test_is_marked_as_typed(names: set[str], package: str) -> None:
    assert f"{package}/py.typed" in names


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_brings_the_model(names: set[str], file: str) -> None:
    assert f"{MODEL}/{file}" in names


def test_brings_the_built_widget(names: set[str], root: Path) -> None:
    static = root / "widget" / "trueref_widget" / "static"
    built = {
        f"trueref_widget/static/{path.relative_to(static).as_posix()}" for path in static.rglob("*") if path.is_file()
    }
    assert built
    assert built <= names


@pytest.mark.parametrize("file", ["LICENSE", "NOTICE"])
def test_brings_the_licences(names: set[str], file: str) -> None:
    assert any(name.endswith(f".dist-info/licenses/{file}") for name in names)


def test_leaves_tests_and_sources_of_the_widget_at_home(names: set[str]) -> None:
    assert [name for name in names if "test" in Path(name).parts[-1].lower() or name.endswith((".ts", ".map"))] == []


def test_says_its_version(installed: Installed, wheel: Path) -> None:
    assert wheel.name.split("-")[1] in installed.run("trueref", "--version")


def test_answers_about_a_folder_of_html(installed: Installed) -> None:
    site = installed.folder / "site"
    site.mkdir()
    (site / "index.html").write_text(PAGE, encoding="utf-8")
    installed.run("trueref", "index", "site", "--index", "html-index")
    said = installed.run(
        "trueref", "ask", "How warm must the water for green tea be?", "--json", "--index", "html-index"
    )
    answer = json.loads(said)
    assert "80 degrees" in answer["text"]
    assert answer["sources"][0]["href"] == "#water-temperature"


def test_is_an_mkdocs_plugin(installed: Installed) -> None:
    project = installed.folder / "project"
    (project / "docs").mkdir(parents=True)
    (project / "docs" / "index.md").write_text(
        "# Kettle\n\n## Descaling\n\nUse lemon juice on Mondays.\n", encoding="utf-8"
    )
    (project / "mkdocs.yml").write_text("site_name: Kettle\nplugins: [search, trueref]\n", encoding="utf-8")
    installed.run("mkdocs", "build", "--config-file", "project/mkdocs.yml")
    said = installed.run("trueref", "search", "descaling with lemon juice", "--json", "--index", "project/.trueref")
    assert "descaling" in said
