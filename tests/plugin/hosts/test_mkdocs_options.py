"""The options under `trueref:` as MkDocs reads them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_plugin.hosts.mkdocs_options import PageRules, TruerefConfig
from trueref_plugin.options import GIVEN_KINDS


def read(kinds: Any) -> PageRules | str:
    """What is read of the option `kinds`, or what is said of it."""
    config = TruerefConfig()
    config.load_dict({"kinds": kinds})
    failed, warned = config.validate()
    assert warned == []
    return str(failed[0][1]) if failed else config.kinds


def test_without_rules_the_options_say_nothing_of_pages() -> None:
    config = TruerefConfig()
    assert config.validate() == ([], [])
    assert config.kinds == read(None) == read({}) == PageRules({}, {})


def test_a_rule_for_pages_is_a_kind_or_a_table_of_kind_and_weight() -> None:
    rules = read(
        {"a/*": "api", "b/*": {"kind": "guide", "weight": 0.1}, "c/*": {"weight": -1}, "d/*": {"kind": "blog"}}
    )
    assert rules == PageRules({"a/*": "api", "b/*": "guide", "d/*": "blog"}, {"b/*": 0.1, "c/*": -1.0})
    assert isinstance(rules, PageRules)
    assert list(rules.kinds) == ["a/*", "b/*", "d/*"]


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ({"a/*": "novel"}, "There is no kind 'novel' for the pages 'a/*'. Use one of guide, reference, "),
        ({"a/*": {"kind": "pdf"}}, "There is no kind 'pdf' for the pages 'a/*'. "),
        ({"a/*": {"kind": ["api"]}}, "There is no kind ['api'] for the pages 'a/*'. "),
        ({"a/*": None}, "There is no kind None for the pages 'a/*'. "),
        ({"a/*": 0.1}, "There is no kind 0.1 for the pages 'a/*'. "),
        ({"a/*": {"weight": 1.5}}, "The weight 1.5 of the pages 'a/*' is not a number from -1 to 1."),
        ({"a/*": {"weight": "0.1"}}, "The weight '0.1' of the pages 'a/*' is not a number from -1 to 1."),
        ({"a/*": {"weight": True}}, "The weight True of the pages 'a/*' is not a number from -1 to 1."),
        ({"a/*": {"weight": None, "kind": "api"}}, "The weight None of the pages 'a/*' is not a number from -1 to 1."),
        ({"a/*": {}}, "The pages 'a/*' have a table with `kind`, `weight` or both, and not {}."),
        (
            {"a/*": {"kind": "api", "wieght": 1}},
            "The pages 'a/*' have a table with `kind`, `weight` or both, and not {",
        ),
        ({"b/*": "api", "a/*": {"wieght": 1}}, "The pages 'a/*' have a table with `kind`, `weight` or both, and not {"),
        (["a/*"], "It is a table of patterns such as `handbook/*: reference`, and not ['a/*']."),
        ("a/*", "It is a table of patterns such as `handbook/*: reference`, and not 'a/*'."),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused_in_one_line(kinds: Any, message: str) -> None:
    problem = read(kinds)
    assert isinstance(problem, str)
    assert problem.startswith(message)
    assert "\n" not in problem


names = st.sampled_from(["a/*", "b/", "kind", "weight", ""])
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.sampled_from(GIVEN_KINDS)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(names, inner, max_size=3)),
    max_leaves=6,
)


@given(st.dictionaries(names, values, max_size=3))
def test_whatever_yaml_holds_is_read_or_refused_in_one_line(kinds: dict[str, Any]) -> None:
    rules = read(kinds)
    if isinstance(rules, str):
        assert rules.endswith(".")
        assert len(rules.splitlines()) == 1
    else:
        assert rules.kinds.keys() | rules.weights.keys() == kinds.keys()
        assert set(rules.kinds.values()) <= set(GIVEN_KINDS)
        assert all(-1 <= weight <= 1 for weight in rules.weights.values())
