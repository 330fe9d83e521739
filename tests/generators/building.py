"""Builds the sites of `tests/sites/` with the generators themselves, each in a process of its own.

The pages of `tests/sites/hive/` are in all of them; what a folder beside it holds is added to them, or replaces them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.preloaded import programs

SITES: Final = Path(__file__).parent.parent / "sites"
MIKE: Final = "from mike.driver import main; main()"
"""It has no module to run, and its command may be of another environment."""


def run(*command: str, folder: Path) -> str:
    """Runs a generator to its end, without anything of this machine that changes what is built; gives what it said."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TRUEREF_", "GIT_"))}
    variables = {
        "NO_MKDOCS_2_WARNING": "1",
        # mike starts the generator by its name.
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "Tests"),
        **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "tests@example.org"),
    }
    if command[0] == "mkdocs":
        # It is loaded already.
        done = programs().run("mkdocs", [*command[1:]], env=kept | variables, cwd=folder, is_one_output=True)
    else:
        outputs: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        done = subprocess.run(command, cwd=folder, env=kept | variables, text=True, check=False, **outputs)
    assert done.returncode == 0, done.stdout
    return done.stdout


def gather(name: str, project: Path, docs: str, pages: tuple[str, ...]) -> Path:
    """A project with the shared pages and its own files; `docs` is its folder of pages."""
    (project / docs).mkdir(parents=True)
    for page in pages:
        shutil.copy(SITES / "hive" / page, project / docs / page)
    shutil.copytree(SITES / name, project, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    return project


ALL: Final = ("index.md", "install.md", "visits.md", "settings.md", "changelog.md")


def _material(folder: Path) -> Path:
    project = gather("material", folder, "docs", ALL)
    shutil.copy(SITES / "hive" / "hivenotes.py", project)
    run("mkdocs", "build", "--quiet", folder=project)
    return project / "site"


def _i18n(folder: Path) -> Path:
    project = gather("i18n", folder, "docs", ("index.md", "install.md", "visits.md", "settings.md"))
    run("mkdocs", "build", "--quiet", folder=project)
    return project / "site"


def _mike(folder: Path) -> Path:
    """Two versions on the branch that mike keeps, and that branch checked out: what a host publishes."""
    project = gather("mike", folder, "docs", ("index.md", "install.md", "settings.md", "visits.md"))
    run("git", "init", "--quiet", "--initial-branch", "main", folder=project)
    run("git", "commit", "--quiet", "--allow-empty", "--message", "Begin", folder=project)
    settings = project / "docs" / "settings.md"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("reminder_days` | `10`", "reminder_days` | `14`"), encoding="utf-8")
    run(sys.executable, "-c", MIKE, "-q", "deploy", "1.0", folder=project)
    settings.write_text(text, encoding="utf-8")
    run(sys.executable, "-c", MIKE, "-q", "deploy", "--update-aliases", "2.1", "latest", folder=project)
    run(sys.executable, "-c", MIKE, "-q", "set-default", "latest", folder=project)
    run("git", "worktree", "add", "--quiet", "published", "gh-pages", folder=project)
    return project / "published"


def _properdocs(folder: Path) -> Path:
    project = gather("properdocs", folder, "docs", ("index.md", "install.md", "visits.md", "settings.md"))
    run(sys.executable, "-m", "properdocs", "build", "--quiet", folder=project)
    return project / "site"


def _zensical(folder: Path) -> Path:
    project = gather("zensical", folder, "docs", ("index.md", "install.md", "visits.md", "settings.md"))
    (project / "docs" / "extras").mkdir()
    shutil.copy(SITES / "material" / "docs" / "extras" / "index.md", project / "docs" / "extras")
    run(sys.executable, "-m", "zensical", "build", folder=project)
    return project / "site"


def _furo(folder: Path) -> Path:
    project = gather("furo", folder, ".", ("install.md", "visits.md", "settings.md", "hivenotes.py"))
    run(sys.executable, "-m", "sphinx", "-q", "-b", "html", ".", "site", folder=project)
    return project / "site"


def _vitepress(_folder: Path) -> Path:
    # Its build needs Node and a hundred packages: `scripts/make_sites.py` makes what is committed.
    return SITES / "vitepress" / "site"


BUILDS: Final[dict[str, Callable[[Path], Path]]] = {
    "material": _material,
    "i18n": _i18n,
    "mike": _mike,
    "properdocs": _properdocs,
    "zensical": _zensical,
    "furo": _furo,
    "vitepress": _vitepress,
}
"""By the name of the site: builds it in an empty folder, and gives the folder of the HTML."""
