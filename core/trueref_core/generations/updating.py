"""Tells a server whether a build of its index is running.

A running build holds a lock on the file `updating` in the index folder. The operating system releases the lock when the
process ends in any way, so a killed build is not taken for a running one. This lock excludes no other build: that is
what `build_lock` is for.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

NAME = "updating"
"""The name of the locked file in the index folder. It exists while a build is running, and after a killed build."""

PATIENCE_SECONDS = 1.0
"""How long a build waits for the lock: a server that calls `is_updating` holds it for a moment."""


@contextmanager
def marked_as_updating(index: Path) -> Generator[None]:
    """Makes `is_updating` true until the block ends. If the lock cannot be taken, the build continues without it."""
    from filelock import FileLock, Timeout

    lock = FileLock(str(index.resolve() / NAME))
    with suppress(Timeout, OSError):
        lock.acquire(timeout=PATIENCE_SECONDS)
    try:
        yield
    finally:
        if lock.is_locked:
            # Windows removes no file that somebody has open. The file then stays, as after a killed build.
            with suppress(OSError):
                (index / NAME).unlink()
            lock.release()


def is_updating(index: Path) -> bool:
    """Whether a build that will change the served generation is running on this machine. Takes half a millisecond."""
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
        # A server that may only read the index cannot take the lock, and so cannot know.
        return False
    lock.release()
    return False
