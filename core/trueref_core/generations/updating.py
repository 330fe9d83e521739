"""Whether an index is being built anew just now.

Builds say so by a lock of its own beside the index: the operating system lets go of it when the build ends, however it
ends, so that a killed build is not taken for one under way. It keeps nobody from anything; two builds at once are kept
apart by `build_lock`.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

NAME = "updating"
"""The name of the lock's file in the index folder. It is there while a build is under way, and after a killed one."""

PATIENCE_SECONDS = 1.0
"""How long a build waits for the lock: a server that looks holds it for a moment."""


@contextmanager
def marked_as_updating(index: Path) -> Generator[None]:
    """Has `is_updating` say so until the block ends. Where the mark cannot be made, the build goes on without it."""
    from filelock import FileLock, Timeout

    lock = FileLock(str(index.resolve() / NAME))
    with suppress(Timeout, OSError):
        lock.acquire(timeout=PATIENCE_SECONDS)
    try:
        yield
    finally:
        if lock.is_locked:
            # Windows removes no file that somebody has open; it is then taken for that of a killed build.
            with suppress(OSError):
                (index / NAME).unlink()
            lock.release()


def is_updating(index: Path) -> bool:
    """Whether a build on this machine is under way that will change what is served. Takes half a millisecond."""
    file = index / NAME
    if not file.exists():
        return False
    from filelock import FileLock, Timeout

    lock = FileLock(str(file.resolve()))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    except OSError:
        # A server that may only read the index cannot tell.
        return False
    lock.release()
    return False
