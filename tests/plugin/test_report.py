from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING

from trueref_plugin.report import LONG_STAGE, BarReporter, LineReporter, Reporter, reporter_for

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


def test_a_bar_where_a_person_watches() -> None:
    terminal = Terminal()
    report = reporter_for(logging.getLogger("test"), terminal, "Trueref")
    assert isinstance(report, BarReporter)
    steps(report, 4)
    assert "Trueref: Reading pages" in terminal.getvalue()
    assert "100%" in terminal.getvalue()


def test_lines_where_no_one_watches(caplog: pytest.LogCaptureFixture) -> None:
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


def test_a_long_stage_is_told_at_every_quarter() -> None:
    told: list[str] = []
    report = LineReporter(told.append, told.append)
    steps(report, LONG_STAGE)
    assert told == [f"Reading pages: {done} of 1000" for done in (250, 500, 750, 1000)]
    told.clear()
    steps(report, LONG_STAGE - 1)
    assert told == []


def test_a_warning_is_told_between_the_bars() -> None:
    told: list[str] = []
    report = BarReporter(Terminal(), "", told.append)
    report.warn("before")
    report.start("Reading pages", 2)
    report.advance()
    report.warn("within")
    assert told == ["before"]
    report.finish()
    assert told == ["before", "within"]


def test_an_empty_stage_draws_nothing() -> None:
    terminal = Terminal()
    steps(BarReporter(terminal, "", print), 0)
    assert terminal.getvalue() == ""
