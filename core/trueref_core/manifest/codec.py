"""The files of a manifest: a single file if it is published; in a generation, a list of pages, and anchors in parts."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from trueref_core.errors import REBUILD, IndexDamaged, IndexIncompatible
from trueref_core.manifest.history import Entry
from trueref_core.records import Anchor, AnchorKind, Page, PageKey, Site
from trueref_core.version import MANIFEST_VERSION, SCHEMA_VERSION, require_schema


class AnchorRow(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """An anchor in the file, without the fields that follow from its page and its position."""

    anchor: str
    kind: AnchorKind
    level: int = 0
    text: str = ""
    breadcrumb: tuple[str, ...] = ()
    parent: str = ""
    duplicate: bool = False
    role: str = ""
    body: str = ""


class PageRow(msgspec.Struct, frozen=True):
    """A page in the file, with its anchors in document order (`AnchorRow`).

    The anchors stay encoded until they are needed: most look-ups need those of a few pages.
    """

    page: Page
    anchors: msgspec.Raw


class ManifestFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """The published `manifest.json`: pages with their anchors, and what may be published of the history."""

    schema: int
    generation: str
    sites: tuple[Site, ...]
    pages: tuple[PageRow, ...]
    history: tuple[Entry, ...] = ()


class PagesFile(msgspec.Struct, frozen=True):
    """`manifest.json` of a generation. The anchors of its pages are in parts beside it, as `AnchorRow`s."""

    schema: int
    generation: str
    sites: tuple[Site, ...]
    pages: tuple[Page, ...]


class SchemaOnly(msgspec.Struct):
    """The field that is read first: the others are only read if the file has the schema of this version."""

    schema: int


def encode_file(file: ManifestFile) -> bytes:
    """The bytes of a published manifest. Equal rows give equal bytes."""
    return msgspec.json.encode(file) + b"\n"


def decode_file(data: bytes, source: str = "manifest.json") -> ManifestFile:
    """The rows of a published manifest from the bytes of its file, their anchors still encoded.

    Raises:
        IndexDamaged: The bytes are not a manifest.
        IndexIncompatible: The manifest was written by another schema version.
    """
    try:
        schema = msgspec.json.decode(data, type=SchemaOnly).schema
        # Both files are called `manifest.json`, and a user may name the wrong one.
        if schema == SCHEMA_VERSION:
            raise IndexIncompatible(
                f"{source} is the list of pages of an index. Name the folder of the index, or the manifest.json that a "
                "site publishes."
            )
        require_schema(schema, source, MANIFEST_VERSION)
        return msgspec.json.decode(data, type=ManifestFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IndexDamaged(f"{source} is not a manifest ({error}). {REBUILD}") from error


def decode_pages(data: bytes, source: str) -> PagesFile:
    """The list of pages from the bytes of a generation's `manifest.json`. `source` names the file in errors.

    Raises what `decode_file` raises.
    """
    try:
        require_schema(msgspec.json.decode(data, type=SchemaOnly).schema, source, SCHEMA_VERSION)
        return msgspec.json.decode(data, type=PagesFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IndexDamaged(f"{source} is not a manifest ({error}). {REBUILD}") from error


def anchor_rows(anchors: Sequence[Anchor]) -> list[AnchorRow]:
    """The anchors of one page, given in document order, as rows."""
    return msgspec.convert(anchors, list[AnchorRow], from_attributes=True)


def decode_anchors(key: PageKey, raw: msgspec.Raw) -> tuple[Anchor, ...]:
    """The anchors of one page from their encoded rows. Raises `msgspec.DecodeError`."""
    rows = msgspec.json.decode(raw, type=tuple[AnchorRow, ...])
    return tuple(_anchor_of_row(key, row, position) for position, row in enumerate(rows))


def _anchor_of_row(key: PageKey, row: AnchorRow, position: int) -> Anchor:
    """An anchor from its row, its page and its position on the page."""
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
        row.body,
    )
