"""Many questions to one server: it holds no more than before. `python -m scripts.soak INDEX` asks ten times as many."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import pytest
from scripts.soak import WARM_UP, draw_questions, look_through, serving, soak
from tests.conftest import SEED

QUESTIONS = 2000

MAX_OBJECTS = 1000
"""A thousand questions. It was 50 and 59, and is 3,900 for a server that keeps every answer
(`TRUEREF_CACHE_ANSWERS=1000000`)."""

MAX_KILOBYTES = 800
"""A thousand questions, of resident memory as of what `malloc` has given out: the arrays of numpy and what LanceDB holds.
It was 270 and 284, and is 1,700 to 1,800 for a server that keeps every answer."""

FEW = ("deploy.md", "faq.md", "install.md", "quick-start.md", "static.md")
"""The pages from whose words the questions are made while growth is counted."""


def _questions(docs: Path, few: Path) -> Iterator[dict[str, object]]:
    """Questions in which few new words come up once growth is counted.

    With words of all pages until the end, the caches of words and of texts were still filling when memory was compared,
    which was most of the growth, and differed by a third from run to run.
    """
    first_half = zip(draw_questions(docs, SEED), draw_questions(few, SEED), strict=True)
    return chain(islice(chain.from_iterable(first_half), int(QUESTIONS * WARM_UP)), draw_questions(few, SEED + 1))


@pytest.mark.long
@pytest.mark.timeout(900)
def test_no_question_leaves_objects_behind(index: Path, root: Path, tmp_path: Path) -> None:
    for page in FEW:
        shutil.copy(root / "docs" / page, tmp_path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    with serving(index, port) as (origin, server):
        questions = _questions(root / "docs", tmp_path)
        done = soak(origin, server.pid, questions, QUESTIONS, look_through(server))
    print("\n".join(done.lines()))
    assert done.statuses == {200: QUESTIONS}
    # Resident memory also grows with what `malloc` has been given back and keeps. Beside other programs that was a fifth
    # of the growth once, so it does not count.
    assert done.slope - done.slope_of("freed") < MAX_KILOBYTES
    assert done.slope_of("objects") < MAX_OBJECTS
    assert done.slope_of("allocated") < MAX_KILOBYTES
