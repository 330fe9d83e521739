"""Answers say so while the index is being built anew."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.connecting import PREFIX, connect
from tests.server.handmade import publish_demo

from trueref_core.generations.updating import is_updating, marked_as_updating

pytestmark = pytest.mark.anyio

KILLED = """
import os, signal, sys
from pathlib import Path
from trueref_core.generations.updating import marked_as_updating
with marked_as_updating(Path(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGKILL)
"""


async def test_an_answer_says_whether_a_build_is_under_way(tmp_path: Path) -> None:
    """Made for the question or kept from an earlier one alike: what is kept tells of its own time."""
    publish_demo(tmp_path / "index")
    async with connect(tmp_path / "index", cache_answers=2) as client:

        async def ask() -> tuple[bool, bool]:
            answer = (await client.post(f"{PREFIX}/ask", json={"question": "dark mode"})).json()
            return answer["cached"], answer["updating"]

        with marked_as_updating(tmp_path / "index"):
            assert await ask() == (False, True)
            assert await ask() == (True, True)
        assert await ask() == (True, False)


def test_a_killed_build_is_not_under_way(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert [file.name for file in tmp_path.iterdir()] == ["updating"]
    assert not is_updating(tmp_path)


def test_looking_for_a_build_makes_no_file(tmp_path: Path) -> None:
    assert not is_updating(tmp_path)
    assert not is_updating(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []
