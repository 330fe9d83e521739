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
from trueref_server.evaluation.risk_coverage import Floats, RiskPoint, curve

KIND_FIGURES: Final = ("section@1", "section@5", "shown", "answer", "wrong")
"""The figures of each kind of question, as far as its cases allow them."""


@dataclass(frozen=True, slots=True)
class FormFigures:
    """The figure `shown` of the `n` cases of one form; "" is the form of cases that name none."""

    form: str
    n: int
    shown: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class KindFigures:
    """Some figures of the `n` cases of one kind of question; "" is the kind of cases that name none."""

    kind: str
    n: int
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """The figures with their intervals, and if asked for the misses and the differences to other results.

    `kinds` is None if no case names its kind.
    `forms`, `risk` and `not_shown` are about cases with nuggets; they are None if there are no such cases, or the
    results do not say what was shown. `notes` say which cases the results leave out.
    """

    figures: Mapping[str, float]
    intervals: Mapping[str, Interval]
    kinds: Sequence[KindFigures] | None
    forms: Sequence[FormFigures] | None
    risk: Sequence[RiskPoint] | None
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
    # One judgement a case, not an outcome: a case that a system leaves out counts as not found.
    judgements = judge(cases, outcomes)
    columns = columns_of(judgements)
    notes = _mismatch_notes(cases, outcomes, "The results")
    against = None
    if earlier is not None:
        # Both runs have the same cases and the same draws, so that the interval is that of the difference.
        against = differences(columns_of(judge(cases, earlier)), columns, seed)
        notes += _mismatch_notes(cases, earlier, "The results compared with")
    has_shown_texts = columns.seen.has_shown_texts
    return EvaluationReport(
        figures=figures_of(columns),
        intervals=intervals(columns, seed),
        kinds=by_kind(judgements) if any(case.kind for case in cases) else None,
        forms=by_form(judgements, seed) if has_shown_texts else None,
        risk=_risk(columns) if has_shown_texts and columns.has_confidence else None,
        misses=misses(judgements) if with_misses else None,
        not_shown=not_shown(judgements) if with_misses and has_shown_texts else None,
        against=against,
        notes=notes,
    )


def _risk(columns: Columns) -> list[RiskPoint]:
    """The curve of coverage against risk, rounded to the digits that are printed."""
    points = curve(columns.seen.confidence, 1 - columns.seen.full)
    return [
        RiskPoint(point.confidence, rounded("coverage", point.coverage), rounded("risk", point.risk))
        for point in points
    ]


def _mismatch_notes(cases: Sequence[Case], outcomes: Sequence[Outcome], subject: str) -> list[str]:
    """Messages about cases without an outcome, and about outcomes without a case."""
    case_ids, outcome_ids = {case.id for case in cases}, {outcome.id for outcome in outcomes}
    notes: list[str] = []
    if lacking := len(case_ids - outcome_ids):
        notes.append(f"{subject} lack {lacking} of {len(case_ids)} cases, which count as not found.")
    if others := len(outcome_ids - case_ids):
        notes.append(f"{subject} hold {others} that belong to no case, which do not count.")
    return notes


def by_kind(judgements: Iterable[Judgement]) -> list[KindFigures]:
    """The figures by kind of question, in the order of the kinds; cases without a kind last."""
    kinds: dict[str, list[Judgement]] = {}
    for judgement in judgements:
        kinds.setdefault(judgement.case.kind, []).append(judgement)
    return [_kind(kind, kinds[kind]) for kind in sorted(kinds, key=lambda kind: (not kind, kind))]


def _kind(kind: str, judgements: Sequence[Judgement]) -> KindFigures:
    """The figures of one kind of question."""
    figures = figures_of(columns_of(judgements))
    # If every case is unanswerable, only `wrong` has a meaning: the other figures are shares of no cases.
    names = KIND_FIGURES if figures["n"] else ("wrong",)
    return KindFigures(kind, len(judgements), {name: figures[name] for name in names if name in figures})


def by_form(judgements: Iterable[Judgement], seed: int) -> list[FormFigures]:
    """The figure `shown` by form of the cases with nuggets, lowest first. Each form is resampled separately."""
    full_by_form: dict[str, list[bool]] = {}
    for judgement in judgements:
        if judgement.seen is not None:
            full_by_form.setdefault(judgement.case.form, []).append(judgement.seen.is_full)
    forms = [_form(form, np.array(values, dtype=np.float64), seed) for form, values in full_by_form.items()]
    return sorted(forms, key=lambda form_figures: (form_figures.shown, form_figures.form))


def _form(form: str, full: Floats, seed: int) -> FormFigures:
    """The figure `shown` of one form, with its interval."""
    return FormFigures(form, len(full), rounded("shown", float(full.mean())), share_interval("shown", full, seed))
