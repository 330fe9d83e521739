from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_core.manifest.codec import decode_pages
from trueref_core.page_weights import is_weight, page_weight
from trueref_core.records import Page
from trueref_core.version import SCHEMA_VERSION

WEIGHTS = {"internals/*": -0.2, "*.html": 0.1, "internals/old/*": -0.9, "start/": 0.25}


@pytest.mark.parametrize(
    ("page", "weight"),
    [
        ("start/", 0.25),
        ("start/here/", 0.0),
        ("internals/a/", -0.2),
        ("internals/a.html", -0.1),
        ("internals/old/a/", -1.0),
        ("internals/old/a.html", -1.0),
        ("Internals/a/", 0.0),
        ("", 0.0),
    ],
)
def test_weights_of_all_patterns_that_fit_add_up(page: str, weight: float) -> None:
    assert page_weight(page, WEIGHTS) == weight


def test_a_weight_that_is_known_counts_with_them() -> None:
    assert page_weight("start/", WEIGHTS, 0.05) == 0.3
    assert page_weight("start/", WEIGHTS, 1.0) == 1.0
    assert page_weight("elsewhere/", {}, -0.4) == -0.4


def test_no_weight_is_below_zero_and_zero() -> None:
    assert str(page_weight("a", {"a": -0.0})) == str(page_weight("a", {"*": -0.1, "a": 0.1})) == "0.0"


@given(st.dictionaries(st.text("ab*?[]!-", max_size=6), st.floats(-1, 1)), st.text("ab-", max_size=6))
def test_a_sum_of_weights_is_a_weight_and_the_same_in_any_order(weights: dict[str, float], page: str) -> None:
    weight = page_weight(page, weights)
    assert is_weight(weight)
    assert weight == page_weight(page, dict(reversed(weights.items())))


@pytest.mark.parametrize("value", [1.0001, -1.0001, float("inf"), float("-inf"), float("nan")])
def test_a_number_beyond_1_is_no_weight(value: float) -> None:
    assert not is_weight(value)


@pytest.mark.parametrize("pattern", ["*a" * 30 + "b", "*?a" * 20 + "b", "[ab]*" * 30 + "c"])
def test_a_long_address_is_compared_in_linear_time(pattern: str) -> None:
    assert page_weight("a" * 200, {pattern: 0.1}) == 0.0
    assert is_linear(lambda page: page_weight(page, {pattern: 0.1}), "a")


def test_pages_of_an_index_without_weights_have_none() -> None:
    page = b'{"site":"docs","page":"a/","file":"a/index.html","title":"A"}'
    data = b'{"schema":%d,"generation":"g","sites":[],"pages":[%s]}' % (SCHEMA_VERSION, page)
    assert decode_pages(data, "manifest.json").pages == (Page("docs", "a/", "a/index.html", "A", weight=0.0),)
