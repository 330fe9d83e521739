"""The pages and anchors of a generation as a look-up, which `trueref_core.links` uses to decide where links lead.

The manifest contains drafts and hidden pages, because links to them are valid, so it must not be published as it is:
`export.published_site` leaves these pages out. Reading a manifest does not import lancedb.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from os import PathLike
from pathlib import Path
from typing import Self

import msgspec

from trueref_core import addresses
from trueref_core.errors import REBUILD, IndexDamaged
from trueref_core.manifest.codec import (
    ManifestFile,
    PageRow,
    PagesFile,
    anchor_rows,
    decode_anchors,
    decode_file,
    encode_file,
)
from trueref_core.manifest.history import History
from trueref_core.matching.anchor_match import AnchorMatcher
from trueref_core.matching.anchor_names import OtherNames
from trueref_core.matching.page_match import PageMatcher
from trueref_core.records import CITED_ANCHORS, Anchor, Page, PageKey, Site
from trueref_core.storage.page_parts import Parts, by_page
from trueref_core.version import MANIFEST_VERSION


class Manifest:
    """The pages and anchors of a generation.

    Where a method's `site` is left out, the first site that has the page is meant.

    Attributes:
        sites: The sites, in the order of their names.
        generation_id: The generation that these pages and anchors belong to.
        history: The pages and anchors of earlier builds.
    """

    def __init__(
        self,
        generation_id: str,
        sites: Iterable[Site],
        pages: Iterable[Page],
        anchors: Iterable[Anchor],
        history: History | None = None,
    ) -> None:
        self.generation_id = generation_id
        self.history = history or History()
        self.sites: tuple[Site, ...] = tuple(sorted(sites, key=lambda site: site.name))
        ordered = sorted(pages, key=lambda page: (page.site, page.page))
        self._pages: dict[PageKey, Page] = {(page.site, page.page): page for page in ordered}
        self._anchors: dict[PageKey, tuple[Anchor, ...]] = {
            key: tuple(sorted(of_page, key=attrgetter("position"))) for key, of_page in by_page(anchors).items()
        }
        self._encoded_anchors: Parts | Mapping[PageKey, msgspec.Raw] = {}
        """The encoded anchors by page, as they were read."""
        self._given_pages: frozenset[PageKey] = frozenset()
        """Pages whose anchors were given as records. `_encoded_anchors` may have outdated anchors of these pages."""
        self._anchors_by_id: dict[PageKey, dict[str, Anchor]] = {}
        self._anchor_matchers: dict[PageKey, AnchorMatcher] = {}
        self._page_matchers: dict[str, PageMatcher] = {}

    def pages(self, site: str | None = None) -> Iterable[Page]:
        """All pages, or those of one site, in the order of their addresses."""
        return [page for page in self._pages.values() if site is None or page.site == site]

    def page(self, page: str, site: str | None = None) -> Page | None:
        """The page with exactly this address."""
        return next((match for name in self._site_names(site) if (match := self._pages.get((name, page)))), None)

    def page_by_alias(self, address: str, site: str) -> Page | None:
        """The page that has an address among its aliases."""
        return self._aliases.get((site, address))

    def page_by_source(self, source: str, site: str | None = None) -> Page | None:
        """The page that was made from a source file."""
        return next((match for name in self._site_names(site) if (match := self._sources.get((name, source)))), None)

    def anchor_behind(self, address: str, site: str) -> str:
        """The anchor that an alias leads to on its page, "" if it leads to the page itself."""
        return self._alias_anchors.get((site, address), "")

    def anchors(self, page: str, site: str | None = None) -> Sequence[Anchor]:
        """The anchors of a page in document order; none if the page is unknown."""
        known_page = self.page(page, site)
        return self._anchors_of((known_page.site, known_page.page)) if known_page else ()

    def anchor(self, page: str, anchor: str, site: str | None = None) -> Anchor | None:
        """The anchor of a page with exactly this id. If several elements have it, the one that browsers go to."""
        known_page = self.page(page, site)
        if known_page is None:
            return None
        key = (known_page.site, known_page.page)
        if key not in self._anchors_by_id:
            # Of several anchors with one id, the dictionary keeps the last. Sorted so that this is the first element of
            # the page with the id that is no duplicate, since browsers go there.
            last_first = sorted(self._anchors_of(key), key=lambda item: (not item.duplicate, -item.position))
            self._anchors_by_id[key] = {item.anchor: item for item in last_first}
        return self._anchors_by_id[key].get(anchor)

    def has_same_anchors(self, other: Manifest, page: str, site: str) -> bool:
        """Whether a page of a site has exactly the anchors that it has in another manifest."""
        key = (site, page)
        if self._is_in_the_same_part(other, key):
            return True
        this_page, other_page = self._raw(key), other._raw(key)
        if this_page is not None and other_page is not None:
            return this_page == other_page
        return self._anchors_of(key) == other._anchors_of(key)

    def anchor_matcher(self, page: Page) -> AnchorMatcher:
        """The matcher that finds the anchor meant by a fragment which the page does not have."""
        key = (page.site, page.page)
        if key not in self._anchor_matchers:
            anchors = self._anchors_of(key)
            site = self.page_matcher(page.site)
            self._anchor_matchers[key] = AnchorMatcher(
                (item.anchor for item in anchors if item.kind in CITED_ANCHORS),
                site.vocabulary,
                OtherNames(anchors),
                site.one_word_anchors,
            )
        return self._anchor_matchers[key]

    def page_matcher(self, site: str) -> PageMatcher:
        """The matcher that finds the page meant by a path, and the pages with an anchor, on one site."""
        if site not in self._page_matchers:
            known_site = next(record for record in self.sites if record.name == site)
            anchors = (anchor for key in self._pages if key[0] == site for anchor in self._anchors_of(key))
            self._page_matchers[site] = PageMatcher(known_site, self.pages(site), anchors)
        return self._page_matchers[site]

    def site(self, name: str | None = None) -> Site | None:
        """The site with this name; without a name, the only site."""
        if name is None:
            return self.sites[0] if len(self.sites) == 1 else None
        return next((site for site in self.sites if site.name == name), None)

    def href(self, page: str, anchor: str = "", site: str | None = None) -> str:
        """The site-relative, encoded address of an anchor."""
        if not anchor:
            return addresses.href_of(page)
        fragment = addresses.fragment_of(anchor, has_id=lambda name: self.anchor(page, name, site))
        return f"{addresses.href_of(page)}#{fragment}"

    def url_of(self, site: str | None, href: str) -> str | None:
        """The absolute address of an `href`; None if the site's base URL is not known."""
        known_site = self.site(site)
        return addresses.url_of(known_site.base_url, href) if known_site else None

    def of_sites(self, names: Collection[str]) -> Manifest:
        """The manifest of some of the sites."""
        manifest = Manifest(
            self.generation_id,
            (site for site in self.sites if site.name in names),
            (page for page in self._pages.values() if page.site in names),
            (),
            History(entry for entry in self.history.entries if entry.site in names),
        )
        manifest._anchors, manifest._encoded_anchors = self._anchors, self._encoded_anchors
        manifest._given_pages = self._given_pages
        return manifest

    def encode(self) -> bytes:
        """The manifest as one file, without its history. Equal manifests give equal bytes."""
        return encode_file(self.rows())

    def rows(self) -> ManifestFile:
        """The rows of the file that `encode` writes."""
        rows = tuple(PageRow(page, self._encoded(key)) for key, page in self._pages.items())
        return ManifestFile(MANIFEST_VERSION, self.generation_id, self.sites, rows)

    def changed(
        self,
        generation_id: str,
        sites: Iterable[Site],
        pages: Iterable[Page],
        anchors: Iterable[Anchor],
        unchanged_pages: Collection[PageKey],
    ) -> Manifest:
        """The manifest of a later generation, which takes the anchors of unchanged pages from this one.

        Args:
            generation_id: Id of the later generation.
            sites: All sites of the later generation.
            pages: All pages of the later generation.
            anchors: The anchors of the pages that are not in `unchanged_pages`.
            unchanged_pages: Pages whose anchors are the same as in this manifest.
        """
        manifest = Manifest(generation_id, sites, pages, anchors)
        manifest._encoded_anchors = self._encoded_anchors
        manifest._given_pages = frozenset(manifest._pages.keys() - set(unchanged_pages))
        manifest._anchors |= {key: self._anchors[key] for key in unchanged_pages if key in self._anchors}
        return manifest

    @classmethod
    def decode(cls, data: bytes, source: str = "manifest.json") -> Self:
        """A published manifest from the bytes of its file. `source` names the file in errors.

        Raises:
            IndexDamaged: The bytes are not a manifest.
            IndexIncompatible: The manifest was written by another schema version.
        """
        file = decode_file(data, source)
        pages = [row.page for row in file.pages]
        manifest = cls(file.generation, file.sites, pages, (), History(file.history))
        manifest._encoded_anchors = {(row.page.site, row.page.page): row.anchors for row in file.pages}
        try:
            for key in manifest._pages:
                manifest._anchors_of(key)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise IndexDamaged(f"{source} is not a manifest ({error}). {REBUILD}") from error
        return manifest

    @classmethod
    def from_parts(cls, file: PagesFile, anchors: Parts, history: History | None = None) -> Self:
        """The manifest of a generation, whose anchors are read part by part when they are needed.

        A look-up raises `IndexDamaged` if the part that it needs differs from what was written.
        """
        manifest = cls(file.generation, file.sites, file.pages, (), history)
        manifest._encoded_anchors = anchors
        return manifest

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """A manifest from a file. Raises what `decode` raises, and `IndexDamaged` if the file cannot be read."""
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            what_to_do = "Name the file manifest.json that a site publishes, or one that `trueref export` wrote."
            raise IndexDamaged(f"{path} cannot be read ({error.strerror}). {what_to_do}") from error
        return cls.decode(data, str(path))

    @cached_property
    def _aliases(self) -> Mapping[PageKey, Page]:
        """The pages by their other addresses."""
        lookup: dict[PageKey, Page] = {}
        # Redirect pages come last: an alias of a redirect page is also an alias of the page behind it, which wins.
        for page in sorted(self._pages.values(), key=lambda page: page.kind == "redirect"):
            for alias in page.aliases:
                lookup.setdefault((page.site, alias), page)
        return lookup

    @cached_property
    def _alias_anchors(self) -> Mapping[PageKey, str]:
        """The anchors that other addresses of pages lead to, by address."""
        return {
            (page.site, alias): anchor
            for page in reversed(self._pages.values())
            for alias, _, anchor in (alias_anchor.partition("#") for alias_anchor in page.alias_anchors)
        }

    @cached_property
    def _sources(self) -> Mapping[PageKey, Page]:
        """The pages by their source files."""
        # Reversed, so that the first of several pages from one source stays.
        return {(page.site, page.source_path): page for page in reversed(self._pages.values()) if page.source_path}

    def _site_names(self, site: str | None) -> Iterable[str]:
        """The names of the sites to look in: the given one, or all."""
        return [record.name for record in self.sites] if site is None else [site]

    def _anchors_of(self, key: PageKey) -> tuple[Anchor, ...]:
        """The anchors of a page, decoded when they are first needed: most look-ups need those of a few pages."""
        if key not in self._anchors:
            raw = self._raw(key)
            self._anchors[key] = decode_anchors(key, raw) if raw is not None else ()
        return self._anchors[key]

    def _raw(self, key: PageKey) -> msgspec.Raw | None:
        """The encoded anchors of a page; None if they were given as records, or the page has none."""
        return None if key in self._given_pages else self._encoded_anchors.get(key)

    def _encoded(self, key: PageKey) -> msgspec.Raw:
        """The anchors of a page, encoded. Those that were read in encoded form are taken as they are."""
        raw = self._raw(key)
        return raw if raw is not None else msgspec.Raw(msgspec.json.encode(anchor_rows(self._anchors_of(key))))

    def _is_in_the_same_part(self, other: Manifest, key: PageKey) -> bool:
        """Whether both manifests read the page from the same file, so that its anchors need not be compared."""
        if not isinstance(self._encoded_anchors, Parts) or not isinstance(other._encoded_anchors, Parts):
            return False
        given_pages = self._given_pages | other._given_pages
        return key not in given_pages and self._encoded_anchors.has_same_file(other._encoded_anchors, key)
