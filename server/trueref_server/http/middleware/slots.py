"""Limits how many answers are made at the same time, in all and for one client network.

A question for which there is no slot is refused, with the time after which to ask again.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from trueref_server.http.client import client_network
from trueref_server.http.responses.error_responses import busy_response
from trueref_server.rare_log import rare_logger
from trueref_server.settings import Network

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


logger = logging.getLogger("trueref.server")

RETRY_SECONDS: Final = 2
"""An extractive answer takes far less; so many readers do not come back at once."""


NEAR: Final = 0.8
"""The share of the slots from which the log says that the limit is near."""


class AnswerSlots:
    """Answers 429 with Retry-After when all slots are taken, or as many as a client network may have.

    A slot is taken until the last byte has left. The table of networks has no more rows than there are slots.
    """

    def __init__(self, app: ASGIApp, *, slots: int, of_network: int, trusted: Sequence[Network]) -> None:
        self.app = app
        self.of_network = of_network
        self.trusted = trusted
        self.slots = slots
        self._log = rare_logger(logger)
        self._slots_of_network: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application in a slot."""
        network = client_network(scope, self.trusted)
        in_use = self._slots_of_network.total()
        is_full = in_use >= self.slots
        if is_full or self._slots_of_network[network] >= self.of_network:
            of_network = "" if is_full else " to this network"
            message = f"The server is busy with other answers{of_network}."
            # 429 also if all slots are taken. RFC 6585 leaves it to the server what it counts, for a client or for
            # all of them; 503 would tell balancers and alerts of a server that cannot work, and this one does.
            await busy_response(429, message, RETRY_SECONDS)(scope, receive, send)
            return
        self._slots_of_network[network] += 1
        in_use += 1
        if self.slots > 1 and in_use > NEAR * self.slots:
            self._log.warning("%d of %d answers are under way: the limit is max_answers", in_use, self.slots)
        try:
            await self.app(scope, receive, send)
        finally:
            self._slots_of_network[network] -= 1
            # Else the table would have a row for every network that ever asked.
            if not self._slots_of_network[network]:
                del self._slots_of_network[network]
