"""Makes the edges of the documentation graph: to subsections, to the next section, and along links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from trueref_core.links.link_target import WEB_SCHEMES, Target, read_target
from trueref_core.links.resolve import ResolveContext
from trueref_core.links.target_lookup import anchor_named, page_behind_address, page_of_address, target_behind_redirect
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Link, LinkKind, LinkStatus, Reference
from trueref_plugin.files.site_files import is_asset_name
from trueref_plugin.reading.parsed import ParsedPage
from trueref_plugin.site.base_url import UNKNOWN_HOST


def page_links(manifest: Manifest, site: str, page: str, parsed: ParsedPage, folder: Path) -> tuple[Link, ...]:
    """The edges that begin on a page, each once, in the order of the page.

    Args:
        manifest: All pages and anchors of the site, which decide the status of each link.
        site: Name of the site.
        page: Address of the page.
        parsed: The content of the page, which has no links of the navigation.
        folder: Folder of the site. A link to a file in it that is not a page makes no edge.
    """
    edges = [*_outline(site, page, parsed), *_links(manifest, site, page, parsed, folder)]
    # A page may link to the same target ten times with the same words: that is one edge.
    return tuple(dict.fromkeys(edges))


def _outline(site: str, page: str, parsed: ParsedPage) -> Iterator[Link]:
    """The edges from each section to its direct subsections, and to the section that follows it on the page."""
    sections = parsed.sections
    for previous, section in pairwise(sections):
        parent = sections[section.parent]
        yield Link(site, page, parent.anchor, page, section.anchor, "child", section.title, "ok")
        yield Link(site, page, previous.anchor, page, section.anchor, "next", section.title, "ok")


def _links(manifest: Manifest, site: str, page: str, parsed: ParsedPage, folder: Path) -> Iterable[Link]:
    """The edge to the page to read next, and the edges along the links in the text of a page."""
    context = ResolveContext(site, page)
    if parsed.head.next:
        next_end = _edge_end(manifest, context, parsed.head.next, folder)
        # An edge to a missing page is kept too, so that this page is compared again when the missing page is added.
        if next_end is not None and next_end.kind == "internal":
            next_page = manifest.page(next_end.page, site)
            next_title = next_page.title if next_page else ""
            yield Link(site, page, "", next_end.page, next_end.anchor, "next", next_title, next_end.status)
    for link in parsed.links:
        end, section = _edge_end(manifest, context, link.target, folder), parsed.sections[link.section]
        if end is not None:
            yield Link(site, page, section.anchor, end.page, end.anchor, end.kind, link.text, end.status)


class _EdgeEnd(NamedTuple):
    """Where an edge ends. The fields are those of `Link`."""

    kind: LinkKind
    page: str
    anchor: str
    status: LinkStatus


def _edge_end(manifest: Manifest, context: ResolveContext, link: str, folder: Path) -> _EdgeEnd | None:
    """Where a link leads; None if it does not lead to documentation, but to an image or a mail address.

    The other sites of the index count as external, because a site is read without them, so the manifest has only this
    one.
    """
    target = read_target(manifest, link, context)
    if isinstance(target, Reference) or target.path is None or target.site is None:
        url = target.url or ""
        # Of a link that leads out of a site on an unknown host, nobody knows where it leads.
        if url.startswith(UNKNOWN_HOST):
            return None
        return _EdgeEnd("external", url, "", "ok") if url.partition(":")[0] in WEB_SCHEMES else None
    # An edge says what a browser would find, so links are not corrected here, and the history is not used.
    exact = page_of_address(manifest, target)
    page = exact or page_behind_address(manifest, target)
    if page is None:
        return None if _is_file(folder, target) else _EdgeEnd("internal", target.path, _id_of(target), "missing-page")
    anchor_id = anchor_named(manifest, page, target_behind_redirect(manifest, target, page).fragment)
    if anchor_id is None:
        return _EdgeEnd("internal", target.path, _id_of(target), "missing-anchor")
    return _EdgeEnd("internal", page.page, anchor_id, "ok" if exact else "redirect")


def _id_of(target: Target) -> str:
    """The id that the fragment of a target names, decoded."""
    return unquote(target.fragment, errors="replace")


def _is_file(folder: Path, target: Target) -> bool:
    """Whether a link leads to a file that is no page: a picture, an archive. The file need not exist."""
    path = target.path or ""
    if is_asset_name(path):
        return True
    try:
        # Safe: the path was joined from the root of the site, and cannot leave it.
        return (folder / path).is_file()
    except (OSError, ValueError):
        return False
