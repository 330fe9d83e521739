"""What of a manifest is published: all but drafts and hidden pages, in the same form."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from trueref_core.addresses import fragment_of, href_of, url_of
from trueref_core.errors import OptionError
from trueref_core.history import History
from trueref_core.manifest_file import AnchorRow, ManifestFile, PageRow
from trueref_core.records import CITED_ANCHORS, Page, Site


def published(file: ManifestFile, site: str | None = None) -> ManifestFile:
    """The manifest that anyone may read: `Manifest.decode` takes its bytes as it takes those of the private one.

    Args:
        file: The rows of a generation's manifest.
        site: Name of the only site to keep; None keeps all of them.

    Raises:
        OptionError: There is no such site.
    """
    sites = file.sites if site is None else (find_site(file, site),)
    names = {found.name for found in sites}
    pages = tuple(row for row in file.pages if row.page.site in names and is_shown(row.page))
    shown = {(row.page.site, row.page.page) for row in pages}
    hidden = {(row.page.site, row.page.page) for row in file.pages} - shown
    history = History(file.history).published(names, shown, hidden)
    return msgspec.structs.replace(file, sites=sites, pages=pages, history=history.entries)


def is_shown(page: Page) -> bool:
    """Whether readers may be shown a page. Links to the others are valid all the same."""
    return not page.hidden and not page.draft


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page with the anchors on it that a reader may be sent to. Of equal ids it has the first: browsers go there.

    `ids` are those of all its anchors, of whatever kind.
    """

    page: Page
    anchors: tuple[AnchorRow, ...]
    ids: frozenset[str]

    def href(self, anchor: str = "") -> str:
        """The address of the page, or of an anchor on it, relative to the site: the one of `Manifest.href`."""
        page = href_of(self.page.page)
        return f"{page}#{fragment_of(anchor, taken=self.ids.__contains__)}" if anchor else page

    def hrefs(self) -> list[str]:
        """The addresses of the page and of its anchors, relative to the site."""
        return [self.href(), *(self.href(anchor.anchor) for anchor in self.anchors)]


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """One site as other tools are told of it: its pages, without those that only lead elsewhere."""

    site: Site
    pages: tuple[ShownPage, ...]

    def url(self, href: str) -> str:
        """The absolute address of an `href`; where no base URL is known one that is relative to the site's root."""
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
    return PublishedSite(site, tuple(_shown(row) for row in rows if row.page.kind != "redirect"))


def find_site(file: ManifestFile, name: str | None) -> Site:
    """The site with a name, or the only one; see `published_site`."""
    found = [site for site in file.sites if name is None or site.name == name]
    if len(found) == 1:
        return found[0]
    known = ", ".join(repr(site.name) for site in file.sites)
    if name is None:
        raise OptionError(f"The index holds {len(file.sites)} sites, and a file is made of one. Name it: {known}.")
    raise OptionError(f"The index holds no site {name!r}. It holds: {known}.")


def _shown(row: PageRow) -> ShownPage:
    anchors = msgspec.json.decode(row.anchors, type=tuple[AnchorRow, ...])
    cited = (anchor for anchor in anchors if anchor.kind in CITED_ANCHORS and not anchor.duplicate)
    return ShownPage(row.page, tuple(cited), frozenset(anchor.anchor for anchor in anchors))
