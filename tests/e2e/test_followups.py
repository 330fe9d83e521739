"""Second turns of conversations over the development sites, beside the same questions asked in full."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from scripts import topics
from tests.e2e.conftest import DEVELOPMENT_SITES
from tests.e2e.following_up import Outcome, conversations, figures, outcomes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.e2e.conftest import DevelopmentSite

MIN_FULL = 0.6
"""Hit rate among the first five of the questions asked in full, by full text alone."""

MIN_RATIO = 0.85
"""What second turns reach of that. By full text alone it is .95 of .656, and with the bundled embedder .96 of .75."""

MIN_LEFT = 0.95
"""New topics that are answered as if nothing had been asked before. All of the first pairs are, and 31 of the 32 ellipses."""

MIN_GOING_ON = 0.85
"""Follow-ups with gold among the first five sections, by full text alone. With the bundled embedder it is .93."""

MIN_ELLIPSES = 0.8
"""The same of those that are ellipses, which is .81; with the bundled embedder .91."""


def test_there_are_enough_conversations_and_each_is_asked_once() -> None:
    asked = conversations()
    sites = Counter(one.site for one in asked)
    assert set(sites) == set(DEVELOPMENT_SITES)
    assert min(sites.values()) >= 10
    for name in ("id", "first", "second", "full"):
        assert len({getattr(one, name) for one in asked}) == len(asked)
    assert all(one.gold and one.cited not in one.gold for one in asked)


def test_a_second_turn_says_less_than_the_question_in_full() -> None:
    assert [one.id for one in conversations() if len(one.second) >= len(one.full)] == []


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_second_turns_are_answered_nearly_as_well_as_the_questions_in_full(
    development_sites: Callable[[str], DevelopmentSite],
) -> None:
    found: list[Outcome] = []
    for name in DEVELOPMENT_SITES:
        found += asyncio.run(outcomes(development_sites(name).index, conversations(name)))
    rates = figures(found)
    print(rates)
    assert rates["full"] >= MIN_FULL, rates
    assert rates["second"] >= rates["alone"], rates
    assert rates["ratio"] >= MIN_RATIO, rates


def test_half_of_the_pairs_are_new_topics() -> None:
    kinds = Counter((site, case.kind) for site in DEVELOPMENT_SITES for case in topics.pairs(site))
    assert set(kinds) == {(site, kind) for site in DEVELOPMENT_SITES for kind in (topics.NEW_TOPIC, topics.FOLLOW_UP)}
    assert set(kinds.values()) == {15}
    ellipses = Counter((site, case.kind) for site in DEVELOPMENT_SITES for case in topics.ellipses(site))
    assert set(ellipses) == set(kinds)
    assert set(ellipses.values()) == {16}


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_new_topics_are_left_alone(development_sites: Callable[[str], DevelopmentSite]) -> None:
    found: list[topics.Outcome] = []
    ellipses: list[topics.Outcome] = []
    for name in DEVELOPMENT_SITES:
        index = development_sites(name).index
        found += asyncio.run(topics.outcomes(index, topics.pairs(name)))
        ellipses += asyncio.run(topics.outcomes(index, topics.ellipses(name)))
    rates = topics.figures([*found, *ellipses])
    print(rates)
    assert rates["left_alone"] >= MIN_LEFT, [one.case.id for one in [*found, *ellipses] if not one.is_same]
    assert topics.figures(found)["section@5"] >= MIN_GOING_ON, rates
    assert topics.figures(ellipses)["section@5"] >= MIN_ELLIPSES, rates
