"""The content of a generation, before it is written, and the id that follows from it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import msgspec

from trueref_core.documents import Attachment
from trueref_core.generations.page_digests import (
    PageState,
    anchors_digest,
    digest,
    encoded,
    links_digest,
    misses_of,
    other_pages,
    page_key,
)
from trueref_core.records import Anchor, Chunk, Document, Generation, Link, Page, PageKey, Site, TextVectors
from trueref_core.storage.page_parts import Parts, by_page, parts_for
from trueref_core.tables.table_writer import StackedVectors
from trueref_core.version import CUTTER_VERSION, READER_VERSION, SCHEMA_VERSION, __version__


@dataclass(frozen=True, slots=True)
class KeptPages:
    """The unchanged pages of an earlier generation, whose anchors, links, texts and chunks are taken from it.

    Attributes:
        generation: Id of the earlier generation.
        before: The state of each page of the earlier generation, kept or not.
        pages: The pages that are kept.
        files: The parts of the earlier generation, by kind of value.
    """

    generation: str
    before: Mapping[PageKey, PageState]
    pages: Set[PageKey]
    files: Mapping[str, Parts]


@dataclass(frozen=True, slots=True)
class IndexContent:
    """The content of a generation.

    `pages` and `documents` are always complete; `anchors`, `chunks`, `links` and `texts` leave out the pages that are
    `kept`. `recipes` has for each site the digest of the options and versions that its pages were made with (see
    `recipe`). `vectors` has those of the chunks by text hash; None makes a generation that is searched by text only.
    `dimensions` is 0 for the embedder `lexical`. If the served generation is written again with the same content,
    `rebuilt` is the id of the served one, else "". It changes the id of the new generation, which other vectors alone
    would not do. `texts` has the Markdown of each page that readers may see. `attachments` are the files of all PDFs
    that no site publishes, by id.
    """

    sites: tuple[Site, ...]
    pages: tuple[Page, ...]
    anchors: tuple[Anchor, ...]
    chunks: tuple[Chunk, ...]
    links: tuple[Link, ...]
    documents: tuple[Document, ...]
    recipes: Mapping[str, str]
    embedder: str
    dimensions: int
    vectors: Mapping[str, TextVectors] | None = None
    rebuilt: str = ""
    texts: Mapping[PageKey, str] = field(default_factory=dict[PageKey, str])
    kept: KeptPages | None = None
    attachments: Mapping[str, Attachment] = field(default_factory=dict[str, Attachment])


def page_states(content: IndexContent) -> dict[PageKey, PageState]:
    """The states of all pages of ordered content, sorted by page: new ones are made, those of kept pages are reused."""
    kept = content.kept
    # The kept states come first, in their earlier order, so that sorting takes little time.
    states = {key: state for key, state in kept.before.items() if key in kept.pages} if kept else {}
    anchors, links, chunks = by_page(content.anchors), by_page(content.links), by_page(content.chunks)
    keys = {page_key(page) for page in content.pages} | anchors.keys() | links.keys() | chunks.keys()
    for key in keys - states.keys():
        links_of_page, chunks_of_page = links.get(key, ()), chunks.get(key, ())
        states[key] = PageState(
            *key,
            anchors=anchors_digest(anchors.get(key, ())),
            links=links_digest(links_of_page),
            chunks=digest(map(encoded, chunks_of_page)),
            text=digest([content.texts[key].encode()]) if key in content.texts else "",
            chunk_count=len(chunks_of_page),
            linked_pages=other_pages(links_of_page, "internal"),
            next_pages=other_pages(links_of_page, "next"),
            missing_paths=misses_of(links_of_page),
        )
    return {key: states[key] for key in sorted(states)}


def generation_id(content: IndexContent, states: Mapping[PageKey, PageState]) -> str:
    """The generation id of ordered content with these `page_states`: equal for equal content, at any time.

    The id depends on whether there are vectors, but not on their values, which follow from the embedder and the texts.
    So the id of a build can be computed before anything is embedded, with an empty mapping as `vectors`.
    """
    versions = [SCHEMA_VERSION, READER_VERSION, CUTTER_VERSION]
    # With the versions: the same content, read or cut by another version, gives another generation.
    parts = [
        [*versions, content.rebuilt, content.embedder, content.dimensions, content.vectors is not None],
        content.recipes,
        sorted(map(encoded, content.sites)),
        content.pages,
        list(states.values()),
        # The hash of the HTML file is left out: a new entry in the navigation changes every file without changing its
        # content. The times of the file are left out too, since they change with every checkout.
        [[document.site, document.file_path, document.chunk_count] for document in content.documents],
    ]
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()[:24]


def stacked_vectors(content: IndexContent) -> StackedVectors | None:
    """The vectors in the order of the chunks, with the packed wordpieces of each; None if the content has none.

    Raises:
        ValueError: A chunk has no vector.
    """
    vectors = content.vectors
    if vectors is None:
        return None
    import numpy as np

    if missing := [chunk.id for chunk in content.chunks if chunk.text_hash not in vectors]:
        raise ValueError(f"{len(missing)} chunks have no vector, the first is {missing[0]}")
    rows = [vectors[chunk.text_hash] for chunk in content.chunks]
    matrix = np.asarray([row.vector for row in rows], dtype=np.float32).reshape(len(rows), content.dimensions)
    return StackedVectors(matrix, [row.wordpieces for row in rows])


def ordered(content: IndexContent) -> IndexContent:
    """Content in the order in which it is stored; the chunks of a section are in the order of the page.

    With this order an incremental build gives the same digests and files as a full one.
    """
    return replace(
        content,
        sites=tuple(sorted(content.sites, key=lambda site: site.name)),
        pages=tuple(sorted(content.pages, key=page_key)),
        anchors=tuple(sorted(content.anchors, key=lambda anchor: (anchor.site, anchor.page, anchor.position))),
        chunks=tuple(sorted(content.chunks, key=lambda chunk: (chunk.site, chunk.page, chunk.position, chunk.id))),
        links=tuple(sorted(content.links, key=encoded)),
        documents=tuple(sorted(content.documents, key=lambda document: (document.site, document.file_path))),
    )


def describe(content: IndexContent, new_id: str, counts: Mapping[str, int]) -> Generation:
    """The generation with this id, created at the present time. `counts` has the number of rows of each table."""
    return Generation(
        id=new_id,
        schema=SCHEMA_VERSION,
        embedder=content.embedder,
        dimensions=content.dimensions,
        vectors=content.vectors is not None,
        sites=content.sites,
        recipes=dict(sorted(content.recipes.items())),
        counts={"sites": len(content.sites), **counts},
        parts=parts_for(len(content.pages)),
        created_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def recipe(options: Mapping[str, str], embedder: str, *, vectors: bool) -> str:
    """A digest of everything besides the files that decides what is made of a site's pages.

    If the recipe of a site differs from that of the earlier build, none of its pages is kept.
    """
    versions = [__version__, SCHEMA_VERSION, READER_VERSION, CUTTER_VERSION]
    return digest([encoded([versions, options, embedder, vectors])])
