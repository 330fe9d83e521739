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
    """The address of a gold place, what is wrong with how it is written, and why no search will find it."""

    address: SectionAddress
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
        looked_up_gold = [_look_up_gold(manifest, address) for address in case.gold]
        addresses = (
            address for looked_up in looked_up_gold for address in _addresses_of_section(manifest, looked_up.address)
        )
        settled.append(msgspec.structs.replace(case, gold=tuple(dict.fromkeys(addresses))))
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


def _look_up_gold(manifest: Manifest, address: SectionAddress) -> GoldLookup:
    """The address of a gold place as the index has it: as it is written, else where a link to it lands."""
    if address.site and manifest.site(address.site) is None:
        site_names = ", ".join(site.name for site in manifest.sites)
        return GoldLookup(address, f"There is no site {address.site} in this index. There are: {site_names}.", "")
    page = manifest.page(address.page, address.site or None)
    if page is not None and page.kind != "redirect" and _has(manifest, page, address.anchor):
        return GoldLookup(address, "", _unfindable(manifest, page, address.anchor))
    reference = _resolve_best(manifest, address)
    page = manifest.page(reference.page, reference.site) if reference.page is not None else None
    if page is None or reference.status not in LANDING_STATUSES:
        is_corrected = reference.status in ("corrected-page", "corrected-anchor")
        correction = reference.href if is_corrected else reference.suggestion
        advice = f"Write {correction}." if correction else "Name a place that is."
        return GoldLookup(address, f"It is not in this index. {reference.reason} {advice}", "")
    landing = SectionAddress(page.page, reference.anchor or "", address.site)
    moved = "" if landing.key == address.key else f"It counts as {_as_link(landing)} now. Write that."
    return GoldLookup(landing, moved, _unfindable(manifest, page, landing.anchor))


def _resolve_best(manifest: Manifest, address: SectionAddress) -> Reference:
    """The reference of a link to an address; if it names no site, on the site where the link resolves best."""
    names = [address.site] if address.site else [site.name for site in manifest.sites]
    references = (resolve(manifest, _as_link(address), ResolveContext(name)) for name in names)
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


def _addresses_of_section(manifest: Manifest, address: SectionAddress) -> list[SectionAddress]:
    """The given address, and the other one of its section, if that is the top of a page or has the page's title."""
    headings = [
        anchor.anchor
        for anchor in manifest.anchors(address.page, address.site or None)
        if anchor.kind == "heading" and anchor.level == 1
    ]
    # Only one of the two has the text of the page. Which one depends on the generator.
    if len(headings) != 1 or address.anchor not in ("", headings[0]):
        return [address]
    return [address, msgspec.structs.replace(address, anchor="" if address.anchor else headings[0])]


def _as_link(address: SectionAddress) -> str:
    """An address as a link, for look-ups and messages; the root is `/`."""
    return href_of(address.page, address.anchor) or "/"
