"""Finds where the pages are now that are no longer at their address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from trueref_core.compare.changes import ChangeKind, Location
from trueref_core.compare.comparable_site import SiteView, text_of, unique
from trueref_core.records import CITED_ANCHORS, Page

# Two pages of one title are common ("Overview"), and so is one shared anchor ("usage").
ANCHORS_LEAST: Final = 2
SHARE_LEAST: Final = 0.6
"""Besides its title, at least this many anchors of a page have to be the same, and at least this share of them."""


@dataclass(frozen=True, slots=True)
class PageFate:
    """The fate of a page or a redirect that is no longer at its address."""

    change: ChangeKind
    successor: Location | None = None
    proof: str = ""


def page_fates(old: SiteView, new: SiteView) -> dict[str, PageFate]:
    """The fates, by address, of the pages and redirects of `old` that are no pages of `new`."""
    gone = [page for page in old.pages.values() if page.page not in new.addresses or page.page in new.stubs]
    # Between most builds no page is lost: then the look-ups below are not made.
    if not gone and old.stubs.keys() <= new.addresses:
        return {}
    moved = _by_proof(gone, old, new)
    fates = {page.page: _redirected(page.page, new) or moved.get(page.page) or PageFate("vanished") for page in gone}
    lost = (stub for stub in old.stubs if stub not in new.addresses)
    return fates | {stub: _redirected(stub, new) or _fate_of_redirect(old.stubs[stub], fates, new) for stub in lost}


def _redirected(address: str, new: SiteView) -> PageFate | None:
    """The fate of an address that the new build itself redirects; None if it does not."""
    target = new.by_alias(address)
    if target is not None and target.page in new.pages:
        return PageFate("redirected", Location(target.page), "the site redirects it")
    return PageFate("redirected", None, "the site redirects it") if address in new.stubs else None


def _fate_of_redirect(target: Page | None, fates: Mapping[str, PageFate], new: SiteView) -> PageFate:
    """The fate of a lost redirect, which is the fate of the page that it led to."""
    if target is None:
        return PageFate("vanished")
    if target.page in new.pages:
        return PageFate("moved", Location(target.page), f"it was a redirect to `{target.page or '/'}`")
    fate = fates.get(target.page)
    if fate is None or fate.successor is None:
        return PageFate("vanished")
    return PageFate("moved", fate.successor, f"it was a redirect to `{target.page or '/'}`, which moved: {fate.proof}")


def _by_proof(gone: list[Page], old: SiteView, new: SiteView) -> dict[str, PageFate]:
    """The pages that are at another address, by the most certain proof that each has."""
    fates: dict[str, PageFate] = {}
    added = [page for page in new.pages.values() if page.page not in old.addresses]
    sources, news = (unique(site.pages.values(), lambda page: page.source_path or None) for site in (old, new))
    contents = unique(new.pages.values(), lambda page: page.content_hash or None)
    titles, titled = unique(gone, _title), unique(added, _title)
    # The source file comes first: it identifies a page even if its text changed in the same build. Equal content comes
    # next. A title is the weakest proof, so it has to be unique on both sides, and needs equal anchors beside it.
    for page in gone:
        title, source = _title(page), page.source_path
        if source in sources and source in news:
            fates[page.page] = PageFate("moved", Location(news[source].page), f"its source file is still `{source}`")
        elif page.content_hash in contents:
            fates[page.page] = PageFate("moved", Location(contents[page.content_hash].page), "its content is the same")
        elif title is not None and title in titles and title in titled and _is_alike(page, titled[title], old, new):
            where = Location(titled[title].page)
            fates[page.page] = PageFate("moved", where, "its title and most of its anchors are the same")
    return fates


def _title(page: Page) -> str | None:
    """The title in the form in which it is compared, None if the page has none."""
    return text_of(page.title) or None


def _is_alike(page: Page, other: Page, old: SiteView, new: SiteView) -> bool:
    """Whether most anchors of a page are on another one. An equal title alone proves nothing (`Overview`)."""
    anchors = [anchor.anchor for anchor in old.anchors(page.page) if anchor.kind in CITED_ANCHORS]
    shared = sum(anchor in new.ids(other.page) for anchor in anchors)
    return shared >= ANCHORS_LEAST and shared >= SHARE_LEAST * len(anchors)
