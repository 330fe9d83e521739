"""Writes the same warning rarely: a fault that lasts, or that anybody can cause from outside, must not fill the log."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable


class RepeatedWarningFilter(logging.Filter):
    """Lets the same warning through once in `seconds`, with the number of those that were held back since.

    Two warnings are the same if their message templates are equal, whatever their arguments: with the arguments, the
    address of each client would make a warning of its own. Errors are never held back. Safe to use from several
    threads.

    Args:
        seconds: How long the same warning is held back.
        clock: Gives seconds that never decrease.
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
            record.msg = f"{template} (Repeats left out since the last line like this: {suppressed:,}.)"
        return True


def rare_logger(logger: logging.Logger) -> logging.Logger:
    """A logger for one object. It passes records on to `logger`, the same warning at most once a minute."""
    rare = logging.Logger(logger.name)
    rare.parent = logger
    rare.addFilter(RepeatedWarningFilter(60.0))
    return rare
