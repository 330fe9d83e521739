from __future__ import annotations

from itertools import pairwise

import pytest

from trueref_core.records import Page
from trueref_plugin.site.redirects import MAX_HOPS, with_aliases

BASE = "https://example.org/docs/"
NAMES = ("", "new/", "old/", "older/", "deep/er/", "x.html")


def aliases(redirects: dict[str, str], base_url: str | None = BASE) -> dict[str, tuple[str, ...]]:
    pages = [
        Page("docs", name, name + "index.html", name, aliases=("x",) if name == "x.html" else ()) for name in NAMES
    ]
    found = with_aliases(pages, redirects, base_url)
    return {page.page: page.aliases for page in found if page.aliases and page.page != "x.html"}


@pytest.mark.parametrize(
    ("redirects", "expected"),
    [
        ({}, {}),
        ({"old/": "../new/"}, {"new/": ("old/",)}),
        ({"old/": "../new/#part"}, {"new/": ("old/",)}),
        ({"old/": "/new/"}, {"new/": ("old/",)}),
        ({"old/": BASE + "new/"}, {"new/": ("old/",)}),
        ({"old/": "/docs/new/"}, {"new/": ("old/",)}),
        ({"old/": "/docs/"}, {"": ("old/",)}),
        ({"old/": ".."}, {"": ("old/",)}),
        ({"x.html": "new/"}, {"new/": ("x", "x.html")}),
        ({"deep/er/": "../../new/"}, {"new/": ("deep/er/",)}),
        # a chain, and rings
        ({"older/": "../old/", "old/": "../new/"}, {"new/": ("old/", "older/")}),
        ({"older/": "../old/", "old/": "../older/"}, {}),
        ({"old/": ""}, {}),
        # elsewhere
        ({"old/": "https://elsewhere.org/"}, {}),
        ({"old/": "../unknown/"}, {}),
        ({"old/": "../../../new/"}, {}),
        ({"old/": "javascript:alert(1)"}, {}),
    ],
)
def test_redirects_become_aliases_of_where_they_end(
    redirects: dict[str, str], expected: dict[str, tuple[str, ...]]
) -> None:
    assert aliases(redirects) == expected


def test_an_absolute_address_tells_nothing_where_the_base_url_is_not_known() -> None:
    assert aliases({"old/": BASE + "new/"}, None) == {}


def test_a_long_chain_of_redirects_is_followed_for_a_bounded_number_of_hops() -> None:
    names = [f"p{number}" for number in range(MAX_HOPS + 3)]
    pages = [Page("docs", name, name, name) for name in names]
    redirects = dict(pairwise(names))
    found = {page.page: page.aliases for page in with_aliases(pages, redirects, None)}
    assert found[names[-1]] == tuple(sorted(names[-1 - MAX_HOPS : -1]))
