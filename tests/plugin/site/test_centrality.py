from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.generations.page_digests import other_pages
from trueref_core.records import Link, LinkStatus
from trueref_plugin.site.centrality import DAMPING, centrality


def edges(*pairs: str, status: LinkStatus = "ok") -> dict[str, tuple[str, ...]]:
    links = [Link("docs", pair[0], "", pair[1], "", "internal", "", status) for pair in pairs]
    return {
        page: other_pages((link for link in links if link.from_page == page), "internal")
        for page in {pair[0] for pair in pairs}
    }


def test_what_is_linked_most_is_most_central() -> None:
    ranks = centrality("abcd", edges("ab", "cb", "db", "bc"))
    assert ranks["b"] == 1.0
    assert ranks["b"] > ranks["c"] > ranks["a"] == ranks["d"] > 0


@pytest.mark.parametrize("links", [{}, edges("ab", status="missing-page"), edges("aa", "bb"), edges("ax", "xb")])
def test_without_links_all_are_equal(links: dict[str, tuple[str, ...]]) -> None:
    assert centrality("ab", links) == {"a": 1.0, "b": 1.0}


def test_a_site_without_pages_has_no_centrality() -> None:
    assert centrality("", edges("ab")) == {}


def test_a_link_that_is_there_twice_counts_once() -> None:
    assert centrality("abc", edges("ab", "ab", "ac")) == centrality("abc", edges("ab", "ac"))


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=30))
def test_ranks_are_the_fixed_point(pairs: list[tuple[str, str]]) -> None:
    """Another way to the same values: each rank follows from those of the pages that lead to it."""
    ranks = centrality("abcdef", edges(*map("".join, pairs)))
    leads = {page: {to for start, to in pairs if start == page and to != page} for page in "abcdef"}
    total = sum(ranks.values())
    lost = sum(ranks[page] for page in "abcdef" if not leads[page])
    for page in "abcdef":
        led = sum(ranks[start] / len(leads[start]) for start in "abcdef" if page in leads[start])
        expected = (1 - DAMPING) / 6 * total + DAMPING * (led + lost / 6)
        assert ranks[page] == pytest.approx(expected, abs=0.0003)
