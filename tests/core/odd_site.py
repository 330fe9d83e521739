"""A site with everything that is hard to export: hidden pages, odd names, equal ids, redirects, objects."""

from __future__ import annotations

from trueref_core.manifest.codec import ManifestFile, decode_file
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site

SITE = Site("Odd docs", "https://example.org/docs/", version="1.0", language="en")
ODD_IDS = (
    "a b",
    "a:b",
    "std:label -1 x",
    "ends$",
    "$",
    "-",
    "50%",
    "a%20b",
    "größe",
    "😀",
    "👩\u200d🚀",
    "مرحبا",
    "x\u3000y",
    "tab\there",
    "quote'",
    "(call)",
    "what?",
    "why.",
    "Big",
    "big",
)
"""Ids that HTML allows, all on one page."""
SECRETS = ("secret", "draft-plan", "lost")
"""Words that stand on pages only that nobody may be shown."""

PAGES = (
    Page("Odd docs", "", "index.html", "Home", description="What [odd] things do.", kind="landing"),
    Page("Odd docs", "404.html", "404.html", "lost", hidden=True, hidden_by="error page"),
    Page("Odd docs", "a b/c's.html", "a b/c's.html", "Names * with_signs"),
    Page("Odd docs", "api/", "api/index.html", "API", kind="api"),
    Page("Odd docs", "draft/", "draft/index.html", "draft-plan", hidden=True, hidden_by="draft", draft=True),
    Page("Odd docs", "moved/", "moved/index.html", "Redirecting", kind="redirect"),
    Page("Odd docs", "news/", "news/index.html", "News", description="Old   and\nnew.", kind="changelog"),
    Page("Odd docs", "secret/", "secret/index.html", "secret", hidden=True, hidden_by="noindex"),
    Page("Odd docs", "setup/", "setup/index.html", "Setup", aliases=("moved/",), source_path="setup.md"),
)
ANCHORS = (
    Anchor("Odd docs", "", "install", "heading", 2, "Install", ("Home",)),
    Anchor("Odd docs", "api/", "pkg", "object", 2, "pkg", role="py:module"),
    Anchor("Odd docs", "api/", "pkg.Thing", "object", 3, "Thing", position=1, role="py:class"),
    Anchor("Odd docs", "api/", "pkg.Thing.run", "object", 4, "run(x)", position=2, role="py:function"),
    Anchor("Odd docs", "api/", "pkg.go", "object", 3, "go()", position=3, role="py:function"),
    Anchor("Odd docs", "api/", "pkg.odd", "object", 3, "odd", position=4),
    Anchor("Odd docs", "api/", "--flag", "term", 0, "--flag", position=5),
    Anchor("Odd docs", "draft/", "draft-plan", "heading", 2, "draft-plan"),
    Anchor("Odd docs", "secret/", "secret", "heading", 2, "secret"),
    Anchor("Odd docs", "setup/", "install", "heading", 2, "Install", ("Setup",)),
    Anchor("Odd docs", "setup/", "install", "heading", 3, "Again", ("Setup",), position=1, duplicate=True),
    Anchor("Odd docs", "setup/", "__tabbed_1", "internal", position=2),
    Anchor("Odd docs", "setup/", "fn:1", "footnote", position=3),
    Anchor("Odd docs", "setup/", "setup", "heading", 1, "Setup", position=4),
    *(
        Anchor("Odd docs", "a b/c's.html", odd, "heading", 2, "" if odd == "-" else f"{odd}\nx", position=at)
        for at, odd in enumerate(ODD_IDS)
    ),
)
TEXTS = {
    (page.site, page.page): f"# {page.title}\n\nText.\n"
    for page in PAGES
    if not page.hidden and page.kind != "redirect"
}


def manifest(site: Site = SITE) -> Manifest:
    """Its manifest, private: with everything."""
    return Manifest("g1", [site], PAGES, ANCHORS)


def rows(site: Site = SITE) -> ManifestFile:
    """The rows of its manifest."""
    return decode_file(manifest(site).encode())
