"""Finds the present addresses of pages that are no longer at their earlier address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from trueref_core.compare.changes import ChangeKind, Location
from trueref_core.compare.comparable_site import SiteView, text_of, unique
from trueref_core.records import CITED_ANCHORS, Page

# Many pages have the same title ("Overview"), and many share an anchor ("usage"). So the title proves a successor only
# if at least this many anchors are the same too, and at least this share of the earlier page's anchors.
MIN_ANCHORS: Final = 2
MIN_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True)
class PageFate:
    """The fate of a page or a redirect that is no longer at its address."""

    change: ChangeKind
    successor: Location | None = None
    proof: str = ""


def page_fates(old: SiteView, new: SiteView) -> dict[str, PageFate]:
    """The fates, by address, of the pages and redirects of `old` that are not at their address in `new`."""
    gone = [page for page in old.pages.values() if page.page not in new.addresses or page.page in new.stubs]
    # Most builds lose no page and need none of the look-ups below.
    if not gone and old.stubs.keys() <= new.addresses:
        return {}
    moved = _by_proof(gone, old, new)
    fates = {page.page: _redirected(page.page, new) or moved.get(page.page) or PageFate("vanished") for page in gone}
    lost = (stub for stub in old.stubs if stub not in new.addresses)
    return fates | {stub: _redirected(stub, new) or _fate_of_redirect(old.stubs[stub], fates, new) for stub in lost}


def _redirected(address: str, new: SiteView) -> PageFate | None:
    """The fate of an address that the new build redirects; None if the build does not redirect it."""
    target = new.by_alias(address)
    if target is not None and target.page in new.pages:
        return PageFate("redirected", Location(target.page), "the site redirects it")
    return PageFate("redirected", None, "the site redirects it") if address in new.stubs else None


def _fate_of_redirect(target: Page | None, fates: Mapping[str, PageFate], new: SiteView) -> PageFate:
    """The fate of a lost redirect: where the page that it led to is now."""
    if target is None:
        return PageFate("vanished")
    if target.page in new.pages:
        return PageFate("moved", Location(target.page), f"it was a redirect to `{target.page or '/'}`")
    fate = fates.get(target.page)
    if fate is None or fate.successor is None:
        return PageFate("vanished")
    return PageFate("moved", fate.successor, f"it was a redirect to `{target.page or '/'}`, which moved: {fate.proof}")


def _by_proof(gone: list[Page], old: SiteView, new: SiteView) -> dict[str, PageFate]:
    """The fates of pages that are at another address now, each by its most certain proof."""
    fates: dict[str, PageFate] = {}
    added = [page for page in new.pages.values() if page.page not in old.addresses]
    old_by_source, new_by_source = (
        unique(site.pages.values(), lambda page: page.source_path or None) for site in (old, new)
    )
    new_by_content = unique(new.pages.values(), lambda page: page.content_hash or None)
    gone_by_title, added_by_title = unique(gone, _title), unique(added, _title)
    # The source file comes first: it identifies a page even if the text changed in the same build. Equal content comes
    # next. An equal title is the weakest proof, so it has to be unique on both sides, and needs equal anchors too.
    for page in gone:
        title, source = _title(page), page.source_path
        if source in old_by_source and source in new_by_source:
            fates[page.page] = PageFate(
                "moved", Location(new_by_source[source].page), f"its source file is still `{source}`"
            )
        elif page.content_hash in new_by_content:
            fates[page.page] = PageFate(
                "moved", Location(new_by_content[page.content_hash].page), "its content is the same"
            )
        elif (
            title is not None
            and title in gone_by_title
            and title in added_by_title
            and _shares_anchors(page, added_by_title[title], old, new)
        ):
            location = Location(added_by_title[title].page)
            fates[page.page] = PageFate("moved", location, "its title and most of its anchors are the same")
    return fates


def _title(page: Page) -> str | None:
    """The title in the form in which it is compared, None if the page has none."""
    return text_of(page.title) or None


def _shares_anchors(page: Page, other: Page, old: SiteView, new: SiteView) -> bool:
    """Whether another page has most of the cited anchors of a page."""
    anchors = [anchor.anchor for anchor in old.anchors(page.page) if anchor.kind in CITED_ANCHORS]
    shared = sum(anchor in new.ids(other.page) for anchor in anchors)
    return shared >= MIN_ANCHORS and shared >= MIN_SHARE * len(anchors)
