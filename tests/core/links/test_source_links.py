"""Links that stand in source files: one source file names another, as MkDocs and Docusaurus read it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.links.target_lookup import look_up_link
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site

SITE = Site("docs", "https://example.org/docs/")
SOURCES = ("index.md", "faq.md", "concepts/index.md", "concepts/sync.md", "concepts/layout.md", "guides/sync.md")


def page_of(source: str) -> Page:
    bare = source.removesuffix(".md").removesuffix("index").rstrip("/")
    page = f"{bare}/" if bare else ""
    return Page("docs", page, f"{page}index.html", bare or "Home", source_path=source)


PAGES = tuple(map(page_of, SOURCES))
ANCHORS = tuple(
    Anchor("docs", page, anchor, "heading", 2, position=at)
    for at, (page, anchor) in enumerate(
        [
            ("", "install"),
            ("concepts/sync/", "partial-sync"),
            ("concepts/sync/", "locking"),
            ("concepts/layout/", "the-layout-of-a-project"),
            ("guides/sync/", "partial-copies"),
            ("faq/", "answers"),
        ]
    )
)
MANIFEST = Manifest("g", [SITE], PAGES, ANCHORS)


@pytest.mark.parametrize(
    ("source", "link", "status", "href"),
    [
        # the name of another source file, from the folder of this one
        ("concepts/layout.md", "sync.md", "exact", "concepts/sync/"),
        ("concepts/layout.md", "sync.md#partial-sync", "exact", "concepts/sync/#partial-sync"),
        ("concepts/layout.md", "./sync.md#locking", "exact", "concepts/sync/#locking"),
        ("concepts/layout.md", "../guides/sync.md#partial-copies", "exact", "guides/sync/#partial-copies"),
        ("concepts/layout.md", "../index.md#install", "exact", "#install"),
        ("concepts/layout.md", "index.md", "exact", "concepts/"),
        ("concepts/index.md", "sync.md#locking", "exact", "concepts/sync/#locking"),
        ("concepts/layout.md", "/guides/sync.md", "exact", "guides/sync/"),
        ("concepts/layout.md", "sync.md?plain=1#locking", "exact", "concepts/sync/#locking"),
        ("index.md", "concepts/sync.md#top", "exact", "concepts/sync/"),
        # an address, from the page
        ("concepts/layout.md", "../sync/#locking", "exact", "concepts/sync/#locking"),
        ("concepts/layout.md", "#the-layout-of-a-project", "exact", "concepts/layout/#the-layout-of-a-project"),
        ("concepts/layout.md", "", "exact", "concepts/layout/"),
        ("concepts/layout.md", "https://example.org/docs/faq/#answers", "exact", "faq/#answers"),
        # a source file with a mistake in it
        ("concepts/layout.md", "sync.md#partial-snyc", "corrected-anchor", "concepts/sync/#partial-sync"),
        ("concepts/layout.md", "sync#locking", "corrected-page", "concepts/sync/#locking"),
        ("concepts/layout.md", "Sync.md#locking", "corrected-page", "concepts/sync/#locking"),
        ("concepts/layout.md", "guides/sync.md", "corrected-page", "guides/sync/"),
        ("concepts/layout.md", "sync.md#the-layout-of-a-project", "corrected-page", "concepts/layout/#the-layout-of-a-project"),
        ("concepts/layout.md", "sync.md#nothing-of-the-kind", "page-only", "concepts/sync/"),
        ("concepts/layout.md", "syncs.md", "corrected-page", "concepts/sync/"),
        ("concepts/layout.md", "syncs.md#locking", "corrected-page", "concepts/sync/#locking"),
        ("concepts/layout.md", "syncs.md#locked", "unlinked", None),
        ("concepts/layout.md", "../guide/sync.md", "corrected-page", "guides/sync/"),
        ("concepts/sync.md", "layuot.md", "corrected-page", "concepts/layout/"),
        ("concepts/layout.md", "gone.md", "unlinked", None),
        ("concepts/layout.md", "../../faq.md", "unlinked", None),
        # a source file of no page
        ("README.md", "concepts/sync.md#locking", "exact", "concepts/sync/#locking"),
        ("concepts/new.md", "sync.md#locking", "exact", "concepts/sync/#locking"),
        ("README.md", "#install", "unlinked", None),
        # other addresses
        ("concepts/layout.md", "mailto:a@example.org", "external", None),
        ("concepts/layout.md", "https://other.org/sync.md", "external", None),
        ("concepts/layout.md", "javascript:sync.md", "unlinked", None),
    ],
)  # fmt: skip
def test_a_link_in_a_source_file_leads_to_the_page_of_the_source_it_names(
    source: str, link: str, status: str, href: str | None
) -> None:
    found = resolve(MANIFEST, link, ResolveContext(source=source))
    assert (found.status, found.href, found.given) == (status, href, link)
    landing = look_up_link(MANIFEST, link, ResolveContext(source=source))
    assert (landing == "place") == (status == "exact")


def test_a_path_that_is_not_there_is_told_as_a_source_file() -> None:
    found = resolve(MANIFEST, "syncing.md", ResolveContext(source="concepts/layout.md"))
    assert found.reason == "There is no page `concepts/syncing.md` in docs."
    assert found.suggestion == "concepts/sync/"
    found = resolve(MANIFEST, "syncs.md", ResolveContext(source="concepts/layout.md"))
    assert found.reason == "There is no page `concepts/syncs.md`: it is spelled `concepts/sync.md`. The page exists."


def test_between_two_spellings_nothing_is_chosen() -> None:
    pages = [
        *PAGES,
        Page("docs", "concepts/SYNC/", "concepts/SYNC/index.html", "Other", source_path="concepts/SYNC.md"),
    ]
    manifest = Manifest("g", [SITE], pages, ())
    assert resolve(manifest, "Sync.md", ResolveContext(source="concepts/layout.md")).status == "unlinked"


def test_a_source_belongs_to_its_site() -> None:
    other = Site("other", "https://example.org/other/")
    pages = [
        *PAGES,
        replace(page_of("concepts/own.md"), site="other"),
        replace(page_of("concepts/sync.md"), site="other"),
    ]
    manifest = Manifest("g", [SITE, other], pages, ())
    found = resolve(manifest, "sync.md", ResolveContext("other", source="concepts/own.md"))
    assert (found.site, found.page, found.status) == ("other", "concepts/sync/", "exact")
    missing = resolve(manifest, "own.md", ResolveContext("docs", source="concepts/layout.md"))
    assert missing.status == "unlinked"


@pytest.mark.parametrize(
    ("link", "page", "landing"),
    [
        ("concepts/sync/#locking", "", "place"),
        ("concepts/sync/#LOCKING", "", "page-top"),
        ("concepts/sync", "", "place"),
        ("concepts/sync/index.html#locking", "", "place"),
        ("concepts/sink/", "", "nothing"),
        ("sync.md", "concepts/", "nothing"),
        ("#top", "faq/", "place"),
        ("#%61nswers", "faq/", "place"),
        ("https://elsewhere.org/", "", "outside"),
        ("javascript:void(0)", "", "outside"),
        ("//[", "", "outside"),
        ("/blog/", "", "outside"),
        ("/docs/faq/", "", "place"),
    ],
)
def test_a_link_between_sources_lands_on_their_pages(link: str, page: str, landing: str) -> None:
    assert look_up_link(MANIFEST, link, ResolveContext(page=page)) == landing


def test_a_stub_that_leads_out_of_the_site_takes_the_fragment_along() -> None:
    stub = Page("docs", "chat/", "chat/index.html", "", kind="redirect")
    manifest = Manifest("g", [SITE], [*PAGES, stub], ANCHORS)
    assert look_up_link(manifest, "chat/#room") == "place"


def test_a_stub_within_the_site_leads_to_the_anchors_of_its_page() -> None:
    stub = Page("docs", "old/", "old/index.html", "", kind="redirect")
    pages = [replace(page, aliases=("old/",)) if page.page == "faq/" else page for page in PAGES]
    manifest = Manifest("g", [SITE], [*pages, stub], ANCHORS)
    assert look_up_link(manifest, "old/#answers") == "place"
    assert look_up_link(manifest, "old/#questions") == "page-top"


@given(st.text(max_size=40), st.sampled_from([*SOURCES, "new.md", "", "\ud800.md"]))
def test_any_link_gets_a_verdict_that_agrees_with_where_it_lands(link: str, source: str) -> None:
    context = ResolveContext(source=source)
    landing, found = look_up_link(MANIFEST, link, context), resolve(MANIFEST, link, context)
    assert (landing == "place") == (found.status in ("exact", "redirected"))
