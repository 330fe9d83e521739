"""Looks up the gold sections of cases in an index, since the site may have changed after the cases were written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

import msgspec

from trueref_core.addresses import href_of
from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.records import CITED_ANCHORS, Page, Reference, ReferenceStatus
from trueref_server.evaluation.cases import Case, SectionAddress

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

STATUSES: Final = get_args(ReferenceStatus)
"""The statuses of a reference, the best first."""

LANDING_STATUSES: Final = STATUSES[:2]


class GoldLookup(NamedTuple):
    """A gold place in the index, what is wrong with how it is written, and why no search will find it."""

    place: SectionAddress
    problem: str
    unfindable: str


def settle(manifest: Manifest, cases: Iterable[Case]) -> tuple[list[Case], list[str]]:
    """The cases with their gold places as the index has them, and a line for each problem with a gold place.

    A gold place becomes the place where a link to it lands: on the page behind a redirect, or at the new id of an
    anchor. The top of a page and its only first-level heading count as one place. A place that is not in the index
    stays as it is.
    """
    problems: list[str] = []
    settled: list[Case] = []
    for case in cases:
        looked_up_gold = [_look_up_gold(manifest, place) for place in case.gold]
        places = (place for looked_up in looked_up_gold for place in _same_places(manifest, looked_up.place))
        settled.append(msgspec.structs.replace(case, gold=tuple(dict.fromkeys(places))))
        for written, looked_up in zip(case.gold, looked_up_gold, strict=True):
            # If a search may find one of the places, others that no search finds do no harm, such as the anchor of a
            # tab.
            problem = looked_up.problem or (
                looked_up.unfindable if all(other.unfindable for other in looked_up_gold) else ""
            )
            if problem:
                problems.append(f"{case.id}: gold {_as_link(written)}: {problem}")
        if case.page is not None and not _is_page(manifest, case.page):
            problems.append(f"{case.id}: the reader's page {case.page} is not in this index. Name one that is.")
    return settled, problems


def _look_up_gold(manifest: Manifest, place: SectionAddress) -> GoldLookup:
    """A gold place as the index has it: as it is written, else where a link to it lands."""
    if place.site and manifest.site(place.site) is None:
        site_names = ", ".join(site.name for site in manifest.sites)
        return GoldLookup(place, f"There is no site {place.site} in this index. There are: {site_names}.", "")
    page = manifest.page(place.page, place.site or None)
    if page is not None and page.kind != "redirect" and _has(manifest, page, place.anchor):
        return GoldLookup(place, "", _unfindable(manifest, page, place.anchor))
    reference = _resolve_best(manifest, place)
    page = manifest.page(reference.page, reference.site) if reference.page is not None else None
    if page is None or reference.status not in LANDING_STATUSES:
        is_corrected = reference.status in ("corrected-page", "corrected-anchor")
        correction = reference.href if is_corrected else reference.suggestion
        advice = f"Write {correction}." if correction else "Name a place that is."
        return GoldLookup(place, f"It is not in this index. {reference.reason} {advice}", "")
    landing = SectionAddress(page.page, reference.anchor or "", place.site)
    moved = "" if landing.key == place.key else f"It counts as {_as_link(landing)} now. Write that."
    return GoldLookup(landing, moved, _unfindable(manifest, page, landing.anchor))


def _resolve_best(manifest: Manifest, place: SectionAddress) -> Reference:
    """The reference of a link to a place; if the place names no site, on the site where the link resolves best."""
    names = [place.site] if place.site else [site.name for site in manifest.sites]
    references = (resolve(manifest, _as_link(place), ResolveContext(name)) for name in names)
    return min(references, key=lambda reference: STATUSES.index(reference.status))


def _is_page(manifest: Manifest, address: str) -> bool:
    """Whether an address is that of a page in the index, or an alias of one."""
    return any(
        manifest.page(address, site.name) or manifest.page_by_alias(address, site.name) for site in manifest.sites
    )


def _has(manifest: Manifest, page: Page, anchor: str) -> bool:
    """Whether a page has an anchor; every page has its top."""
    return not anchor or manifest.anchor(page.page, anchor, page.site) is not None


def _unfindable(manifest: Manifest, page: Page, anchor: str) -> str:
    """Why no search will find a place that exists; "" if a search may find it."""
    if page.hidden:
        return f"The page is never found, since it is hidden: {page.hidden_by or 'by the build'}. Name another."
    row = manifest.anchor(page.page, anchor, page.site) if anchor else None
    if row is not None and row.kind not in CITED_ANCHORS:
        return f"Results name sections, and this is none. Write {_as_link(SectionAddress(page.page, row.parent))}."
    return ""


def _same_places(manifest: Manifest, place: SectionAddress) -> list[SectionAddress]:
    """A place, and its other address if it is the top of a page or the heading with the page's title."""
    headings = [
        anchor.anchor
        for anchor in manifest.anchors(place.page, place.site or None)
        if anchor.kind == "heading" and anchor.level == 1
    ]
    # Only one of the two has the text of the page. Which one depends on the generator.
    if len(headings) != 1 or place.anchor not in ("", headings[0]):
        return [place]
    return [place, msgspec.structs.replace(place, anchor="" if place.anchor else headings[0])]


def _as_link(place: SectionAddress) -> str:
    """A place as a link, for look-ups and messages; the root is `/`."""
    return href_of(place.page, place.anchor) or "/"
