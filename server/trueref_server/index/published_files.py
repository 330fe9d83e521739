"""What the server gives to anyone besides answers: the published manifest, and PDFs that no site publishes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from trueref_core.documents import DOCUMENTS, FOLDER, document_href, id_of, page_label
from trueref_core.export.published_site import published
from trueref_core.manifest.codec import encode_file
from trueref_server.records import Hit, SearchResult, Source

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.manifest.lookup import Manifest

Linked = TypeVar("Linked", Source, SearchResult)
"""A record that has the address of a section."""


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A PDF that the server gives: its file, and the name that a reader may save it under."""

    path: Path
    name: str


def find_document(index: OpenIndex, key: str) -> DocumentFile | None:
    """The PDF with an id; None if there is none. The id is looked up: no part of a request becomes a path."""
    # A draft is treated like an unknown id, so that nobody learns of a page that is not published.
    page = index.manifest.page(f"{DOCUMENTS}{key}")
    document_id = id_of(page) if page is not None else None
    if page is None or document_id is None or page.draft:
        return None
    return DocumentFile(index.path / FOLDER / f"{document_id}.pdf", page.file.rpartition("/")[2])


def section_label(manifest: Manifest, hit: Hit) -> str:
    """The name of a section in a citation: `Page 5 of guide.pdf` for a section of a PDF."""
    chunk = hit.chunk
    page = manifest.page(hit.page, hit.site) if chunk.page_number else None
    return page_label(chunk.page_number, page.file) if page is not None else chunk.title


def with_routes(items: Iterable[Linked], prefix: str) -> list[Linked]:
    """Sources or results with this server's own addresses for unpublished PDFs."""
    return [_with_route(item, prefix) for item in items]


def without_route(href: str, prefix: str) -> str:
    """The manifest's address of an unpublished PDF that this server serves; every other address unchanged."""
    route = document_href(prefix, "", "")
    return DOCUMENTS + href.removeprefix(route) if href.startswith(route) else href


def _with_route(item: Linked, prefix: str) -> Linked:
    """A source or result; if it is in an unpublished PDF, with the address at which this server serves the PDF."""
    if not item.page.startswith(DOCUMENTS):
        return item
    href = document_href(prefix, item.page.removeprefix(DOCUMENTS), item.anchor)
    # No absolute URL: the address of this server is not known here, and is never taken from a request.
    return replace(item, href=href, url=None)


@dataclass(frozen=True, slots=True)
class PublishedManifest:
    """The bytes of the published manifest of a generation. `tag` is their entity tag."""

    generation: str
    body: bytes = field(repr=False)
    tag: str


def publish_manifest(index: OpenIndex) -> PublishedManifest:
    """The published manifest of an open index."""
    file = msgspec.structs.replace(index.manifest.rows(), history=index.manifest.history.entries)
    body = encode_file(published(file))
    # The tag is not the id of the generation: another version of Trueref may publish other bytes for the same
    # generation.
    return PublishedManifest(index.generation.id, body, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
