from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.handmade import content

from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site
from trueref_server.evaluation.cases import Case, SectionAddress
from trueref_server.evaluation.gold import settle

DEMO = content()
PAGE = DEMO.pages[0]
OLD = Page(site="demo", page="old/", file="old/index.html", title="Old", kind="redirect")
COLORS = replace(
    next(page for page in DEMO.pages if page.page == "setup/colors/"), aliases=("old/", "setup/colors/index.html")
)
SECRET = Page(site="demo", page="secret/", file="secret/index.html", title="Secret", hidden=True, hidden_by="noindex")
TITLE = Anchor("demo", "install/", "installation", "heading", level=1, text="Installation")
NOTE = Anchor("demo", "install/", "fn:1", "footnote", parent="with-pip")
MANIFEST = Manifest(
    "g",
    DEMO.sites,
    [*(page for page in DEMO.pages if page.page != "setup/colors/"), COLORS, OLD, SECRET],
    [*DEMO.anchors, TITLE, NOTE],
)


def settled(
    *gold: SectionAddress, manifest: Manifest = MANIFEST, page: str | None = None
) -> tuple[tuple[SectionAddress, ...], list[str]]:
    cases, problems = settle(manifest, [Case("a", "?", answerable=True, gold=gold, page=page)])
    return cases[0].gold, problems


@pytest.mark.parametrize(
    "place",
    [
        SectionAddress("setup/colors/", "dark-mode"),
        SectionAddress("setup/colors", "dark-mode"),
        SectionAddress("setup/colors/index.html", "dark-mode"),
        SectionAddress("install/", "größe"),
        SectionAddress("setup/colors/"),
    ],
)
def test_gold_places_of_the_index_are_taken_in_every_spelling(place: SectionAddress) -> None:
    gold, problems = settled(place)
    assert problems == []
    assert {found.key for found in gold} == {place.key}


def test_a_place_behind_a_redirect_counts_where_it_leads() -> None:
    gold, problems = settled(SectionAddress("old/", "dark-mode"))
    assert gold == (SectionAddress("setup/colors/", "dark-mode"),)
    assert problems == ["a: gold old/#dark-mode: It counts as setup/colors/#dark-mode now. Write that."]


def test_the_top_of_a_page_and_its_title_are_one_place() -> None:
    both = {SectionAddress("install/"), SectionAddress("install/", "installation")}
    assert set(settled(SectionAddress("install/"))[0]) == both
    assert set(settled(SectionAddress("install/", "installation"))[0]) == both
    assert settled(SectionAddress("install/", "with-pip"))[0] == (SectionAddress("install/", "with-pip"),)
    second = replace(TITLE, anchor="again")
    two = Manifest("g", DEMO.sites, DEMO.pages, [*DEMO.anchors, TITLE, second])
    assert settled(SectionAddress("install/"), manifest=two)[0] == (SectionAddress("install/"),)


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        (SectionAddress("nowhere/"), "a: gold nowhere/: It is not in this index. There is no page"),
        (SectionAddress("setup/colors/", "darkmode"), "Write setup/colors/#dark-mode."),
        (SectionAddress("setup/colors/", "nothing-like-it"), "has no anchor `nothing-like-it`. Name a place that is."),
        (SectionAddress("install/", "", "elsewhere"), "There is no site elsewhere in this index. There are: demo."),
        (SectionAddress("secret/"), "The page is never found, since it is hidden: noindex."),
        (SectionAddress("install/", "fn:1"), "Results name sections, and this is none. Write install/#with-pip."),
    ],
)
def test_a_gold_place_that_no_result_can_name_is_told_with_what_to_write(place: SectionAddress, problem: str) -> None:
    gold, problems = settled(place)
    assert gold == (place,)
    assert len(problems) == 1
    assert problem in problems[0]


def test_a_place_that_is_never_found_does_no_harm_beside_one_that_is() -> None:
    assert settled(SectionAddress("install/", "fn:1"), SectionAddress("install/", "with-pip"))[1] == []
    assert len(settled(SectionAddress("install/", "fn:1"), SectionAddress("secret/"))[1]) == 2


def test_a_page_of_the_reader_that_is_not_in_the_index_is_told() -> None:
    gold = SectionAddress("install/", "with-pip")
    assert settled(gold, page="install/")[1] == []
    assert settled(gold, page="nowhere/")[1] == [
        "a: the reader's page nowhere/ is not in this index. Name one that is."
    ]


def test_of_several_sites_the_one_that_is_named_or_that_knows_the_place() -> None:
    only = Page(site="two", page="only/", file="only/index.html", title="Only", aliases=("was/",))
    sites = [*DEMO.sites, Site("two", "https://two.example/")]
    manifest = Manifest("g", sites, [*MANIFEST.pages(), only], DEMO.anchors)
    assert settled(SectionAddress("only/", "", "two"), manifest=manifest)[1] == []
    assert len(settled(SectionAddress("only/", "", "demo"), manifest=manifest)[1]) == 1
    assert settled(SectionAddress("only/"), manifest=manifest, page="only/")[1] == []
    assert settled(SectionAddress("only"), manifest=manifest, page="was/")[1] == []
    assert settled(SectionAddress("was/"), manifest=manifest) == (
        (SectionAddress("only/"),),
        ["a: gold was/: It counts as only/ now. Write that."],
    )
    assert settled(SectionAddress("old/", "dark-mode"), manifest=manifest)[0] == (
        SectionAddress("setup/colors/", "dark-mode"),
    )
    assert (
        "Write setup/colors/#dark-mode" in settled(SectionAddress("setup/colors/", "darkmode"), manifest=manifest)[1][0]
    )
