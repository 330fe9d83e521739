"""Counts the error responses of the API, those of its limits included."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class CountErrors:
    """Says of every response with a status from 400 on which one it has."""

    def __init__(self, app: ASGIApp, count: Callable[[int], None]) -> None:
        self.app = app
        self.count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application."""

        # Counted on the way out, since the limits answer in other middleware and reach no endpoint.
        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= 400:
                self.count(message["status"])
            await send(message)

        await self.app(scope, receive, watch)
