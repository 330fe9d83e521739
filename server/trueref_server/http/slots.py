"""Answers in flight: as many as there are slots; the next is asked to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trueref_server.http.errors import busy_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


RETRY_SECONDS: Final = 2
"""An extractive answer takes far less; so many readers do not come back at once."""


class AnswerSlots:
    """Answers 503 with Retry-After when all slots are taken. A slot is held until the last byte has left."""

    def __init__(self, app: ASGIApp, *, slots: int) -> None:
        self.app = app
        self.free = slots

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application in a slot."""
        if self.free <= 0:
            await busy_response(503, "The server is busy with other answers.", RETRY_SECONDS)(scope, receive, send)
            return
        self.free -= 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.free += 1
