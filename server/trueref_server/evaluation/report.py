"""One value that holds what an evaluation came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trueref_server.evaluation.bootstrap import Difference, Interval, differences, intervals
from trueref_server.evaluation.cases import Case
from trueref_server.evaluation.figures import columns_of, figures_of
from trueref_server.evaluation.judgements import Miss, judge, misses
from trueref_server.evaluation.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class Report:
    """The figures with their intervals; what was missed, and the differences to other results, where asked for.

    `notes` say which cases the results leave out.
    """

    figures: Mapping[str, float]
    intervals: Mapping[str, Interval]
    misses: Sequence[Miss] | None
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
    missed = misses(judged) if with_misses else None
    return Report(figures_of(columns), intervals(columns, seed), missed, against, notes)


def _left_out(cases: Sequence[Case], outcomes: Sequence[Outcome], what: str) -> list[str]:
    known, told = {case.id for case in cases}, {outcome.id for outcome in outcomes}
    notes: list[str] = []
    if lacking := len(known - told):
        notes.append(f"{what} lack {lacking} of {len(known)} cases, which count as not found.")
    if others := len(told - known):
        notes.append(f"{what} hold {others} that belong to no case, which do not count.")
    return notes
