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
from trueref_core.history import Entry, History
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
    role: str = ""


class PageRow(msgspec.Struct, frozen=True):
    """A page in the file, with its anchors in document order (`AnchorRow`). They are decoded when they are needed."""

    page: Page
    anchors: msgspec.Raw


class ManifestFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """`manifest.json`. A published one has the history of its places beside them; that of a generation has none."""

    schema: int
    generation: str
    sites: tuple[Site, ...]
    pages: tuple[PageRow, ...]
    history: tuple[Entry, ...] = ()


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
        history: What earlier builds had besides.
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
        self._aliases = _alias_lookup(ordered)
        self._alias_anchors = {
            (page.site, alias): anchor
            for page in reversed(ordered)
            for alias, _, anchor in (place.partition("#") for place in page.alias_anchors)
        }
        self._anchors = _anchors_by_page(anchors)
        self._encoded: dict[PageKey, msgspec.Raw] = {}
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

    def anchor_behind(self, address: str, site: str) -> str:
        """The anchor on its page that another address leads to, "" for the page itself."""
        return self._alias_anchors.get((site, address), "")

    def anchors(self, page: str, site: str | None = None) -> Sequence[Anchor]:
        """The anchors of a page in document order; none where the page is unknown."""
        found = self.page(page, site)
        return self._anchors_of((found.site, found.page)) if found else ()

    def anchor(self, page: str, anchor: str, site: str | None = None) -> Anchor | None:
        """The first anchor of a page with exactly this id, as a browser would go to."""
        found = self.page(page, site)
        if found is None:
            return None
        key = (found.site, found.page)
        if key not in self._ids:
            # Reversed, so that the first of several equal ids stays.
            self._ids[key] = {item.anchor: item for item in reversed(self._anchors_of(key))}
        return self._ids[key].get(anchor)

    def has_same_anchors(self, other: Manifest, page: str, site: str) -> bool:
        """Whether a page of a site has just the anchors that it has in another manifest."""
        key = (site, page)
        if key in self._encoded and key in other._encoded:
            return self._encoded[key] == other._encoded[key]
        return self._anchors_of(key) == other._anchors_of(key)

    def near_anchors(self, page: Page) -> NearAnchors:
        """The anchors of a page that a link may mean which names none of them exactly."""
        key = (page.site, page.page)
        if key not in self._near:
            anchors = self._anchors_of(key)
            self._near[key] = NearAnchors(
                (item.anchor for item in anchors if item.kind in CITED_ANCHORS), self.places(page.site).vocabulary
            )
        return self._near[key]

    def places(self, site: str) -> Places:
        """Where on a site each anchor stands, and which pages a path may mean."""
        if site not in self._places:
            found = next(known for known in self.sites if known.name == site)
            anchors = (anchor for key in self._pages if key[0] == site for anchor in self._anchors_of(key))
            self._places[site] = Places(found, self.pages(site), anchors)
        return self._places[site]

    def site(self, name: str | None = None) -> Site | None:
        """The site with this name; without a name, the only site."""
        if name is None:
            return self.sites[0] if len(self.sites) == 1 else None
        return next((site for site in self.sites if site.name == name), None)

    def href(self, page: str, anchor: str = "", site: str | None = None) -> str:
        """The site-relative, encoded address of an anchor."""
        if not anchor:
            return addresses.href_of(page)
        fragment = addresses.fragment_of(anchor, taken=lambda name: self.anchor(page, name, site))
        return f"{addresses.href_of(page)}#{fragment}"

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

    def encode(self, *, history: bool = False) -> bytes:
        """`manifest.json`. Equal manifests give equal bytes.

        Args:
            history: Whether to write what may be published of the history too. That of a generation has none: what was
                before is no part of its id.
        """
        rows = tuple(self._row(page) for page in self._pages.values())
        earlier = self.history.published({site.name for site in self.sites}, self._pages).entries if history else ()
        return encode_file(ManifestFile(SCHEMA_VERSION, self.generation_id, self.sites, rows, earlier))

    def changed(
        self,
        generation_id: str,
        sites: Iterable[Site],
        pages: Iterable[Page],
        anchors: Iterable[Anchor],
        kept: Iterable[PageKey],
    ) -> Manifest:
        """The manifest of a later generation.

        Args:
            generation_id: The generation.
            sites: All of its sites.
            pages: All of its pages.
            anchors: The anchors of pages that are not `kept`.
            kept: Pages whose anchors are the ones they have here.
        """
        manifest = Manifest(generation_id, sites, pages, anchors)
        for key in kept:
            if key in self._encoded:
                manifest._encoded[key] = self._encoded[key]
            else:
                manifest._anchors[key] = self._anchors.get(key, ())
        return manifest

    @classmethod
    def decode(
        cls,
        data: bytes,
        source: str = "manifest.json",
        *,
        verified: bool = False,
        history: History | None = None,
    ) -> Manifest:
        """A manifest from the bytes of its file. `source` names it in errors, `history` is used instead of its own.

        Bytes that are `verified` to be the ones that were written are decoded page by page, when they are needed.

        Raises:
            IndexDamaged: The bytes are not a manifest.
            IndexIncompatible: They were written by another schema version.
        """
        file = decode_file(data, source)
        pages = [row.page for row in file.pages]
        manifest = cls(file.generation, file.sites, pages, (), history or History(file.history))
        manifest._encoded = {(row.page.site, row.page.page): row.anchors for row in file.pages}
        try:
            for key in () if verified else manifest._encoded:
                manifest._anchors_of(key)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise IndexDamaged(f"{source} is not a manifest ({error}). {REBUILD}") from error
        return manifest

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

    def _anchors_of(self, key: PageKey) -> tuple[Anchor, ...]:
        if key not in self._anchors and key in self._encoded:
            rows = msgspec.json.decode(self._encoded[key], type=tuple[AnchorRow, ...])
            self._anchors[key] = tuple(_anchor(key, row, at) for at, row in enumerate(rows))
        return self._anchors.get(key, ())

    def _row(self, page: Page) -> PageRow:
        key = (page.site, page.page)
        if key in self._encoded:
            return PageRow(page, self._encoded[key])
        rows = [AnchorRow(*(getattr(item, name) for name in ANCHOR_FIELDS)) for item in self._anchors.get(key, ())]
        return PageRow(page, msgspec.Raw(msgspec.json.encode(rows)))


def encode_file(file: ManifestFile) -> bytes:
    """The bytes of a manifest's rows. Equal rows give equal bytes."""
    return msgspec.json.encode(file) + b"\n"


def decode_file(data: bytes, source: str = "manifest.json") -> ManifestFile:
    """The rows of a manifest from the bytes of its file, their anchors still encoded; see `Manifest.decode`."""
    try:
        require_schema(msgspec.json.decode(data, type=SchemaOnly).schema, source)
        return msgspec.json.decode(data, type=ManifestFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IndexDamaged(f"{source} is not a manifest ({error}). {REBUILD}") from error


def _anchor(key: PageKey, row: AnchorRow, position: int) -> Anchor:
    return Anchor(
        *key,
        row.anchor,
        row.kind,
        row.level,
        row.text,
        row.breadcrumb,
        row.parent,
        position,
        row.duplicate,
        row.role,
    )


def _anchors_by_page(anchors: Iterable[Anchor]) -> dict[PageKey, tuple[Anchor, ...]]:
    grouped: dict[PageKey, list[Anchor]] = defaultdict(list)
    for anchor in anchors:
        grouped[anchor.site, anchor.page].append(anchor)
    return {key: tuple(sorted(items, key=lambda item: item.position)) for key, items in grouped.items()}


def _alias_lookup(pages: Sequence[Page]) -> Mapping[PageKey, Page]:
    lookup: dict[PageKey, Page] = {}
    # What a stub leads to has the forms of the stub's address too.
    for page in sorted(pages, key=lambda page: page.kind == "redirect"):
        for alias in page.aliases:
            lookup.setdefault((page.site, alias), page)
    return lookup
