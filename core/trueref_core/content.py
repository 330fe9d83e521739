"""What a generation is made from, and the id that follows from it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from trueref_core.records import Anchor, Chunk, Document, Generation, Link, Page, Site
from trueref_core.version import CUTTER_VERSION, READER_VERSION, SCHEMA_VERSION

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class IndexContent:
    """What a generation is made from.

    `options` are the settings that shaped the content, as text. `vectors` maps a chunk's text hash to its vector; None
    makes a generation that is searched by text only. `dimensions` is 0 for the embedder `lexical`. `texts` holds the
    Markdown of each page that readers may be shown, by site and page.
    """

    sites: tuple[Site, ...]
    pages: tuple[Page, ...]
    anchors: tuple[Anchor, ...]
    chunks: tuple[Chunk, ...]
    links: tuple[Link, ...]
    documents: tuple[Document, ...]
    options: Mapping[str, str]
    embedder: str
    dimensions: int
    vectors: Mapping[str, NDArray[np.float32]] | None = None
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])


def generation_id(content: IndexContent) -> str:
    """The id that content gets: equal for equal content, whatever the order of its records and the time.

    Whether there are vectors counts, which ones does not: embedder and text hashes decide that. So the id can be asked
    for before anything is embedded, with an empty mapping.
    """
    parts = [
        [
            SCHEMA_VERSION,
            READER_VERSION,
            CUTTER_VERSION,
            content.embedder,
            content.dimensions,
            content.vectors is not None,
        ],
        content.options,
        *(sorted(map(encoded, records)) for records in (content.sites, content.pages, content.anchors)),
        *(sorted(map(encoded, records)) for records in (content.chunks, content.links)),
        # Times of a source file change with every checkout.
        sorted(
            [document.site, document.file_path, document.file_hash, document.chunk_count]
            for document in content.documents
        ),
        sorted(content.texts.items()),
    ]
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()[:24]


def stacked_vectors(content: IndexContent) -> NDArray[np.float32] | None:
    """The vectors in the order of the chunks, None where the content has none."""
    vectors = content.vectors
    if vectors is None:
        return None
    if missing := [chunk.id for chunk in content.chunks if chunk.text_hash not in vectors]:
        raise ValueError(f"{len(missing)} chunks have no vector, the first is {missing[0]}")
    rows = [vectors[chunk.text_hash] for chunk in content.chunks]
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), content.dimensions)


def ordered(content: IndexContent) -> IndexContent:
    """Content in the order in which it is stored; a section's chunks are then in the order of the page."""
    return replace(
        content,
        sites=tuple(sorted(content.sites, key=lambda site: site.name)),
        pages=tuple(sorted(content.pages, key=lambda page: (page.site, page.page))),
        anchors=tuple(sorted(content.anchors, key=lambda anchor: (anchor.site, anchor.page, anchor.position))),
        chunks=tuple(sorted(content.chunks, key=lambda chunk: (chunk.site, chunk.page, chunk.position, chunk.id))),
        links=tuple(sorted(content.links, key=encoded)),
        documents=tuple(sorted(content.documents, key=lambda document: (document.site, document.file_path))),
    )


def describe(content: IndexContent, new: str) -> Generation:
    """The generation with this id, made now."""
    tables = ("sites", "pages", "anchors", "chunks", "links", "documents")
    return Generation(
        id=new,
        schema=SCHEMA_VERSION,
        embedder=content.embedder,
        dimensions=content.dimensions,
        vectors=content.vectors is not None,
        sites=tuple(sorted(content.sites, key=lambda site: site.name)),
        counts={name: len(getattr(content, name)) for name in tables},
        created_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def encoded(value: object) -> bytes:
    """JSON that is the same for equal values."""
    return msgspec.json.encode(value, order="deterministic")
