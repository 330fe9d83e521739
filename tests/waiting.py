"""Waits for what another thread or process does: as long as that takes, and no longer.

Nothing here gives up. The time limit of pytest ends a test that waits in vain, and shows for what; a limit of some
seconds would judge how busy the machine is.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Collection
from typing import TypeVar

T = TypeVar("T")

PAUSE_SECONDS = 0.02


def wait_until(condition: Callable[[], T | None], pause_seconds: float = PAUSE_SECONDS) -> T:
    """Asks until there is something that counts as true; gives it."""
    while not (found := condition()):
        time.sleep(pause_seconds)
    return found


async def wait_until_async(condition: Callable[[], Awaitable[T | None]]) -> T:
    """The same for what is waited for itself, or runs in this loop."""
    while not (found := await condition()):
        await asyncio.sleep(PAUSE_SECONDS)
    return found


def wait_for_the_store(others: Collection[threading.Thread] = ()) -> None:
    """Waits until the stores that were closed have written what they had. `others` are threads of open stores.

    A server that stops waits only a few seconds for its database, and beside other load this can take longer.
    """
    for thread in set(threading.enumerate()) - {*others}:
        if thread.name == "trueref-store":
            thread.join()
