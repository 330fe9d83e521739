"""Makes the addresses of redirect stubs aliases of the pages that they lead to.

A stub is a page that only redirects.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from trueref_core.addresses import is_external, join_page, split_link
from trueref_core.records import Page
from trueref_plugin.site.base_url import other_forms

MAX_HOPS: Final = 10
"""Stubs that are followed one after the other, at most, because stubs may lead in a circle."""


def with_aliases(pages: Iterable[Page], redirects: Mapping[str, str], base_url: str | None) -> list[Page]:
    """The pages with the addresses of their redirect stubs among their aliases.

    Args:
        pages: All pages of the site.
        redirects: By address of a stub: the address that it leads to, as written.
        base_url: Absolute address of the site's root, to recognise absolute links to the site itself.
    """
    pages_by_address = {page.page: page for page in pages}
    if not redirects:
        return list(pages_by_address.values())
    by_form = {form: page.page for page in pages_by_address.values() for form in (*page.aliases, page.page)}
    aliases_of: dict[str, list[str]] = {}
    anchors_of: dict[str, list[str]] = {}
    # Each stub is followed to the page at the end of its chain, which is the page that readers see.
    for stub in redirects:
        target, anchor = _end_of_chain(stub, redirects, by_form, base_url)
        if target is not None and target != stub:
            forms = (stub, *pages_by_address[stub].aliases)
            aliases_of.setdefault(target, []).extend(forms)
            anchors_of.setdefault(target, []).extend(f"{form}#{anchor}" for form in forms if anchor)
    return [
        _with_more_aliases(page, aliases_of.get(page.page, ()), anchors_of.get(page.page, ()))
        for page in pages_by_address.values()
    ]


def without_reloads(redirects: Mapping[str, str], files: Mapping[str, str], base_url: str | None) -> dict[str, str]:
    """The redirects that lead to another page. A page that names itself is only loaded anew, and readers stay on it.

    Args:
        redirects: By address of a page: the address that it names, as written.
        files: By address of every page of the site: its file.
        base_url: Absolute address of the site's root, as in `with_aliases`.
    """
    if not redirects:
        return {}
    by_form = {form: page for page, file in files.items() for form in other_forms(file, page)}
    by_form |= {page: page for page in files}
    return {page: link for page, link in redirects.items() if _target(page, link, by_form, base_url) != page}


def _with_more_aliases(page: Page, aliases: Iterable[str], anchors: Iterable[str]) -> Page:
    """A page with more aliases. `anchors` has those aliases that lead to an anchor of the page (`old/#setup`)."""
    added = [alias for alias in aliases if alias not in page.aliases]
    if not added:
        return page
    return replace(page, aliases=(*page.aliases, *sorted(added)), alias_anchors=tuple(sorted(anchors)))


def _end_of_chain(
    stub: str, redirects: Mapping[str, str], by_form: Mapping[str, str], base_url: str | None
) -> tuple[str | None, str]:
    """The page at the end of a chain of stubs, None if it is not in the site; and the anchor on it, "" for none."""
    page, anchor = stub, ""
    for _ in range(MAX_HOPS):
        # If a redirect has no fragment, a browser keeps the fragment that it came with.
        anchor = split_link(redirects[page])[1] or anchor
        target = _target(page, redirects[page], by_form, base_url)
        if target is None or target not in redirects:
            return target, anchor
        page = target
    return None, ""


def _target(page: str, link: str, by_form: Mapping[str, str], base_url: str | None) -> str | None:
    """The page that the link of a redirect leads to, None if it is not in the site."""
    path, _ = split_link(link)
    if is_external(path):
        if base_url is None or not path.startswith(base_url):
            return None
        path = "/" + path[len(base_url) :]
    elif (root := urlsplit(base_url or "").path) and path.startswith(root):
        # Docusaurus begins every link with the path that the site is published under.
        path = "/" + path[len(root) :]
    joined = join_page(page, path)
    return by_form.get(joined) if joined is not None else None
