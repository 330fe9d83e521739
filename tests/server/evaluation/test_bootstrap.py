from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.judged import DARK, answerable, unanswerable, with_nuggets

from trueref_server.evaluation.bootstrap import differences, intervals
from trueref_server.evaluation.cases import Case, SectionAddress
from trueref_server.evaluation.evaluation_report import report_on
from trueref_server.evaluation.figures import (
    FIGURES,
    Columns,
    Weights,
    columns_of,
    figures_of,
    rounded,
    weighted_figures,
)
from trueref_server.evaluation.judgements import judge
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.records import Verdict

CASES = [with_nuggets(str(n), "x", "y") if n % 4 else answerable(str(n)) for n in range(40)] + [
    unanswerable(f"not-{n}") for n in range(8)
]
FILLER = tuple(SectionAddress(f"other/{n}/") for n in range(9))


def outcomes(seed: int, skill: float) -> list[Outcome]:
    """What a system finds that is right as often as its skill says."""
    chance = random.Random(seed)
    made: list[Outcome] = []
    for case in CASES:
        rank = 0 if chance.random() < skill else chance.randint(1, 9)
        results = (*FILLER[:rank], DARK, *FILLER[rank:])
        confidence = round(chance.random() * (1 if case.answerable else 0.6), 2)
        verdict: Verdict = "answer" if confidence > 0.4 else "closest"
        shown = "x y" if chance.random() < skill else chance.choice(["", "x"])
        made.append(Outcome(case.id, results, confidence, verdict, chance.random() * 50, shown))
    return made


def columns(results: Sequence[Outcome], cases: Sequence[Case] = CASES) -> Columns:
    return columns_of(judge(cases, results))


def test_an_interval_holds_its_figure_and_narrows_with_more_cases() -> None:
    results = outcomes(1, 0.5)
    few = columns(results)
    found, figures = intervals(few, 0), figures_of(few)
    assert set(found) == set(figures) - {"n", "n_unanswerable", "n_nuggets"}
    assert all(low <= figures[name] <= high for name, (low, high) in found.items())
    again = [answerable(f"{case.id}-{n}") for n in range(9) for case in CASES[:40]]
    more = [Outcome(f"{it.id}-{n}", it.results) for n in range(9) for it in results[:40]]
    low, high = intervals(columns(more, again), 0)["section@1"]
    first_low, first_high = found["section@1"]
    assert 0.2 < (high - low) / (first_high - first_low) < 0.45


def test_the_interval_of_a_share_is_that_of_the_binomial_distribution() -> None:
    """40 cases, half of them hits: the quantiles of B(40, 0.5) are 14 and 26."""
    cases = CASES[:40]
    results = [Outcome(case.id, (DARK,) if n % 2 else ()) for n, case in enumerate(cases)]
    assert intervals(columns(results, cases), 3)["section@1"] == pytest.approx((14 / 40, 26 / 40), abs=0.026)


def test_the_same_seed_gives_the_same_interval() -> None:
    few = columns(outcomes(1, 0.5))
    assert intervals(few, 5) == intervals(few, 5)
    assert intervals(few, 5) != intervals(few, 6)


@settings(max_examples=5)
@given(st.integers(0, 1000))
def test_equal_runs_do_not_differ(seed: int) -> None:
    run = columns(outcomes(seed, 0.5))
    found = differences(run, run, seed)
    assert all((it.difference, it.interval) == (0, (0, 0)) for it in found.values())
    assert len(found) > 15


@settings(max_examples=5)
@given(st.integers(0, 1000))
def test_the_other_way_round_a_difference_has_the_other_sign(seed: int) -> None:
    one, two = columns(outcomes(seed, 0.4)), columns(outcomes(seed + 1, 0.7))
    there, back = differences(one, two, seed), differences(two, one, seed)
    assert list(there) == list(back)
    for name, found in there.items():
        low, high = found.interval
        assert found.difference == -back[name].difference
        assert back[name].interval == pytest.approx((-high, -low), abs=0.0011 if not name.endswith("_ms") else 0.11)


def test_a_better_system_is_told_from_an_equal_one() -> None:
    worse, better = outcomes(1, 0.2), outcomes(2, 0.8)
    low, high = differences(columns(worse), columns(better), 0)["section@1"].interval
    assert 0.3 < low < high < 0.9
    low, high = differences(columns(outcomes(3, 0.5)), columns(outcomes(4, 0.5)), 0)["section@1"].interval
    assert low < 0 < high


def test_a_paired_difference_is_narrower_than_the_interval_of_a_run() -> None:
    """A system that finds what the other one finds, and two more: a gain, though its own interval is wide."""
    worse = outcomes(1, 0.5)
    missed = [it for it in worse[:40] if it.results[0] != DARK][:4]
    better = [Outcome(it.id, (DARK,), it.confidence) if it in missed else it for it in worse]
    low, high = differences(columns(worse), columns(better), 0)["section@1"].interval
    assert 0 < low < high
    wide_low, wide_high = intervals(columns(worse), 0)["section@1"]
    assert wide_high - wide_low > high - low


def test_nuggets_change_nothing_in_other_intervals() -> None:
    results = outcomes(1, 0.5)
    bare = [case if not case.answerable else answerable(case.id) for case in CASES]
    before, after = intervals(columns(results, bare), 0), intervals(columns(results), 0)
    assert before == {name: after[name] for name in before}
    assert "shown" in set(after) - set(before)


def test_few_cases_with_nuggets_are_drawn_among_themselves() -> None:
    """Of all cases none of these would be in most resamples."""
    cases = [with_nuggets("a", "x"), *(answerable(str(n)) for n in range(30))]
    found = intervals(columns([Outcome("a", (), 0.5, "answer", shown="x")], cases), 0)
    assert (found["shown"], found["aurc"]) == ((1, 1), (0, 0))


def test_figures_that_one_run_lacks_are_not_compared() -> None:
    results = outcomes(1, 0.5)
    bare = [Outcome(it.id, it.results) for it in results]
    found = differences(columns(bare), columns(results), 0)
    assert "section@5" in found
    assert not {"abstain_auroc", "wrong", "p50_ms"} & set(found)


def test_a_weight_is_a_case_as_often() -> None:
    results = outcomes(1, 0.5)
    chance = np.random.default_rng(0)
    a, b = chance.integers(0, 3, 40), chance.integers(0, 3, 8)
    seen = np.array([count for count, case in zip(a, CASES, strict=False) if case.has_nuggets])
    weighted = weighted_figures(columns(results), Weights(*(row[None, :].astype(float) for row in (a, b, seen))))
    copies = [(n, f"{n}-{copy}") for n, count in enumerate([*a.tolist(), *b.tolist()]) for copy in range(count)]
    repeated = figures_of(
        columns(
            [msgspec.structs.replace(results[n], id=name) for n, name in copies],
            [msgspec.structs.replace(CASES[n], id=name) for n, name in copies],
        )
    )
    assert len(weighted) == len(FIGURES)
    assert {name: rounded(name, float(value[0])) for name, value in weighted.items()} == {
        name: repeated[name] for name in weighted
    }


def test_cases_that_results_leave_out_and_others_that_they_add_are_told() -> None:
    results = outcomes(1, 0.5)
    report = report_on(CASES, results, [*results[2:], Outcome("more")])
    assert report.notes == [
        "The results compared with lack 2 of 48 cases, which count as not found.",
        "The results compared with hold 1 that belong to no case, which do not count.",
    ]
    assert report_on(CASES, results).notes == []
