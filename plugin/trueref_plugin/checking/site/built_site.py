"""Walks a built site once and collects its pages with their ids and links, and its files.

No index is used, because it may be older than the site and does not list files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site
from trueref_plugin.checking.site.linked_pdf_pages import linked_pdf_pages
from trueref_plugin.files.linked_folders import LinkedFolders
from trueref_plugin.files.site_files import find_files, list_files, read_each, read_page
from trueref_plugin.progress import Reporter
from trueref_plugin.reading.guarding.decode import decode_page
from trueref_plugin.reading.guarding.guard import GuardedReader
from trueref_plugin.reading.page_links import PageLinks, read_links
from trueref_plugin.site.base_url import address_at, find_base_path, find_base_url, other_forms, shown_pages
from trueref_plugin.site.redirects import with_aliases, without_reloads

NAME: Final = "this site"
"""The name of the site in messages, since a site without an index has no name."""


@dataclass(frozen=True)
class WalkedSite:
    """A built site as it is on disk.

    Attributes:
        folder: The folder of the site.
        site: The record of the site, with the base URL if that is known.
        pages: All pages, including redirects.
        links: By page: its links and anchors.
        files: The path of every file, relative to the folder.
        refused: For each page that could not be read: its file and the reason.
    """

    folder: Path
    site: Site
    pages: tuple[Page, ...]
    links: Mapping[str, PageLinks]
    files: frozenset[str]
    refused: tuple[tuple[str, str], ...] = field(default=())

    @cached_property
    def ids(self) -> Mapping[str, frozenset[str]]:
        """By every address of a page: the ids that links to it can name. A redirect has the ids of its target."""
        ids_of_page = {
            page.page: frozenset(anchor.anchor for anchor in self.links[page.page].anchors) for page in self.pages
        }
        ids_of_aliases = {alias: ids_of_page[page.page] for page in self.pages for alias in page.aliases}
        # A redirect out of the site is left out: its target may have any id, so that the manifest has to decide.
        ids_of_pages = {page.page: ids_of_page[page.page] for page in self.pages if page.kind != "redirect"}
        return ids_of_aliases | ids_of_pages

    @cached_property
    def manifest(self) -> Manifest:
        """The pages and anchors of the site as a manifest."""
        anchors = (anchor for page in self.pages for anchor in self._anchors(page.page))
        return Manifest("", [self.site], self.pages, anchors)

    def html(self, page: Page) -> str:
        """The HTML of a page."""
        return decode_page(read_page(self.folder, page.file).data)[0]

    def with_sources(self, source_of: Callable[[str], str]) -> WalkedSite:
        """The same site with the source files of its pages. `source_of` gives that of an HTML file, "" for none."""
        pages = tuple(replace(page, source_path=source_of(page.file)) for page in self.pages)
        return replace(self, pages=pages)

    def _anchors(self, page: str) -> Iterable[Anchor]:
        """The anchors of a page as records."""
        for position, anchor in enumerate(self.links[page].anchors):
            yield Anchor(
                self.site.name,
                page,
                anchor.anchor,
                anchor.kind,
                anchor.level,
                anchor.text,
                position=position,
                duplicate=anchor.duplicate,
            )


def walk_site(folder: Path, base_url: str | None = None) -> WalkedSite:
    """Reads every page of a built site.

    Args:
        folder: The folder with the HTML.
        base_url: Where the site is published, with a slash at its end; None takes it from canonical links. If the pages
            show the path of that address only, its host is `UNKNOWN_HOST`.

    Raises:
        SiteError: The folder is missing or holds no HTML.
    """
    reads, refused = _read_pages(folder)
    files = list_files(folder)
    base_url = base_url or find_base_url((file, read.canonical) for file, read in reads.items())
    base_url = base_url or address_at(find_base_path(map(_asset, reads.values()), files))
    addresses = shown_pages(((file, read.canonical, not read.clean_urls) for file, read in reads.items()), base_url)
    links = {page: reads[file] for file, page in addresses.items()}
    named_targets = {page: read.redirect for page, read in links.items() if read.redirect}
    redirects = without_reloads(named_targets, {page: file for file, page in addresses.items()}, base_url)
    linked = LinkedFolders(folder)
    pages = [_page(page, file, linked, is_redirect=page in redirects) for file, page in addresses.items()]
    pages = with_aliases(pages, redirects, base_url)
    pdfs = linked_pdf_pages(folder, files, (link for read in reads.values() for link in read.links))
    pages += [Page(site=NAME, page=file, file=file, title="", kind="pdf") for file in pdfs]
    return WalkedSite(folder, Site(NAME, base_url), tuple(pages), links | pdfs, files, tuple(refused))


def _page(page: str, file: str, linked: LinkedFolders, *, is_redirect: bool) -> Page:
    """The record of a page: its addresses, and whether it is a redirect."""
    forms = other_forms(file, page)
    return Page(
        site=NAME,
        page=page,
        file=file,
        title="",
        # A check only has to know redirects, so that all other pages get the same kind.
        kind="redirect" if is_redirect else "guide",
        aliases=(*forms, *linked.other_addresses((page, *forms))),
    )


def _asset(read: PageLinks) -> str:
    """An address of a file on a page that begins with a slash, "" if there is none. The first one in a folder counts.

    Authors write `/favicon.ico` for the root of the host on sites that are published below it, too.
    """
    files = [file for file in read.files if file.startswith("/") and not file.startswith("//")]
    return next((file for file in files if "/" in file[1:]), files[0] if files else "")


def _read_pages(folder: Path) -> tuple[dict[str, PageLinks], list[tuple[str, str]]]:
    """By file: its links and anchors. And for each file that could not be read: the file and the reason."""

    def read(file: str) -> tuple[str, PageLinks]:
        return file, guarded.read(read_links, decode_page(read_page(folder, file).data)[0])

    with GuardedReader() as guarded:
        reads, refused = read_each("Reading links", find_files(folder).pages, read, Reporter())
    return dict(reads), refused
