"""Children of this process, and processor time, which a busy machine does not lengthen as it does the clock's."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def children() -> set[int]:
    """The processes that this one has started, in any thread, and that it has not seen end."""
    pids: set[int] = set()
    for thread in Path("/proc/self/task").iterdir():
        # A thread may end while the others are looked at.
        with suppress(FileNotFoundError, ProcessLookupError):
            pids |= set(map(int, (thread / "children").read_text(encoding="ascii").split()))
    return pids


def spent(pids: Iterable[int] = ()) -> float:
    """Seconds spent so far: by this process, by its children that have ended, and by some that run."""
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system + sum(map(_running, pids))


def _running(pid: int) -> float:
    """Seconds that a child has spent which is not waited for yet."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
