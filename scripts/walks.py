"""Prints the two walks of the program: the modules that a build and a question pass, in the order of their first call.

    python scripts/walks.py SITE

SITE is a built site. It is indexed by full text into a temporary folder, and a question is asked of that index through
the application that the server runs. A module counts where one of its functions runs; the build's walk ends where the
first page is parsed, the question's where the table of chunks is searched. The architecture page has both, and a test
compares it with this trace.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

ROOMS: Final = ("trueref_core.", "trueref_plugin.", "trueref_server.")
PARSED: Final = "trueref_plugin.reading.parse"
SEARCHED: Final = "trueref_core.tables.chunk_search"
FIRST_QUESTION: Final = "What is it?"
"""Opens the index, which is no part of the walk."""
QUESTION: Final = "How do I install it?"


class Trace:
    """Notes the modules of Trueref whose functions run, until one of `last` does.

    Modules that are only imported do not count: their top level is no function. `modules` are all of them in the order
    of their first call, and `chain` those that call one another down to `last`.
    """

    def __init__(self, last: str) -> None:
        self.modules: dict[str, None] = {}
        self.chain: list[str] = []
        self._last = last

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note the module of a call; what `sys.setprofile` calls."""
        name = frame.f_globals.get("__name__", "")
        if event != "call" or self._last in self.modules or not name.startswith(ROOMS):
            return
        if not frame.f_code.co_name.startswith("<"):
            self.modules.setdefault(name)
        if name == self._last:
            self.chain = [*reversed(dict.fromkeys(_modules_on_the_stack(frame)))]

    def begin(self) -> None:
        """Forget what was noted."""
        self.modules.clear()
        self.chain.clear()

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note the calls of this thread, and of those that are started meanwhile."""
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


def _modules_on_the_stack(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith(ROOMS):
            yield name
        frame = frame.f_back


class Walk(NamedTuple):
    """All modules that run before the last one, and those of them that call one another down to it."""

    passed: list[str]
    chain: list[str]


def build_walk(site: Path, index: Path) -> Walk:
    """The modules from the build's function to the parse of the first page."""
    from trueref_plugin.build.build import index_site

    trace = Trace(PARSED)
    with trace.noting():
        index_site(site, index=index, embedder="lexical")
    return Walk(list(trace.modules), trace.chain)


def question_walk(index: Path) -> Walk:
    """The modules from the endpoint of `ask` to the search of the table, once the index is open."""
    import httpx

    from trueref_server.serving.app import create_app
    from trueref_server.settings import Settings

    trace = Trace(SEARCHED)

    async def ask_twice() -> None:
        app = httpx.ASGITransport(create_app(Settings(index=index)))
        async with httpx.AsyncClient(transport=app, base_url="http://127.0.0.1") as client:
            for question in (FIRST_QUESTION, QUESTION):
                trace.begin()
                (await client.post("/_trueref/ask", json={"question": question})).raise_for_status()

    with trace.noting():
        asyncio.run(ask_twice())
    return Walk(list(trace.modules), trace.chain)


def main(arguments: list[str]) -> None:
    """Print both walks as JSON."""
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        walks = {"build": build_walk(Path(arguments[0]), index), "question": question_walk(index)}
    print(json.dumps({name: walk._asdict() for name, walk in walks.items()}, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
