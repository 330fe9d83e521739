from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING

from trueref_plugin.progress import LONG_STAGE, BarReporter, LineReporter, Reporter, reporter_for

if TYPE_CHECKING:
    import pytest


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def steps(report: Reporter, total: int) -> None:
    report.start("Reading pages", total)
    for _ in range(total):
        report.advance()
    report.finish()


def test_a_bar_is_drawn_where_a_person_watches() -> None:
    terminal = Terminal()
    report = reporter_for(logging.getLogger("test"), terminal, "Trueref")
    assert isinstance(report, BarReporter)
    steps(report, 4)
    assert "Trueref: Reading pages" in terminal.getvalue()
    assert "100%" in terminal.getvalue()


def test_lines_are_logged_where_no_one_watches(caplog: pytest.LogCaptureFixture) -> None:
    stream = io.StringIO()
    with caplog.at_level(logging.INFO):
        report = reporter_for(logging.getLogger("test"), stream)
        steps(report, 4)
        report.note("noted")
        report.warn("careful")
    assert isinstance(report, LineReporter)
    assert stream.getvalue() == ""
    assert [(record.levelname, record.message) for record in caplog.records] == [
        ("INFO", "noted"),
        ("WARNING", "careful"),
    ]


class Clock:
    """A clock that each look moves on."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.now = seconds, 0.0

    def __call__(self) -> float:
        self.now += self.seconds
        return self.now


def lines_of(total: int, seconds: float) -> list[str]:
    """What is told of a stage, where the clock moves on by some seconds whenever it is looked at."""
    lines: list[str] = []
    steps(LineReporter(lines.append, lines.append, Clock(seconds)), total)
    return lines


def test_a_long_stage_is_told_at_every_quarter() -> None:
    assert lines_of(LONG_STAGE, 0.0) == [f"Reading pages: {done} of 1000" for done in (250, 500, 750, 1000)]
    assert lines_of(LONG_STAGE - 1, 0.0) == []


def test_a_long_stage_tells_its_speed_and_the_time_left() -> None:
    assert lines_of(LONG_STAGE, 50.0) == [
        "Reading pages: 250 of 1000, 5.0 a second, 2 minutes left",
        "Reading pages: 500 of 1000, 5.0 a second, 2 minutes left",
        "Reading pages: 750 of 1000, 5.0 a second, 50 seconds left",
        "Reading pages: 1000 of 1000, 5.0 a second",
    ]


def test_a_stage_of_few_steps_is_told_where_they_take_long() -> None:
    assert lines_of(4, 12.0) == [
        "Reading pages: 1 of 4, 0.1 a second, 36 seconds left",
        "Reading pages: 2 of 4, 0.1 a second, 24 seconds left",
        "Reading pages: 3 of 4, 0.1 a second, 12 seconds left",
        "Reading pages: 4 of 4, 0.1 a second",
    ]


def test_a_bar_says_how_many_are_done_and_how_fast() -> None:
    terminal = Terminal()
    steps(BarReporter(terminal, "", print), 4)
    assert "4/4" in terminal.getvalue()
    assert "a second" in terminal.getvalue()


def test_a_warning_is_told_between_the_bars() -> None:
    lines: list[str] = []
    report = BarReporter(Terminal(), "", lines.append)
    report.warn("before")
    report.start("Reading pages", 2)
    report.advance()
    report.warn("within")
    assert lines == ["before"]
    report.finish()
    assert lines == ["before", "within"]


def test_an_empty_stage_draws_nothing() -> None:
    terminal = Terminal()
    steps(BarReporter(terminal, "", print), 0)
    assert terminal.getvalue() == ""
