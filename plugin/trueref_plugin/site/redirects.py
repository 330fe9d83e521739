"""Redirect stubs: their addresses become aliases of the page that they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from trueref_core.addresses import is_external, join_page, split_link
from trueref_core.records import Page

HOPS_MOST: Final = 10


def with_aliases(pages: Iterable[Page], redirects: Mapping[str, str], base_url: str | None) -> list[Page]:
    """The pages with the addresses of their redirect stubs among their aliases.

    Args:
        pages: All pages of the site.
        redirects: By stub page, the address it leads to, as written.
        base_url: Absolute address of the site's root, to recognise absolute targets.
    """
    pages_by_address = {page.page: page for page in pages}
    if not redirects:
        return list(pages_by_address.values())
    by_form = {form: page.page for page in pages_by_address.values() for form in (*page.aliases, page.page)}
    extra: dict[str, list[str]] = {}
    anchors_of: dict[str, list[str]] = {}
    # Each stub is followed to the page at the end of its chain, which is the one that readers see.
    for stub in redirects:
        target, anchor = _final(stub, redirects, by_form, base_url)
        if target is not None and target != stub:
            forms = (stub, *pages_by_address[stub].aliases)
            extra.setdefault(target, []).extend(forms)
            anchors_of.setdefault(target, []).extend(f"{form}#{anchor}" for form in forms if anchor)
    return [_with(page, extra.get(page.page, ()), anchors_of.get(page.page, ())) for page in pages_by_address.values()]


def _with(page: Page, aliases: Iterable[str], anchors: Iterable[str]) -> Page:
    """A page with more aliases."""
    added = [alias for alias in aliases if alias not in page.aliases]
    if not added:
        return page
    return replace(page, aliases=(*page.aliases, *sorted(added)), alias_anchors=tuple(sorted(anchors)))


def _final(
    stub: str, redirects: Mapping[str, str], by_form: Mapping[str, str], base_url: str | None
) -> tuple[str | None, str]:
    """The page that a stub leads to in the end, None if it is not in the site, and the anchor, or ""."""
    page, anchor = stub, ""
    # A bound, because stubs may lead in a circle.
    for _ in range(HOPS_MOST):
        # A browser keeps the fragment over a redirect that names none.
        anchor = split_link(redirects[page])[1] or anchor
        target = _target(page, redirects[page], by_form, base_url)
        if target is None or target not in redirects:
            return target, anchor
        page = target
    return None, ""


def _target(page: str, link: str, by_form: Mapping[str, str], base_url: str | None) -> str | None:
    """The page that the target of a redirect names, None if it is in another site."""
    path, _ = split_link(link)
    if is_external(path):
        if base_url is None or not path.startswith(base_url):
            return None
        path = "/" + path[len(base_url) :]
    elif (root := urlsplit(base_url or "").path) and path.startswith(root):
        # Docusaurus writes the path that the site is published under into every link.
        path = "/" + path[len(root) :]
    joined = join_page(page, path)
    return by_form.get(joined) if joined is not None else None
