"""Real processes for the browser to talk to: builds of MkDocs, `trueref serve` on a port of its own, a static host."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
from tests import local_http
from tests.preloaded import Started, programs
from tests.waiting import wait_until

from trueref_core.errors import TruerefError
from trueref_core.generations.served_generation import read_intact

PREFIX = "/_trueref"


def clean_environment(**variables: str) -> dict[str, str]:
    """The environment without any `TRUEREF_*` of the machine, and without the notice that Material puts before a build."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TRUEREF_")}
    return kept | {"NO_MKDOCS_2_WARNING": "1", **variables}


def copy_docs(root: Path, folder: Path) -> Path:
    """This project's docs as a project of their own, so that a build writes nothing into the checkout."""
    shutil.copytree(root / "docs", folder / "docs")
    shutil.copyfile(root / "mkdocs.yml", folder / "mkdocs.yml")
    return folder


def reuse_vectors(project: Path, index: Path) -> None:
    """Has the build of a project take the vectors of equal texts from an index, where there is one that can be read.

    `make docs` and `make serve` make that of our docs, and to embed all these texts takes the processor half a minute.
    """
    with suppress(TruerefError):
        read_intact(index)
        config = project / "mkdocs.yml"
        with_reuse = re.sub("(?m)^  - trueref:$", f"\\g<0>\n      reuse: {json.dumps(str(index))}", config.read_text())
        assert str(index) in with_reuse, config
        config.write_text(with_reuse)


def build_docs(project: Path) -> Path:
    """Runs `mkdocs build --strict` and gives the site folder. The index is beside it, in `.trueref`."""
    done = programs().run("mkdocs", ["build", "--strict"], env=clean_environment(), cwd=project)
    assert done.returncode == 0, done.stderr
    return project / "site"


def shorten_search_of_theme(site: Path) -> None:
    """Leaves the theme's own search one page, all that the tests search for: on every page that is opened the theme
    indexes all docs anew, which is half of what a load costs the processor."""
    file = site / "search" / "search_index.json"
    index = json.loads(file.read_text(encoding="utf-8"))
    sections = [section for section in index["docs"] if section["location"].startswith("decisions/chunks/")]
    assert 0 < len(sections) < len(index["docs"]), file
    file.write_text(json.dumps({**index, "docs": sections}), encoding="utf-8")


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class QuietHandler(SimpleHTTPRequestHandler):
    """Files of a folder. Requests are no lines in the output of the tests."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the standard library
        """Say nothing."""


@contextmanager
def static_host(folder: Path, handler: type[QuietHandler] = QuietHandler) -> Iterator[str]:
    """A host of plain files; gives its origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as host:
        thread = Thread(target=host.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{host.server_port}"
        finally:
            # Where a test fails too: its run would wait for this thread at the end.
            host.shutdown()
            thread.join()


class SiteServer:
    """`trueref serve`, which can be killed and started again on the same port. Without a site it only answers."""

    def __init__(self, site: Path | None, index: Path, log: Path, *, base: str = "/", **variables: str) -> None:
        self.origin = ""
        # The tests ask faster than a reader may.
        self._variables = {"TRUEREF_RATE_PER_MINUTE": "0", **variables}
        self._site, self._index, self._log, self._base = site, index, log, base
        self._port = free_port()
        self._process: Started | None = None

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        command = ["serve", "--index", str(self._index), "--port", str(self._port)]
        if self._site is not None:
            command += ["--site", str(self._site), "--base", self._base]
        with self._log.open("ab") as log:
            self._process = programs().start("trueref", command, env=clean_environment(**self._variables), log=log)
        self.origin = f"http://127.0.0.1:{self._port}"
        wait_for(f"{self.origin}{PREFIX}/readyz", self._process, self._log)

    def kill(self) -> None:
        """Ends it as a crash would: no answer finishes, no connection is closed in good order."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Ends it, also where it has ended already."""
        if self._process is not None and self._process.poll() is None:
            self.kill()


def wait_for(url: str, process: Started | subprocess.Popen[bytes], log: Path) -> httpx.Response:
    """Waits until an address answers with 200, for as long as the process lives: how fast it starts is not asked."""

    def answered() -> httpx.Response | None:
        assert process.poll() is None, log.read_text()
        try:
            response = local_http.get(url)
        except httpx.TransportError:
            return None
        return response if response.status_code == 200 else None

    return wait_until(answered)
