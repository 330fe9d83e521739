"""Writes a warning rarely, so that a lasting fault, or one that any stranger can cause, does not fill the log."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable


class Rarely(logging.Filter):
    """Lets each warning through once in so many seconds, with how many like it there were since.

    Warnings are alike when their sentences are, without the arguments: addresses of strangers would make each of them
    another one. Errors are never held back. Safe to use from several threads.

    Args:
        seconds: How long the same warning is held back.
        clock: Seconds that only grow.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._logged_at: dict[str, float] = {}
        self._suppressed: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        if record.levelno != logging.WARNING:
            return True
        with self._lock:
            template, now = str(record.msg), self._clock()
            if template in self._logged_at and now - self._logged_at[template] < self._seconds:
                self._suppressed[template] = self._suppressed.get(template, 0) + 1
                return False
            self._logged_at[template] = now
            suppressed = self._suppressed.pop(template, 0)
        if suppressed:
            record.msg = f"{template} ({suppressed:,} more like this since it was last written.)"
        return True


def rare_logger(logger: logging.Logger) -> logging.Logger:
    """A logger of one object, which writes to another one and each warning at most once a minute."""
    rare = logging.Logger(logger.name)
    rare.parent = logger
    rare.addFilter(Rarely(60.0))
    return rare
