"""Kills processes at moments that are counted in what a process has done so far, as Linux counts it."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.waiting import wait_until

IS_COUNTED = Path("/proc/self/io").exists()
"""Whether this system counts what a process does."""

PAUSE_SECONDS = 0.001
"""Between two looks: some work is done within a few hundredths of a second."""

Count = Callable[[int | str], int]
"""Counts what a process has done, by its number or `self`. Raises `OSError` if it has ended."""


def ticks_used(process: int | str) -> int:
    """The processor time of a process with all its threads, in hundredths of a second."""
    # The name of the program, in parentheses, may have spaces.
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def bytes_written(process: int | str) -> int:
    """The bytes that a process has written."""
    counts = dict(line.split(": ") for line in Path(f"/proc/{process}/io").read_text(encoding="ascii").splitlines())
    return int(counts["wchar"])


def kill_at(process: int, wanted: float, count: Count) -> int:
    """Kill a process when it has done so much; gives what it had done then, or when it was last seen."""
    done = 0

    def is_reached() -> bool:
        nonlocal done
        done = count(process)
        return done >= wanted

    with suppress(OSError):  # it was faster
        wait_until(is_reached, PAUSE_SECONDS)
        os.kill(process, signal.SIGKILL)
    return done


def spread_shares(number: int, chance: random.Random) -> list[float]:
    """So many shares of a whole, in random order: one by chance out of each of as many equal parts."""
    shares = [(part + chance.random()) / number for part in range(number)]
    chance.shuffle(shares)
    return shares
