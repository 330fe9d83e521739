"""Pages and anchors of a generation as a lookup that decides whether a link resolves.

The manifest is private: it keeps drafts and hidden pages, because links to them are valid. Reading it needs no lancedb.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from trueref_core import addresses
from trueref_core.errors import REBUILD, IndexDamaged
from trueref_core.landing import Landing, landing
from trueref_core.nearness import NearAnchors
from trueref_core.places import Places
from trueref_core.records import CITED_ANCHORS, Anchor, AnchorKind, Page, Reference, Site
from trueref_core.resolve import ResolveContext, resolve
from trueref_core.storage import require_schema
from trueref_core.version import SCHEMA_VERSION

PageKey = tuple[str, str]


class AnchorRow(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """An anchor in the file: what its page already says is left out."""

    anchor: str
    kind: AnchorKind
    level: int = 0
    text: str = ""
    breadcrumb: tuple[str, ...] = ()
    parent: str = ""
    duplicate: bool = False


class PageRow(msgspec.Struct, frozen=True):
    """A page in the file, with its anchors in document order."""

    page: Page
    anchors: tuple[AnchorRow, ...]


class ManifestFile(msgspec.Struct, frozen=True):
    """`manifest.json`."""

    schema: int
    generation: str
    sites: tuple[Site, ...]
    pages: tuple[PageRow, ...]


class SchemaOnly(msgspec.Struct):
    """What is read first of a file whose schema may be another one."""

    schema: int


ANCHOR_FIELDS = AnchorRow.__struct_fields__


class Manifest:
    """The pages and anchors of a generation.

    Wherever `site` may be left out it means the only site, or the first one that has the page.

    Attributes:
        sites: The sites, in the order of their names.
        generation_id: The generation that these pages and anchors belong to.
    """

    def __init__(
        self, generation_id: str, sites: Iterable[Site], pages: Iterable[Page], anchors: Iterable[Anchor]
    ) -> None:
        self.generation_id = generation_id
        self.sites: tuple[Site, ...] = tuple(sorted(sites, key=lambda site: site.name))
        ordered = sorted(pages, key=lambda page: (page.site, page.page))
        self._pages: dict[PageKey, Page] = {(page.site, page.page): page for page in ordered}
        self._aliases = _alias_lookup(ordered)
        self._anchors = _anchors_by_page(anchors)
        self._ids: dict[PageKey, dict[str, Anchor]] = {}
        self._near: dict[PageKey, NearAnchors] = {}
        self._places: dict[str, Places] = {}
        self._sources: Mapping[PageKey, Page] | None = None

    def pages(self, site: str | None = None) -> Iterable[Page]:
        """All pages, or those of one site, in the order of their addresses."""
        return [page for page in self._pages.values() if site is None or page.site == site]

    def page(self, page: str, site: str | None = None) -> Page | None:
        """The page with exactly this address."""
        return next((found for name in self._names(site) if (found := self._pages.get((name, page)))), None)

    def page_by_alias(self, address: str, site: str) -> Page | None:
        """The page that another address of it leads to."""
        return self._aliases.get((site, address))

    def page_by_source(self, source: str, site: str | None = None) -> Page | None:
        """The page that was made from a source file."""
        if self._sources is None:
            # Reversed, so that the first of several pages from one source stays.
            self._sources = {(p.site, p.source_path): p for p in reversed(self._pages.values()) if p.source_path}
        sources = self._sources
        return next((found for name in self._names(site) if (found := sources.get((name, source)))), None)

    def anchors(self, page: str, site: str | None = None) -> Sequence[Anchor]:
        """The anchors of a page in document order; none where the page is unknown."""
        found = self.page(page, site)
        return self._anchors.get((found.site, found.page), ()) if found else ()

    def anchor(self, page: str, anchor: str, site: str | None = None) -> Anchor | None:
        """The first anchor of a page with exactly this id, as a browser would go to."""
        found = self.page(page, site)
        if found is None:
            return None
        key = (found.site, found.page)
        if key not in self._ids:
            # Reversed, so that the first of several equal ids stays.
            self._ids[key] = {item.anchor: item for item in reversed(self._anchors.get(key, ()))}
        return self._ids[key].get(anchor)

    def near_anchors(self, page: Page) -> NearAnchors:
        """The anchors of a page that a link may mean which names none of them exactly."""
        key = (page.site, page.page)
        if key not in self._near:
            anchors = self._anchors.get(key, ())
            self._near[key] = NearAnchors(
                (item.anchor for item in anchors if item.kind in CITED_ANCHORS), self.places(page.site).vocabulary
            )
        return self._near[key]

    def places(self, site: str) -> Places:
        """Where on a site each anchor stands, and which pages a path may mean."""
        if site not in self._places:
            found = next(known for known in self.sites if known.name == site)
            anchors = (anchor for (name, _), items in self._anchors.items() if name == site for anchor in items)
            self._places[site] = Places(found, self.pages(site), anchors)
        return self._places[site]

    def site(self, name: str | None = None) -> Site | None:
        """The site with this name; without a name, the only site."""
        if name is None:
            return self.sites[0] if len(self.sites) == 1 else None
        return next((site for site in self.sites if site.name == name), None)

    def href(self, page: str, anchor: str = "") -> str:
        """The site-relative, encoded address of an anchor."""
        return addresses.href_of(page, anchor)

    def url_of(self, site: str | None, href: str) -> str | None:
        """The absolute address of an `href`; None where the site's base URL is not known."""
        found = self.site(site)
        return addresses.url_of(found.base_url, href) if found else None

    def resolve(self, link: str, context: ResolveContext | str | None = None) -> Reference:
        """What a link leads to. Never raises, whatever the link is.

        Args:
            link: As written: absolute, root-relative, relative, or a fragment.
            context: Where the link stands; a string is the page. Without it, relative links are taken from the root.
        """
        place = ResolveContext(page=context) if isinstance(context, str) else context or ResolveContext()
        return resolve(self, link, place)

    def landing(self, link: str, context: ResolveContext | None = None) -> Landing:
        """What a browser finds at the end of a link, whatever may have been meant. Never raises.

        Args:
            link: As written.
            context: Where the link stands; without it, relative links are taken from the root.
        """
        return landing(self, link, context or ResolveContext())

    def encode(self) -> bytes:
        """`manifest.json`. Equal manifests give equal bytes."""
        rows = tuple(self._row(page) for page in self._pages.values())
        file = ManifestFile(schema=SCHEMA_VERSION, generation=self.generation_id, sites=self.sites, pages=rows)
        return msgspec.json.encode(file) + b"\n"

    @classmethod
    def decode(cls, data: bytes, source: str = "manifest.json") -> Manifest:
        """A manifest from the bytes of its file. `source` names it in errors.

        Raises:
            IndexDamaged: The bytes are not a manifest.
            IndexIncompatible: They were written by another schema version.
        """
        try:
            require_schema(msgspec.json.decode(data, type=SchemaOnly).schema, source)
            file = msgspec.json.decode(data, type=ManifestFile)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise IndexDamaged(f"{source} is not a manifest ({error}). {REBUILD}") from error
        anchors = [anchor for row in file.pages for anchor in _anchors_of(row)]
        return cls(file.generation, file.sites, [row.page for row in file.pages], anchors)

    @classmethod
    def load(cls, path: Path) -> Manifest:
        """A manifest from a file. Raises what `decode` raises, and `IndexDamaged` where the file cannot be read."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise IndexDamaged(f"{path} cannot be read ({error.strerror}).") from error
        return cls.decode(data, str(path))

    def _names(self, site: str | None) -> Iterable[str]:
        return [known.name for known in self.sites] if site is None else [site]

    def _row(self, page: Page) -> PageRow:
        anchors = self._anchors.get((page.site, page.page), ())
        return PageRow(page, tuple(AnchorRow(*(getattr(anchor, name) for name in ANCHOR_FIELDS)) for anchor in anchors))


def _anchors_of(row: PageRow) -> Iterable[Anchor]:
    site, page = row.page.site, row.page.page
    for at, item in enumerate(row.anchors):
        yield Anchor(
            site, page, item.anchor, item.kind, item.level, item.text, item.breadcrumb, item.parent, at, item.duplicate
        )


def _anchors_by_page(anchors: Iterable[Anchor]) -> dict[PageKey, tuple[Anchor, ...]]:
    grouped: dict[PageKey, list[Anchor]] = defaultdict(list)
    for anchor in anchors:
        grouped[anchor.site, anchor.page].append(anchor)
    return {key: tuple(sorted(items, key=lambda item: item.position)) for key, items in grouped.items()}


def _alias_lookup(pages: Sequence[Page]) -> Mapping[PageKey, Page]:
    lookup: dict[PageKey, Page] = {}
    for page in pages:
        for alias in page.aliases:
            lookup.setdefault((page.site, alias), page)
    return lookup
