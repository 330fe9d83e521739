"""Makes the content of a generation from a site as read: chunks, edges and ledger of the changed pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from operator import attrgetter
from typing import TYPE_CHECKING

from trueref_core.embedding.embedder import Embedder, resolve_embedder_name
from trueref_core.garbage_collection import without_garbage_collection
from trueref_core.generations.content import IndexContent
from trueref_core.generations.page_digests import other_pages
from trueref_core.records import Chunk, Document, EmbeddingStatus, Page, PageKey
from trueref_plugin.build.incremental import Changes, SiteRows
from trueref_plugin.cutting.cut import cut_page
from trueref_plugin.digests import digest
from trueref_plugin.markdown.markdown_page import page_markdown, pdf_markdown
from trueref_plugin.progress import Reporter
from trueref_plugin.site.centrality import centrality

if TYPE_CHECKING:
    from trueref_plugin.build.build_plan import BuildPlan
    from trueref_plugin.site.site_reader import SiteContent

_content_fields = attrgetter("file_hash", "embedding_status", "chunk_count")
"""The fields of a row of the ledger that change if its source file is built with another content."""


def cut_pages(
    content: SiteContent, changes: Changes, embedder: Embedder | None, report: Reporter
) -> dict[str, list[Chunk]]:
    """Cuts the changed pages into chunks, except those that are not searched.

    Args:
        content: The site as read.
        changes: Which pages are unchanged.
        embedder: Counts wordpieces, so that chunks fit; None if nothing is embedded.
        report: Receives the progress of cutting.

    Returns:
        The chunks, by page.
    """

    # The embedder's count includes the two special tokens around a text. They are left out because a chunk is measured
    # sentence by sentence, but has them only once.
    def measure(text: str) -> int:
        assert embedder is not None
        return embedder.count_tokens(text) - 2

    searched_pages = [page for page in content.pages if page.page not in changes.unchanged and _is_searched(page)]
    report.start("Cutting pages", len(searched_pages))
    chunks: dict[str, list[Chunk]] = {}
    for page in searched_pages:
        chunks[page.page] = cut_page(page, content.parsed(page.page), measure if embedder is not None else None)
        report.advance()
    report.finish()
    return chunks


@without_garbage_collection()
def make_content(
    plan: BuildPlan, changes: Changes, chunks: Mapping[str, list[Chunk]], embedder: Embedder | None
) -> IndexContent:
    """The content to publish, without vectors. Unchanged pages are taken over from the served generation.

    Args:
        plan: The site as read, and the served generation.
        changes: Which pages are unchanged.
        chunks: The chunks of the changed pages, by page; see `cut_pages`.
        embedder: The embedder that will embed the chunks; None for a generation that answers by full text only.
    """
    content, earlier = plan.site, changes.earlier
    other_sites = earlier.rows_of(changes.other_sites) if earlier is not None else SiteRows()
    unchanged_pages = {(content.site.name, page) for page in changes.unchanged}
    changed_pages = [page for page in content.pages if page.page not in changes.unchanged]
    return IndexContent(
        sites=(content.site, *plan.neighbours),
        pages=(*_with_centrality(content, changes), *other_sites.pages),
        anchors=tuple(anchor for page in changed_pages for anchor in content.anchors(page.page)),
        chunks=tuple(chunk for page in changed_pages for chunk in chunks.get(page.page, ())),
        links=tuple(link for page in changed_pages for link in changes.links[page.page]),
        documents=(*_documents(content, chunks, changes, _status(plan, embedder)), *other_sites.documents),
        recipes={**other_sites.recipes, content.site.name: plan.recipe(vectors=embedder is not None)},
        embedder=resolve_embedder_name(plan.options.embedder),
        dimensions=embedder.dimensions if embedder is not None else 0,
        texts={(page.site, page.page): _markdown(page, content) for page in changed_pages if _is_searched(page)},
        kept=earlier.kept(unchanged_pages, changes.other_sites) if earlier is not None else None,
        attachments=content.attachments,
    )


def _markdown(page: Page, content: SiteContent) -> str:
    """The Markdown of a page, as the exports show it."""
    parsed = content.parsed(page.page)
    return pdf_markdown(parsed) if page.kind == "pdf" else page_markdown(parsed)


def _with_centrality(content: SiteContent, changes: Changes) -> tuple[Page, ...]:
    """All pages of the site with their centrality, which is computed from the links of all pages."""
    linked_pages = {page: state.linked_pages for page, state in changes.unchanged.items()}
    linked_pages |= {page: other_pages(links, "internal") for page, links in changes.links.items()}
    ranks = centrality([page.page for page in content.pages if page.kind != "redirect"], linked_pages)
    earlier_pages = (
        {page.page: page for page in changes.earlier.manifest.pages(content.site.name)} if changes.earlier else {}
    )
    pages: list[Page] = []
    for page in content.pages:
        # Redirects have no rank: they show nothing themselves, and links to them count for the page that they lead to.
        rank = ranks.get(page.page, 0.0)
        # An unchanged page keeps its earlier record, whose centrality is usually still the same.
        record = earlier_pages[page.page] if page.page in changes.unchanged else page
        pages.append(record if record.centrality == rank else replace(record, centrality=rank))
    return tuple(pages)


def _documents(
    content: SiteContent, chunks: Mapping[str, list[Chunk]], changes: Changes, status: EmbeddingStatus
) -> tuple[Document, ...]:
    """The ledger: one row for each source file. The row of an unchanged file stays as it is, with its times."""
    earlier_rows: Mapping[PageKey, Document] = changes.earlier.documents if changes.earlier is not None else {}
    counts = {page: state.chunk_count for page, state in changes.unchanged.items()}
    counts |= {page: len(page_chunks) for page, page_chunks in chunks.items()}
    build_time = datetime.now(UTC).isoformat(timespec="seconds")
    pages_of_source: dict[str, list[Page]] = defaultdict(list)
    for page in content.pages:
        pages_of_source[page.source_path or page.file].append(page)
    rows: list[Document] = []
    for path, pages in pages_of_source.items():
        reads = [content.reads[page.page] for page in pages]
        # The hash of a source that several pages are made from covers all of these pages.
        file_hash = reads[0].digest if len(reads) == 1 else digest(*sorted(read.digest for read in reads))
        count = sum(counts.get(page.page, 0) for page in pages)
        earlier_row = earlier_rows.get((content.site.name, path))
        row_status = status if count else "none"
        # An unchanged row keeps its `updated_at`, so that the ledger shows when a source last changed.
        if earlier_row is not None and (file_hash, row_status, count) == _content_fields(earlier_row):
            rows.append(earlier_row)
            continue
        modified = datetime.fromtimestamp(max(read.modified for read in reads), UTC).isoformat(timespec="seconds")
        created = earlier_row.created_at if earlier_row is not None else build_time
        rows.append(Document(content.site.name, path, file_hash, modified, row_status, count, created, build_time))
    return tuple(rows)


def _is_searched(page: Page) -> bool:
    """Whether a page may be searched. Other pages, drafts among them, are not cut into chunks and not exported."""
    return not page.hidden and page.kind != "redirect"


def _status(plan: BuildPlan, embedder: Embedder | None) -> EmbeddingStatus:
    """The status of documents that have chunks. A preview embeds them later: until then they are pending."""
    if embedder is not None:
        return "embedded"
    return "pending" if plan.options.embeds else "none"
