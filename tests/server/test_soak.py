"""Many questions to one server: its memory stays as it is. `python scripts/soak.py INDEX` asks ten times as many."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts.soak import draw_questions, soak
from tests.conftest import SEED
from tests.server.serving.test_uvicorn_server import serving

QUESTIONS = 2000

MOST_KILOBYTES = 1700
"""A thousand questions. A server that keeps every answer (`TRUEREF_CACHE_ANSWERS=1000000`) grows by 2,600 on these."""


@pytest.mark.long
@pytest.mark.timeout(900)
def test_memory_is_flat(index: Path, root: Path) -> None:
    with serving(index, RATE_PER_MINUTE="0") as server:
        done = soak(server.origin, server.process.pid, draw_questions(root / "docs", SEED), QUESTIONS)
    print("\n".join(done.lines()))
    assert done.statuses == {200: QUESTIONS}
    assert done.slope < MOST_KILOBYTES
