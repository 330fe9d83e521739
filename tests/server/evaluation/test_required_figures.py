from __future__ import annotations

import pytest

from trueref_core.errors import OptionError
from trueref_server.evaluation.figures import FIGURES, HIGHER_IS_BETTER, LOWER_IS_BETTER
from trueref_server.evaluation.required_figures import broken, read_limits


def test_every_figure_can_be_limited() -> None:
    found = read_limits([f"{name}=0.5" for name in HIGHER_IS_BETTER], [f"{name}=0.5" for name in LOWER_IS_BETTER])
    assert [name for name, _ in found] == list(FIGURES)
    assert read_limits([], ["p95_ms=250"]) == [("p95_ms", 250)]


@pytest.mark.parametrize(
    ("least", "most", "message"),
    [
        ("recall=0.8", None, "--min recall=0.8: there is no figure 'recall'. There are: page@1, section@1, "),
        ("=0.8", None, "no figure ''"),
        ("n=5", None, "no figure 'n'"),
        ("wrong=0.8", None, "wrong is better when it is lower. Use --max."),
        (None, "section@5=0.8", "section@5 is better when it is higher. Use --min."),
        ("section@5", None, "'' is not a number from 0 to 1"),
        ("section@5=80", None, "'80' is not a number from 0 to 1"),
        ("section@5=nan", None, "'nan' is not a number"),
        (None, "p95_ms=inf", "'inf' is not milliseconds"),
        (None, "p95_ms=-1", "'-1' is not milliseconds"),
    ],
)
def test_limits_that_are_none(least: str | None, most: str | None, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_limits([least] if least else [], [most] if most else [])
    assert message in str(caught.value)


def test_a_limit_may_be_reached_but_not_passed() -> None:
    figures = {"section@5": 0.8, "page@5": 0.79, "wrong": 0.1, "p95_ms": 40.1}
    limits = read_limits(["section@5=0.8", "page@5=0.8"], ["wrong=0.1", "p95_ms=40"])
    assert broken(limits, figures) == ["page@5 is 0.79, under 0.8.", "p95_ms is 40.1, over 40."]


def test_a_figure_that_was_not_counted_passes_no_limit() -> None:
    with pytest.raises(OptionError, match=r"wrong was not counted: .*Counted are: page@1, mrr@10\.$"):
        broken(read_limits([], ["wrong=0.1"]), {"page@1": 1, "mrr@10": 1})
