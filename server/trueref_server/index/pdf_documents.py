"""PDFs as sources: what a page of one is called, and where the server gives those that no site publishes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from trueref_core.documents import DOCUMENTS, FOLDER, document_href, id_of, page_label
from trueref_server.records import Hit, SearchResult, Source

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.manifest.lookup import Manifest

Placed = TypeVar("Placed", Source, SearchResult)


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A PDF that the server gives: its file, and the name that a reader may save it under."""

    path: Path
    name: str


def find_document(index: OpenIndex, key: str) -> DocumentFile | None:
    """The PDF with an id; None where there is none. The id is looked up, and no part of a request becomes a path."""
    page = index.manifest.page(f"{DOCUMENTS}{key}")
    known = id_of(page) if page is not None else None
    if page is None or known is None or page.draft:
        return None
    return DocumentFile(index.path / FOLDER / f"{known}.pdf", page.file.rpartition("/")[2])


def section_label(manifest: Manifest, hit: Hit) -> str:
    """What a section is called where it is cited: `Page 5 of guide.pdf` for one of a PDF."""
    chunk = hit.chunk
    page = manifest.page(hit.page, hit.site) if chunk.page_number else None
    return page_label(chunk.page_number, page.file) if page is not None else chunk.title


def with_routes(items: Iterable[Placed], prefix: str) -> list[Placed]:
    """Sources or results with the addresses that this server gives to unpublished PDFs."""
    return [_with_route(item, prefix) for item in items]


def without_route(href: str, prefix: str) -> str:
    """The address of an unpublished PDF as the manifest has it; every other address as it is."""
    route = document_href(prefix, "", "")
    return DOCUMENTS + href.removeprefix(route) if href.startswith(route) else href


def _with_route(item: Placed, prefix: str) -> Placed:
    if not item.page.startswith(DOCUMENTS):
        return item
    href = document_href(prefix, item.page.removeprefix(DOCUMENTS), item.anchor)
    # Where the server is reached is not known here: it is not read from the request.
    return replace(item, href=href, url=None)
