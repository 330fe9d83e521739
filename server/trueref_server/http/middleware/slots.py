"""Limits how many answers are made at the same time, in all and for one client network.

A question without a free slot is refused, with the seconds after which to ask again.
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
"""The `Retry-After` of a refused question. An answer without a model takes far less time."""


WARNING_SHARE: Final = 0.8
"""The share of the slots from which the log says that the limit is near."""


class AnswerSlots:
    """Answers 429 with Retry-After if all slots are taken, or all those that a client network may take.

    A slot is free again when the last byte is sent. The table of networks has no more rows than there are slots.
    """

    def __init__(self, app: ASGIApp, *, slots: int, network_slots: int, trusted: Sequence[Network]) -> None:
        self.app = app
        self.network_slots = network_slots
        self.trusted = trusted
        self.slots = slots
        self._log = rare_logger(logger)
        self._used_by_network: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application in a slot."""
        network = client_network(scope, self.trusted)
        in_use = self._used_by_network.total()
        is_full = in_use >= self.slots
        if is_full or self._used_by_network[network] >= self.network_slots:
            to_whom = "" if is_full else " to this network"
            message = f"The server is busy with other answers{to_whom}."
            # 429 also if all slots are taken: RFC 6585 lets a server count for one client or for all of them. With 503
            # load balancers and alerts would take this server for one that does not work.
            await busy_response(429, message, RETRY_SECONDS)(scope, receive, send)
            return
        self._used_by_network[network] += 1
        in_use += 1
        if self.slots > 1 and in_use > WARNING_SHARE * self.slots:
            self._log.warning("%d of %d answers are under way: the limit is max_answers", in_use, self.slots)
        try:
            await self.app(scope, receive, send)
        finally:
            self._used_by_network[network] -= 1
            # Otherwise the table would have a row for every network that ever asked.
            if not self._used_by_network[network]:
                del self._used_by_network[network]
