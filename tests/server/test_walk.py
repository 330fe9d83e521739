"""The walk of a question in the README of the server, beside what a real question passes."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
import pytest
from tests.conftest import ROOT
from tests.server.handmade import publish_demo

from trueref_server.serving.app import create_app
from trueref_server.settings import Settings

TABLE = "trueref_core.tables.chunk_search"
TO_TABLE_MOST = 15
"""Modules that a question is handed through before it reaches the table."""


@pytest.mark.slow
def test_a_question_takes_the_walk_that_the_readme_names(tmp_path: Path) -> None:
    walk = _walk_of_readme()
    publish_demo(tmp_path / "index")
    passed = asyncio.run(_passed(tmp_path / "index"))
    steps = [module for module in walk if module in passed]
    # A model is asked only where one is set.
    assert set(walk) - set(steps) == {"trueref_server.model.answerer"}
    assert steps == sorted(steps, key=passed.index)
    assert walk.index(TABLE) + 1 <= TO_TABLE_MOST


def _walk_of_readme() -> list[str]:
    """The modules of the numbered steps, by their dotted names."""
    text = (ROOT / "server" / "README.md").read_text(encoding="utf-8")
    steps = [line.partition(": ")[0] for line in text.splitlines() if re.match(r"\d+\. ", line)]
    paths = [path for step in steps for path in re.findall(r"`([\w/]+)\.py`", step)]
    names = [path.replace("/", ".") for path in paths]
    return [name if name.startswith("trueref_core") else f"trueref_server.{name}" for name in names]


async def _passed(index: Path) -> list[str]:
    """The modules whose functions run while a question is answered, in the order of their first call."""
    app = create_app(Settings(index=index))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        # Opens the index, which reads the table before anything is searched.
        await client.get("/_trueref/readyz")
        # Only threads that begin now are watched.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
        with _called() as modules:
            response = await client.post("/_trueref/ask", json={"question": "How do I set the palette?"})
    assert response.status_code == 200
    return [*modules]


@contextmanager
def _called() -> Iterator[dict[str, None]]:
    """The modules of our own functions that are called, in this thread and in those that begin meanwhile."""
    modules: dict[str, None] = {}

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        # What a dataclass of the vocabulary runs when it is made is no step.
        if event == "call" and name.startswith("trueref_") and not frame.f_code.co_name.startswith("__"):
            modules.setdefault(name)

    before = sys.getprofile(), threading.getprofile()
    sys.setprofile(note)
    threading.setprofile(note)
    try:
        yield modules
    finally:
        sys.setprofile(before[0])
        threading.setprofile(before[1])
