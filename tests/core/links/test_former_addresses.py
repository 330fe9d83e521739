"""What `resolve` makes of the history."""

from __future__ import annotations

import pytest
from tests.core.sites import both, site_of
from tests.work import lines_run

from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.manifest.history import Entry, History
from trueref_core.manifest.lookup import Manifest

BASE = "https://example.org/docs/"
SAME = "its text is the same"
HISTORY = History(
    [
        Entry("docs", "colors/", to_page="setup/palette/", proof="its source file is still `c.md`"),
        Entry("docs", "setup/", "install", to_page="setup/", to_anchor="get-it", proof=SAME),
        Entry("docs", "setup/", "Ärger", to_page="setup/", to_anchor="trouble", proof=SAME),
        Entry("docs", "setup/", "custom-colors", to_page="setup/palette/", to_anchor="own-colors", proof=SAME),
        Entry("docs", "setup/", "get-them"),
        Entry("docs", "setup/", "trouble", to_page="setup/palette/", to_anchor="night", proof=SAME),
        Entry("docs", "split/", "dark-side", to_page="setup/palette/", to_anchor="night", proof=SAME),
        Entry("docs", "split/"),
        Entry("docs", "colors/", "shades"),
        Entry("docs", "fonts/", to_page="setup/", to_anchor="trouble", proof="most of its sections are there now"),
        Entry("docs", "ahead/", to_page="not-yet/", proof=SAME),
        Entry("docs", "setup/", "ahead", to_page="setup/", to_anchor="not-yet", proof=SAME),
        Entry("docs", "removed/"),
        Entry("other", "elsewhere/", to_page="setup/", proof=SAME),
    ]
)
SPEC = {
    "": ["Home"],
    "setup/": ["Get it", "Trouble", "Get there"],
    "setup/palette/": ["Night", "Own colors", "Serif fonts"],
}
MANIFEST = site_of(SPEC, base_url=BASE, history=HISTORY)


@pytest.mark.parametrize(
    ("link", "page", "status", "href"),
    [
        # an anchor with another id
        ("setup/#install", None, "redirected", "setup/#get-it"),
        (f"{BASE}setup/#install", None, "redirected", "setup/#get-it"),
        ("#install", "setup/", "redirected", "setup/#get-it"),
        ("setup/index.html#install", None, "redirected", "setup/#get-it"),
        ("setup#install", None, "redirected", "setup/#get-it"),
        ("setup.md#install", None, "redirected", "setup/#get-it"),
        ("setup/#%C3%84rger", None, "redirected", "setup/#trouble"),
        ("setup/#Ärger", None, "redirected", "setup/#trouble"),
        ("setup/#custom-colors", None, "redirected", "setup/palette/#own-colors"),
        # what exists now is never led elsewhere
        ("setup/#trouble", None, "exact", "setup/#trouble"),
        # gone: the page, and not what is spelled nearly the same
        ("setup/#get-them", None, "page-only", "setup/"),
        # a page at another address
        ("colors/", None, "redirected", "setup/palette/"),
        ("colors", None, "redirected", "setup/palette/"),
        ("colors/index.html", None, "redirected", "setup/palette/"),
        ("colors/#night", None, "redirected", "setup/palette/#night"),
        ("colors/#shades", None, "page-only", "setup/palette/"),
        ("colors/#nights", None, "corrected-anchor", "setup/palette/#night"),
        ("../colors/#night", "setup/", "redirected", "setup/palette/#night"),
        ("/docs/colors/", "setup/", "redirected", "setup/palette/"),
        ("/colors/", "setup/", "corrected-page", "setup/palette/"),
        ("colors.md#night", None, "redirected", "setup/palette/#night"),
        ("Colors.md", None, "redirected", "setup/palette/"),
        # a page that became a section
        ("fonts/", None, "redirected", "setup/#trouble"),
        ("fonts/#get-it", None, "redirected", "setup/#get-it"),
        # a page that was split: its sections have gone different ways
        ("split/#dark-side", None, "redirected", "setup/palette/#night"),
        ("split/", None, "unlinked", None),
        ("split/#serif-fonts", None, "corrected-page", "setup/palette/#serif-fonts"),
        ("removed/", None, "unlinked", None),
        # a build was killed before what these lead to was served
        ("ahead/", None, "unlinked", None),
        ("setup/#ahead", None, "page-only", "setup/"),
        # of another site
        ("elsewhere/", None, "unlinked", None),
    ],
)
def test_links_to_former_addresses_lead_to_their_successors(
    link: str, page: str | None, status: str, href: str | None
) -> None:
    reference = resolve(MANIFEST, link, page)
    assert (reference.status, reference.href) == (status, href)


@pytest.mark.parametrize(
    ("link", "status", "href"),
    [
        # a source file of an earlier build, from one in another folder
        ("../colors.md", "redirected", "setup/palette/"),
        ("../palettes.md", "unlinked", None),
        # it was a page of its own, and no typing error
        ("palettes.md", "unlinked", None),
        ("palete.md", "corrected-page", "setup/palette/"),
    ],
)
def test_a_source_file_of_an_earlier_build_is_told_by_its_own_path(link: str, status: str, href: str | None) -> None:
    gone = [*HISTORY.entries, Entry("docs", "setup/palettes/")]
    facts = {"": {"source_path": "index.md"}, "setup/palette/": {"source_path": "setup/palette.md"}}
    manifest = site_of(SPEC, facts=facts, base_url=BASE, history=History(gone))
    reference = resolve(manifest, link, ResolveContext(page="setup/palette/", source="setup/palette.md"))
    assert (reference.status, reference.href) == (status, href)


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("setup/#install", "`install` was renamed to `get-it` on this page: its text is the same."),
        ("setup/#custom-colors", "`custom-colors` was moved to `setup/palette/`: its text is the same."),
        ("setup/#get-them", "The page had `get-them` in an earlier build and no longer has it."),
        (
            "colors/",
            "The page `colors/` of an earlier build is `setup/palette/` now: its source file is still `c.md`. The page exists.",
        ),
        ("removed/", "There is no page `removed/` in docs, but an earlier build had it."),
        ("never/", "There is no page `never/` in docs."),
    ],
)
def test_a_redirected_link_says_why(link: str, reason: str) -> None:
    assert resolve(MANIFEST, link).reason == reason


def test_a_fragment_like_a_former_anchor_is_suggested_the_closest_one_that_is_there() -> None:
    assert resolve(MANIFEST, "setup/#get-them").suggestion == "setup/#get-there"


@pytest.mark.parametrize(
    ("anchor", "href"),
    [("größe", "new/#gr%C3%B6%C3%9Fe"), ("a%20b", "new/#a%2520b"), ("a b", "new/#%61%20%62"), ("100%", "new/#100%25")],
)
def test_ids_that_are_encoded_are_led_to_as_the_manifest_writes_them(anchor: str, href: str) -> None:
    """Beside the id `a%20b`, a browser takes the usual encoding of `a b` for that one."""
    then = [
        Entry("docs", "page/", to_page="new/", to_anchor=anchor, proof=SAME),
        Entry("docs", "new/", "once", to_page="new/", to_anchor=anchor, proof=SAME),
    ]
    spec = {"new/": [f"It #{name}" for name in ("a%20b", "a b", "größe", "100%")]}
    facts = {"new/": {"aliases": ("stub/",), "alias_anchors": (f"stub/#{anchor}",)}}
    manifest = site_of(spec, facts=facts, history=History(then))
    for link in ("page/", "new/#once", "stub/"):
        reference = resolve(manifest, link)
        assert (reference.status, reference.href, reference.anchor) == ("redirected", href, anchor), link
        assert resolve(manifest, reference.href or "").anchor == anchor
    assert f"is `{href}` now" in resolve(manifest, "page/").reason


def test_an_id_that_has_to_be_encoded_is_suggested_encoded() -> None:
    spec = {"new/": ["It #set%20our%20colors", "It #set our colors"]}
    manifest = site_of(spec, history=History([Entry("docs", "new/", "set our colours")]))
    suggestion = resolve(manifest, "new/#set our colours").suggestion
    assert suggestion == manifest.href("new/", "set our colors") != "new/#set%20our%20colors"


def test_sites_are_kept_apart() -> None:
    one, two = site_of(SPEC, base_url=BASE), site_of(SPEC, name="other", base_url="https://example.org/other/")
    manifest = Manifest.decode(both(one, two).encode())
    manifest.history = HISTORY
    for site, statuses in (("docs", ["redirected", "unlinked"]), ("other", ["unlinked", "redirected"])):
        found = [resolve(manifest, link, ResolveContext(site, "")) for link in ("colors/", "elsewhere/")]
        assert [reference.status for reference in found] == statuses
        assert {reference.site for reference in found} <= {site, None}


def test_a_long_history_costs_links_nothing() -> None:
    entries = [Entry("docs", f"gone/{number}/", f"anchor-{number}") for number in range(20_000)]
    long = site_of(SPEC, base_url=BASE, history=History([*HISTORY.entries, *entries]))
    links = ["setup/#trouble", "colors/#night", "setup/#walrus", "gone/7/#anchor-7"]
    assert lines_to_resolve(long, links) < 1.5 * lines_to_resolve(MANIFEST, links)


def lines_to_resolve(manifest: Manifest, links: list[str]) -> int:
    # What is made with the first look-up is not counted.
    for link in links:
        resolve(manifest, link)
    return lines_run(lambda: [resolve(manifest, link) for link in links])
