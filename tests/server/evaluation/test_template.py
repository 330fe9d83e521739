from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trueref_core.errors import OptionError
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, PageKind, Site
from trueref_server.evaluation.cases import SectionAddress
from trueref_server.evaluation.template import ANSWERABLE, UNANSWERABLE, template

SITE = Site("demo", "https://docs.example/")


def page(
    address: str,
    *,
    site: str = "demo",
    kind: PageKind = "guide",
    language: str = "",
    version: str = "",
    hidden: bool = False,
) -> Page:
    return Page(
        site=site, page=address, file=f"{address}index.html", title=f"Title of {address}", kind=kind, language=language,
        version=version, hidden=hidden,
    )  # fmt: skip


def heading(page: str, anchor: str, level: int = 2, parent: str = "", site: str = "demo") -> Anchor:
    return Anchor(site, page, anchor, "heading", level=level, text=anchor.title(), parent=parent)


def asked(
    pages: Iterable[Page], anchors: Iterable[Anchor] = (), sites: Iterable[Site] = (SITE,), seed: int = 0
) -> list[dict[str, Any]]:
    lines = template(Manifest("g", sites, pages, anchors), seed).splitlines()
    return [json.loads(line) for line in lines]


def test_a_case_of_a_section_and_one_of_a_page() -> None:
    anchors = [heading("a/", "title", 1), heading("a/", "some", 2, "title"), heading("b/", "b", 1)]
    cases = {case["id"]: case for case in asked([page("a/"), page("b/")], anchors)}
    assert len(cases) == 2 + UNANSWERABLE
    edit = "Ask for this section in the words of a reader, then take this field away."
    assert cases["case-01"] == {
        "id": "case-01",
        "question": "Some (Title)?",
        "gold": [{"page": "a/", "anchor": "some"}],
        "answerable": True,
        "edit": edit,
    }
    assert (cases["case-02"]["question"], cases["case-02"]["gold"]) == (
        "B?",
        [{"page": "b/", "anchor": "b"}, {"page": "b/", "anchor": ""}],
    )
    assert (cases["not-01"]["question"], cases["not-01"]["answerable"]) == ("", False)


def test_a_title_that_is_a_question_stays_one() -> None:
    anchor = Anchor("demo", "a/", "why", "heading", level=2, text="Why is it slow?")
    assert asked([page("a/")], [anchor])[0]["question"] == "Why is it slow?"


def test_what_is_not_asked_for() -> None:
    pages = [page(kind + "/", kind=kind) for kind in ("landing", "changelog", "blog", "redirect")]
    pages += [page("hidden/", hidden=True), page("yes/")]
    anchors = [
        heading("yes/", "umbrella"),
        heading("yes/", "under", 3, "umbrella"),
        heading("yes/", "deep", 4, "under"),
        Anchor("demo", "yes/", "row", "row", text="Row"),
        Anchor("demo", "yes/", "object", "object", text="pkg.Class"),
        heading("yes/", "leaf", 3),
    ]
    found = {place["anchor"] for case in asked(pages, anchors) for place in case["gold"]}
    assert found == {"object", "leaf"}


def test_an_index_with_nothing_to_ask() -> None:
    with pytest.raises(OptionError, match="The index has no page to ask about"):
        asked([page("news/", kind="blog")])


def test_every_language_is_asked_in_its_own_and_the_current_version_only() -> None:
    cases = asked([page("a/", language="en"), page("de/a/", language="de")])
    assert [case["language"] for case in cases[:2]] == ["en", "de"]
    assert "language" not in asked([page("a/", language="en")])[0]
    old, new = page("1/", version="1.0"), page("2/", version="2.0")
    assert [case["gold"][0]["page"] for case in asked([old, new])[:-UNANSWERABLE]] == ["2/"]


def test_of_several_sites_each_place_has_its_own() -> None:
    sites = [SITE, Site("two", "https://two.example/")]
    cases = asked([page("a/"), page("a/", site="two")], sites=sites)
    assert [case["gold"][0]["site"] for case in cases[:2]] == ["demo", "two"]


@settings(max_examples=30)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=60), st.integers(0, 99))
def test_cases_are_spread_over_the_site(sections: list[int], seed: int) -> None:
    """As many pages as there can be, neighbours no further apart than twice what is even, and nothing twice."""
    pages = [page(f"{number:03}/") for number in range(len(sections))]
    anchors = [heading(it.page, f"s{n}") for it, count in zip(pages, sections, strict=True) for n in range(count)]
    places = [SectionAddress(**case["gold"][0]) for case in asked(pages, anchors, seed=seed)[:-UNANSWERABLE]]
    assert len(places) == min(ANSWERABLE, sum(sections)) == len(set(places))
    numbers = sorted({int(place.page[:3]) for place in places})
    assert len(numbers) == min(ANSWERABLE, len(pages))
    gaps = [after - before for before, after in zip([-1, *numbers], [*numbers, len(pages)], strict=True)]
    assert max(gaps) <= 2 * -(-len(pages) // ANSWERABLE)


def test_the_seed_decides_and_a_page_more_changes_little() -> None:
    pages = [page(f"{number:03}/") for number in range(40)]
    anchors = [heading(it.page, f"s{n}") for it in pages for n in range(5)]
    more = [*pages, page("zzz/")]
    assert asked(pages, anchors) == asked(pages, anchors)
    before, other, after = (
        {json.dumps(case["gold"]) for case in cases[:-UNANSWERABLE]}
        for cases in (asked(pages, anchors), asked(pages, anchors, seed=1), asked(more, anchors))
    )
    assert len(before & other) < 10
    assert len(before & after) >= 15
