"""A generation that is copied to a server that is being asked all the time, with the commands of docs/deploy.md."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.conftest import ROOT
from tests.plugin.build.test_incremental import Site
from tests.server.serving.test_uvicorn_server import Server, serving
from tests.waiting import wait_until

from trueref_core.generations.served_generation import read_current

pytestmark = pytest.mark.slow

if shutil.which("rsync") is None or shutil.which("curl") is None:
    pytest.skip("rsync and curl are not installed", allow_module_level=True)


def deploy(site: Site, target: Path, server: str) -> str:
    """Runs the script of the docs; gives what it said."""
    found = re.search(r"^```sh\n(.*?)^```$", (ROOT / "docs" / "deploy.md").read_text(), re.MULTILINE | re.DOTALL)
    assert found
    # The command of the checkout, as if it were installed.
    command = site.folder / "bin" / "trueref"
    command.parent.mkdir(exist_ok=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m trueref "$@"\n')
    command.chmod(0o755)
    given = {"INDEX": str(site.index), "TARGET": str(target), "SERVER": server}
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", found[1]], env=os.environ | given | {"PATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout


class Asking:
    """Asks a server all the time, and notes every generation that answered and everything that went wrong."""

    def __init__(self, server: Server) -> None:
        self.generations: list[str] = []
        self.wrong: list[str] = []
        self.count = 0
        self._api = server.api
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._ask, args=(number,)) for number in range(3)]

    @contextmanager
    def all_the_time(self) -> Iterator[None]:
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._ended.set()
            for thread in self._threads:
                thread.join()

    def wait_for(self, generation: str | None) -> None:
        """Waits until a generation answers."""
        wait_until(lambda: self.generations[-1:] == [generation])

    def wait_for_more(self, count: int) -> None:
        """Waits until so many more questions were answered."""
        before = self.count
        wait_until(lambda: self.count >= before + count)

    def _ask(self, number: int) -> None:
        with httpx.Client(base_url=self._api, timeout=None) as client:
            while not self._ended.is_set():
                try:
                    self._ask_once(client, number)
                except Exception as error:
                    self.wrong.append(repr(error))

    def _ask_once(self, client: httpx.Client, number: int) -> None:
        answers: list[httpx.Response] = [
            client.post("ask", json={"question": f"What is about number {number + 3}?"}),
            client.get("search", params={"q": "about number"}),
            client.get("resolve", params={"link": f"p0{number}.html#title-{number}"}),
        ]
        self.wrong += [f"{it.request.url}: {it.status_code} {it.text}" for it in answers if it.status_code != 200]
        answer, search, reference = (it.json() for it in answers)
        self._check(answer["sources"] and search["results"] and reference["status"] == "exact", answers)
        self.generations.append(answer["generation"])
        self.count += 1

    def _check(self, fine: Any, answers: list[httpx.Response]) -> None:
        if not fine:
            self.wrong.append(" ".join(it.text for it in answers))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """The folder of the index on the machine that serves."""
    folder = tmp_path / "srv" / "trueref"
    folder.mkdir(parents=True)
    return folder


def test_a_second_generation_is_copied_to_a_server_that_is_asked(tmp_path: Path, target: Path) -> None:
    site = Site(tmp_path)
    first = site.build().generation.id
    deploy(site, target, "http://127.0.0.1:9/none")
    with serving(target, RATE_PER_MINUTE="0") as server:
        asking = Asking(server)
        with asking.all_the_time():
            asking.wait_for(first)
            site.write("p15", site.body(15, "New words."))
            second = site.build().generation.id
            assert deploy(site, target, server.api) == ""
            asking.wait_for(second)
            # A CI machine without an index makes the same generation of other files: they are not copied over these.
            shutil.rmtree(site.index)
            assert site.build().generation.id == second
            assert deploy(site, target, server.api) == f"Generation {second} is served already.\n"
            asking.wait_for_more(20)
        assert asking.wrong == []
        print(f"{asking.count} questions, {asking.generations.count(first)} of the first generation")
        assert set(asking.generations) == {first, second}
        assert {it.name for it in target.iterdir()} - {"history.json"} == {"builds", "current.json"}
        assert httpx.get(f"{server.api}/readyz", timeout=None).json()["generation"] == second


@pytest.mark.long
def test_a_copy_that_is_broken_off_or_in_the_wrong_order_is_not_served(tmp_path: Path, target: Path) -> None:
    site = Site(tmp_path)
    first = site.build().generation.id
    deploy(site, target, "http://127.0.0.1:9/none")
    with serving(target, RATE_PER_MINUTE="0") as server:
        asking = Asking(server)
        with asking.all_the_time():
            asking.wait_for(first)
            site.write("p15", site.body(15, "New words."))
            second = site.build().generation.id
            # Killed in the middle: some files are missing, and one has the name that rsync gives it on the way.
            shutil.copytree(site.index / "builds" / second, target / "builds" / second)
            (target / "builds" / second / "manifest.json").rename(target / "builds" / second / ".manifest.json.Qw3rTy")
            asking.wait_for_more(20)
            assert set(asking.generations) == {first}
            assert deploy(site, target, server.api) == ""
            asking.wait_for(second)
            # The wrong order: a name, and nothing behind it.
            site.write("p15", site.body(15, "Newer words."))
            third = site.build().generation.id
            subprocess.run(["rsync", "-a", f"{site.index}/current.json", f"{target}/"], check=True)
            said = server.process.stderr
            assert said is not None
            # The server looked at it, and a question later it still answers from what it had.
            assert any("The newer generation cannot be served, so the previous one still is" in line for line in said)
            asking.wait_for_more(20)
        assert asking.wrong == []
        assert set(asking.generations) == {first, second}
        assert read_current(target) == third
