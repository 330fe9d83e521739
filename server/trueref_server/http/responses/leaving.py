"""Stops the work for a client that has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from starlette.types import Receive

T = TypeVar("T")


async def until_left(work: Coroutine[Any, Any, T], receive: Receive) -> T | None:
    """The result of the work; None if the client disconnects first, which cancels the work.

    The body of the request must have been read.
    """
    # Two tasks at the same time: a reader may leave in the seconds that a model takes to its next word.
    working = asyncio.create_task(work)
    disconnect = asyncio.create_task(_disconnected(receive))
    try:
        await asyncio.wait((working, disconnect), return_when=asyncio.FIRST_COMPLETED)
    finally:
        unfinished = not working.done()
        for task in (working, disconnect):
            task.cancel()
        await asyncio.gather(working, disconnect, return_exceptions=True)
    return None if unfinished else working.result()


async def _disconnected(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
