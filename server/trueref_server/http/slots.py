"""Answers in flight: as many as there are slots, and of one client network only a part of them.

The next one is asked to come back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from trueref_server.http.client import client_network
from trueref_server.http.error_responses import busy_response
from trueref_server.settings import Network

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


RETRY_SECONDS: Final = 2
"""An extractive answer takes far less; so many readers do not come back at once."""


class AnswerSlots:
    """Answers 503 with Retry-After when all slots are taken, or those that one client network may have.

    A slot is held until the last byte has left. The table of networks has no more rows than there are slots.
    """

    def __init__(self, app: ASGIApp, *, slots: int, of_network: int, trusted: Sequence[Network]) -> None:
        self.app = app
        self.free = slots
        self.of_network = of_network
        self.trusted = trusted
        self._held: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application in a slot."""
        network = client_network(scope, self.trusted)
        if self.free <= 0 or self._held[network] >= self.of_network:
            whose = "other answers" if self.free <= 0 else "other answers to this network"
            await busy_response(503, f"The server is busy with {whose}.", RETRY_SECONDS)(scope, receive, send)
            return
        self.free -= 1
        self._held[network] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.free += 1
            self._held[network] -= 1
            if not self._held[network]:
                del self._held[network]
