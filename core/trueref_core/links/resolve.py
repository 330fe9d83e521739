"""Resolves a link: decides by the manifest alone where it leads, or should lead.

A link is read as a browser reads it on the page where it stands. Then the steps of `STEPS` are tried in order, and the
first with a verdict decides. The fragment is looked up when the page is known. If the page lacks the anchor, the anchor
is searched for in the history, then among similar anchors of the page, then on other pages. If two targets are
possible, none is chosen: a link to the wrong section is worse than a link to the page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import unquote

from trueref_core.addresses import href_of, join_page
from trueref_core.links.former_addresses import former_anchor, former_page
from trueref_core.links.link_target import ResolveContext, Target, path_in_version, read_target, unlinked
from trueref_core.links.target_lookup import (
    anchor_named,
    page_behind_address,
    page_in_sources,
    page_of_address,
    target_behind_redirect,
)
from trueref_core.manifest.history import Entry
from trueref_core.manifest.lookup import Manifest
from trueref_core.matching.name_words import is_specific
from trueref_core.matching.page_match import SOURCE_FILE, are_related
from trueref_core.records import Page, Reference, ReferenceStatus

__all__ = ["ResolveContext", "resolve"]


def resolve(manifest: Manifest, link: str, context: ResolveContext | str | None = None) -> Reference:
    """The verdict on a link. Any text is accepted as a link.

    Args:
        manifest: The sites that the link may lead into.
        link: As written: absolute, root-relative, relative, or a fragment.
        context: Where the link stands; a string is the page. Without it, relative links count from the root.

    Raises:
        IndexDamaged: The anchors of an index, which are read when they are needed, are missing or damaged.
    """
    link_context = ResolveContext(page=context) if isinstance(context, str) else context or ResolveContext()
    target = read_target(manifest, link, link_context)
    if isinstance(target, Reference):
        return target
    verdicts = (step(manifest, target) for step in STEPS)
    return next((verdict for verdict in verdicts if verdict), None) or _not_found(manifest, target)


def _at_exact_address(manifest: Manifest, target: Target) -> Reference | None:
    """The verdict if a page has exactly this address."""
    page = page_in_sources(manifest, target) or page_of_address(manifest, target)
    return _linked(manifest, target, page, "exact", "") if page else None


def _at_other_address(manifest: Manifest, target: Target) -> Reference | None:
    """The verdict if this is another address of a page: an alias, or one that the site redirects."""
    page = page_behind_address(manifest, target)
    if page is None:
        return None
    reason = f"`{target.path or '/'}` leads to `{page.page or '/'}`."
    return _linked(manifest, target_behind_redirect(manifest, target, page), page, "redirected", reason)


def _at_earlier_address(manifest: Manifest, target: Target) -> Reference | None:
    """The verdict if an earlier build had a page at this address: its successor."""
    if target.site is None or target.path is None:
        return None
    anchor = former_anchor(manifest, target.site.name, [target.path], target.fragment)
    page = former_page(manifest, target.site.name, target.path)
    # The anchor comes before the page: if a page was split, one of its sections may be on another page than the rest.
    return _at_successor_of_anchor(manifest, target, anchor, "") or _at_successor_of_page(manifest, target, page)


def _at_earlier_spelling(manifest: Manifest, target: Target) -> Reference | None:
    """The verdict if an earlier build had a page at another spelling of the path: its successor."""
    if target.site is None or target.path is None:
        return None
    entry = manifest.history.page_spelled(target.site.name, _written_path(target))
    return _at_successor_of_page(manifest, target, entry)


def _at_successor_of_page(manifest: Manifest, target: Target, entry: Entry | None) -> Reference | None:
    """The verdict on the page of a history entry; None if the entry has no successor."""
    if entry is None or entry.to_page is None or not (page := manifest.page(entry.to_page, entry.site)):
        return None
    # The successor of a page may be a section of another page. A link that has a fragment keeps its own.
    href = manifest.href(page.page, entry.to_anchor, page.site)
    target_with_fragment = target if target.fragment else target._replace(fragment=href.partition("#")[2])
    reason = f"The page `{entry.page or '/'}` of an earlier build is `{href or '/'}` now: {entry.proof}."
    return _linked(manifest, target_with_fragment._replace(path=entry.page), page, "redirected", reason)


def _at_path_from_root(manifest: Manifest, target: Target) -> Reference | None:
    """The verdict if the path is right from the root of the site: answers and READMEs often write links like that."""
    path = join_page("", target.own_path) if target.own_path else None
    if path is None or path == target.path:
        return None
    target_from_root = target._replace(path=path)
    verdict = (
        _at_exact_address(manifest, target_from_root)
        or _at_other_address(manifest, target_from_root)
        or _at_earlier_address(manifest, target_from_root)
    )
    page = manifest.page(verdict.page, verdict.site) if verdict and verdict.page is not None else None
    # This corrects the address as written, and no correction leads to a hidden page (a draft, an error page).
    if verdict is None or page is None or page.hidden:
        return None
    reason = f"The path is right from the root of the site, not from where the link stands. {verdict.reason}"
    return replace(
        verdict, status="corrected-page" if verdict.anchor or not target.fragment else verdict.status, reason=reason
    )


def _at_other_spelling(manifest: Manifest, target: Target) -> Reference | None:
    """The verdict if one page has this path but for its spelling: a source file's name, case, or a version folder."""
    if target.site is None:
        return None
    matcher = manifest.page_matcher(target.site.name)
    # Counted from the page of the link, and from the root, as answers and READMEs write links.
    from_page_and_root = (target.path, join_page("", target.own_path) if target.own_path else None)
    for paths in ((target.source_path,), from_page_and_root):
        pages = {page.page: page for path in paths if path for page in matcher.pages_spelled(path)}
        if len(pages) == 1:
            page = next(iter(pages.values()))
            reason = f"`{paths[0] or target.own_path}` leads to `{page.page or '/'}`."
            return _linked(manifest, target, page, "corrected-page", reason)
        if pages:
            return None
    return None


def _on_missing_page(manifest: Manifest, target: Target) -> Reference | None:
    """The verdict if the page does not exist, and a single other page has the anchor of the link."""
    if target.site is None or target.path is None or not target.fragment:
        return None
    path = _written_path(target)
    return _on_only_page_with_anchor(manifest, target, path, f"There is no page `{path or '/'}`.")


def _at_mistyped_path(manifest: Manifest, target: Target) -> Reference | None:
    """The verdict if the path has a typing error, a single page can be meant, and it has the anchor of the link.

    The path of a page that an earlier build had is no typing error. The anchor must be right, since correcting both
    page and anchor would be two guesses.
    """
    if target.site is None or target.path is None or _existed_earlier(manifest, target.site.name, target):
        return None
    path = _written_path(target)
    page = manifest.page_matcher(target.site.name).page_mistyped(path)
    if page is None or anchor_named(manifest, page, target.fragment) is None:
        return None
    right_path = (page.source_path if SOURCE_FILE.search(path) else page.page) or page.page or "/"
    return _linked(
        manifest, target, page, "corrected-page", f"There is no page `{path}`: it is spelled `{right_path}`."
    )


def _in_this_version(manifest: Manifest, target: Target) -> Reference | None:
    """The verdict if the link leads into another version of these docs, and this version has its page and anchor."""
    if target.path is not None or target.url is None:
        return None
    paths = [(site, path_in_version(site, target.url)) for site in manifest.sites]
    candidates = [(site, path) for site, path in paths if path is not None]
    # If the index has several versions, the link may mean any of them, unless it stands in one of these.
    in_own_site = [(site, path) for site, path in candidates if site == target.site] or candidates
    if len(in_own_site) != 1:
        return None
    site, path = in_own_site[0]
    target_here = target._replace(site=site, path=path)
    verdict = _at_exact_address(manifest, target_here) or _at_other_address(manifest, target_here)
    if verdict is None or verdict.status not in {"exact", "redirected"}:
        return None
    reason = f"`{path or '/'}` is in this version of the docs too, whose address is `{site.base_url}`."
    return replace(verdict, status="corrected-page", reason=reason)


def _outside_all_sites(_manifest: Manifest, target: Target) -> Reference | None:
    """The verdict on an address of a site that is not in the manifest."""
    if target.path is not None or target.url is None:
        return None
    return Reference(
        target.given, href=None, url=target.url, status="external", reason="The address is outside these docs."
    )


# First comes what a browser finds, then what earlier builds had at this address, then what an author may have meant. So
# a link that once worked leads to the successor of its page, even if its path also resembles that of another page.
STEPS: tuple[Callable[[Manifest, Target], Reference | None], ...] = (
    _at_exact_address,
    _at_other_address,
    _at_earlier_address,
    _at_path_from_root,
    _at_other_spelling,
    _at_earlier_spelling,
    _on_missing_page,
    _at_mistyped_path,
    _in_this_version,
    _outside_all_sites,
)


def _not_found(manifest: Manifest, target: Target) -> Reference:
    """The verdict if no step has one: nothing is linked, and the page with the most similar path is suggested."""
    if target.site is None or target.path is None:
        return unlinked(target.given, "The link leaves the site, whose base URL is not known.")
    path = _written_path(target)
    remark = ", but an earlier build had it" if _existed_earlier(manifest, target.site.name, target) else ""
    verdict = unlinked(target.given, f"There is no page `{path or '/'}` in {target.site.name}{remark}.")
    closest = manifest.page_matcher(target.site.name).closest_page(path)
    return replace(verdict, suggestion=href_of(closest.page)) if closest else verdict


def _existed_earlier(manifest: Manifest, site: str, target: Target) -> bool:
    """Whether an earlier build had a page that the path of a target names, by its address or its source file."""
    by_address = former_page(manifest, site, target.path) if target.path is not None else None
    return by_address is not None or manifest.history.page_spelled(site, _written_path(target)) is not None


def _written_path(target: Target) -> str:
    """The path as its author wrote it: that of a source file if the link names one, else that of the page."""
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

    The history is asked before similar anchors: it knows what the anchor was, while an anchor with a similar name may
    be another section.
    """
    fragment = unquote(target.fragment, errors="replace")
    lacks_reason = f"{reason} The page exists, but has no anchor `{fragment}`.".strip()
    # A page that an earlier build had at the address of the link comes before the page that has this address now.
    paths = [page.page] if target.path is None else [target.path, page.page]
    if entry := former_anchor(manifest, page.site, paths, target.fragment):
        gone_reason = f"{reason} The page had `{entry.anchor}` in an earlier build and no longer has it.".strip()
        at_successor = _at_successor_of_anchor(manifest, target, entry, reason)
        return at_successor or _page_only(manifest, target, page, entry.anchor, gone_reason)
    matcher = manifest.anchor_matcher(page)
    if meant := matcher.meant_by(fragment):
        anchor, difference = meant
        corrected_reason = f"{reason} The page has `{anchor}`, which is `{fragment}` {difference}.".strip()
        return _reference(manifest, target, page, anchor, "corrected-anchor", corrected_reason)
    moved = _on_only_page_with_anchor(manifest, target, page.page, lacks_reason)
    # `#format` may mean `#format` of another page as well as `#short-format` of this one.
    if moved and not matcher.has_longer_name(fragment):
        return moved
    return _page_only(manifest, target, page, fragment, lacks_reason)


def _at_successor_of_anchor(manifest: Manifest, target: Target, entry: Entry | None, reason: str) -> Reference | None:
    """The verdict on the anchor of a history entry; None if the entry has no successor."""
    if entry is None or entry.to_page is None or not (successor_page := manifest.page(entry.to_page, entry.site)):
        return None
    is_here = successor_page.page == entry.page
    change = f"renamed to `{entry.to_anchor}` on this page" if is_here else f"moved to `{successor_page.page or '/'}`"
    full_reason = f"{reason} `{entry.anchor}` was {change}: {entry.proof}.".strip()
    return _reference(manifest, target, successor_page, entry.to_anchor, "redirected", full_reason)


def _page_only(manifest: Manifest, target: Target, page: Page, anchor: str, reason: str) -> Reference:
    """The verdict that links the page alone, since it has no such anchor; the most similar anchor is suggested."""
    verdict = _reference(manifest, target, page, "", "page-only", reason)
    closest = manifest.anchor_matcher(page).closest(anchor)
    return replace(verdict, suggestion=manifest.href(page.page, closest, page.site)) if closest else verdict


def _on_only_page_with_anchor(manifest: Manifest, target: Target, path: str, reason: str) -> Reference | None:
    """The verdict if a single page of the site has the anchor.

    An id of one word (`usage`) says little, so it counts only if its page is near the one that the link names.
    """
    assert target.site is not None
    matcher = manifest.page_matcher(target.site.name)
    for name in dict.fromkeys((target.fragment, unquote(target.fragment, errors="replace"))):
        pages = matcher.pages_with(name)
        if len(pages) != 1:
            continue
        is_near = are_related(pages[0], path) or pages[0] == target.page
        if is_near or is_specific(name):
            page = manifest.page(pages[0], target.site.name)
            assert page is not None
            full_reason = f"{reason} `{name}` is on `{page.page or '/'}` only."
            return _reference(manifest, target, page, name, "corrected-page", full_reason)
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
