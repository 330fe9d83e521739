"""From a site as read to what is published: chunks, edges and ledger of the pages that changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from trueref_core.embedding.embedder import Embedder, resolve_embedder_name
from trueref_core.garbage_collection import without_collecting
from trueref_core.generations.content import listed_rows
from trueref_core.generations.page_values import TWINS, decode_twin_keys
from trueref_core.generations.publication import IndexContent, Kept, leads_of, recipe
from trueref_core.records import Chunk, Document, EmbeddingStatus, Page
from trueref_core.storage.page_parts import PageKey
from trueref_plugin.build.incremental import Changes, find_changes, read_earlier
from trueref_plugin.build.other_sites import unreadable
from trueref_plugin.cutting.cut import cut_page, digest
from trueref_plugin.cutting.twins import find_twins, twin_key
from trueref_plugin.markdown.markdown_page import page_markdown
from trueref_plugin.pdf.pdf_markdown import pdf_markdown
from trueref_plugin.progress import Reporter
from trueref_plugin.site.centrality import centrality

if TYPE_CHECKING:
    from trueref_plugin.build.build_plan import BuildPlan
    from trueref_plugin.site.site_reader import SiteContent


@without_collecting()
def make_content(plan: BuildPlan, embedder: Embedder | None, report: Reporter) -> IndexContent:
    """What is to be published, without vectors. Pages that are as they were are kept of the served generation.

    Args:
        plan: What was read, and what is served.
        embedder: Counts wordpieces, so that chunks fit; None for a generation that answers by full text only.
        report: Told how far cutting is.
    """
    options, content = plan.options, plan.content
    name = resolve_embedder_name(options.embedder)
    made_by = recipe(content.fingerprint, name, vectors=embedder is not None)
    earlier = read_earlier(options.index, plan.served, plan.earlier)
    if plan.neighbours and earlier is None:
        raise unreadable(plan.neighbours)
    beside = {site.name for site in plan.neighbours}
    changes = find_changes(content, earlier, "" if options.full else made_by, beside)
    chunks = _cut(content, [page for page in content.pages if page.page not in changes.kept], embedder, report)
    keys = {page: [(chunk.id, twin_key(chunk)) for chunk in found] for page, found in chunks.items()}
    twins, other_twins = _twins(keys, changes)
    new = [page for page in content.pages if page.page not in changes.kept]
    return IndexContent(
        sites=(content.site, *plan.neighbours),
        pages=(*_with_centrality(content, changes), *_pages_beside(changes)),
        anchors=tuple(anchor for page in new for anchor in content.anchors(page.page)),
        chunks=tuple(_with_twin(chunk, twins) for page in new for chunk in chunks.get(page.page, ())),
        links=tuple(link for page in new for link in changes.links[page.page]),
        documents=(*_documents(content, chunks, changes, _status(plan, embedder)), *_documents_beside(changes)),
        recipes=_recipes_beside(changes) | {content.site.name: made_by},
        embedder=name,
        dimensions=embedder.dimensions if embedder is not None else 0,
        twin_keys=dict(pair for pairs in keys.values() for pair in pairs),
        texts={
            (page.site, page.page): _markdown(page, content)
            for page in new
            if not page.hidden and not page.draft and page.kind != "redirect"
        },
        kept=_kept(content, changes, other_twins),
        attachments=content.attachments,
    )


def _markdown(page: Page, content: SiteContent) -> str:
    parsed = content.parsed(page.page)
    return pdf_markdown(parsed) if page.kind == "pdf" else page_markdown(parsed)


def _kept(content: SiteContent, changes: Changes, twins: Mapping[str, str]) -> Kept | None:
    if changes.earlier is None:
        return None
    earlier = changes.earlier
    pages = {(content.site.name, page) for page in changes.kept}
    pages |= {key for key in earlier.states if key[0] in changes.beside}
    rows = listed_rows(earlier.manifest.pages(), earlier.documents.values())
    return Kept(earlier.generation.id, earlier.states, pages, twins, earlier.files, rows)


def _cut(
    content: SiteContent, pages: Iterable[Page], embedder: Embedder | None, report: Reporter
) -> dict[str, list[Chunk]]:
    """The chunks of those pages that may be searched, by page."""

    # A wordpiece count has the two marks that the embedder adds; a chunk has them once, not once a sentence.
    def measure(text: str) -> int:
        assert embedder is not None
        return embedder.count_tokens(text) - 2

    searched = [page for page in pages if not page.hidden and page.kind != "redirect"]
    report.start("Cutting pages", len(searched))
    chunks: dict[str, list[Chunk]] = {}
    for page in searched:
        chunks[page.page] = cut_page(page, content.parsed(page.page), measure if embedder is not None else None)
        report.advance()
    report.finish()
    return chunks


def _twins(keys: Mapping[str, list[tuple[str, str]]], changes: Changes) -> tuple[dict[str, str], dict[str, str]]:
    """The twin of every new chunk that has one, and by kept chunk the twin it has now where that is another.

    Only texts of pages that changed are compared: all others have the twins that they had. Those of other sites are no
    twins of these.
    """
    if changes.earlier is None or not changes.kept:
        return find_twins(pair for _, pairs in sorted(keys.items()) for pair in pairs), {}
    then = [row for row in decode_twin_keys(changes.earlier.files[TWINS]) if row.site not in changes.beside]
    gone = {row.page: row.value.pairs() for row in then if row.page not in changes.kept}
    moved = {key for pairs in (*keys.values(), *gone.values()) for _, key in pairs}
    holding = {
        row.page: row.value.pairs()
        for row in then
        if row.page in changes.kept and not moved.isdisjoint(row.value.keys.split())
    }
    twins_now, twins_then = (
        find_twins(pair for _, pairs in sorted({**holding, **others}.items()) for pair in pairs if pair[1] in moved)
        for others in (keys, gone)
    )
    kept = {chunk for pairs in holding.values() for chunk, _ in pairs}
    other = {chunk for chunk in kept if twins_now.get(chunk) != twins_then.get(chunk)}
    return twins_now, {chunk: twins_now.get(chunk, "") for chunk in sorted(other)}


def _with_twin(chunk: Chunk, twins: Mapping[str, str]) -> Chunk:
    return replace(chunk, twin_of=twins[chunk.id]) if chunk.id in twins else chunk


def _with_centrality(content: SiteContent, changes: Changes) -> tuple[Page, ...]:
    ranks = changes.centrality
    if ranks is None:
        leads = {page: state.leads for page, state in changes.kept.items()}
        leads |= {page: leads_of(links) for page, links in changes.links.items()}
        ranks = centrality([page.page for page in content.pages if page.kind != "redirect"], leads)
    known = {page.page: page for page in changes.earlier.manifest.pages(content.site.name)} if changes.earlier else {}
    pages: list[Page] = []
    for page in content.pages:
        rank = ranks.get(page.page, 0.0)
        # A page that is kept is the one of before, but for its centrality.
        before = known[page.page] if page.page in changes.kept else page
        pages.append(before if before.centrality == rank else replace(before, centrality=rank))
    return tuple(pages)


def _documents(
    content: SiteContent, chunks: Mapping[str, list[Chunk]], changes: Changes, status: EmbeddingStatus
) -> tuple[Document, ...]:
    """The ledger: a row a source. A row whose file did not change stays as it is."""
    before: Mapping[PageKey, Document] = changes.earlier.documents if changes.earlier is not None else {}
    now = _now()
    sources: dict[str, list[Page]] = defaultdict(list)
    for page in content.pages:
        sources[page.source_path or page.file].append(page)
    rows: list[Document] = []
    for path, pages in sources.items():
        reads = [content.reads[page.page] for page in pages]
        # A source of several pages has the digests of all of them.
        file_hash = reads[0].digest if len(reads) == 1 else digest(*sorted(read.digest for read in reads))
        count = sum(_chunk_count(page.page, chunks, changes) for page in pages)
        known = before.get((content.site.name, path))
        told = (content.site.name, file_hash, status if count else "none", count)
        if known is not None and told == (known.site, known.file_hash, known.embedding_status, known.chunk_count):
            rows.append(known)
            continue
        modified = datetime.fromtimestamp(max(read.modified for read in reads), UTC).isoformat(timespec="seconds")
        created = known.created_at if known is not None else now
        rows.append(
            Document(content.site.name, path, file_hash, modified, status if count else "none", count, created, now)
        )
    return tuple(rows)


def _pages_beside(changes: Changes) -> list[Page]:
    """The pages of the other sites of the index."""
    return [page for site in changes.beside for page in changes.earlier.manifest.pages(site)] if changes.earlier else []


def _documents_beside(changes: Changes) -> list[Document]:
    known = changes.earlier.documents.values() if changes.earlier is not None else ()
    return [document for document in known if document.site in changes.beside]


def _recipes_beside(changes: Changes) -> dict[str, str]:
    known = changes.earlier.generation.recipes if changes.earlier is not None else {}
    return {site: known[site] for site in changes.beside}


def _chunk_count(page: str, chunks: Mapping[str, list[Chunk]], changes: Changes) -> int:
    return changes.kept[page].chunk_count if page in changes.kept else len(chunks.get(page, ()))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _status(plan: BuildPlan, embedder: Embedder | None) -> EmbeddingStatus:
    if embedder is not None:
        return "embedded"
    return "pending" if plan.options.embeds else "none"
