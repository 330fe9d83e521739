"""Follows the docs as four newcomers do, command by command, and measures how long each step takes until a link lands.

    python -m scripts.first_hour FOLDER serve sphinx docusaurus [material --project PROJECT]

Each walk begins in a new folder within FOLDER, with a clone of this checkout and its own Python environment. PROJECT is
a MkDocs project with a `requirements.txt`. A maintainer already has a site that can be built, so the site is made
before the time is measured. The time in which a person reads and types is not included. Needs git, make, a network for
pip and npm, Node.js 20 for Docusaurus, a Chromium (`TRUEREF_BROWSER`, or one that `ensure_browser.py` finds), and port
8000.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from scripts.arguments import existing, parser_of
from scripts.ensure_browser import find
from tests.e2e.browsing import Reader, launched

ROOT: Final = Path(__file__).resolve().parent.parent
ORIGIN: Final = "http://127.0.0.1:8000"
SECONDS_TO_SERVE: Final = 1200

SPHINX: Final = {
    "docs/conf.py": 'project = "Kettle"\nhtml_theme = "furo"\n',
    "docs/index.rst": "Kettle\n======\n\nBoils water.\n\n.. toctree::\n\n   usage\n",
    "docs/usage.rst": "Usage\n=====\n\nSet the temperature\n-------------------\n\n"
    "The option ``--temperature`` sets the temperature in degrees Celsius. The default is 100.\n",
}


@dataclass(frozen=True, slots=True)
class Walk:
    """The steps of a newcomer.

    Attributes:
        question: The question that is asked in the end.
        serve: The command that serves the site, as the docs write it. It runs until it is stopped.
        steps: The commands before, as the docs write them.
        prepare: The commands that make the site which a maintainer already has.
        edit: Adds the plugin to the configuration of the site.
        folder: The folder in which the commands are run, below that of the walk.
    """

    question: str
    serve: str
    steps: tuple[str, ...] = ()
    prepare: tuple[str, ...] = ()
    edit: Callable[[Path], None] | None = None
    folder: str = "site"


def add_to_mkdocs(site: Path) -> None:
    """Adds the plugin to `mkdocs.yml`, after the other plugins."""
    file = site / "mkdocs.yml"
    edited_config = re.sub(
        r"^plugins:\n((?:[ #-].*\n|\n(?=[ -]))+)", r"plugins:\n\1  - trueref\n", file.read_text("utf-8"), flags=re.M
    )
    file.write_text(edited_config, "utf-8")


def add_to_docusaurus(site: Path) -> None:
    """Adds the plugin to `docusaurus.config.js`, before the presets."""
    file = site / "docusaurus.config.js"
    plugin = 'plugins: [["docusaurus-plugin-trueref", { serverUrl: "/_trueref" }]],\n  presets:'
    file.write_text(file.read_text("utf-8").replace("presets:", plugin, 1), "utf-8")


WALKS: Final = {
    "serve": Walk("How do I change the label of the button?", "make serve", folder="trueref"),
    "sphinx": Walk(
        "how do I set the water temperature?",
        "python3 -m http.server --directory build/html",
        (
            "pip install sphinx furo 'trueref[serve]'",
            "sphinx-build -b html docs build/html",
            "trueref index build/html --widget none --base-url https://docs.example.org/",
        ),
    ),
    "docusaurus": Walk(
        "how do I add a blog post?",
        "trueref serve --site build",
        (
            "npm --prefix ../trueref/plugin/docusaurus ci",
            "npm pack ../trueref/plugin/docusaurus",
            "npm install ./docusaurus-plugin-trueref-0.1.0.tgz",
            "pip install 'trueref[serve]'",
            "npm run build",
        ),
        ("npx --yes create-docusaurus@3.10 . classic --javascript --skip-install", "npm install"),
        add_to_docusaurus,
    ),
    "material": Walk(
        "How do I enable dark mode with a toggle?",
        "mkdocs serve",
        ("pip install 'trueref[mkdocs]'",),
        ("pip install -r requirements.txt",),
        add_to_mkdocs,
    ),
}


class Newcomer:
    """A walk in its own folder.

    Args:
        folder: The folder of the walk, which is made.
        walk: The steps.
    """

    def __init__(self, folder: Path, walk: Walk) -> None:
        self.walk = walk
        self.site = folder / walk.folder
        if folder.exists():
            raise SystemExit(f"{folder} exists. Delete it, or name another folder: a walk begins in one of its own.")
        folder.mkdir(parents=True)
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "trueref")], check=True)
        self.site.mkdir(exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
        # The shell that runs this script may have variables that a newcomer does not have: `VIRTUAL_ENV`, `TRUEREF_*`.
        inherited = {name: os.environ[name] for name in os.environ if not name.startswith(("TRUEREF_", "VIRTUAL_ENV"))}
        path = f"{folder / 'env' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        # `make serve` should find the Python of the system, and not that of an environment.
        self.environment = inherited if walk.folder == "trueref" else {**inherited, "PATH": path}

    def run(self, command: str) -> None:
        """Runs a command. It installs Trueref from the clone, as docs/install.md says to do before a release."""
        command = command.replace("'trueref[", "'../trueref[")
        completed = subprocess.run(
            ["bash", "-c", command], cwd=self.site, env=self.environment, capture_output=True, text=True, check=False
        )
        if completed.returncode:
            sys.exit(f"{command}\n{completed.stdout[-2000:]}{completed.stderr[-2000:]}")

    @contextmanager
    def serving(self) -> Generator[None]:
        """Runs the command that serves, and waits until it serves pages. Stops all of its processes afterwards."""
        log = (self.site.parent / "serve.log").open("wb")
        with log:
            server = subprocess.Popen(
                ["bash", "-c", f"exec {self.walk.serve}"],
                cwd=self.site,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            try:
                deadline = time.monotonic() + SECONDS_TO_SERVE
                while not _answers() and time.monotonic() < deadline and server.poll() is None:
                    time.sleep(0.2)
                if not _answers() or server.poll() is not None:
                    sys.exit(f"{self.walk.serve}: see {log.name}")
                yield
            finally:
                os.killpg(server.pid, signal.SIGTERM)
                server.wait(60)


def _answers() -> bool:
    """Whether a server answers at `ORIGIN`."""
    with suppress(OSError), urlopen(ORIGIN, timeout=30) as response:
        return bool(response.status == 200)
    return False


def ask(question: str, browser_path: str) -> str:
    """Asks in a browser, follows the first link, and returns the address where it landed."""
    with launched(browser_path) as browser:
        reader = Reader(browser, ORIGIN)
        reader.goto("")
        reader.open()
        href = reader.follow(reader.places(reader.ask(question)).first)
        if not reader.landed()["found"]:
            sys.exit(f"{href} does not land.")
        return href


def run_walk(name: str, folder: Path, project: Path | None, browser_path: str) -> None:
    """Prepares and runs one walk, and prints its steps with their seconds."""
    walk = WALKS[name]
    if _answers():
        sys.exit(f"Something answers at {ORIGIN} already.")
    newcomer = Newcomer(folder / name, walk)
    if name == "material":
        assert project is not None
        shutil.copytree(project, newcomer.site, dirs_exist_ok=True)
    if name == "sphinx":
        (newcomer.site / "docs").mkdir()
        for path, text in SPHINX.items():
            (newcomer.site / path).write_text(text, "utf-8")
    for command in walk.prepare:
        newcomer.run(command)
    print(f"{name}, load {os.getloadavg()[0]:.1f}", flush=True)
    started = last_step_at = time.monotonic()

    def print_step(step: str) -> None:
        nonlocal last_step_at
        last_step_at, before = time.monotonic(), last_step_at
        print(f"  {last_step_at - before:6.1f} s  {step}", flush=True)

    if walk.edit is not None:
        walk.edit(newcomer.site)
    for command in walk.steps:
        newcomer.run(command)
        print_step(command)
    with newcomer.serving():
        print_step(walk.serve)
        print_step(f"asked, and landed at {ask(walk.question, browser_path)}")
    print(f"  {time.monotonic() - started:6.1f} s  in all", flush=True)


def main() -> None:
    """Runs the walks that the arguments name."""
    parser = parser_of(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("walks", nargs="+", choices=WALKS, metavar="WALK")
    parser.add_argument("--project", type=existing)
    options = parser.parse_args()
    if "material" in options.walks and options.project is None:
        parser.error("material needs --project")
    browser_path = find()
    if browser_path is None:
        sys.exit("No Chromium is found: set TRUEREF_BROWSER.")
    for name in options.walks:
        run_walk(name, options.folder.resolve(), options.project, browser_path)


if __name__ == "__main__":
    main()
