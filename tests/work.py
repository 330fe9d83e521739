"""How much work a text makes: counted in lines of our own code where these do it, timed where one call of C does.

Nothing here fails because a machine is busy: lines are the same on any, and times are compared with one another.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from types import FrameType
from typing import Any, Final

LONG: Final = 20_000
"""Characters of the longest text, unless a test names another length."""

STEPS: Final = (256, 64, 16, 4, 1)
"""What the longest text is divided by. Short ones come first: from a long one a cubic expression would not come back."""

TELLING: Final = 0.05
"""Seconds from which on time is compared with that of a shorter text: less is lost in what else happens."""

TIMES_LONGER: Final = 16
"""How much longer a text is than the one that its time is compared with."""

GROWTH: Final = 64
"""Times as much for that. A linear expression takes 16 times as much, a quadratic one 256 times: beside other load, where
one run may take four times as long as another, the two are still told apart."""

Tracer = Callable[[FrameType, str, Any], Any]
"""A function that Python calls before each line of a frame."""


def lines_run(work: Callable[[], object]) -> int:
    """The lines of our own code that run, in this thread and in those that it starts."""
    with counted_lines() as lines:
        work()
    return lines()


@contextmanager
def counted_lines() -> Iterator[Callable[[], int]]:
    """Counts the lines of our own code that run while the block does, in this thread and in those that it starts.

    Yields a function that returns the lines so far. An iteration of a comprehension is a line too, and so is each call
    and each time that a generator goes on: a value that many generators pass on costs as much as many lines.
    """
    counts: dict[int, list[int]] = {}
    tracers: dict[int, Tracer] = {}

    def tracer_of_this_thread() -> Tracer:
        # A thread has a count of its own, since two that add to one would lose lines.
        count = counts[get_ident()] = [0]

        def line(_frame: FrameType, event: str, _argument: Any) -> Tracer:
            if event == "line":
                count[0] += 1
            return line

        tracers[get_ident()] = line
        return line

    def call(frame: FrameType, _event: str, _argument: Any) -> Tracer | None:
        if not frame.f_globals.get("__name__", "").startswith("trueref"):
            return None
        tracer = tracers.get(get_ident()) or tracer_of_this_thread()
        counts[get_ident()][0] += 1
        return tracer

    before, before_of_threads = sys.gettrace(), threading.gettrace()
    threading.settrace(call)
    sys.settrace(call)
    try:
        yield lambda: sum(count for (count,) in list(counts.values()))
    finally:
        sys.settrace(before)
        threading.settrace(before_of_threads)


def is_linear(read: Callable[[str], object], piece: str, end: str = "", longest: int = LONG) -> bool:
    """Whether the time for a text of many pieces grows with its length and no faster.

    Another program slows some runs down, and never all of them in proportion: the best of several is taken, short and
    long texts in turn, and only where a first run is not short.
    """

    def seconds(length: int) -> float:
        text = piece * (length // len(piece)) + end
        started = time.process_time()
        read(text)
        return time.process_time() - started

    for length in (longest // step for step in STEPS):
        if seconds(length) < TELLING:
            continue
        rounds = [(seconds(length // TIMES_LONGER), seconds(length)) for _ in range(5)]
        shorter, longer = map(min, zip(*rounds, strict=True))
        if longer > max(TELLING, GROWTH * shorter):
            return False
    return True
