"""Limits the tokens that a model may use: per day, and per client network and day."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache

logger = logging.getLogger("trueref.server")

DAY_SECONDS: Final = 86_400
NEAR: Final = 0.8
"""The share of a limit at which the log says that the limit is near."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """Tokens that are set aside for an answer of a network, on a day."""

    network: str
    tokens: int
    day: int


class Budget:
    """Counts the tokens of a day (UTC). What is spent lives in memory: a restart begins the day anew.

    Args:
        of_day: Tokens of all answers of a day; 0 sets no limit.
        of_network: Tokens of a day for one client network; 0 sets no limit.
        networks: How many networks are remembered; the one longest unseen is forgotten first.
        now: Seconds since the epoch.
    """

    def __init__(self, of_day: int, of_network: int, networks: int, now: Callable[[], float] = time.time) -> None:
        self._of_day = of_day
        self._of_network = of_network
        self._now = now
        self._day: int = -1
        self._spent = 0
        # Bounded, the longest unseen first out: addresses are free for whoever wants to fill the memory.
        self._by_network: LRUCache[str, int] = LRUCache(networks)
        self._logged_today: set[str] = set()

    def reserve(self, network: str, tokens: int) -> Reservation | None:
        """Set tokens aside for an answer; None if the day or the network has too few left.

        They are set aside before the request, so that answers under way together do not exceed the limit.
        """
        self._begin_day()
        if self._of_day and self._spent + tokens > self._of_day:
            self._tell("The day's tokens for the model are spent: until midnight UTC passages of the docs answer")
            return None
        if self._of_network and self._by_network.get(network, 0) + tokens > self._of_network:
            self._tell("A client network has spent its tokens for the model: until midnight UTC it gets passages")
            return None
        self._add(network, tokens)
        if self._of_network and self._by_network[network] > NEAR * self._of_network:
            # Which one is not told: a log holds no addresses.
            self._tell(f"A client network has spent more than {NEAR:.0%} of its tokens for the model")
        if self._of_day and self._spent > NEAR * self._of_day:
            self._tell(f"More than {NEAR:.0%} of the day's tokens for the model are spent")
        return Reservation(network, tokens, self._day)

    def settle(self, reserved: Reservation, spent: int) -> None:
        """Count what an answer used in place of what was set aside for it."""
        self._begin_day()
        # What was set aside before midnight is not among the tokens of the new day.
        if reserved.day == self._day:
            self._add(reserved.network, spent - reserved.tokens)

    def _add(self, network: str, tokens: int) -> None:
        """Count tokens for the day and the network; below 0 they are given back."""
        self._spent = max(0, self._spent + tokens)
        self._by_network[network] = max(0, self._by_network.get(network, 0) + tokens)

    def _begin_day(self) -> None:
        """Begin the counts anew if a day (UTC) has begun since they were looked at."""
        today = int(self._now() // DAY_SECONDS)
        if today != self._day:
            self._day, self._spent = today, 0
            self._by_network.clear()
            self._logged_today.clear()

    def _tell(self, line: str) -> None:
        """Log a line once a day."""
        if line not in self._logged_today:
            self._logged_today.add(line)
            logger.warning(line)
