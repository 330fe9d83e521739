"""What a link leads to, decided by the manifest alone.

A link is read as a browser would read it on the page where it stands. Then the steps of `STEPS` are tried in order; the
first that has an answer decides. A fragment is looked up once the page is known; one that the page does not have is
looked for among what earlier builds had, then among the page's own anchors, then elsewhere. Between two that may be
meant nothing is chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from trueref_core.addresses import href_of, join_page
from trueref_core.links.former_addresses import anchor_then, page_then
from trueref_core.links.link_target import ResolveContext, Target, read_target, unlinked
from trueref_core.links.target_lookup import (
    anchor_named,
    led_by_redirect,
    page_behind_address,
    page_in_sources,
    page_of_address,
)
from trueref_core.matching.name_words import is_telling
from trueref_core.matching.page_match import SOURCE_FILE, are_related, path_in_version
from trueref_core.records import Page, Reference, ReferenceStatus

if TYPE_CHECKING:
    from trueref_core.manifest.history import Entry
    from trueref_core.manifest.lookup import Manifest

__all__ = ["ResolveContext", "resolve"]


def resolve(manifest: Manifest, link: str, context: ResolveContext) -> Reference:
    """The verdict on a link. See `Manifest.resolve`."""
    target = read_target(manifest, link, context)
    if isinstance(target, Reference):
        return target
    verdicts = (step(manifest, target) for step in STEPS)
    return next((verdict for verdict in verdicts if verdict), None) or _nothing(manifest, target)


def _page(manifest: Manifest, target: Target) -> Reference | None:
    page = page_in_sources(manifest, target) if target.source_path else None
    page = page or page_of_address(manifest, target)
    return _linked(manifest, target, page, "exact", "") if page else None


def _other_address(manifest: Manifest, target: Target) -> Reference | None:
    page = page_behind_address(manifest, target)
    if page is None:
        return None
    told = f"`{target.path}` leads to `{page.page or '/'}`."
    return _linked(manifest, led_by_redirect(manifest, target, page), page, "redirected", told)


def _earlier_address(manifest: Manifest, target: Target) -> Reference | None:
    """The page that an earlier build had there, where it is now."""
    if target.site is None or target.path is None:
        return None
    anchor = anchor_then(manifest, target.site.name, [target.path], target.fragment)
    page = page_then(manifest, target.site.name, target.path)
    # A section of a page that was split went its own way.
    found = _led_to_anchor(manifest, target, anchor, "") if anchor is not None else None
    return found or (_led_on(manifest, target, page) if page is not None else None)


def _earlier_spelling(manifest: Manifest, target: Target) -> Reference | None:
    """The same by the name of its source file or another spelling."""
    if target.site is None or target.path is None:
        return None
    then = manifest.history.page_spelled(target.site.name, target.path)
    return _led_on(manifest, target, then) if then is not None else None


def _led_on(manifest: Manifest, target: Target, then: Entry) -> Reference | None:
    page = manifest.page(then.to_page, then.site) if then.to_page is not None else None
    if page is None:
        return None
    # A section is where the page went as a whole; who asks for an anchor of it knows better.
    href = manifest.href(page.page, then.to_anchor, page.site)
    anchored = target if target.fragment else target._replace(fragment=href.partition("#")[2])
    reason = f"The page `{then.page or '/'}` of an earlier build is `{href or '/'}` now: {then.proof}."
    return _linked(manifest, anchored._replace(path=then.page), page, "redirected", reason)


def _from_root(manifest: Manifest, target: Target) -> Reference | None:
    """The path as if it stood at the root of the site, which is how answers and READMEs often write it."""
    path = join_page("", target.own_path) if target.own_path else None
    if path is None or path == target.path:
        return None
    again = target._replace(path=path)
    found = _page(manifest, again) or _other_address(manifest, again) or _earlier_address(manifest, again)
    page = manifest.page(found.page, found.site) if found and found.page is not None else None
    # Nobody wrote the address of this page: one that is hidden, or says that there is no such page, is not meant.
    if found is None or page is None or page.hidden:
        return None
    reason = f"The path is right from the root of the site, not from where the link stands. {found.reason}"
    return replace(
        found, status="corrected-page" if found.anchor or not target.fragment else found.status, reason=reason
    )


def _other_spelling(manifest: Manifest, target: Target) -> Reference | None:
    """The page by another spelling of its path: the source file's name, another case, a version that is not there."""
    if target.site is None:
        return None
    places = manifest.places(target.site.name)
    # From where the link stands, and from the root, which is how answers and READMEs write it.
    written = (target.path, join_page("", target.own_path) if target.own_path else None)
    for paths in ((target.source_path,), written):
        pages = {page.page: page for path in paths if path for page in places.pages_spelled(path)}
        if len(pages) == 1:
            page = next(iter(pages.values()))
            reason = f"`{paths[0] or target.own_path}` leads to `{page.page or '/'}`."
            return _linked(manifest, target, page, "corrected-page", reason)
        if pages:
            return None
    return None


def _by_anchor_alone(manifest: Manifest, target: Target) -> Reference | None:
    """The one place that has the anchor, where the page is not known."""
    if target.site is None or target.path is None or not target.fragment:
        return None
    written = _written(target)
    return _moved(manifest, target, written, f"There is no page `{written or '/'}`.")


def _other_version(manifest: Manifest, target: Target) -> Reference | None:
    """The same page in the version of these docs, where that has all that the link asks for."""
    if target.path is not None or target.url is None:
        return None
    paths = [(site, path_in_version(site.base_url or "", target.url)) for site in manifest.sites]
    sites = [(site, path) for site, path in paths if path is not None]
    # Of several versions in one index none is the one that is meant, unless the link stands in it.
    own = [found for found in sites if found[0] == target.site] or sites
    if len(own) != 1:
        return None
    site, path = own[0]
    again = target._replace(site=site, path=path)
    found = _page(manifest, again) or _other_address(manifest, again)
    if found is None or found.status not in {"exact", "redirected"}:
        return None
    reason = f"`{path or '/'}` is in this version of the docs too, whose address is `{site.base_url}`."
    return replace(found, status="corrected-page", reason=reason)


def _outside(_manifest: Manifest, target: Target) -> Reference | None:
    if target.path is not None or target.url is None:
        return None
    return Reference(
        target.given, href=None, url=target.url, status="external", reason="The address is outside these docs."
    )


STEPS: tuple[Callable[[Manifest, Target], Reference | None], ...] = (
    _page,
    _other_address,
    _earlier_address,
    _from_root,
    _other_spelling,
    _earlier_spelling,
    _by_anchor_alone,
    _other_version,
    _outside,
)


def _nothing(manifest: Manifest, target: Target) -> Reference:
    if target.site is None or target.path is None:
        return unlinked(target.given, "The link leaves the site, whose base URL is not known.")
    written = _written(target)
    was_there = page_then(manifest, target.site.name, target.path) is not None
    told = ", but an earlier build had it" if was_there else ""
    found = unlinked(target.given, f"There is no page `{written or '/'}` in {target.site.name}{told}.")
    closest = manifest.places(target.site.name).closest_page(written)
    return replace(found, suggestion=href_of(closest.page)) if closest else found


def _written(target: Target) -> str:
    """The path that an author had in mind: of a source file where the link has the name of one."""
    named = target.source_path if target.source_path and SOURCE_FILE.search(target.source_path) else target.path
    return named or ""


def _linked(manifest: Manifest, target: Target, page: Page, status: ReferenceStatus, reason: str) -> Reference:
    anchor = anchor_named(manifest, page, target.fragment)
    if anchor is None:
        return _without_anchor(manifest, target, page, reason)
    told = f"The page has the anchor `{anchor}`." if anchor else "The page exists."
    return _reference(manifest, target, page, anchor, status, f"{reason} {told}".strip())


def _without_anchor(manifest: Manifest, target: Target, page: Page, reason: str) -> Reference:
    """The verdict where the page does not have the anchor as written."""
    fragment = unquote(target.fragment, errors="replace")
    lacks = f"{reason} The page exists, but has no anchor `{fragment}`.".strip()
    near = manifest.near_anchors(page)
    paths = [page.page] if target.path is None else [page.page, target.path]
    if then := anchor_then(manifest, page.site, paths, target.fragment):
        return _led_to_anchor(manifest, target, then, reason) or _without_successor(
            manifest, target, page, then, reason
        )
    if meant := near.meant_by(fragment):
        anchor, difference = meant
        told = f"{reason} The page has `{anchor}`, which is `{fragment}` {difference}.".strip()
        return _reference(manifest, target, page, anchor, "corrected-anchor", told)
    if moved := _moved(manifest, target, page.page, lacks):
        return moved
    found = _reference(manifest, target, page, "", "page-only", lacks)
    closest = near.closest(fragment)
    return replace(found, suggestion=manifest.href(page.page, closest, page.site)) if closest else found


def _led_to_anchor(manifest: Manifest, target: Target, then: Entry, reason: str) -> Reference | None:
    """The verdict on an anchor that an earlier build had and that is somewhere now."""
    to = manifest.page(then.to_page, then.site) if then.to_page is not None else None
    if to is None:
        return None
    what = f"renamed to `{then.to_anchor}` on this page" if to.page == then.page else f"moved to `{to.page or '/'}`"
    told = f"{reason} `{then.anchor}` was {what}: {then.proof}.".strip()
    return _reference(manifest, target, to, then.to_anchor, "redirected", told)


def _without_successor(manifest: Manifest, target: Target, page: Page, then: Entry, reason: str) -> Reference:
    """The verdict on an anchor that an earlier build had and that is gone: the page. Nothing near it is meant."""
    told = f"{reason} An earlier build had `{then.anchor}` on this page, this one has not.".strip()
    found = _reference(manifest, target, page, "", "page-only", told)
    closest = manifest.near_anchors(page).closest(then.anchor)
    return replace(found, suggestion=manifest.href(page.page, closest, page.site)) if closest else found


def _moved(manifest: Manifest, target: Target, written: str, reason: str) -> Reference | None:
    """The only place of the site that has the anchor. One word has to stand near the page that was written."""
    assert target.site is not None
    places = manifest.places(target.site.name)
    for name in dict.fromkeys((target.fragment, unquote(target.fragment, errors="replace"))):
        pages = places.pages_with(name)
        if len(pages) != 1:
            continue
        near = are_related(pages[0], written) or pages[0] == target.page
        if near or is_telling(name):
            page = manifest.page(pages[0], target.site.name)
            assert page is not None
            told = f"{reason} `{name}` is on `{page.page or '/'}` only."
            return _reference(manifest, target, page, name, "corrected-page", told)
    return None


def _reference(
    manifest: Manifest, target: Target, page: Page, anchor: str, status: ReferenceStatus, reason: str
) -> Reference:
    href = manifest.href(page.page, anchor, page.site)
    return Reference(
        given=target.given,
        href=href,
        url=manifest.url_of(page.site, href),
        status=status,
        reason=reason,
        site=page.site,
        page=page.page,
        anchor=anchor or None,
    )
