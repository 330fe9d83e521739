"""Warnings of troubles that last: one line when they begin, and then one a minute at most."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

LEAST_SECONDS: Final = 60.0


class RareLog:
    """Writes warnings to a logger, each kind of them at most once a minute. Safe to use from several threads.

    Args:
        logger: Where they are written.
        clock: Seconds that only grow.
    """

    def __init__(self, logger: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._logger = logger
        self._clock = clock
        self._lock = threading.Lock()
        self._written: dict[str, float] = {}
        self._skipped: dict[str, int] = {}

    def warn(self, message: str, *details: object) -> None:
        """Write a warning, or count it where the same message was written less than a minute ago.

        Args:
            message: A fixed sentence with `%s` for the details; it tells one kind of warning from another.
            details: What takes the place of `%s`.
        """
        with self._lock:
            now = self._clock()
            if message in self._written and now - self._written[message] < LEAST_SECONDS:
                self._skipped[message] = self._skipped.get(message, 0) + 1
                return
            self._written[message] = now
            skipped = self._skipped.pop(message, 0)
        more = f" ({skipped:,} more like this since it was last written.)" if skipped else ""
        self._logger.warning(message + more, *details)
