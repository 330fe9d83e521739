"""Finds the present addresses of pages that are no longer at their earlier address."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
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
    old_by_source, new_by_source = (_unique_pages(site.pages.values(), _source) for site in (old, new))
    new_by_content = _unique_pages(new.pages.values(), _content)
    gone_by_title, added_by_title = _unique_pages(gone, _title), _unique_pages(added, _title)
    # The source file comes first: it identifies a page even if the text changed in the same build. Equal content comes
    # next. An equal title is the weakest proof, so it has to be unique on both sides, and needs equal anchors too.
    for page in gone:
        if same_source := _counterpart(page, _source, new_by_source, old_by_source):
            proof = f"its source file is still `{page.source_path}`"
            fates[page.page] = PageFate("moved", Location(same_source.page), proof)
        elif same_content := _counterpart(page, _content, new_by_content):
            fates[page.page] = PageFate("moved", Location(same_content.page), "its content is the same")
        elif (same_title := _counterpart(page, _title, added_by_title, gone_by_title)) and _shares_anchors(
            page, same_title, old, new
        ):
            proof = "its title and most of its anchors are the same"
            fates[page.page] = PageFate("moved", Location(same_title.page), proof)
    return fates


def _unique_pages(pages: Collection[Page], key: Callable[[Page], str | None]) -> Mapping[tuple[str, ...], Page]:
    """The pages that are the only ones with their key: in the site, or in their language and version."""
    return {**unique(pages, lambda page: _in_site(key(page))), **unique(pages, lambda page: _in_part(page, key(page)))}


def _counterpart(
    page: Page,
    key: Callable[[Page], str | None],
    later: Mapping[tuple[str, ...], Page],
    earlier: Mapping[tuple[str, ...], Page] | None = None,
) -> Page | None:
    """The later page that alone has the key of a page; None if there is none.

    A file without a translation is a page in each language, and versions of the docs often have the same page. Then the
    one of the same language and version is meant. With `earlier`, the key has to be unique there too.
    """
    keys = (found for found in (_in_site(key(page)), _in_part(page, key(page))) if found is not None)
    return next((later[found] for found in keys if found in later and (earlier is None or found in earlier)), None)


def _in_site(key: str | None) -> tuple[str, ...] | None:
    """A key as it is looked up among all pages of a site; None if there is none."""
    return None if key is None else (key,)


def _in_part(page: Page, key: str | None) -> tuple[str, ...] | None:
    """A key as it is looked up among the pages of a language and a version; None if there is none."""
    return None if key is None else (key, page.language, page.version)


def _source(page: Page) -> str | None:
    """The source file of a page, None if it is not known."""
    return page.source_path or None


def _content(page: Page) -> str | None:
    """The digest of the content of a page, None if it is not known."""
    return page.content_hash or None


def _title(page: Page) -> str | None:
    """The title in the form in which it is compared, None if the page has none."""
    return text_of(page.title) or None


def _shares_anchors(page: Page, other: Page, old: SiteView, new: SiteView) -> bool:
    """Whether another page has most of the cited anchors of a page."""
    anchors = [anchor.anchor for anchor in old.anchors(page.page) if anchor.kind in CITED_ANCHORS]
    shared = sum(anchor in new.ids(other.page) for anchor in anchors)
    return shared >= MIN_ANCHORS and shared >= MIN_SHARE * len(anchors)
