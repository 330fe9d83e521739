"""Runs `trueref serve` in a process that reports its memory on request. `scripts/soak.py` starts it.

For each line on standard input it prints a JSON object with the fields of `Memory` to standard output.
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
    """The memory of a process: sizes in KB, other figures as numbers of objects."""

    resident: int
    """Memory of the process that is in RAM, as the operating system counts it."""
    of_files: int
    """The part of it that maps files, such as libraries. It grows when more of their code is run for the first time."""
    allocated: int
    """Allocated by `malloc` and not yet freed."""
    freed: int
    """Freed, and kept by `malloc` for the next allocation: resident, but not in use."""
    blocks: int
    """Blocks that Python has allocated and not yet freed."""
    objects: int
    """Objects that Python's garbage collector tracks, counted after it has run."""
    cached: int
    """Entries in the function caches of this project."""


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
    """The memory of this process now, after a run of the garbage collector."""
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
            cached_object.cache_info().currsize
            for cached_object in objects
            if isinstance(cached_object, type(_cached_function))
            and cached_object.__module__.partition(".")[0] in PACKAGES
        ),
    )


@lru_cache
def _cached_function() -> None:
    """Gives the class of functions with a cache, which has no public name."""


def _kilobytes(status: str, name: str) -> int:
    match = re.search(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE)
    assert match, f"the system tells no {name}"
    return int(match[1])


def _report_memory() -> None:
    """Prints what the process holds in memory, as a line of JSON, for each line on standard input."""
    for _ in sys.stdin:
        print(json.dumps(asdict(memory())), flush=True)


if __name__ == "__main__":
    from trueref.cli import main

    threading.Thread(target=_report_memory, daemon=True).start()
    main()
