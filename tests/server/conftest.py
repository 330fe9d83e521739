from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.server.connecting import connect
from tests.server.handmade import publish_demo

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
