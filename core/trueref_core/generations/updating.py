"""Shows whether a build of an index is under way.

A build holds a lock on a file of its own beside the index. The operating system releases it when the build ends in any
way, so a killed build is not taken for a running one. The lock blocks nobody: `build_lock` keeps two builds apart.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

NAME = "updating"
"""The name of the lock's file in the index folder. It exists while a build is under way, and after a killed one."""

PATIENCE_SECONDS = 1.0
"""How long a build waits for the lock: a server that calls `is_updating` holds it for a moment."""


@contextmanager
def marked_as_updating(index: Path) -> Generator[None]:
    """Makes `is_updating` true until the block ends. If the lock cannot be taken, the build goes on without it."""
    from filelock import FileLock, Timeout

    lock = FileLock(str(index.resolve() / NAME))
    with suppress(Timeout, OSError):
        lock.acquire(timeout=PATIENCE_SECONDS)
    try:
        yield
    finally:
        if lock.is_locked:
            # Windows does not remove a file that somebody has open. It stays then, like that of a killed build.
            with suppress(OSError):
                (index / NAME).unlink()
            lock.release()


def is_updating(index: Path) -> bool:
    """Whether a build on this machine is under way that will change the served generation. Takes half a millisecond."""
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
