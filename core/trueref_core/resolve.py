"""What a link leads to, decided by the manifest alone.

A link is read as a browser would read it on the page where it stands. Then the steps of `STEPS` are tried in order; the
first that has an answer decides. A fragment is looked up once the page is known; one that the page does not have is
looked for among the page's own anchors, then elsewhere. Between two that may be meant nothing is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from trueref_core.addresses import href_of, join_page
from trueref_core.nearness import is_telling
from trueref_core.places import are_related
from trueref_core.records import Page, Reference, ReferenceStatus
from trueref_core.target import ResolveContext, Target, read_target, unlinked

if TYPE_CHECKING:
    from trueref_core.manifest import Manifest

__all__ = ["ResolveContext", "resolve"]

PDF_VIEW = re.compile(r"[a-z]+=[\w.,%-]*(?:&[a-z]+=[\w.,%-]*)*")


def resolve(manifest: Manifest, link: str, context: ResolveContext) -> Reference:
    """The verdict on a link. See `Manifest.resolve`."""
    target = read_target(manifest, link, context)
    if isinstance(target, Reference):
        return target
    verdicts = (step(manifest, target) for step in STEPS)
    return next((verdict for verdict in verdicts if verdict), None) or _nothing(manifest, target)


def as_written(manifest: Manifest, target: Target) -> Reference | None:
    """The verdict where the page exists under the address that was written; None where it does not."""
    return _page(manifest, target) or _other_address(manifest, target)


def _page(manifest: Manifest, target: Target) -> Reference | None:
    if target.site is None or target.path is None:
        return None
    page = manifest.page(target.path, target.site.name)
    if page is None or (page.kind == "redirect" and manifest.page_by_alias(target.path, page.site)):
        return None
    return _linked(manifest, target, page, "exact", "")


def _other_address(manifest: Manifest, target: Target) -> Reference | None:
    if target.site is None or target.path is None:
        return None
    site, path = target.site.name, target.path
    # Every static host answers both with the page of the folder.
    folder = path.removesuffix("index.html") if f"/{path}".endswith("/index.html") else f"{path}/"
    page = manifest.page_by_alias(path, site) or manifest.page(folder, site) or manifest.page_by_alias(folder, site)
    return _linked(manifest, target, page, "redirected", f"`{path}` leads to `{page.page or '/'}`.") if page else None


def _from_root(manifest: Manifest, target: Target) -> Reference | None:
    """The path as if it stood at the root of the site, which is how answers and READMEs often write it."""
    path = join_page("", target.own_path) if target.own_path else None
    if path is None or path == target.path:
        return None
    again = target._replace(path=path)
    found = as_written(manifest, again)
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
    pages = {page.page: page for path in written if path for page in places.pages_spelled(path)}
    if len(pages) != 1:
        return None
    page = next(iter(pages.values()))
    reason = f"`{target.path or target.own_path}` leads to `{page.page or '/'}`."
    return _linked(manifest, target, page, "corrected-page", reason)


def _by_anchor_alone(manifest: Manifest, target: Target) -> Reference | None:
    """The one place that has the anchor, where the page is not known."""
    if target.site is None or target.path is None or not target.fragment:
        return None
    return _moved(manifest, target, target.path, f"There is no page `{target.path or '/'}`.")


def _outside(_manifest: Manifest, target: Target) -> Reference | None:
    if target.path is not None or target.url is None:
        return None
    return Reference(
        target.given, href=None, url=target.url, status="external", reason="The address is outside these docs."
    )


STEPS: tuple[Callable[[Manifest, Target], Reference | None], ...] = (
    _page,
    _other_address,
    _from_root,
    _other_spelling,
    _by_anchor_alone,
    _outside,
)


def _nothing(manifest: Manifest, target: Target) -> Reference:
    if target.site is None or target.path is None:
        return unlinked(target.given, "The link leaves the site, whose base URL is not known.")
    found = unlinked(target.given, f"There is no page `{target.path or '/'}` in {target.site.name}.")
    closest = manifest.places(target.site.name).closest_page(target.path)
    return replace(found, suggestion=href_of(closest.page)) if closest else found


def _linked(manifest: Manifest, target: Target, page: Page, status: ReferenceStatus, reason: str) -> Reference:
    anchor = _anchor(manifest, page, target.fragment)
    if anchor is None:
        return _without_anchor(manifest, target, page, reason)
    told = f"The page has the anchor `{anchor}`." if anchor else "The page exists."
    return _reference(manifest, target, page, anchor, status, f"{reason} {told}".strip())


def _without_anchor(manifest: Manifest, target: Target, page: Page, reason: str) -> Reference:
    """The verdict where the page does not have the anchor as written."""
    fragment = unquote(target.fragment, errors="replace")
    lacks = f"{reason} The page exists, but has no anchor `{fragment}`.".strip()
    near = manifest.near_anchors(page)
    if meant := near.meant_by(fragment):
        anchor, difference = meant
        told = f"{reason} The page has `{anchor}`, which is `{fragment}` {difference}.".strip()
        return _reference(manifest, target, page, anchor, "corrected-anchor", told)
    if moved := _moved(manifest, target, page.page, lacks):
        return moved
    found = _reference(manifest, target, page, "", "page-only", lacks)
    closest = near.closest(fragment)
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


def _anchor(manifest: Manifest, page: Page, fragment: str) -> str | None:
    """The anchor that a fragment names: `""` for the page itself, None where there is none."""
    # A browser tries the fragment as it is written before it decodes it.
    for name in (fragment, unquote(fragment, errors="replace")):
        if name and manifest.anchor(page.page, name, page.site):
            return name
    if page.kind == "pdf" and PDF_VIEW.fullmatch(fragment):
        return fragment
    return "" if fragment.lower() in {"", "top"} else None
