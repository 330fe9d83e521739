"""Small MkDocs projects, built and served by a real MkDocs in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
from tests import local_http
from tests.preloaded import programs

from trueref_core.generations.served_generation import read_generation, read_manifest
from trueref_core.manifest.lookup import Manifest
from trueref_server.records import Answer, Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

HOOKS = Path(__file__).parent / "hooks"
PREFIX = "/_trueref"
PAGES = {
    "index.md": "# Animals\n\nAll animals of the steppe are described here.\n",
    "zebras.md": "# Zebras\n\nZebras are horses.\n\n## Stripes\n\nThe stripes of a zebra are black and white.\n\n"
    "## Food\n\nZebras eat grass, and now and then the bark of acacias.\n",
    "far/away/lions.md": "# Lions\n\nLions sleep a lot.\n\n## Manes\n\nThe mane of a lion grows darker with age.\n",
}

T = TypeVar("T")


@dataclass(frozen=True)
class Project:
    """A MkDocs project in a folder. JSON is YAML, so that is how its configuration is written."""

    folder: Path

    @property
    def site(self) -> Path:
        return self.folder / "site"

    @property
    def index(self) -> Path:
        return self.folder / ".trueref"

    @property
    def manifest(self) -> Manifest:
        return read_manifest(self.index)

    def write(self, pages: Mapping[str, str | bytes]) -> None:
        """Writes source files, relative to the docs folder."""
        for name, text in pages.items():
            path = self.folder / "docs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def configure(self, options: Mapping[str, Any] | None = None, **settings: Any) -> None:
        """Writes mkdocs.yml with some options of the plugin; full text only unless they name an embedder."""
        plugin = {"trueref": {"embedder": "lexical"} | dict(options or {})}
        config = {"site_name": "Animals", "plugins": ["search", plugin]} | settings
        (self.folder / "mkdocs.yml").write_text(json.dumps(config))

    def run(self, *args: str, code: int = 0) -> str:
        """Runs `mkdocs build` with some arguments; gives what it said."""
        command, env = ["build", *args], environment(self.folder)
        done = programs().run("mkdocs", command, env=env, cwd=self.folder, is_one_output=True)
        assert done.returncode == code, done.stdout
        return done.stdout

    def run_afresh(self, *python: str) -> str:
        """Runs `mkdocs build` in a process that has imported nothing, with options of Python; gives what it said."""
        done = subprocess.run(
            [sys.executable, *python, "-m", "mkdocs", "build"],
            cwd=self.folder,
            env=environment(self.folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def html(self, file: str) -> str:
        return (self.site / file).read_text(encoding="utf-8")

    def ask(self, question: str) -> Answer:
        async def answer() -> Answer:
            service = Service(load_settings({}, options={"index": self.index}))
            try:
                return await service.ask_whole(Question(question))
            finally:
                await service.close()

        return asyncio.run(answer())


def make(folder: Path, pages: Mapping[str, str | bytes] | None = None) -> Project:
    """A project with three pages and others."""
    project = Project(folder)
    project.write(PAGES | dict(pages or {}))
    project.configure()
    return project


def environment(folder: Path) -> dict[str, str]:
    """Without any `TRUEREF_*`, and with a folder for temporary files that a test can look into."""
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TRUEREF_")}
    return kept | {"NO_MKDOCS_2_WARNING": "1", "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1"}


class Preview:
    """A running `mkdocs serve`."""

    def __init__(self, project: Project, *args: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.origin = f"http://127.0.0.1:{probe.getsockname()[1]}"
        self.log = project.folder / "serve.log"
        command = ["serve", "-a", self.origin.removeprefix("http://"), *args]
        with self.log.open("wb") as log:
            self.process = programs().start(
                "mkdocs", command, env=environment(project.folder), cwd=project.folder, log=log
            )

    def get(self, path: str) -> httpx.Response | None:
        """What the preview answers; None while nothing listens."""
        assert self.process.poll() is None, self.log.read_text()
        try:
            return local_http.get(f"{self.origin}{path}")
        except httpx.TransportError:
            return None

    def search(self, query: str) -> list[dict[str, Any]]:
        """What the preview finds; nothing while it does not answer."""
        response = self.get(f"{PREFIX}/search?q={query}")
        return response.json()["results"] if response is not None and response.status_code == 200 else []

    def processor_seconds(self) -> float:
        """What it has taken of the processors so far, all its threads together."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number: signal.Signals) -> int:
        """Ends it by a signal; gives its exit code."""
        self.process.send_signal(number)
        return self.process.wait()


@contextmanager
def previewing(project: Project, *args: str) -> Iterator[Preview]:
    """A running `mkdocs serve` that is gone afterwards, whatever happens."""
    preview = Preview(project, *args)
    try:
        yield preview
    finally:
        if preview.process.poll() is None:
            preview.process.kill()
            preview.process.wait()


def has_vectors(project: Project) -> bool:
    return read_generation(project.index).vectors


def widget_attributes(html: str) -> dict[str, str]:
    """The attributes of the one widget of a page."""
    (element,) = re.findall(r"<trueref-chat ([^>]*)>", html)
    return dict(re.findall(r'([\w-]+)="([^"]*)"', element))


def heading_ids(html: str) -> dict[str, str]:
    """The id of every heading, by its text."""
    found = re.findall(r"<h[1-6][^>]*\bid=\"([^\"]+)\"[^>]*>([^<]+)", html)
    return {text: anchor for anchor, text in found}
