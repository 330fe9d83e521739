"""Resolves a link: decides by the manifest alone where it leads, or should lead.

A link is read as a browser reads it on the page where it stands. Then the steps of `STEPS` are tried in order, and the
first with a verdict decides. The fragment is looked up once the page is known. If the page does not have it, it is
searched for in the history, then among similar anchors of the page, then on other pages. If two targets are possible,
none is chosen: a link to the wrong section is worse than one to the page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import unquote

from trueref_core.addresses import href_of, join_page
from trueref_core.links.former_addresses import anchor_then, page_then
from trueref_core.links.link_target import ResolveContext, Target, path_in_version, read_target, unlinked
from trueref_core.links.target_lookup import (
    anchor_named,
    led_by_redirect,
    page_behind_address,
    page_in_sources,
    page_of_address,
)
from trueref_core.manifest.history import Entry
from trueref_core.manifest.lookup import Manifest
from trueref_core.matching.name_words import is_telling
from trueref_core.matching.page_match import SOURCE_FILE, are_related
from trueref_core.records import Page, Reference, ReferenceStatus

__all__ = ["ResolveContext", "resolve"]


def resolve(manifest: Manifest, link: str, context: ResolveContext | str | None = None) -> Reference:
    """The verdict on a link. Any text is a valid link.

    The manifest of an index reads its anchors when they are needed, and raises `IndexDamaged` if they are missing or
    not the ones that were written. Nothing else is raised.

    Args:
        manifest: The sites that the link may lead into.
        link: As written: absolute, root-relative, relative, or a fragment.
        context: Where the link stands; a string is the page. Without it, relative links count from the root.
    """
    where = ResolveContext(page=context) if isinstance(context, str) else context or ResolveContext()
    target = read_target(manifest, link, where)
    if isinstance(target, Reference):
        return target
    verdicts = (step(manifest, target) for step in STEPS)
    return next((verdict for verdict in verdicts if verdict), None) or _nothing(manifest, target)


def _page(manifest: Manifest, target: Target) -> Reference | None:
    """The page with exactly this address."""
    page = page_in_sources(manifest, target) or page_of_address(manifest, target)
    return _linked(manifest, target, page, "exact", "") if page else None


def _other_address(manifest: Manifest, target: Target) -> Reference | None:
    """The page that the site itself shows or redirects to at this address."""
    page = page_behind_address(manifest, target)
    if page is None:
        return None
    reason = f"`{target.path}` leads to `{page.page or '/'}`."
    return _linked(manifest, led_by_redirect(manifest, target, page), page, "redirected", reason)


def _earlier_address(manifest: Manifest, target: Target) -> Reference | None:
    """The page that an earlier build had there, where it is now."""
    if target.site is None or target.path is None:
        return None
    anchor = anchor_then(manifest, target.site.name, [target.path], target.fragment)
    page = page_then(manifest, target.site.name, target.path)
    # The anchor decides before the page: if a page was split, one of its sections may be elsewhere than the rest.
    return _led_to_anchor(manifest, target, anchor, "") or _led_on(manifest, target, page)


def _earlier_spelling(manifest: Manifest, target: Target) -> Reference | None:
    """The page that an earlier build had under another spelling of the path, where it is now."""
    if target.site is None or target.path is None:
        return None
    return _led_on(manifest, target, manifest.history.page_spelled(target.site.name, _written(target)))


def _led_on(manifest: Manifest, target: Target, entry: Entry | None) -> Reference | None:
    """The verdict on a page of an earlier build that has a successor."""
    if entry is None or entry.to_page is None or not (page := manifest.page(entry.to_page, entry.site)):
        return None
    # The successor of a page may be a section of another one. A link with a fragment of its own keeps that.
    href = manifest.href(page.page, entry.to_anchor, page.site)
    anchored = target if target.fragment else target._replace(fragment=href.partition("#")[2])
    reason = f"The page `{entry.page or '/'}` of an earlier build is `{href or '/'}` now: {entry.proof}."
    return _linked(manifest, anchored._replace(path=entry.page), page, "redirected", reason)


def _from_root(manifest: Manifest, target: Target) -> Reference | None:
    """The page at the path as counted from the root of the site: answers and READMEs often write links like that."""
    path = join_page("", target.own_path) if target.own_path else None
    if path is None or path == target.path:
        return None
    again = target._replace(path=path)
    verdict = _page(manifest, again) or _other_address(manifest, again) or _earlier_address(manifest, again)
    page = manifest.page(verdict.page, verdict.site) if verdict and verdict.page is not None else None
    # This is a correction and not the address as written, so it never leads to a hidden page (a draft, an error page).
    if verdict is None or page is None or page.hidden:
        return None
    reason = f"The path is right from the root of the site, not from where the link stands. {verdict.reason}"
    return replace(
        verdict, status="corrected-page" if verdict.anchor or not target.fragment else verdict.status, reason=reason
    )


def _other_spelling(manifest: Manifest, target: Target) -> Reference | None:
    """The page by another spelling of its path: the source file's name, another case, a version that is not there."""
    if target.site is None:
        return None
    matcher = manifest.page_matcher(target.site.name)
    # Relative to the page of the link, and to the root, as answers and READMEs write links.
    written = (target.path, join_page("", target.own_path) if target.own_path else None)
    for paths in ((target.source_path,), written):
        pages = {page.page: page for path in paths if path for page in matcher.pages_spelled(path)}
        if len(pages) == 1:
            page = next(iter(pages.values()))
            reason = f"`{paths[0] or target.own_path}` leads to `{page.page or '/'}`."
            return _linked(manifest, target, page, "corrected-page", reason)
        if pages:
            return None
    return None


def _by_anchor_alone(manifest: Manifest, target: Target) -> Reference | None:
    """The only page that has the anchor, if the page of the link does not exist."""
    if target.site is None or target.path is None or not target.fragment:
        return None
    written = _written(target)
    return _moved(manifest, target, written, f"There is no page `{written or '/'}`.")


def _mistyped(manifest: Manifest, target: Target) -> Reference | None:
    """The only page that is meant but for a typing error, if it has the anchor of the link.

    A page of an earlier build that is gone was no typing error, and with a wrong anchor two things would be guessed.
    """
    if target.site is None or target.path is None or _was_there(manifest, target.site.name, target):
        return None
    written = _written(target)
    page = manifest.page_matcher(target.site.name).page_mistyped(written)
    if page is None or anchor_named(manifest, page, target.fragment) is None:
        return None
    spelled = (page.source_path if SOURCE_FILE.search(written) else page.page) or page.page or "/"
    return _linked(
        manifest, target, page, "corrected-page", f"There is no page `{written}`: it is spelled `{spelled}`."
    )


def _other_version(manifest: Manifest, target: Target) -> Reference | None:
    """The same page in the version of these docs, if that has the page and the anchor."""
    if target.path is not None or target.url is None:
        return None
    paths = [(site, path_in_version(site, target.url)) for site in manifest.sites]
    sites = [(site, path) for site, path in paths if path is not None]
    # If the index has several versions, the link may mean any of them, unless it stands in one.
    of_target = [(site, path) for site, path in sites if site == target.site] or sites
    if len(of_target) != 1:
        return None
    site, path = of_target[0]
    again = target._replace(site=site, path=path)
    verdict = _page(manifest, again) or _other_address(manifest, again)
    if verdict is None or verdict.status not in {"exact", "redirected"}:
        return None
    reason = f"`{path or '/'}` is in this version of the docs too, whose address is `{site.base_url}`."
    return replace(verdict, status="corrected-page", reason=reason)


def _outside(_manifest: Manifest, target: Target) -> Reference | None:
    """An address in another site, which is in no manifest here."""
    if target.path is not None or target.url is None:
        return None
    return Reference(
        target.given, href=None, url=target.url, status="external", reason="The address is outside these docs."
    )


# First comes what a browser does, then what earlier builds had at this address, then what an author may have meant. So
# a link that once worked leads to where its page is now, even if its path also looks like that of another page.
STEPS: tuple[Callable[[Manifest, Target], Reference | None], ...] = (
    _page,
    _other_address,
    _earlier_address,
    _from_root,
    _other_spelling,
    _earlier_spelling,
    _by_anchor_alone,
    _mistyped,
    _other_version,
    _outside,
)


def _nothing(manifest: Manifest, target: Target) -> Reference:
    """The verdict if no step has one. The most similar page is suggested, and never linked."""
    if target.site is None or target.path is None:
        return unlinked(target.given, "The link leaves the site, whose base URL is not known.")
    written = _written(target)
    remark = ", but an earlier build had it" if _was_there(manifest, target.site.name, target) else ""
    verdict = unlinked(target.given, f"There is no page `{written or '/'}` in {target.site.name}{remark}.")
    closest = manifest.page_matcher(target.site.name).closest_page(written)
    return replace(verdict, suggestion=href_of(closest.page)) if closest else verdict


def _was_there(manifest: Manifest, site: str, target: Target) -> bool:
    """Whether an earlier build had a page that the path of a target names, by its address or its source file."""
    by_address = page_then(manifest, site, target.path) if target.path is not None else None
    return by_address is not None or manifest.history.page_spelled(site, _written(target)) is not None


def _written(target: Target) -> str:
    """The path that an author had in mind: that of the source file if the link names one."""
    named = target.source_path if target.source_path and SOURCE_FILE.search(target.source_path) else target.path
    return named or ""


def _linked(manifest: Manifest, target: Target, page: Page, status: ReferenceStatus, reason: str) -> Reference:
    """The verdict on a link whose page is known."""
    anchor = anchor_named(manifest, page, target.fragment)
    if anchor is None:
        return _without_anchor(manifest, target, page, reason)
    anchor_reason = f"The page has the anchor `{anchor}`." if anchor else "The page exists."
    return _reference(manifest, target, page, anchor, status, f"{reason} {anchor_reason}".strip())


def _without_anchor(manifest: Manifest, target: Target, page: Page, reason: str) -> Reference:
    """The verdict if the page does not have the anchor as written.

    The history comes before similar anchors. It knows what the anchor was; an anchor with a similar name may be another
    section.
    """
    fragment = unquote(target.fragment, errors="replace")
    lacks = f"{reason} The page exists, but has no anchor `{fragment}`.".strip()
    # What stood at the address of the link comes before what stood on the page that has this address now.
    paths = [page.page] if target.path is None else [target.path, page.page]
    if entry := anchor_then(manifest, page.site, paths, target.fragment):
        gone = f"{reason} An earlier build had `{entry.anchor}` on this page, this one has not.".strip()
        return _led_to_anchor(manifest, target, entry, reason) or _page_only(manifest, target, page, entry.anchor, gone)
    if meant := manifest.anchor_matcher(page).meant_by(fragment):
        anchor, difference = meant
        why = f"{reason} The page has `{anchor}`, which is `{fragment}` {difference}.".strip()
        return _reference(manifest, target, page, anchor, "corrected-anchor", why)
    if moved := _moved(manifest, target, page.page, lacks):
        return moved
    return _page_only(manifest, target, page, fragment, lacks)


def _led_to_anchor(manifest: Manifest, target: Target, entry: Entry | None, reason: str) -> Reference | None:
    """The verdict on an anchor of an earlier build that has a successor; None if it has none."""
    if entry is None or entry.to_page is None or not (to := manifest.page(entry.to_page, entry.site)):
        return None
    what = f"renamed to `{entry.to_anchor}` on this page" if to.page == entry.page else f"moved to `{to.page or '/'}`"
    why = f"{reason} `{entry.anchor}` was {what}: {entry.proof}.".strip()
    return _reference(manifest, target, to, entry.to_anchor, "redirected", why)


def _page_only(manifest: Manifest, target: Target, page: Page, anchor: str, reason: str) -> Reference:
    """The verdict that the page has no such anchor. The most similar one is suggested, and never linked."""
    verdict = _reference(manifest, target, page, "", "page-only", reason)
    closest = manifest.anchor_matcher(page).closest(anchor)
    return replace(verdict, suggestion=manifest.href(page.page, closest, page.site)) if closest else verdict


def _moved(manifest: Manifest, target: Target, written: str, reason: str) -> Reference | None:
    """The only page of the site that has the anchor.

    An id of one word (`usage`) says little, so it counts only on a page near the one that was written.
    """
    assert target.site is not None
    matcher = manifest.page_matcher(target.site.name)
    for name in dict.fromkeys((target.fragment, unquote(target.fragment, errors="replace"))):
        pages = matcher.pages_with(name)
        if len(pages) != 1:
            continue
        near = are_related(pages[0], written) or pages[0] == target.page
        if near or is_telling(name):
            page = manifest.page(pages[0], target.site.name)
            assert page is not None
            why = f"{reason} `{name}` is on `{page.page or '/'}` only."
            return _reference(manifest, target, page, name, "corrected-page", why)
    return None


def _reference(
    manifest: Manifest, target: Target, page: Page, anchor: str, status: ReferenceStatus, reason: str
) -> Reference:
    """The verdict that a link leads to a page, or to an anchor on it."""
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
