from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_server.evaluation.risk_coverage import COVERAGES, RiskPoint, area, curve

CASES = st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0, -np.inf]), st.booleans()), min_size=1, max_size=20)


def columns(cases: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([sure for sure, _ in cases]), np.array([fails for _, fails in cases], dtype=np.float64)


def risk_at(cases: list[tuple[float, bool]], threshold: float) -> float:
    answered = [fails for sure, fails in cases if sure >= threshold]
    return sum(answered) / len(answered)


def naive_area(cases: list[tuple[float, bool]]) -> float:
    return sum(risk_at(cases, sure) for sure, _ in cases) / len(cases)


def area_of(cases: list[tuple[float, bool]]) -> float:
    return float(area(*columns(cases), np.ones((1, len(cases))))[0])


@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        ([(0.9, False), (0.5, True)], (0 + 1 / 2) / 2),
        ([(0.9, True), (0.5, False)], (1 + 1 / 2) / 2),
        ([(0.5, True), (0.5, False)], 1 / 2),
        ([(0.5, True)], 1),
        ([(0.5, False)], 0),
    ],
)
def test_the_area_under_risk_and_coverage(cases: list[tuple[float, bool]], expected: float) -> None:
    assert area_of(cases) == expected


@given(CASES)
def test_the_area_is_as_defined_in_any_order(cases: list[tuple[float, bool]]) -> None:
    assert area_of(cases) == pytest.approx(naive_area(cases))
    assert area_of(cases[::-1]) == pytest.approx(naive_area(cases))


@given(st.lists(st.tuples(CASES.map(lambda cases: cases[0]), st.integers(0, 3)), min_size=1, max_size=10))
def test_a_weight_is_a_case_as_often(weighed: list[tuple[tuple[float, bool], int]]) -> None:
    weights = np.array([[float(count) for _, count in weighed]])
    repeated = [case for case, count in weighed for _ in range(count)]
    found = float(area(*columns([case for case, _ in weighed]), weights)[0])
    assert found == pytest.approx(naive_area(repeated) if repeated else 0)


def test_the_curve_of_risk_and_coverage() -> None:
    cases = [(1 - n / 20, n in (3, 12, 13, 14)) for n in range(20)]
    points = curve(*columns(cases))
    assert [point.coverage for point in points] == list(COVERAGES)
    assert points[0] == RiskPoint(0.95, 0.1, 0)
    assert points[-1] == RiskPoint(cases[-1][0], 1, 0.2)


def test_a_threshold_answers_all_that_are_equal() -> None:
    assert curve(*columns([(0.5, True), (0.5, False), (0.5, False), (0.2, True)])) == [
        RiskPoint(0.5, 0.75, 1 / 3),
        RiskPoint(0.2, 1, 0.5),
    ]


def test_what_has_no_confidence_is_never_answered() -> None:
    assert curve(*columns([(0.5, False), (-np.inf, True)])) == [RiskPoint(0.5, 0.5, 0)]
    assert curve(*columns([(-np.inf, True)])) == []


@given(CASES)
def test_every_point_is_what_its_threshold_gives(cases: list[tuple[float, bool]]) -> None:
    points = curve(*columns(cases))
    for point in points:
        assert point.coverage == sum(sure >= point.confidence for sure, _ in cases) / len(cases)
        assert point.risk == pytest.approx(risk_at(cases, point.confidence))
    assert points == sorted(points, key=lambda point: point.coverage)
