"""Limits the tokens that a model may use, in all and for each client network, each per day."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache

logger = logging.getLogger("trueref.server")

DAY_SECONDS: Final = 86_400
WARNING_SHARE: Final = 0.8
"""The share of a limit at which the log says that the limit is near."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """Tokens reserved for one answer to a client network, on a day (UTC, counted from the epoch)."""

    network: str
    tokens: int
    day: int


class Budget:
    """Counts the tokens of a day (UTC). The counts are in memory only: a restart sets them to 0.

    Args:
        day_limit: Tokens of all answers of a day; 0 sets no limit.
        network_limit: Tokens of a day for one client network; 0 sets no limit.
        max_networks: How many networks are remembered; the one longest unseen is forgotten first.
        now: Seconds since the epoch.
    """

    def __init__(
        self, day_limit: int, network_limit: int, max_networks: int, now: Callable[[], float] = time.time
    ) -> None:
        self._day_limit = day_limit
        self._network_limit = network_limit
        self._now = now
        self._day: int = -1
        self._spent = 0
        # Bounded, since an attacker who has many addresses must not fill the memory with them.
        self._by_network: LRUCache[str, int] = LRUCache(max_networks)
        self._logged_today: set[str] = set()

    def reserve(self, network: str, tokens: int) -> Reservation | None:
        """Reserve tokens for an answer; None if the day or the network has too few left.

        They are reserved before the request, so that answers which run at the same time do not exceed the limit
        together.
        """
        self._reset_on_new_day()
        if self._day_limit and self._spent + tokens > self._day_limit:
            self._warn_once_a_day(
                "The day's tokens for the model are spent: until midnight UTC passages of the docs answer"
            )
            return None
        if self._network_limit and self._by_network.get(network, 0) + tokens > self._network_limit:
            self._warn_once_a_day(
                "A client network has spent its tokens for the model: until midnight UTC it gets passages"
            )
            return None
        self._add(network, tokens)
        if self._network_limit and self._by_network[network] > WARNING_SHARE * self._network_limit:
            # The message does not name the network: the log has no addresses of clients.
            self._warn_once_a_day(
                f"A client network has spent more than {WARNING_SHARE:.0%} of its tokens for the model"
            )
        if self._day_limit and self._spent > WARNING_SHARE * self._day_limit:
            self._warn_once_a_day(f"More than {WARNING_SHARE:.0%} of the day's tokens for the model are spent")
        return Reservation(network, tokens, self._day)

    def settle(self, reservation: Reservation, spent: int) -> None:
        """Replace the tokens reserved for an answer by those that it used."""
        self._reset_on_new_day()
        # The count of a new day does not contain what was reserved before midnight.
        if reservation.day == self._day:
            self._add(reservation.network, spent - reservation.tokens)

    def _add(self, network: str, tokens: int) -> None:
        """Count tokens for the day and the network; a negative number gives tokens back."""
        self._spent = max(0, self._spent + tokens)
        self._by_network[network] = max(0, self._by_network.get(network, 0) + tokens)

    def _reset_on_new_day(self) -> None:
        """Set all counts to 0 if a new day (UTC) has begun since the last call."""
        today = int(self._now() // DAY_SECONDS)
        if today != self._day:
            self._day, self._spent = today, 0
            self._by_network.clear()
            self._logged_today.clear()

    def _warn_once_a_day(self, message: str) -> None:
        """Log a message at most once a day."""
        if message not in self._logged_today:
            self._logged_today.add(message)
            logger.warning(message)
