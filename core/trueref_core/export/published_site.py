"""The published part of a manifest: everything except drafts and hidden pages, in the same form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from trueref_core.addresses import fragment_of, href_of, url_of
from trueref_core.documents import is_unpublished
from trueref_core.errors import OptionError, unknown_site
from trueref_core.manifest.codec import ManifestFile, PageRow
from trueref_core.records import CITED_ANCHORS, AnchorKind, Page, Site


def published(file: ManifestFile, site: str | None = None) -> ManifestFile:
    """The rows of the manifest that may be published; `Manifest.decode` reads the file that is made of them.

    Args:
        file: The rows of a generation's manifest.
        site: Name of the only site to keep; None keeps all sites.

    Raises:
        OptionError: There is no such site.
    """
    sites = file.sites if site is None else (find_site(file, site),)
    names = {record.name for record in sites}
    pages = tuple(row for row in file.pages if row.page.site in names and is_shown(row.page))
    shown = {(row.page.site, row.page.page) for row in pages}
    hidden = {(row.page.site, row.page.page) for row in file.pages} - shown
    # A history entry must not name a hidden page either, as the page of an anchor or as a successor.
    history = tuple(
        entry
        for entry in file.history
        if not entry.hidden
        and entry.site in names
        and (entry.site, entry.page) not in hidden
        and (entry.to_page is None or (entry.site, entry.to_page) in shown)
    )
    return msgspec.structs.replace(file, sites=sites, pages=pages, history=history)


def is_shown(page: Page) -> bool:
    """Whether a page may be published: it is not hidden, no draft, and no unpublished PDF."""
    return not page.hidden and not page.draft and not is_unpublished(page)


class ShownAnchor(msgspec.Struct, frozen=True, gc=False):
    """The fields of an `AnchorRow` that exports need. Only these are decoded: it takes most of an export's time."""

    anchor: str
    kind: AnchorKind
    text: str = ""
    duplicate: bool = False
    role: str = ""


_ANCHORS = msgspec.json.Decoder(tuple[ShownAnchor, ...])


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page with its cited anchors; of anchors with equal ids only the first, since browsers go there.

    `hrefs` has the addresses of these anchors by id, and that of the page by "", relative to the site, in the form of
    `Manifest.href`. `ids` are the ids of all anchors of the page, of whatever kind.
    """

    page: Page
    anchors: tuple[ShownAnchor, ...]
    hrefs: Mapping[str, str]
    ids: frozenset[str]

    @property
    def href(self) -> str:
        """The address of the page, relative to the site."""
        return self.hrefs[""]


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """One site as it is published for other tools: its pages, without redirects."""

    site: Site
    pages: tuple[ShownPage, ...]

    def url(self, href: str) -> str:
        """The absolute address of an `href`; if no base URL is known, the address relative to the site's root."""
        return url_of(self.site.base_url, href) or href or "./"


def published_site(file: ManifestFile, name: str | None = None) -> PublishedSite:
    """One site of a manifest.

    Args:
        file: The rows of a generation's manifest.
        name: The site; None for the only one.

    Raises:
        OptionError: There is no such site, or no name was given and there are several.
    """
    site = find_site(file, name)
    rows = (row for row in file.pages if row.page.site == site.name and is_shown(row.page))
    return PublishedSite(site, tuple(_shown_page(row) for row in rows if row.page.kind != "redirect"))


def find_site(file: ManifestFile, name: str | None) -> Site:
    """The site with a name, or the only one; see `published_site`."""
    matching = [site for site in file.sites if name is None or site.name == name]
    if len(matching) == 1:
        return matching[0]
    if name is None:
        names = ", ".join(repr(site.name) for site in file.sites)
        raise OptionError(f"The index holds {len(file.sites)} sites, and a file is made of one. Name it: {names}.")
    raise unknown_site(name, (site.name for site in file.sites))


def _shown_page(row: PageRow) -> ShownPage:
    """A page with its cited anchors, decoded, and their addresses."""
    anchors = _ANCHORS.decode(row.anchors)
    cited = tuple(anchor for anchor in anchors if anchor.kind in CITED_ANCHORS and not anchor.duplicate)
    ids = frozenset(anchor.anchor for anchor in anchors)
    page = href_of(row.page.page)
    # Made once, since exports use each address several times.
    hrefs = {anchor.anchor: f"{page}#{fragment_of(anchor.anchor, has_id=ids.__contains__)}" for anchor in cited}
    return ShownPage(row.page, cited, {"": page, **hrefs}, ids)
