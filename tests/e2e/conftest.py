"""One build of this project's docs and one server of it, for all tests in a browser."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.conftest import SEED
from tests.e2e.browsing import Reader, launched
from tests.e2e.docusaurus import VARIANTS, Built, Project
from tests.e2e.hosting import SiteServer, build_docs, copy_docs, reuse_vectors, shorten_search_of_theme
from tests.sharing import made_once

from trueref_plugin.build.build import index_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@dataclass(frozen=True)
class Docs:
    """This project's docs, built with the plugin."""

    site: Path
    index: Path


@dataclass(frozen=True)
class DevelopmentSite:
    """A development site: the files as built, and an index of them."""

    name: str
    site: Path
    index: Path


DEVELOPMENT_SITES = {
    "mkdocs-material": "https://squidfunk.github.io/mkdocs-material/",
    "uv": "https://docs.astral.sh/uv/",
}
"""The sites in the shared folder, with their addresses."""


@pytest.fixture(scope="session")
def development_sites(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], DevelopmentSite]:
    """Gives any of them by name, unpacked and indexed once. The embedder is `lexical` unless TRUEREF_EMBEDDER or the
    name, behind a `+`, names another."""

    @cache
    def unpack(asked: str) -> DevelopmentSite:
        name, _, embedder = asked.partition("+")
        embedder = embedder or os.environ.get("TRUEREF_EMBEDDER", "lexical")

        def make(folder: Path) -> None:
            with tarfile.open(shared / f"{name}.site.tar.xz") as archive:
                archive.extractall(folder, filter="data")
            site, index = folder / "site", folder / "index"
            report = index_site(site, index=index, base_url=DEVELOPMENT_SITES[name], embedder=embedder)
            assert report.refused == ()

        folder = made_once(tmp_path_factory, asked, make)
        return DevelopmentSite(name, folder / "site", folder / "index")

    return unpack


@pytest.fixture(scope="session")
def development_site(
    request: pytest.FixtureRequest, development_sites: Callable[[str], DevelopmentSite]
) -> DevelopmentSite:
    """The one that a test is parametrized with."""
    return development_sites(str(request.param))


@pytest.fixture(scope="session")
def seed() -> int:
    """What chance begins with: TRUEREF_SEED, which the first lines of a run name."""
    return SEED


@pytest.fixture(scope="session")
def docs(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Docs:
    """This project's docs, built once."""

    def make(folder: Path) -> None:
        project = copy_docs(root, folder)
        reuse_vectors(project, root / ".trueref")
        shorten_search_of_theme(build_docs(project))

    project = made_once(tmp_path_factory, "docs", make)
    return Docs(project / "site", project / ".trueref")


@pytest.fixture(scope="session")
def server(docs: Docs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """The docs with their answers, on 127.0.0.1."""
    served = SiteServer(docs.site, docs.index, tmp_path_factory.mktemp("served") / "log")
    served.start()
    yield served
    served.stop()


RUNNING = ExitStack()
"""The browser of this worker, while tests that drive it follow each other."""


@pytest.fixture(scope="module")
def browser(browser_path: str) -> Browser:
    """A running Chromium. Each module that begins with a test in it goes on with that of the one before."""
    return running_browser(browser_path)


@cache
def running_browser(path: str) -> Browser:
    """The one that runs, or a new one."""
    RUNNING.callback(running_browser.cache_clear)
    return RUNNING.enter_context(launched(path))


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End the browser before a module of other tests: Playwright keeps an event loop running in this thread, so that
    no async test could run."""
    is_next_in_browser = nextitem is not None and "browser" in getattr(nextitem, "fixturenames", ())
    if not is_next_in_browser and (nextitem is None or nextitem.path != item.path):
        RUNNING.close()


@pytest.fixture
def reader(browser: Browser, server: SiteServer) -> Iterator[Reader]:
    """A fresh tab on the docs. Whatever the test does, nothing is asked of another host."""
    reader = Reader(browser, server.origin)
    yield reader
    reader.close()
    assert reader.foreign == []


@pytest.fixture(scope="session")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The Docusaurus example with what it needs from npm, installed and built once in each variant."""
    kept = os.environ.get("TRUEREF_NODE_CACHE")

    def place(folder: Path) -> Path:
        return Path(kept) if kept else folder

    def make(folder: Path) -> None:
        project = Project.install(root, place(folder) / "docusaurus-example")
        for name, given in VARIANTS.items():
            project.build(name, **given)

    return Project(place(made_once(tmp_path_factory, "docusaurus", make)) / "docusaurus-example")


@pytest.fixture(params=VARIANTS)
def built(request: pytest.FixtureRequest, project: Project) -> Built:
    """Each build of the Docusaurus example."""
    return project.built(request.param)
