from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.server.connecting import connect
from tests.server.handmade import publish_demo
from tests.services import empty_database, postgresql_server

if TYPE_CHECKING:
    import httpx


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index made by hand. Tests that publish to it make their own."""
    path = tmp_path_factory.mktemp("demo") / "index"
    publish_demo(path)
    return path


@pytest.fixture
async def client(index: Path, anyio_backend: str) -> AsyncIterator[httpx.AsyncClient]:
    async with connect(index) as client:
        yield client


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    with postgresql_server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, of each kind of database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'insight.db'}"
    url: str = request.getfixturevalue("postgresql_url")
    empty_database(url)
    return url
