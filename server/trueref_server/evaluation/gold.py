"""Looks up in an index the sections that cases name as right (gold), since the site may have changed since then."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

import msgspec

from trueref_core.addresses import href_of
from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.records import CITED_ANCHORS, ReferenceStatus
from trueref_server.evaluation.cases import Case, Place

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Page, Reference

STATUSES: Final = get_args(ReferenceStatus)
"""The verdicts on a link, the best first."""

LANDS: Final = STATUSES[:2]


class Settled(NamedTuple):
    """Where a gold place is in the index, what is wrong with how it is written, and why no search will find it."""

    place: Place
    problem: str
    unfindable: str


def settle(manifest: Manifest, cases: Iterable[Case]) -> tuple[list[Case], list[str]]:
    """The cases with their gold places as the index has them, and a line for each problem with a gold place.

    The gold place is where a link to it lands: on the page behind a redirect, or at an anchor that has another id now.
    The top of a page and its only first-level heading are one place. What is not in the index stays as it is.
    """
    problems: list[str] = []
    settled: list[Case] = []
    for case in cases:
        gold = [_settled(manifest, place) for place in case.gold]
        same = (place for looked_up in gold for place in _same_places(manifest, looked_up.place))
        settled.append(msgspec.structs.replace(case, gold=tuple(dict.fromkeys(same))))
        for written, looked_up in zip(case.gold, gold, strict=True):
            # Further places that no search finds do no harm: the anchor of a tab, the top of a page without text.
            problem = looked_up.problem or (looked_up.unfindable if all(other.unfindable for other in gold) else "")
            if problem:
                problems.append(f"{case.id}: gold {_shown(written)}: {problem}")
        if case.page is not None and not _is_page(manifest, case.page):
            problems.append(f"{case.id}: the reader's page {case.page} is not in this index. Name one that is.")
    return settled, problems


def _settled(manifest: Manifest, place: Place) -> Settled:
    """A gold place as the index has it: as it is written, else where a link to it lands."""
    if place.site and manifest.site(place.site) is None:
        site_names = ", ".join(site.name for site in manifest.sites)
        return Settled(place, f"There is no site {place.site} in this index. There are: {site_names}.", "")
    page = manifest.page(place.page, place.site or None)
    if page is not None and page.kind != "redirect" and _has(manifest, page, place.anchor):
        return Settled(place, "", _unfindable(manifest, page, place.anchor))
    reference = _resolved(manifest, place)
    page = manifest.page(reference.page, reference.site) if reference.page is not None else None
    if page is None or reference.status not in LANDS:
        is_corrected = reference.status in ("corrected-page", "corrected-anchor")
        better = reference.href if is_corrected else reference.suggestion
        advice = f"Write {better}." if better else "Name a place that is."
        return Settled(place, f"It is not in this index. {reference.reason} {advice}", "")
    there = Place(page.page, reference.anchor or "", place.site)
    moved = "" if there.key == place.key else f"It counts as {_shown(there)} now. Write that."
    return Settled(there, moved, _unfindable(manifest, page, there.anchor))


def _resolved(manifest: Manifest, place: Place) -> Reference:
    """The verdict on a link to a place; if no site is named, on the site where it resolves best."""
    names = [place.site] if place.site else [site.name for site in manifest.sites]
    verdicts = (resolve(manifest, _shown(place), ResolveContext(name)) for name in names)
    return min(verdicts, key=lambda reference: STATUSES.index(reference.status))


def _is_page(manifest: Manifest, address: str) -> bool:
    """Whether a search knows where a reader of this page is."""
    return any(
        manifest.page(address, site.name) or manifest.page_by_alias(address, site.name) for site in manifest.sites
    )


def _has(manifest: Manifest, page: Page, anchor: str) -> bool:
    """Whether a page has an anchor; every page has its top."""
    return not anchor or manifest.anchor(page.page, anchor, page.site) is not None


def _unfindable(manifest: Manifest, page: Page, anchor: str) -> str:
    """Why no search will find a place that exists; "" if one may."""
    if page.hidden:
        return f"The page is never found, since it is hidden: {page.hidden_by or 'by the build'}. Name another."
    row = manifest.anchor(page.page, anchor, page.site) if anchor else None
    if row is not None and row.kind not in CITED_ANCHORS:
        return f"Results name sections, and this is none. Write {_shown(Place(page.page, row.parent))}."
    return ""


def _same_places(manifest: Manifest, place: Place) -> list[Place]:
    """A place, and its other name if it is the top of a page or the heading that is the page's title."""
    headings = [
        anchor.anchor
        for anchor in manifest.anchors(place.page, place.site or None)
        if anchor.kind == "heading" and anchor.level == 1
    ]
    # One of the two has the text of the page, and generators differ in which.
    if len(headings) != 1 or place.anchor not in ("", headings[0]):
        return [place]
    return [place, msgspec.structs.replace(place, anchor="" if place.anchor else headings[0])]


def _shown(place: Place) -> str:
    """A place as it is written in messages and looked up as a link; the root is `/`."""
    return href_of(place.page, place.anchor) or "/"
