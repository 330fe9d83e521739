"""Prints how many modules of Trueref a build and a question enter before each arrives at its goal.

    python -m scripts.walk_trace

A build ends at the parsing of the first page, and a question at the table of chunks. Both are traced while they run, on
two small pages without vectors, once everything is imported. A module counts from the first call of one of its
functions on, also if that function has returned by the end. So helpers count here, which a chain of calls leaves out.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Final

import httpx
from scripts.arguments import parser_of

from trueref_plugin.build.build import index_site
from trueref_server.serving.app import create_app
from trueref_server.settings import Settings

PAGES: Final = {
    "index.html": "<h1 id=home>Home</h1><p>Welcome to the guide.</p>",
    "setup.html": "<h1 id=setup>Setup</h1><p>Install the package.</p><h2 id=colors>Colors</h2><p>Pick a color.</p>",
}
QUESTION: Final = "How do I pick a color?"


@dataclass(frozen=True)
class Place:
    """Where a walk begins or ends: a call of a function of a module. Without a function, any call in the module."""

    module: str
    function: str = ""

    def is_called(self, module: str, function: str) -> bool:
        """Whether a call is here."""
        return module == self.module and self.function in ("", function)


BUILD: Final = Place("trueref_plugin.build.build"), Place("trueref_plugin.reading.parse", "parse_page")
ANSWER: Final = Place("trueref_server.http.endpoints", "ask"), Place("trueref_core.tables.chunk_search")


@contextmanager
def noting_calls(note: Callable[[FrameType, str, Any], object]) -> Generator[None]:
    """Passes each call in this thread, and in those that begin meanwhile, to a function of `sys.setprofile`."""
    before = sys.getprofile(), threading.getprofile()
    sys.setprofile(note)
    threading.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before[0])
        threading.setprofile(before[1])


@dataclass
class Walk:
    """The modules that are entered between two places, in the order of the first call of each, both ends included."""

    start: Place
    goal: Place
    modules: list[str] = field(default_factory=list[str])
    is_over: bool = False

    def note(self, frame: FrameType, event: str, _argument: object) -> None:
        """What `sys.setprofile` calls."""
        module, function = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        # What Python calls by itself, such as the `__init__` of a dataclass, is no step.
        if self.is_over or event != "call" or not module.startswith("trueref_") or function.startswith("__"):
            return
        if not self.modules and not self.start.is_called(module, function):
            return
        if module not in self.modules:
            self.modules.append(module)
        self.is_over = self.goal.is_called(module, function)

    @contextmanager
    def watching(self) -> Generator[None]:
        """Watches this thread, and those that begin meanwhile.

        Raises:
            SystemExit: The walk did not arrive at its goal.
        """
        with noting_calls(self.note):
            yield
        if not self.is_over:
            sys.exit(f"trueref: no call of {self.goal} was seen after one of {self.start}")


def modules_of_a_build(folder: Path) -> list[str]:
    """The modules that a build enters until it parses a page. Writes a site and its index into a folder."""
    site, walk = folder / "site", Walk(*BUILD)
    site.mkdir()
    for name, content in PAGES.items():
        _write(site / name, content)
    # The first build imports what the second one needs: what runs while a module is imported is no step.
    index_site(site, index=folder / "index", embedder="lexical")
    _write(site / "index.html", PAGES["index.html"].replace("Welcome", "Hello"))
    with walk.watching():
        index_site(site, index=folder / "index", embedder="lexical")
    return walk.modules


def _write(path: Path, content: str) -> None:
    path.write_text(f"<!doctype html><title>Guide</title><main>{content}</main>", encoding="utf-8")


async def modules_of_a_question(index: Path) -> list[str]:
    """The modules that a question enters between the endpoint and the table of chunks."""
    walk = Walk(*ANSWER)
    transport = httpx.ASGITransport(create_app(Settings(index=index)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        # Opens the index, which reads the table too, and imports what the second question needs.
        await client.post("/_trueref/ask", json={"question": "What is the guide?"})
        # Only threads that begin now are watched.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
        with walk.watching():
            (await client.post("/_trueref/ask", json={"question": QUESTION})).raise_for_status()
    return walk.modules


def main() -> None:
    """Prints both numbers, each with its name."""
    parser_of(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(f"build: {len(modules_of_a_build(Path(folder)))}")
        print(f"question: {len(asyncio.run(modules_of_a_question(Path(folder) / 'index')))}")


if __name__ == "__main__":
    main()
