from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.samples import ANCHORS, PAGES, SITE
from tests.work import is_linear

from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Reference, Site

MANIFEST = Manifest("g1", [SITE], PAGES, ANCHORS)
NO_BASE = Manifest("g1", [replace(SITE, base_url=None)], PAGES, ANCHORS)
BASE = "https://example.org/docs/"


@pytest.mark.parametrize(
    ("link", "context", "status", "href"),
    [
        # the page itself
        ("setup/", None, "exact", "setup/"),
        ("setup/#", None, "exact", "setup/"),
        ("setup/#top", None, "exact", "setup/"),
        ("setup/#TOP", None, "exact", "setup/"),
        ("setup/?q=1", None, "exact", "setup/"),
        ("./setup/", "", "exact", "setup/"),
        ("", "setup/", "exact", "setup/"),
        ("#", "setup/", "exact", "setup/"),
        ("?q=1#install", "setup/", "exact", "setup/#install"),
        (".", "setup/", "exact", "setup/"),
        ("..", "setup/", "exact", ""),
        (".", "", "exact", ""),
        # anchors
        ("#install", "setup/", "exact", "setup/#install"),
        ("setup/#install", None, "exact", "setup/#install"),
        # an anchor of the page, written another way
        ("setup/#INSTALL", None, "corrected-anchor", "setup/#install"),
        ("setup/#instal", None, "corrected-anchor", "setup/#install"),
        ("setup/#install_1", None, "corrected-anchor", "setup/#install"),
        ("setup/#arger-uber", None, "corrected-anchor", "setup/#%C3%84rger%20%C3%BCber"),
        ("old/setup/#INSTALL", None, "corrected-anchor", "setup/#install"),
        # an anchor of another page
        ("setup/colors/#install", None, "corrected-page", "setup/#install"),
        ("faq.html#install", None, "corrected-page", "setup/#install"),
        ("unknown/#install", None, "corrected-page", "setup/#install"),
        ("unknown/deep/#install", "setup/", "corrected-page", "setup/#install"),
        ("unknown/deep/#%C3%84rger%20%C3%BCber", None, "corrected-page", "setup/#%C3%84rger%20%C3%BCber"),
        ("faq.html#primary", None, "page-only", "faq.html"),
        ("faq.html#primary", "setup/colors/", "corrected-page", "setup/colors/#primary"),
        ("faq.html#plan", None, "page-only", "faq.html"),
        # a page by another spelling
        ("setup.md#install", None, "corrected-page", "setup/#install"),
        ("Setup/Colors/", None, "corrected-page", "setup/colors/"),
        ("en/setup/#install", None, "corrected-page", "setup/#install"),
        ("faq#nothing", None, "page-only", "faq.html"),
        ("setup/#nothing", None, "page-only", "setup/"),
        ("setup/#%C3%84rger%20%C3%BCber", None, "exact", "setup/#%C3%84rger%20%C3%BCber"),
        ("setup/#Ärger über", None, "exact", "setup/#%C3%84rger%20%C3%BCber"),
        ("setup/#a%20b", None, "exact", "setup/#a%2520b"),
        ("setup/#install:~:text=Run", None, "exact", "setup/#install"),
        ("setup/colors/#__tabbed_1", None, "exact", "setup/colors/#__tabbed_1"),
        ("guide.pdf#page=3", None, "exact", "guide.pdf#page=3"),
        ("guide.pdf#nameddest", None, "page-only", "guide.pdf"),
        # relative to a page
        ("colors/#primary", "setup/", "exact", "setup/colors/#primary"),
        ("../#install", "setup/colors/", "exact", "setup/#install"),
        ("../../setup/", "setup/colors/", "exact", "setup/"),
        ("setup/", "faq.html", "exact", "setup/"),
        ("faq.html", "faq.html", "exact", "faq.html"),
        # other addresses of a page
        ("setup", None, "redirected", "setup/"),
        ("setup/index.html#install", None, "redirected", "setup/#install"),
        ("setup/colors/index.html", None, "redirected", "setup/colors/"),
        ("setup/colors", None, "redirected", "setup/colors/"),
        ("index.html", None, "redirected", ""),
        ("old/setup/", None, "redirected", "setup/"),
        ("old/setup", None, "redirected", "setup/"),
        ("moved/#here", None, "redirected", "target/#here"),
        ("moved/#gone", None, "page-only", "target/"),
        # from the root
        ("/docs/setup/", "setup/colors/", "exact", "setup/"),
        ("/docs/", None, "exact", ""),
        ("/setup/#install", "setup/colors/", "corrected-page", "setup/#install"),
        ("/setup/#nothing", "setup/colors/", "page-only", "setup/"),
        ("setup/colors/", "setup/colors/", "corrected-page", "setup/colors/"),
        # absolute
        (BASE, None, "exact", ""),
        ("https://example.org/docs", None, "exact", ""),
        (f"{BASE}setup/#install", None, "exact", "setup/#install"),
        ("http://EXAMPLE.org:80/docs/setup/", None, "exact", "setup/"),
        ("//example.org/docs/setup/", None, "exact", "setup/"),
        ("https:\\\\example.org\\docs\\setup\\", None, "exact", "setup/"),
        (f"  {BASE}se\ntup/ ", None, "exact", "setup/"),
        (f"{BASE}setup/colors/../#install", None, "exact", "setup/#install"),
        # drafts and hidden pages are there
        ("secret/#plan", None, "exact", "secret/#plan"),
    ],
)
def test_a_link_into_the_site_has_its_verdict_and_address(
    link: str, context: str | None, status: str, href: str
) -> None:
    reference = resolve(MANIFEST, link, context)
    assert (reference.status, reference.href) == (status, href)
    assert reference.reason.endswith(".")
    assert reference.url == BASE + href
    assert (reference.given, reference.site) == (link, "docs")
    assert MANIFEST.page(reference.page or "") is not None


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("https://elsewhere.org/docs/setup/", "https://elsewhere.org/docs/setup/"),
        ("https://example.org/blog/", "https://example.org/blog/"),
        ("https://example.org/docs-old/", "https://example.org/docs-old/"),
        ("https://example.org:8443/docs/", "https://example.org:8443/docs/"),
        ("https://example.org@evil.org/docs/", "https://example.org@evil.org/docs/"),
        ("https://user@example.org/docs/setup/", "https://user@example.org/docs/setup/"),
        ("https://example.org/docs/../evil/", "https://example.org/docs/../evil/"),
        ("/\\evil.org/docs/", "https://evil.org/docs/"),
        ("//evil.org", "https://evil.org"),
        ("/blog/", "https://example.org/blog/"),
        ("../../other/", "https://example.org/other/"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("tel:+1", "tel:+1"),
    ],
)
def test_a_link_out_of_the_site_is_external(link: str, url: str) -> None:
    reference = resolve(MANIFEST, link, "setup/")
    assert (reference.status, reference.href, reference.url) == ("external", None, url)


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("unknown/", "There is no page `unknown/` in docs."),
        ("unknown/deep/#install", "There is no page `unknown/deep/` in docs."),
        (f"{BASE}unknown/#nothing", "There is no page `unknown/` in docs."),
        ("javascript:alert(1)", "A `javascript:` address is never linked."),
        ("JaVa\tScript:alert(1)", "A `javascript:` address is never linked."),
        ("\x01javascript:alert(1)", "A `javascript:` address is never linked."),
        ("data:text/html,x", "A `data:` address is never linked."),
        ("vbscript:x", "A `vbscript:` address is never linked."),
        ("file:///etc/passwd", "A `file:` address is never linked."),
        ("http://", "This is not a well-formed address."),
        ("https://[::1", "This is not a well-formed address."),
        ("https://example.org:port/", "This is not a well-formed address."),
        ("///evil.org", "This is not a well-formed address."),
        ("#install", "A fragment alone needs the page on which it stands."),
        ("", "A link without a path needs the page on which it stands."),
        ("//[", "This is not a well-formed address."),
    ],
)
def test_a_link_that_leads_nowhere_is_unlinked_with_the_reason(link: str, reason: str) -> None:
    reference = resolve(MANIFEST, link)
    assert (reference.status, reference.href, reference.url, reference.reason) == ("unlinked", None, None, reason)


@pytest.mark.parametrize(
    ("link", "context", "status", "href"),
    [
        ("/setup/#install", "setup/colors/", "exact", "setup/#install"),
        ("../#install", "setup/colors/", "exact", "setup/#install"),
        ("../../../x/", "setup/", "unlinked", None),
        (f"{BASE}setup/", None, "external", None),
        ("setup/colors/", "setup/", "corrected-page", "setup/colors/"),
    ],
)
def test_a_site_without_a_base_url_resolves_links_to_addresses_without_a_url(
    link: str, context: str | None, status: str, href: str | None
) -> None:
    reference = resolve(NO_BASE, link, context)
    assert (reference.status, reference.href) == (status, href)
    assert reference.url is None or status == "external"


class TestSeveralSites:
    sites = (
        Site("v1", "https://example.org/docs/v1/", version="1"),
        Site("latest", "https://example.org/docs/", version="2"),
        Site("mirror", "https://example.org/docs/", version="2"),
    )
    pages = tuple(Page(site.name, page, f"{page}index.html", site.name) for site in sites for page in ("", "setup/"))
    manifest = Manifest("g", sites, (*pages, Page("v1", "old/", "old/index.html", "Old")), ())

    @pytest.mark.parametrize(
        ("link", "context", "site"),
        [
            ("https://example.org/docs/v1/setup/", None, "v1"),
            ("https://example.org/docs/setup/", None, "latest"),
            ("https://example.org/docs/setup/", ResolveContext("mirror"), "mirror"),
            ("setup/", ResolveContext("v1", ""), "v1"),
            ("../setup/", ResolveContext(None, "old/"), "v1"),
            ("../v1/setup/", ResolveContext("latest", "setup/"), "v1"),
            ("../setup/", ResolveContext("v1", ""), "latest"),
        ],
    )
    def test_the_site_of_a_link_is_found_by_its_address_and_its_context(
        self, link: str, context: ResolveContext | None, site: str
    ) -> None:
        assert resolve(self.manifest, link, context).site == site

    def test_a_relative_link_without_a_site_is_unlinked_and_names_the_sites(self) -> None:
        reference = resolve(self.manifest, "setup/")
        assert reference.status == "unlinked"
        assert "sites: `latest`, `mirror`, `v1`" in reference.reason


@given(
    st.text(st.sampled_from("abc/#?:.%2Fsetup\\[]@ \t\n中\ud800&=~-jx"), max_size=40) | st.text(max_size=40),
    st.none()
    | st.sampled_from(["", "setup/", "setup/colors/", "unknown/x", "\ud800/", "//", "?#"])
    | st.text(max_size=10),
)
def test_any_link_gets_a_verdict_that_names_only_places_that_exist(link: str, page: str | None) -> None:
    for manifest in (MANIFEST, NO_BASE, TestSeveralSites.manifest):
        reference = resolve(manifest, link, page)
        assert reference.given == link
        assert reference.reason
        if reference.href is not None:
            assert manifest.page(reference.page or "", reference.site) is not None
            assert reference.anchor is None or manifest.anchor(reference.page or "", reference.anchor, reference.site)


@pytest.mark.parametrize(
    ("link", "suggestion"),
    [
        ("setup/#installation-guide", "setup/#install"),
        ("setup/#walrus", None),
        ("setup/colourful/", "setup/colors/"),
        ("zzz", None),
    ],
)
def test_what_is_not_linked_is_suggested(link: str, suggestion: str | None) -> None:
    reference = resolve(MANIFEST, link)
    assert reference.anchor is None
    assert reference.suggestion == suggestion


@given(
    st.text(st.sampled_from("abc/._~-setup%"), max_size=12),
    st.text(st.sampled_from("abinstl.:~=-+"), max_size=10),
    st.sampled_from([None, "", "setup/", "setup/colors/", "faq.html"]),
    st.booleans(),
)
def test_plain_links_are_read_as_all_others(path: str, fragment: str, page: str | None, absolute: bool) -> None:
    link = (BASE if absolute else "") + path + (f"#{fragment}" if fragment else "")
    # A tab is nothing in a URL, but it makes a link one that is not plain.
    other = resolve(MANIFEST, "\t" + link, page)
    assert replace(other, given=link) == resolve(MANIFEST, link, page)


@given(st.sampled_from([anchor for anchor in ANCHORS if not anchor.duplicate]))
def test_what_the_manifest_mints_resolves_exactly(anchor: object) -> None:
    assert hasattr(anchor, "page")
    href = MANIFEST.href(anchor.page, anchor.anchor)  # type: ignore[attr-defined]
    for link in (href, MANIFEST.url_of("docs", href) or ""):
        assert resolve(MANIFEST, link).status == "exact"


COMMANDS = Manifest(
    "g1",
    [SITE],
    [Page("docs", name, f"{name}", name) for name in ("index.html", "push.html", "pull.html", "pack.html")],
    [
        Anchor("docs", "index.html", "reporting-bugs", "heading", 2, "Reporting bugs"),
        Anchor("docs", "push.html", "bugs", "heading", 2, "Bugs"),
        Anchor("docs", "pull.html", "bugs", "heading", 2, "Bugs"),
        Anchor("docs", "pull.html", "short-format", "heading", 2, "Short format"),
        Anchor("docs", "pull.html", "long-format", "heading", 2, "Long format"),
        Anchor("docs", "pack.html", "format", "heading", 2, "Format"),
    ],
)
"""A flat site, as of manual pages: each page has sections of one word that other pages have too."""


@pytest.mark.parametrize(
    ("link", "status", "href"),
    [
        # `bugs` may lack a word, or be meant for a page below.
        ("index.html#bugs", "page-only", "index.html"),
        ("index.html#reporting", "corrected-anchor", "index.html#reporting-bugs"),
        # `format` may lack a word of two anchors here, or be the only one on another page.
        ("pull.html#format", "page-only", "pull.html"),
        ("push.html#format", "corrected-page", "pack.html#format"),
    ],
)
def test_one_word_that_may_mean_a_section_here_or_elsewhere_is_not_guessed(link: str, status: str, href: str) -> None:
    verdict = resolve(COMMANDS, link)
    assert (verdict.status, verdict.href) == (status, href)


@pytest.mark.parametrize(
    "piece", ["../", "a/", "%", "%25", "#", "?", "\\", ":", "//", "[", "@", " ", "\t", "&a=", "a=&"]
)
def test_a_long_link_is_resolved_in_linear_time(piece: str) -> None:
    for before, end in (("", ""), (BASE, ""), ("guide.pdf#", "!")):
        assert is_linear(partial(_resolve_behind, before), piece, end, longest=50_000)


def _resolve_behind(before: str, text: str) -> Reference:
    return resolve(MANIFEST, before + text, "setup/")


VERSIONS = {version: f"https://example.org/en/{version}/" for version in ("latest", "stable", "1.2", "0.9")}


@pytest.mark.parametrize(
    ("served", "link", "context", "status", "url"),
    [
        # one version: a link to another one of a page that it has
        (["latest"], f"{VERSIONS['1.2']}setup/#install", None, "corrected-page", f"{VERSIONS['latest']}setup/#install"),
        (["latest"], f"{VERSIONS['1.2']}setup", None, "corrected-page", f"{VERSIONS['latest']}setup/"),
        (["latest"], VERSIONS["1.2"], None, "corrected-page", VERSIONS["latest"]),
        (["latest"], "/en/1.2/setup/", None, "corrected-page", f"{VERSIONS['latest']}setup/"),
        # what it does not have may be there
        (["latest"], f"{VERSIONS['1.2']}setup/#gone", None, "external", f"{VERSIONS['1.2']}setup/#gone"),
        (["latest"], f"{VERSIONS['1.2']}gone/", None, "external", f"{VERSIONS['1.2']}gone/"),
        # several versions in one index: each for itself
        (["latest", "1.2"], f"{VERSIONS['1.2']}setup/", "latest", "exact", f"{VERSIONS['1.2']}setup/"),
        (["latest", "1.2"], f"{VERSIONS['1.2']}gone/", "latest", "unlinked", None),
        (["latest", "1.2"], f"{VERSIONS['0.9']}setup/", "latest", "external", f"{VERSIONS['0.9']}setup/"),
        (["latest", "1.2"], "/en/0.9/setup/", "1.2", "corrected-page", f"{VERSIONS['1.2']}setup/"),
    ],
)
def test_a_link_to_another_version_is_corrected_where_the_page_is_in_a_served_one(
    served: list[str], link: str, context: str | None, status: str, url: str | None
) -> None:
    sites = [Site(version, VERSIONS[version]) for version in served]
    pages = [replace(page, site=version) for version in served for page in PAGES]
    anchors = [replace(anchor, site=version) for version in served for anchor in ANCHORS]
    found = resolve(Manifest("g", sites, pages, anchors), link, ResolveContext(context, ""))
    assert (found.status, found.url) == (status, url)
