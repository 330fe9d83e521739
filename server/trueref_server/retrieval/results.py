"""Hits as the search route and the command line list them, with addresses from the manifest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from trueref_core.records import Chunk
from trueref_core.sentences import split_sentences
from trueref_server.documents import section_label
from trueref_server.records import Hit, SearchResult

if TYPE_CHECKING:
    from trueref_core.manifest import Manifest
    from trueref_core.opened import OpenIndex

SNIPPET_MOST: Final = 240


def search_results(index: OpenIndex, hits: Iterable[Hit]) -> list[SearchResult]:
    """One result for each hit, in order."""
    return [_result(index.manifest, hit) for hit in hits]


def _result(manifest: Manifest, hit: Hit) -> SearchResult:
    chunk = hit.chunk
    href = manifest.href(hit.page, hit.anchor, hit.site)
    return SearchResult(
        site=hit.site,
        page=hit.page,
        anchor=hit.anchor,
        href=href,
        url=manifest.url_of(hit.site, href),
        title=page_title(manifest, hit),
        section=section_label(manifest, hit),
        breadcrumb=tuple(dict.fromkeys(chunk.breadcrumb)),
        kind=chunk.kind,
        snippet=snippet(chunk),
        score=round(hit.score, 6),
    )


def page_title(manifest: Manifest, hit: Hit) -> str:
    """The title of the page that a hit is on."""
    page = manifest.page(hit.page, hit.site)
    return page.title if page is not None else hit.chunk.title


def snippet(chunk: Chunk) -> str:
    """The beginning of a chunk's own text, whole sentences where one fits, else whole words."""
    text = chunk.text[chunk.overlap :].strip()
    if len(text) <= SNIPPET_MOST:
        return text
    ends = [end for _, end in split_sentences(text) if end <= SNIPPET_MOST]
    if ends:
        return text[: ends[-1]]
    return text[:SNIPPET_MOST].rpartition(" ")[0] + " …"
