"""What readers are told of an index whose files are damaged while it is served, and how answers come back."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.conftest import SEED
from tests.server.connecting import PREFIX, connect
from tests.server.handmade import publish_demo
from tests.waiting import wait_until_async

if TYPE_CHECKING:
    import httpx

pytestmark = pytest.mark.anyio

QUESTIONS = ("zebras", "stripes", "Which page is about zebras?")
MORE = {"more/": {"": "A page about zebras and their stripes."}}


def gone(tables: Path) -> None:
    shutil.rmtree(tables)


def cut_off(tables: Path) -> None:
    for file in files_of(tables):
        with file.open("r+b") as opened:
            opened.truncate(file.stat().st_size // 2)


def emptied(tables: Path) -> None:
    for file in files_of(tables):
        file.write_bytes(b"")


def flipped(tables: Path) -> None:
    chance = random.Random(SEED)
    for file in files_of(tables):
        body = bytearray(file.read_bytes())
        for _ in range(len(body) // 20 + 1):
            body[chance.randrange(len(body))] ^= 0xFF
        file.write_bytes(bytes(body))


def files_of(tables: Path) -> list[Path]:
    found = sorted(path for path in tables.rglob("*") if path.is_file())
    assert found
    return found


async def ask(client: httpx.AsyncClient, question: str) -> httpx.Response:
    return await client.post(f"{PREFIX}/ask", json={"question": question})


@pytest.mark.parametrize("damage", [gone, cut_off, emptied, flipped])
async def test_damage_is_told_as_such_and_mended_by_a_build(
    tmp_path: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    first = publish_demo(tmp_path / "index", MORE)
    async with connect(tmp_path / "index") as client:
        assert (await client.get(f"{PREFIX}/readyz")).json()["generation"] == first.id
        sound = {question: (await ask(client, question)).json()["text"] for question in QUESTIONS}
        damage(tmp_path / "index" / "builds" / first.id / "tables")
        responses = [await ask(client, question) for question in QUESTIONS]
        for question, answer in zip(QUESTIONS, responses, strict=True):
            # What is in memory is whole, so that an answer may still come; never another one.
            if answer.status_code == 200:
                assert answer.json()["text"] == sound[question]
            else:
                assert (answer.status_code, answer.json()["error"]["code"]) == (503, "index-unavailable"), answer.text
                assert tmp_path.name not in answer.text
        if damage is not cut_off:
            assert responses[-1].status_code == 503
            assert (await client.get(f"{PREFIX}/readyz")).status_code == 503
            assert {record.levelname for record in caplog.records} == {"WARNING"}
            assert str(tmp_path) in caplog.text
        assert (await client.get(f"{PREFIX}/healthz")).status_code == 200
        second = publish_demo(tmp_path / "index", {**MORE, "third/": {"": "Third."}})

        async def serves_second() -> bool:
            ready = await client.get(f"{PREFIX}/readyz")
            return ready.status_code == 200 and ready.json()["generation"] == second.id

        await wait_until_async(serves_second)
        answer = await ask(client, "zebras and their stripes")
        assert [source["page"] for source in answer.json()["sources"]][:1] == ["more/"]
