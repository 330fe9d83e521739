"""Gold places in the words of an index: a file of cases gets old with the site, and that has to be said."""

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
    """The cases with their gold places as the index has them, and a line for each problem with one.

    What a link to a place would be led to counts: a page behind a redirect, an anchor that has another id now. The top
    of a page and its only first-level heading are one place. What is not in the index stays as it is.
    """
    told: list[str] = []
    settled: list[Case] = []
    for case in cases:
        gold = [_settled(manifest, place) for place in case.gold]
        same = (place for found in gold for place in _same_places(manifest, found.place))
        settled.append(msgspec.structs.replace(case, gold=tuple(dict.fromkeys(same))))
        for given, found in zip(case.gold, gold, strict=True):
            # Further places that no search finds do no harm: the anchor of a tab, the top of a page without text.
            problem = found.problem or (found.unfindable if all(other.unfindable for other in gold) else "")
            if problem:
                told.append(f"{case.id}: gold {_shown(given)}: {problem}")
        if case.page is not None and not _is_page(manifest, case.page):
            told.append(f"{case.id}: the reader's page {case.page} is not in this index. Name one that is.")
    return settled, told


def _settled(manifest: Manifest, place: Place) -> Settled:
    if place.site and manifest.site(place.site) is None:
        known = ", ".join(site.name for site in manifest.sites)
        return Settled(place, f"There is no site {place.site} in this index. There are: {known}.", "")
    page = manifest.page(place.page, place.site or None)
    if page is not None and page.kind != "redirect" and _has(manifest, page, place.anchor):
        return Settled(place, "", _unfindable(manifest, page, place.anchor))
    led = _led(manifest, place)
    page = manifest.page(led.page, led.site) if led.page is not None else None
    if page is None or led.status not in LANDS:
        written = led.href if led.status in ("corrected-page", "corrected-anchor") else led.suggestion
        advice = f"Write {written}." if written else "Name a place that is."
        return Settled(place, f"It is not in this index. {led.reason} {advice}", "")
    there = Place(page.page, led.anchor or "", place.site)
    moved = "" if there.key == place.key else f"It counts as {_shown(there)} now. Write that."
    return Settled(there, moved, _unfindable(manifest, page, there.anchor))


def _led(manifest: Manifest, place: Place) -> Reference:
    """What a link to the place leads to; where no site is named, on the one that knows it best."""
    names = [place.site] if place.site else [site.name for site in manifest.sites]
    verdicts = (resolve(manifest, _shown(place), ResolveContext(name)) for name in names)
    return min(verdicts, key=lambda reference: STATUSES.index(reference.status))


def _is_page(manifest: Manifest, address: str) -> bool:
    """Whether a search knows where a reader of this page is."""
    return any(
        manifest.page(address, site.name) or manifest.page_by_alias(address, site.name) for site in manifest.sites
    )


def _has(manifest: Manifest, page: Page, anchor: str) -> bool:
    return not anchor or manifest.anchor(page.page, anchor, page.site) is not None


def _unfindable(manifest: Manifest, page: Page, anchor: str) -> str:
    """Why no search will find a place that exists; "" where one may."""
    if page.hidden:
        return f"The page is never found, since it is hidden: {page.hidden_by or 'by the build'}. Name another."
    found = manifest.anchor(page.page, anchor, page.site) if anchor else None
    if found is not None and found.kind not in CITED_ANCHORS:
        return f"Results name sections, and this is none. Write {_shown(Place(page.page, found.parent))}."
    return ""


def _same_places(manifest: Manifest, place: Place) -> list[Place]:
    """A place, and its other name where it is the top of a page or the heading that is the page's title."""
    headings = [
        anchor.anchor
        for anchor in manifest.anchors(place.page, place.site or None)
        if anchor.kind == "heading" and anchor.level == 1
    ]
    if len(headings) != 1 or place.anchor not in ("", headings[0]):
        return [place]
    return [place, msgspec.structs.replace(place, anchor="" if place.anchor else headings[0])]


def _shown(place: Place) -> str:
    return href_of(place.page, place.anchor) or "/"
