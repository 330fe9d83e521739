"""The Docusaurus example with the plugin, installed from npm once and built as often as the tests need."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.hosting import clean_environment

from trueref_core.generations.served_generation import open_index
from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import Settings

EXAMPLE = "docs/examples/docusaurus"
PACKAGE = "plugin/docusaurus"
BASE = "/manual/"
ADDRESS = "https://kettle.example/manual/"
SECONDS = 600

# Rspack instead of webpack: the same pages in a third of the time. One build is made with each.
FASTER = {"faster": True, "v4": {"removeLegacyPostBuildHeadAttribute": True}}

CONFIG = """\
import config from "./docusaurus.config.js";
const [redirects, [name, options]] = config.plugins;
const { plugin, ...given } = %s;
export default { ...config, ...given, plugins: [redirects, [name, { ...options, ...plugin }]] };
"""


@dataclass(frozen=True)
class Built:
    """One build of the example."""

    name: str
    site: Path
    index: Path
    said: str

    def files(self) -> list[str]:
        """Every HTML file, relative to the site."""
        return sorted(path.relative_to(self.site).as_posix() for path in self.site.rglob("*.html"))


VARIANTS: dict[str, dict[str, Any]] = {
    "undefined": {"plugin": {"strict": True}},
    "true": {"trailingSlash": True, "future": FASTER, "plugin": {"strict": True}},
    "false": {"trailingSlash": False, "future": FASTER, "plugin": {"serverUrl": None}},
}
"""The builds that all tests look at, with their options: one for each way to write `trailingSlash`."""

NEEDS_NPM = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(shutil.which("npm") is None, reason="Node.js with npm is not installed"),
]


class Project:
    """The example in a folder of its own, with what it needs from npm."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def install(cls, root: Path, folder: Path) -> Project:
        """Puts it into a folder, which may have what npm installed for a run before."""
        folder.mkdir(parents=True, exist_ok=True)
        project = cls(folder)
        tarball = pack(root, folder)
        project._copy(root, tarball)
        project._install(tarball)
        return project

    @property
    def tarball(self) -> Path:
        """The packed plugin."""
        (found,) = self.folder.glob("*.tgz")
        return found

    def built(self, name: str) -> Built:
        """A build that was made before."""
        said = (self.folder / f"build-{name}.log").read_text(encoding="utf-8")
        return Built(name, self.folder / f"build-{name}", self.folder / f".trueref-{name}", said)

    def build(self, name: str, **given: Any) -> Built:
        """Builds the example with some options changed; those of the plugin are `plugin`."""
        index = self.folder / f".trueref-{name}"
        shutil.rmtree(index, ignore_errors=True)
        config = self.configure(name, **(given | {"plugin": {"index": index.name, **given.get("plugin", {})}}))
        done = self.run("node_modules/.bin/docusaurus", "build", "--config", config, "--out-dir", f"build-{name}")
        assert done.returncode == 0, done.stdout + done.stderr
        (self.folder / f"build-{name}.log").write_text(done.stdout + done.stderr, encoding="utf-8")
        return self.built(name)

    def configure(self, name: str, **given: Any) -> str:
        """Writes a configuration with these options changed, and gives its name."""
        file = f"{name}.config.js"
        (self.folder / file).write_text(CONFIG % json.dumps(given), encoding="utf-8")
        return file

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Runs a program in the folder, where `python3` is the one that runs the tests."""
        return run(command, self.folder)

    def _copy(self, root: Path, tarball: Path) -> None:
        # node_modules stays where the folder is kept over runs.
        for path in self.folder.iterdir():
            if path.name != "node_modules" and path != tarball:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        ignored = shutil.ignore_patterns("node_modules", ".docusaurus", ".trueref", "build")
        shutil.copytree(root / EXAMPLE, self.folder, dirs_exist_ok=True, ignore=ignored)
        package = json.loads((self.folder / "package.json").read_text(encoding="utf-8"))
        needed = package["dependencies"]
        needed["@docusaurus/faster"] = needed["@docusaurus/core"]
        needed["docusaurus-plugin-trueref"] = f"file:{tarball.name}"
        (self.folder / "package.json").write_text(json.dumps(package), encoding="utf-8")

    def _install(self, tarball: Path) -> None:
        # npm takes a tarball of the same name and version for the one that it has, and so do the caches of bundlers.
        packages, digest = self.folder / "node_modules", hashlib.sha256(tarball.read_bytes()).hexdigest()
        known = packages / ".trueref-plugin"
        if not known.exists() or known.read_text() != digest:
            for name in ("docusaurus-plugin-trueref", ".cache"):
                shutil.rmtree(packages / name, ignore_errors=True)
        done = self.run("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error")
        assert done.returncode == 0, done.stdout + done.stderr
        known.write_text(digest)


def pack(root: Path, folder: Path) -> Path:
    """The plugin as npm would publish it; compiled anew."""
    package = root / PACKAGE
    if not (package / "node_modules" / ".package-lock.json").exists():
        done = run(("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"), package)
        assert done.returncode == 0, done.stdout + done.stderr
    done = run(("npm", "pack", "--silent", "--pack-destination", str(folder)), package)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / done.stdout.split()[-1]


def run(command: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end, without anything of Trueref that this machine may have set."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        cwd=folder,
        env=clean_environment(PATH=path),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def sources(index: Path, question: str, page: str | None = None) -> list[str]:
    """What an answer cites, the best first."""

    async def ask() -> list[str]:
        service = Service(Settings(index=index))
        answer = await service.ask_whole(Question(question, page=page))
        await service.close()
        return [source.href for source in answer.sources]

    return _awaited(ask())


def texts_of(index: Path, page: str) -> list[str]:
    """The texts of the chunks of a page."""

    async def read() -> list[str]:
        opened = await open_index(index)
        chunks = await opened.chunks(opened.rows.ids)
        await opened.close()
        return [chunk.text for chunk in chunks.values() if chunk.page == page]

    return _awaited(read())


def _awaited(work: Coroutine[Any, Any, list[str]]) -> list[str]:
    """Runs something to its end beside the loop of the browser, which is of this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
