from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.connecting import PREFIX, connect

pytestmark = pytest.mark.anyio

JSON = {"content-type": "application/json"}
ASK = f"{PREFIX}/ask"


async def chunks(count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield b" " * 1000


async def endless() -> AsyncIterator[bytes]:
    while True:
        yield b""
        # Lets the server look at its clock, and does not wait.
        await asyncio.sleep(0)


async def test_a_body_that_declares_a_length_over_the_limit_is_refused(index: Path) -> None:
    async with connect(index, max_body_bytes=2048) as client:
        response = await client.post(ASK, content=b" " * 2049, headers=JSON)
    assert response.status_code == 413
    assert response.headers["connection"] == "close"
    assert response.json()["error"]["code"] == "body-too-long"


async def test_a_body_whose_chunks_go_over_the_limit_is_refused(index: Path) -> None:
    async with connect(index, max_body_bytes=2048) as client:
        assert (await client.post(ASK, content=chunks(3), headers=JSON)).status_code == 413


async def test_a_body_of_the_greatest_length_is_taken(index: Path) -> None:
    body = b'{"question": "dark mode"}'.ljust(2048)
    async with connect(index, max_body_bytes=2048) as client:
        assert (await client.post(ASK, content=body, headers=JSON)).status_code == 200


async def test_a_body_that_comes_too_slowly_is_refused(index: Path) -> None:
    async with connect(index, body_timeout=1) as client:
        response = await client.post(ASK, content=endless(), headers=JSON)
    assert response.status_code == 408
    assert response.json()["error"]["code"] == "body-too-slow"


@pytest.mark.parametrize("length", ["-1", "x", "9" * 40, "1e3"])
async def test_a_body_that_declares_an_impossible_length_is_refused(index: Path, length: str) -> None:
    async with connect(index) as client:
        response = await client.post(ASK, content=b"{}", headers=JSON | {"content-length": length})
    assert response.status_code == 413
