"""The result of an evaluation as one value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from trueref_server.evaluation.bootstrap import Interval, PairedDifference, differences, intervals, share_interval
from trueref_server.evaluation.cases import Case
from trueref_server.evaluation.figures import Columns, columns_of, figures_of, rounded
from trueref_server.evaluation.judgements import Judgement, Miss, NotShown, judge, misses, not_shown
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.risk import Floats, Point, curve

KIND_FIGURES: Final = ("section@1", "section@5", "shown", "answer", "wrong")
"""What is counted of each kind of question, as far as its cases allow it."""


@dataclass(frozen=True, slots=True)
class Form:
    """The figure `shown` of the cases of one form; "" for those that name none."""

    form: str
    n: int
    shown: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Kind:
    """Some figures of the `n` cases of one kind of question; "" for those that name none."""

    kind: str
    n: int
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """The figures with their intervals; what was missed, and the differences to other results, if asked for.

    `kinds` is None if no case names its kind.
    `forms`, `risk` and `not_shown` are about cases with nuggets, None if there are none or the results do not tell
    what was shown. `notes` say which cases the results leave out.
    """

    figures: Mapping[str, float]
    intervals: Mapping[str, Interval]
    kinds: Sequence[Kind] | None
    forms: Sequence[Form] | None
    risk: Sequence[Point] | None
    misses: Sequence[Miss] | None
    not_shown: Sequence[NotShown] | None
    against: Mapping[str, PairedDifference] | None
    notes: Sequence[str]


def report_on(
    cases: Sequence[Case],
    outcomes: Sequence[Outcome],
    earlier: Sequence[Outcome] | None = None,
    *,
    with_misses: bool = False,
    seed: int = 0,
) -> EvaluationReport:
    """The figures of a run, compared with an earlier one over the same cases."""
    # Judged by the cases, not by the outcomes: a case that a system leaves out counts as not found.
    judged = judge(cases, outcomes)
    columns = columns_of(judged)
    notes = _left_out(cases, outcomes, "The results")
    against = None
    if earlier is not None:
        # Both runs are judged by the same cases and share their draws: the interval is that of the difference.
        against = differences(columns_of(judge(cases, earlier)), columns, seed)
        notes += _left_out(cases, earlier, "The results compared with")
    is_told = columns.seen.is_told
    return EvaluationReport(
        figures=figures_of(columns),
        intervals=intervals(columns, seed),
        kinds=by_kind(judged) if any(case.kind for case in cases) else None,
        forms=by_form(judged, seed) if is_told else None,
        risk=_risk(columns) if is_told and columns.has_confidence else None,
        misses=misses(judged) if with_misses else None,
        not_shown=not_shown(judged) if with_misses and is_told else None,
        against=against,
        notes=notes,
    )


def _risk(columns: Columns) -> list[Point]:
    """The curve of coverage against risk, with the digits that are printed."""
    points = curve(columns.seen.confidence, 1 - columns.seen.full)
    return [Point(it.confidence, rounded("coverage", it.coverage), rounded("risk", it.risk)) for it in points]


def _left_out(cases: Sequence[Case], outcomes: Sequence[Outcome], what: str) -> list[str]:
    """Messages about cases without an outcome, and about outcomes without a case."""
    case_ids, outcome_ids = {case.id for case in cases}, {outcome.id for outcome in outcomes}
    notes: list[str] = []
    if lacking := len(case_ids - outcome_ids):
        notes.append(f"{what} lack {lacking} of {len(case_ids)} cases, which count as not found.")
    if others := len(outcome_ids - case_ids):
        notes.append(f"{what} hold {others} that belong to no case, which do not count.")
    return notes


def by_kind(judgements: Iterable[Judgement]) -> list[Kind]:
    """The kinds of the cases in order of their names, those without a name last."""
    kinds: dict[str, list[Judgement]] = {}
    for judged in judgements:
        kinds.setdefault(judged.case.kind, []).append(judged)
    return [_kind(kind, kinds[kind]) for kind in sorted(kinds, key=lambda kind: (not kind, kind))]


def _kind(kind: str, judged: Sequence[Judgement]) -> Kind:
    """The row of a kind of questions."""
    figures = figures_of(columns_of(judged))
    # If every case is unanswerable, only `wrong` says anything: the others are shares of no case.
    names = KIND_FIGURES if figures["n"] else ("wrong",)
    return Kind(kind, len(judged), {name: figures[name] for name in names if name in figures})


def by_form(judgements: Iterable[Judgement], seed: int) -> list[Form]:
    """The forms of the cases with nuggets, the one that is shown least first. Each is drawn apart from the others."""
    full: dict[str, list[bool]] = {}
    for judged in judgements:
        if judged.seen is not None:
            full.setdefault(judged.case.form, []).append(judged.seen.is_full)
    forms = [_form(form, np.array(values, dtype=np.float64), seed) for form, values in full.items()]
    return sorted(forms, key=lambda it: (it.shown, it.form))


def _form(form: str, full: Floats, seed: int) -> Form:
    """The share of one form with its interval."""
    return Form(form, len(full), rounded("shown", float(full.mean())), share_interval("shown", full, seed))
