"""How a build reports what it does: stages with a length, notes, warnings. The base class reports nothing."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Final, TextIO

from trueref_core.text.printable import visible

if TYPE_CHECKING:
    from collections.abc import Callable

REPORTED_SHARE: Final = 0.25
"""A long stage writes a line at every quarter: enough to see that it goes on, and not so much that it fills a CI
log."""
LONG_STAGE: Final = 1000
"""A stage with this many steps is long."""
LONG_SECONDS: Final = 10.0
"""A stage that takes this long is long, however few steps it has."""


class Reporter:
    """Receives the reports of a build. Its methods are called from one thread."""

    def start(self, stage: str, total: int) -> None:
        """Reports that a stage of `total` steps begins."""

    def advance(self) -> None:
        """Reports that one step of the stage is done."""

    def finish(self) -> None:
        """Reports that the stage is over."""

    def note(self, line: str) -> None:
        """Reports something that is worth knowing."""

    def warn(self, line: str) -> None:
        """Reports a problem that the maintainer should look at. The build goes on."""


class LineReporter(Reporter):
    """Reports in lines of a log, for builds that nobody watches. `clock` gives the time in seconds."""

    def __init__(
        self, note: Callable[[str], Any], warn: Callable[[str], Any], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._note, self._warn, self._clock = note, warn, clock
        self._stage, self._total, self._done, self._share_reported, self._start_time = "", 0, 0, 0.0, 0.0

    def start(self, stage: str, total: int) -> None:
        """See `Reporter`."""
        self._stage, self._total, self._done, self._share_reported = stage, total, 0, 0.0
        self._start_time = self._clock()

    def advance(self) -> None:
        """See `Reporter`. At every quarter of a long stage, writes its speed and the time that is left."""
        self._done += 1
        share = self._done / max(self._total, 1)
        if share < self._share_reported + REPORTED_SHARE:
            return
        seconds = self._clock() - self._start_time
        if self._total < LONG_STAGE and seconds < LONG_SECONDS:
            return
        self._share_reported = share
        line = f"{self._stage}: {self._done} of {self._total}"
        # In the first second too few steps are done for a reliable rate.
        if seconds >= 1:
            line += f", {_rate(self._done, seconds)}"
            left = seconds / self._done * (self._total - self._done)
            line += f", {_duration(left)} left" if left >= 1 else ""
        self._note(line)

    def note(self, line: str) -> None:
        """See `Reporter`."""
        self._note(visible(line))

    def warn(self, line: str) -> None:
        """See `Reporter`."""
        self._warn(visible(line))


class BarReporter(Reporter):
    """Draws a bar for every stage: for builds that a person watches.

    Args:
        stream: The terminal.
        label: Stands before the name of the stage.
        warn: Writes a warning. It is called between two bars, so that no warning interrupts a bar.
    """

    def __init__(self, stream: TextIO, label: str, warn: Callable[[str], Any]) -> None:
        self._stream, self._label, self._warn = stream, label, warn
        self._bar: Any = None
        self._waiting_warnings: list[str] = []
        """Warnings that wait for the end of the current bar."""

    def start(self, stage: str, total: int) -> None:
        """See `Reporter`."""
        # Imported only when a bar is drawn: a build without a terminal needs no click.
        import click

        if total:
            label = f"{self._label}{stage}"
            start_time = time.monotonic()

            def rate(done: int | None) -> str:
                return _rate(done, time.monotonic() - start_time) if done else ""

            self._bar = click.progressbar(
                length=total,
                label=f"{label:<24}",
                file=self._stream,
                show_percent=True,
                show_pos=True,
                item_show_func=rate,
                update_min_steps=1,
            )
            self._bar.__enter__()

    def advance(self) -> None:
        """See `Reporter`."""
        if self._bar is not None:
            self._bar.update(1, self._bar.pos + 1)

    def finish(self) -> None:
        """See `Reporter`."""
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None
        while self._waiting_warnings:
            self._warn(self._waiting_warnings.pop(0))

    def warn(self, line: str) -> None:
        """See `Reporter`."""
        if self._bar is None:
            self._warn(visible(line))
        else:
            self._waiting_warnings.append(visible(line))


def _rate(steps: int, seconds: float) -> str:
    """The speed of a stage in words."""
    rate = steps / max(seconds, 0.001)
    return f"{rate:,.0f} a second" if rate >= 10 else f"{rate:.1f} a second"


def _duration(seconds: float) -> str:
    """A time in words."""
    return f"{seconds:.0f} seconds" if seconds < 100 else f"{seconds / 60:.0f} minutes"


def reporter_for(log: logging.Logger | logging.LoggerAdapter[Any], stream: TextIO, label: str = "") -> Reporter:
    """A reporter that draws bars if `stream` is a terminal, and writes log lines if not."""
    if stream.isatty():
        return BarReporter(stream, f"{label}: " if label else "", log.warning)
    return LineReporter(log.info, log.warning)
