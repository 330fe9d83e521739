"""One build of this project's docs and one server of it, for all tests in a browser."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.e2e.browsing import Reader, launched
from tests.e2e.hosting import SiteServer, build_docs, copy_docs


@dataclass(frozen=True)
class Docs:
    """This project's docs, built with the plugin."""

    site: Path
    index: Path


@pytest.fixture(scope="session")
def seed() -> int:
    """What chance begins with: printed, and to be set by TRUEREF_SEED, so that a failure can be had again."""
    number = int(os.environ.get("TRUEREF_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nTRUEREF_SEED={number}")
    return number


@pytest.fixture(scope="session")
def docs(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Docs:
    """This project's docs, built once."""
    project = copy_docs(root, tmp_path_factory.mktemp("docs"))
    return Docs(build_docs(project), project / ".trueref")


@pytest.fixture(scope="session")
def server(docs: Docs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """The docs with their answers, on 127.0.0.1."""
    served = SiteServer(docs.site, docs.index, tmp_path_factory.mktemp("served") / "log")
    served.start()
    yield served
    served.stop()


# Not for the session: Playwright keeps an event loop running in this thread, and no other room's async test could run.
@pytest.fixture(scope="module")
def browser(browser_path: str) -> Iterator[Browser]:
    """A running Chromium."""
    with launched(browser_path) as browser:
        yield browser


@pytest.fixture
def reader(browser: Browser, server: SiteServer) -> Iterator[Reader]:
    """A fresh tab on the docs. Whatever the test does, nothing is asked of another host."""
    reader = Reader(browser, server.origin)
    yield reader
    reader.close()
    assert reader.foreign == []
