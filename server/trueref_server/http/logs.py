"""Keeps what any stranger can cause from filling the log."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

SERVER_LOG: Final = "uvicorn.error"
LEAST_SECONDS: Final = 1.0


class Rarely(logging.Filter):
    """Lets each warning through once in so many seconds, with how many like it there were since.

    uvicorn warns of every message that is no valid request, without saying more about it. Its warnings are a handful of
    fixed sentences. Errors are never held back.

    Args:
        seconds: How long the same warning is held back.
        clock: Seconds that only grow.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._seconds = seconds
        self._clock = clock
        self._logged_at: dict[str, float] = {}
        self._suppressed: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        if record.levelno != logging.WARNING:
            return True
        # By the sentence without its arguments: addresses of strangers would make each warning another one.
        template, now = str(record.msg), self._clock()
        if template in self._logged_at and now - self._logged_at[template] < self._seconds:
            self._suppressed[template] = self._suppressed.get(template, 0) + 1
            return False
        self._logged_at[template] = now
        if suppressed := self._suppressed.pop(template, 0):
            record.msg = f"{template} ({suppressed:,} more like this since it was last written.)"
        return True


def tell_rarely() -> None:
    """Has uvicorn's own log warn once a second at most."""
    log = logging.getLogger(SERVER_LOG)
    # A process may serve more than once, as tests do, and the log is one for all.
    if not any(isinstance(log_filter, Rarely) for log_filter in log.filters):
        log.addFilter(Rarely(LEAST_SECONDS))
