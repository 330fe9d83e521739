"""One value that holds what an evaluation came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trueref_server.evaluation.bootstrap import Difference, Interval, differences, intervals
from trueref_server.evaluation.cases import Case
from trueref_server.evaluation.figures import Columns, columns_of, figures_of, rounded
from trueref_server.evaluation.forms import Form, by_form
from trueref_server.evaluation.judgements import Miss, NotShown, judge, misses, not_shown
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.risk import Point, curve


@dataclass(frozen=True, slots=True)
class Report:
    """The figures with their intervals; what was missed, and the differences to other results, where asked for.

    `forms`, `risk` and `not_shown` are about cases with nuggets, None where there are none or the results do not tell
    what was shown. `notes` say which cases the results leave out.
    """

    figures: Mapping[str, float]
    intervals: Mapping[str, Interval]
    forms: Sequence[Form] | None
    risk: Sequence[Point] | None
    misses: Sequence[Miss] | None
    not_shown: Sequence[NotShown] | None
    against: Mapping[str, Difference] | None
    notes: Sequence[str]


def report_on(
    cases: Sequence[Case],
    outcomes: Sequence[Outcome],
    earlier: Sequence[Outcome] | None = None,
    *,
    with_misses: bool = False,
    seed: int = 0,
) -> Report:
    """What some outcomes come to, and what differs from earlier ones over the same cases."""
    judged = judge(cases, outcomes)
    columns = columns_of(judged)
    notes = _left_out(cases, outcomes, "The results")
    against = None
    if earlier is not None:
        against = differences(columns_of(judge(cases, earlier)), columns, seed)
        notes += _left_out(cases, earlier, "The results compared with")
    is_told = columns.seen.is_told
    return Report(
        figures=figures_of(columns),
        intervals=intervals(columns, seed),
        forms=by_form(judged, seed) if is_told else None,
        risk=_risk(columns) if is_told and columns.has_confidence else None,
        misses=misses(judged) if with_misses else None,
        not_shown=not_shown(judged) if with_misses and is_told else None,
        against=against,
        notes=notes,
    )


def _risk(columns: Columns) -> list[Point]:
    points = curve(columns.seen.confidence, 1 - columns.seen.full)
    return [Point(it.confidence, rounded("coverage", it.coverage), rounded("risk", it.risk)) for it in points]


def _left_out(cases: Sequence[Case], outcomes: Sequence[Outcome], what: str) -> list[str]:
    known, told = {case.id for case in cases}, {outcome.id for outcome in outcomes}
    notes: list[str] = []
    if lacking := len(known - told):
        notes.append(f"{what} lack {lacking} of {len(known)} cases, which count as not found.")
    if others := len(told - known):
        notes.append(f"{what} hold {others} that belong to no case, which do not count.")
    return notes
