"""Many questions to one server: it holds no more than before. `python -m scripts.soak INDEX` asks ten times as many."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from scripts.soak import draw_questions, look_through, serving, soak
from tests.conftest import SEED

QUESTIONS = 2000

MAX_OBJECTS = 2000
"""A thousand questions. A server that keeps a thousand answers more holds 21,000 objects more."""

MAX_KILOBYTES = 1700
"""A thousand questions, of resident memory as of what `malloc` has given out: the arrays of numpy and what LanceDB holds.
A server that keeps every answer (`TRUEREF_CACHE_ANSWERS=1000000`) grows by 2,900 on these, and otherwise by 1,400."""


@pytest.mark.long
@pytest.mark.timeout(900)
def test_no_question_leaves_objects_behind(index: Path, root: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    with serving(index, port) as (origin, server):
        done = soak(origin, server.pid, draw_questions(root / "docs", SEED), QUESTIONS, look_through(server))
    print("\n".join(done.lines()))
    assert done.statuses == {200: QUESTIONS}
    # Resident memory also grows with what `malloc` has been given back and keeps. Beside other programs that was a fifth
    # of the growth once, so it does not count.
    assert done.slope - done.slope_of("freed") < MAX_KILOBYTES
    assert done.slope_of("objects") < MAX_OBJECTS
    assert done.slope_of("allocated") < MAX_KILOBYTES
