"""`trueref serve`, which tells on request what of its memory is in use. `scripts/soak.py` runs it.

Each line on standard input is answered by one on standard output: a JSON object with the fields of `Memory`.
"""

from __future__ import annotations

import ctypes
import gc
import json
import re
import sys
import threading
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

PACKAGES: Final = ("trueref", "trueref_core", "trueref_server")


@dataclass(frozen=True, slots=True)
class Memory:
    """What a process holds: sizes in KB, the other figures as numbers of things."""

    resident: int
    """Pages of the process that are in memory, as the operating system counts them."""
    of_files: int
    """Those among them that show a file, such as a library. They grow as more of its code is run for the first time."""
    allocated: int
    """Given out by `malloc` and not yet taken back."""
    freed: int
    """Taken back by `malloc`, and kept for what asks next: resident, and in use by nobody."""
    blocks: int
    """Blocks in use that Python has given out."""
    objects: int
    """Objects that Python's garbage collector looks after, once it has run."""
    cached: int
    """Entries of the caches of this project's functions."""


class _MallocFigures(ctypes.Structure):
    """`struct mallinfo2` of glibc."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            # In the order of glibc.
            "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
        )
    )


def memory() -> Memory:
    """What this process holds now, after a run of the garbage collector."""
    gc.collect()
    figures = ctypes.CDLL(None).mallinfo2
    figures.restype = _MallocFigures
    malloc = figures()
    status = Path("/proc/self/status").read_text(encoding="ascii")
    objects = gc.get_objects()
    return Memory(
        resident=_kilobytes(status, "VmRSS"),
        of_files=_kilobytes(status, "RssFile"),
        allocated=(malloc.uordblks + malloc.hblkhd) // 1024,
        freed=malloc.fordblks // 1024,
        blocks=sys.getallocatedblocks(),
        objects=len(objects),
        cached=sum(
            thing.cache_info().currsize
            for thing in objects
            if isinstance(thing, type(_cached_function)) and thing.__module__.partition(".")[0] in PACKAGES
        ),
    )


@lru_cache
def _cached_function() -> None:
    """Shows what the objects are that hold a function's cache: their class has no public name."""


def _kilobytes(status: str, name: str) -> int:
    match = re.search(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE)
    assert match, f"the system tells no {name}"
    return int(match[1])


def _answer() -> None:
    for _ in sys.stdin:
        print(json.dumps(asdict(memory())), flush=True)


if __name__ == "__main__":
    from trueref.cli import main

    threading.Thread(target=_answer, daemon=True).start()
    main()
