"""The wheel: what it holds, and that it works where nothing of the checkout is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(600)]

PACKAGES = {"trueref", "trueref_core", "trueref_plugin", "trueref_server", "trueref_widget"}
OWN = ("PYTHON", "TRUEREF_", "VIRTUAL_ENV")
MODEL = "trueref_core/models/MiniLM-L6-docs"

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

    def __init__(self, folder: Path, wheel: Path, extra: str = "") -> None:
        self.folder = folder
        venv.create(folder / "env", with_pip=True)
        self.bin = folder / "env" / "bin"
        before = self.size()
        self.run("python", "-m", "pip", "install", "--quiet", f"{wheel}{extra}")
        self.brought = self.size() - before
        """Bytes of all files that the installation has added."""

    def size(self) -> int:
        (packages,) = (self.folder / "env").glob("lib/python*/site-packages")
        return sum(path.stat().st_size for path in packages.rglob("*") if path.is_file())

    def run(self, program: str, *arguments: str) -> str:
        """What the program says on standard output."""
        done = self.finished(program, *arguments)
        assert done.returncode == 0, f"{program} {' '.join(arguments)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def finished(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The program when it has ended, well or not."""
        # Nothing of the developer's own Python may help: not its path, not its user folder.
        environment = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
        environment["HOME"] = str(self.folder)
        return subprocess.run(
            [str(self.bin / program), *arguments],
            cwd=self.folder, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip


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
    return Installed(tmp_path_factory.mktemp("elsewhere"), wheel, "[mkdocs]")


@pytest.fixture(scope="module")
def plain(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """What `pip install trueref` gives, with no extra."""
    return Installed(tmp_path_factory.mktemp("plain"), wheel)


@pytest.fixture(scope="module")
def index(installed: Installed) -> Path:
    """An index that was made elsewhere, as CI copies it."""
    site = installed.folder / "site"
    site.mkdir()
    (site / "index.html").write_text(PAGE, encoding="utf-8")
    installed.run("trueref", "index", "site", "--index", "html-index")
    return installed.folder / "html-index"


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_the_five_packages_and_nothing_else(names: set[str]) -> None:
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES


@pytest.mark.parametrize("package", sorted(PACKAGES - {"trueref_widget"}))
def test_every_package_of_the_wheel_is_marked_as_typed(names: set[str], package: str) -> None:
    assert f"{package}/py.typed" in names


@pytest.mark.parametrize("file", ["model.onnx.gz", "tokenizer.json.gz", "word_vectors.npz.gz"])
def test_the_wheel_brings_the_model(names: set[str], file: str) -> None:
    assert f"{MODEL}/{file}" in names


def test_the_wheel_brings_the_built_widget(names: set[str], root: Path) -> None:
    static = root / "widget" / "trueref_widget" / "static"
    built = {
        f"trueref_widget/static/{path.relative_to(static).as_posix()}" for path in static.rglob("*") if path.is_file()
    }
    assert built
    assert built <= names


@pytest.mark.parametrize("file", ["LICENSE", "NOTICE"])
def test_the_wheel_brings_the_licences(names: set[str], file: str) -> None:
    assert any(name.endswith(f".dist-info/licenses/{file}") for name in names)


def test_the_wheel_has_no_tests_and_no_sources_of_the_widget(names: set[str]) -> None:
    assert [name for name in names if "test" in Path(name).parts[-1].lower() or name.endswith((".ts", ".map"))] == []


def test_the_installed_command_says_the_version_of_the_wheel(installed: Installed, wheel: Path) -> None:
    assert wheel.name.split("-")[1] in installed.run("trueref", "--version")


@pytest.mark.usefixtures("index")
def test_the_installed_command_answers_about_a_folder_of_html(installed: Installed) -> None:
    said = installed.run(
        "trueref", "ask", "How warm must the water for green tea be?", "--json", "--index", "html-index"
    )
    answer = json.loads(said)
    assert "80 degrees" in answer["text"]
    assert answer["sources"][0]["href"] == "#water-temperature"


def test_the_installed_package_is_an_mkdocs_plugin(installed: Installed) -> None:
    project = installed.folder / "project"
    (project / "docs").mkdir(parents=True)
    (project / "docs" / "index.md").write_text(
        "# Kettle\n\n## Descaling\n\nUse lemon juice on Mondays.\n", encoding="utf-8"
    )
    (project / "mkdocs.yml").write_text("site_name: Kettle\nplugins: [search, trueref]\n", encoding="utf-8")
    installed.run("mkdocs", "build", "--config-file", "project/mkdocs.yml")
    said = installed.run("trueref", "search", "descaling with lemon juice", "--json", "--index", "project/.trueref")
    assert "descaling" in said


def test_an_installation_without_extras_is_small(plain: Installed) -> None:
    print(f"pip install trueref brings {plain.brought / 1e6:.1f} MB")
    assert plain.brought < 42_000_000


def test_an_installation_with_the_plugin_is_about_as_large_as_the_quick_start_says(
    installed: Installed, root: Path
) -> None:
    page = (root / "docs" / "quick-start.md").read_text(encoding="utf-8")
    (megabytes,) = re.findall(r"`pip install 'trueref\[mkdocs\]'` \| (\d+) MB", page)
    print(f"pip install 'trueref[mkdocs]' brings {installed.brought / 1e6:.0f} MB")
    # Newer releases of the packages have other sizes: a reader wants to know whether it is 100 MB or 1 GB.
    assert installed.brought / 1e6 == pytest.approx(int(megabytes), rel=0.25)


def test_a_site_is_checked_without_an_extra(plain: Installed) -> None:
    site = plain.folder / "checked"
    site.mkdir()
    (site / "index.html").write_text(PAGE.replace("vinegar", '<a href="#watertemperature">warm</a>'), encoding="utf-8")
    done = plain.finished("trueref", "check", "checked", "--format", "json")
    assert done.returncode == 1, done.stderr
    assert "#water-temperature" in done.stdout


@pytest.mark.parametrize("form", ["json", "inventory", "urls", "llms", "llms-full", "marked-text"])
def test_exports_without_an_extra_are_those_of_the_whole_installation(
    plain: Installed, installed: Installed, index: Path, form: str
) -> None:
    """The very bytes that an installation with the extra writes: of marked text, those of each file."""
    written: dict[str, dict[str, bytes]] = {}
    for name, program in (("plain", plain), ("whole", installed)):
        out = program.folder / f"{form}-{name}"
        # A site without base URL has no addresses: none of these commands may differ in what it says of that.
        done = program.finished("trueref", "export", "--format", form, "-o", str(out), "--index", str(index))
        files = [out] if out.is_file() else sorted(path for path in out.rglob("*") if path.is_file())
        written[name] = {path.name.removesuffix(f"-{name}"): path.read_bytes() for path in files}
        written[name]["said"] = f"{done.returncode} {done.stderr}".replace(str(out), "").encode()
    assert written["plain"] == written["whole"]
    assert len(written["plain"]) > 1 or form in {"urls", "inventory"}


def test_an_index_is_read_without_an_extra(plain: Installed, index: Path) -> None:
    said = plain.run("trueref", "resolve", "/#water-temperature", "--json", "--index", str(index))
    assert json.loads(said)["status"] == "exact"
    assert plain.run("trueref", "path", "/#brewing", "/#cleaning", "--index", str(index))
    assert "html-index" in plain.run("trueref", "info", "--index", str(index))
    renamed = plain.folder / "renamed"
    renamed.mkdir()
    (renamed / "index.html").write_text(PAGE.replace("cleaning", "rinsing"), encoding="utf-8")
    done = plain.finished("trueref", "diff", str(index), "renamed")
    assert "#cleaning" in done.stdout, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [("index", "site"), ("serve",), ("ask", "How warm?"), ("search", "tea"), ("eval", "cases.jsonl")],
    ids=lambda arguments: arguments[0],
)
def test_what_lacks_its_extra_says_in_one_line_which_to_install(plain: Installed, arguments: tuple[str, ...]) -> None:
    done = plain.finished("trueref", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"trueref: `trueref {arguments[0]}` needs the extra `serve`")
    assert line.endswith("pip install 'trueref[serve]'")
    assert plain.run("trueref", arguments[0], "--help")


def test_the_mkdocs_plugin_without_its_extra_names_it(plain: Installed) -> None:
    plain.run("python", "-m", "pip", "install", "--quiet", "mkdocs>=1.6,<2")
    project = plain.folder / "project"
    (project / "docs").mkdir(parents=True)
    (project / "docs" / "index.md").write_text("# Kettle\n", encoding="utf-8")
    (project / "mkdocs.yml").write_text("site_name: Kettle\nplugins: [search, trueref]\n", encoding="utf-8")
    done = plain.finished("mkdocs", "build", "--quiet", "--config-file", "project/mkdocs.yml")
    assert done.returncode == 1
    assert "pip install 'trueref[mkdocs]'" in done.stderr
    assert "Traceback" not in done.stderr
