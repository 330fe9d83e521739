"""Looks up the target of a link as a browser does, without any correction.

`resolve` begins with the same look-ups, and tries corrections if they find nothing.
"""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import unquote

from trueref_core.documents import is_unpublished, page_anchor, page_of_anchor
from trueref_core.links.link_target import ResolveContext, Target, read_target
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Page, Reference

Landing = Literal["place", "page-top", "nothing", "outside"]
"""What a browser finds: the place that the link names (`place`); its page without the anchor (`page-top`); no page
(`nothing`); or a target that the manifest does not cover, such as another site or a `mailto:` address (`outside`)."""

# Fragments that PDF viewers understand, such as `page=3&zoom=50`.
PDF_VIEW = re.compile(r"[a-z]+=[\w.,%-]*(?:&[a-z]+=[\w.,%-]*)*")


def look_up_link(manifest: Manifest, link: str, context: ResolveContext | None = None) -> Landing:
    """What a browser finds at the end of a link. Raises what `resolve` raises.

    Args:
        manifest: The sites that the link may lead into.
        link: As written.
        context: Where the link stands; without it, relative links count from the root.
    """
    return landing_at(manifest, read_target(manifest, link, context or ResolveContext()))


def landing_at(manifest: Manifest, target: Target | Reference) -> Landing:
    """What a browser finds at a target, or `outside` for a verdict that `read_target` gave."""
    if isinstance(target, Reference):
        return "outside"
    page = page_at(manifest, target)
    if page is None:
        return "outside" if target.path is None else "nothing"
    # A redirect page that is no alias of another page leads out of the site. Browsers keep the fragment there, so any
    # fragment is valid.
    if page.kind == "redirect" or anchor_named(manifest, page, target.fragment) is not None:
        return "place"
    return "page-top"


def page_at(manifest: Manifest, target: Target) -> Page | None:
    """The page of a target, found by its source file or by any of its addresses."""
    return (
        page_in_sources(manifest, target) or page_of_address(manifest, target) or page_behind_address(manifest, target)
    )


def page_in_sources(manifest: Manifest, target: Target) -> Page | None:
    """The page that was made from the source file that the link names, if the link names one."""
    if target.source_path is None or target.site is None:
        return None
    return manifest.page_by_source(target.source_path, target.site.name)


def page_of_address(manifest: Manifest, target: Target) -> Page | None:
    """The page with exactly the address of a target, unless it only redirects to another page of the site."""
    if target.site is None or target.path is None:
        return None
    page = manifest.page(target.path, target.site.name)
    is_stub = page is not None and page.kind == "redirect" and manifest.page_by_alias(target.path, page.site)
    # A PDF that no site publishes has a page, but no address in the site.
    return None if is_stub or (page is not None and is_unpublished(page)) else page


def page_behind_address(manifest: Manifest, target: Target) -> Page | None:
    """The page to which the address of a target leads as an alias, or in the other form of a folder's address."""
    if target.site is None or target.path is None:
        return None
    site, path = target.site.name, target.path
    folder = folder_of(path)
    return manifest.page_by_alias(path, site) or manifest.page(folder, site) or manifest.page_by_alias(folder, site)


def folder_of(path: str) -> str:
    """The address of a path as a folder: static hosts show the same page at `a/`, `a` and `a/index.html`."""
    return path.removesuffix("index.html") if f"/{path}".endswith("/index.html") else f"{path}/"


def can_be_successor(manifest: Manifest, site: str, page: str, anchor: str) -> bool:
    """Whether a page, or an anchor on it, can be a successor: it exists, and the page is no redirect."""
    known_page = manifest.page(page, site)
    return (
        known_page is not None
        and known_page.kind != "redirect"
        and (not anchor or manifest.anchor(page, anchor, site) is not None)
    )


def target_behind_redirect(manifest: Manifest, target: Target, page: Page) -> Target:
    """A target with the fragment that a browser has after a redirect: that of the link, else that of the redirect."""
    anchor = manifest.anchor_behind(target.path or "", page.site)
    if target.fragment or not anchor or manifest.anchor(page.page, anchor, page.site) is None:
        return target
    return target._replace(fragment=manifest.href(page.page, anchor, page.site).partition("#")[2])


def anchor_named(manifest: Manifest, page: Page, fragment: str) -> str | None:
    """The anchor of a page that a fragment names: `""` for the top of the page, None if the page has no such anchor."""
    # A browser tries the fragment as it is written before it decodes it.
    for name in (fragment, unquote(fragment, errors="replace")):
        if name and manifest.anchor(page.page, name, page.site):
            return name
    if page.kind == "pdf" and PDF_VIEW.fullmatch(fragment) and _has_pdf_page(manifest, page, page_of_anchor(fragment)):
        return fragment
    return "" if fragment.lower() in {"", "top"} else None


def _has_pdf_page(manifest: Manifest, page: Page, number: int | None) -> bool:
    """Whether a PDF may have a page with this number.

    True as well if no number is given, and if the PDF was not read, so that its pages are not known.
    """
    if number is None or manifest.anchor(page.page, page_anchor(1), page.site) is None:
        return True
    return manifest.anchor(page.page, page_anchor(number), page.site) is not None
