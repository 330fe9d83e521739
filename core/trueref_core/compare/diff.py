"""Compares two manifests: which pages and anchors vanished, moved, were renamed or were added in between.

A successor is named only if text or id proves it, and never if two are possible: a reader who follows a link to a lost
section is better off on its page than in a wrong section.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final

from trueref_core.compare.anchor_successors import AnchorChanges, anchor_changes, merged_page
from trueref_core.compare.changes import Change, ChangeKind, Difference, Location
from trueref_core.compare.comparable_site import SiteView
from trueref_core.compare.page_successors import PageFate, page_fates
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Page

__all__ = ["Change", "ChangeKind", "Difference", "Location", "diff", "same_sites"]

SAME_SITE: Final = 0.5
"""A renamed site counts as the same if more than this share of its earlier pages are at the same addresses."""

ABSENT_SITE: Final = SiteView(Manifest("", (), (), ()), "")
"""Stands for a site that one of the two manifests does not have."""


def diff(old: Manifest, new: Manifest) -> Difference:
    """The changes of pages and anchors from `old` to `new`.

    Each site is compared with the site of the same name. If a single site is left on each side, `same_sites` decides
    whether it was renamed. Internal ids, footnotes, drafts, error pages and generated pages are not compared.
    """
    names = same_sites(old, new)
    new_views = {name: SiteView(new, new_name) for name, new_name in names.items()}
    pairs = [(SiteView(old, site.name), new_views.get(site.name, ABSENT_SITE)) for site in old.sites]
    pairs += [(ABSENT_SITE, SiteView(new, site.name)) for site in new.sites if site.name not in names.values()]
    return Difference(tuple(chain.from_iterable(_site_changes(*pair) for pair in pairs)))


def same_sites(old: Manifest, new: Manifest) -> dict[str, str]:
    """The names of the sites of `old` that are in `new` too, each with its name there.

    If a single site has no namesake on each side, the two count as the same site if they have the same base URL, or
    more than half of the pages at the same addresses.
    """
    names = {site.name: site.name for site in old.sites if new.site(site.name)}
    old_only = [site for site in old.sites if site.name not in names]
    new_only = [site for site in new.sites if site.name not in names]
    if len(old_only) == len(new_only) == 1:
        old_site, new_site = old_only[0], new_only[0]
        pages = {page.page for page in old.pages(old_site.name)}
        shared_pages = len(pages & {page.page for page in new.pages(new_site.name)})
        if (old_site.base_url and old_site.base_url == new_site.base_url) or shared_pages > SAME_SITE * len(pages):
            names[old_site.name] = new_site.name
    return names


def _site_changes(before: SiteView, after: SiteView) -> Iterable[Change]:
    """The changes of one site under its later name. The site may be `ABSENT_SITE` on either side."""
    pages = page_fates(before, after)
    anchors = anchor_changes(before, after, pages)
    for page, fate in pages.items():
        if fate.change == "vanished" and page in before.pages:
            pages[page] = merged_page(page, before, anchors) or fate
    name = after.name or before.name
    lost_pages = [_page_change(name, page, fate, before) for page, fate in pages.items()]
    added_pages = [
        Change(name, page.page, "", "added", page.title, hidden=page.hidden)
        for page in _added_pages(before, after, pages)
    ]
    lost_anchors = _lost_anchors(name, before, anchors, pages)
    added_anchors = [Change(name, anchor.page, anchor.anchor, "added", anchor.text) for anchor in anchors.added]
    # Sorting is stable: the anchors of a page stay in document order.
    return sorted(
        [*lost_pages, *added_pages, *lost_anchors, *added_anchors],
        key=lambda change: (change.page, change.anchor != ""),
    )


def _page_change(site: str, page: str, fate: PageFate, before: SiteView) -> Change:
    """The change of a page that is no longer at its address."""
    page_before = before.pages.get(page)
    title = page_before.title if page_before else ""
    # The change of a redirect names the page behind it. If that page is hidden, the change must not be published.
    described_page = page_before or before.stubs.get(page)
    hidden = described_page is not None and (described_page.hidden or described_page.draft)
    return Change(site, page, "", fate.change, title, fate.successor, fate.proof, hidden)


def _added_pages(before: SiteView, after: SiteView, pages: dict[str, PageFate]) -> Iterable[Page]:
    """The pages that are new, and not the successor of an earlier page."""
    known_addresses = before.addresses | {fate.successor.page for fate in pages.values() if fate.successor}
    return (page for page in after.pages.values() if page.page not in known_addresses)


def _lost_anchors(site: str, before: SiteView, anchors: AnchorChanges, pages: dict[str, PageFate]) -> Iterable[Change]:
    """The changes of lost anchors. Of a page that vanished, only the anchors that have a successor are listed."""
    for anchor in anchors.gone:
        fate, hidden = anchors.fate(anchor), before.pages[anchor.page].hidden
        if fate is not None:
            yield Change(site, anchor.page, anchor.anchor, fate.change, anchor.text, fate.successor, fate.proof, hidden)
        elif anchor.page not in pages or pages[anchor.page].successor is not None:
            yield Change(site, anchor.page, anchor.anchor, "vanished", anchor.text, hidden=hidden)
