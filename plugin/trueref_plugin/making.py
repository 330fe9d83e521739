"""From a site as read to what is published: chunks, edges and ledger of the pages that changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from trueref_core.embedder import Embedder, resolve_embedder_name
from trueref_core.generations import IndexContent, Kept, read_links, recipe
from trueref_core.records import Chunk, Document, EmbeddingStatus, Link, Page
from trueref_plugin.centrality import centrality
from trueref_plugin.changes import Changes, find_changes, read_earlier
from trueref_plugin.cutting.cut import cut_page
from trueref_plugin.cutting.twins import find_twins, twin_key
from trueref_plugin.markdown import page_markdown
from trueref_plugin.report import Reporter

if TYPE_CHECKING:
    from trueref_plugin.index import BuildPlan
    from trueref_plugin.reader import PageRead, SiteContent


def make_content(plan: BuildPlan, embedder: Embedder | None, report: Reporter) -> IndexContent:
    """What is to be published, without vectors. Pages that are as they were are kept of the served generation.

    Args:
        plan: What was read, and what is served.
        embedder: Counts wordpieces, so that chunks fit; None for a generation that answers by full text only.
        report: Told how far cutting is.
    """
    options, content = plan.options, plan.content
    served = None if options.full else plan.served
    name = resolve_embedder_name(options.embedder)
    made_by = recipe(content.fingerprint, name, vectors=embedder is not None)
    changes = find_changes(content, read_earlier(options.index, served, plan.earlier), made_by)
    chunks = _cut(content, [page for page in content.pages if page.page not in changes.kept], embedder, report)
    keys = {page: [(chunk.id, twin_key(chunk)) for chunk in found] for page, found in chunks.items()}
    twins, other_twins = _twins(content, keys, changes)
    new = [page for page in content.pages if page.page not in changes.kept]
    return IndexContent(
        sites=(content.site,),
        pages=_with_centrality(content, changes),
        anchors=tuple(anchor for page in new for anchor in content.anchors(page.page)),
        chunks=tuple(_with_twin(chunk, twins) for page in new for chunk in chunks.get(page.page, ())),
        links=tuple(link for page in new for link in changes.links[page.page]),
        documents=_documents(content, chunks, changes, _status(plan, embedder)),
        options=content.fingerprint,
        embedder=name,
        dimensions=embedder.dimensions if embedder is not None else 0,
        twin_keys=dict(pair for pairs in keys.values() for pair in pairs),
        texts={
            (page.site, page.page): page_markdown(content.parsed(page.page))
            for page in new
            if not page.hidden and not page.draft and page.kind != "redirect"
        },
        kept=_kept(content, changes, other_twins),
    )


def _kept(content: SiteContent, changes: Changes, twins: Mapping[str, str]) -> Kept | None:
    if changes.earlier is None:
        return None
    pages = [(content.site.name, page) for page in changes.kept]
    return Kept(changes.earlier.manifest, changes.earlier.states, pages, twins)


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


def _twins(
    content: SiteContent, keys: Mapping[str, list[tuple[str, str]]], changes: Changes
) -> tuple[dict[str, str], dict[str, str]]:
    """The twin of every new chunk that has one, and by kept chunk the twin it has now where that is another.

    Only texts of pages that changed are compared: all others have the twins that they had.
    """
    earlier = changes.earlier
    before = [state for _, state in sorted(earlier.states.items())] if earlier is not None else []
    moved = {key for pairs in keys.values() for _, key in pairs}
    moved |= {key for state in before if state.page not in changes.kept for _, key in state.twin_keys}
    pairs = (
        pair
        for page in sorted(content.pages, key=lambda page: page.page)
        for pair in (changes.kept[page.page].twin_keys if page.page in changes.kept else keys.get(page.page, ()))
    )
    now = find_twins(pair for pair in pairs if pair[1] in moved)
    then = find_twins(pair for state in before for pair in state.twin_keys if pair[1] in moved)
    kept = (pair for state in changes.kept.values() for pair in state.twin_keys if pair[1] in moved)
    return now, {chunk: now.get(chunk, "") for chunk, _ in kept if now.get(chunk) != then.get(chunk)}


def _with_twin(chunk: Chunk, twins: Mapping[str, str]) -> Chunk:
    return replace(chunk, twin_of=twins[chunk.id]) if chunk.id in twins else chunk


def _with_centrality(content: SiteContent, changes: Changes) -> tuple[Page, ...]:
    ranks = changes.centrality
    if ranks is None:
        edges: list[Link] = [link for links in changes.links.values() for link in links]
        if changes.earlier is not None:
            before = read_links(changes.earlier.index, changes.earlier.generation.id)
            edges += [link for link in before if link.from_page in changes.kept]
        ranks = centrality([page.page for page in content.pages if page.kind != "redirect"], edges)
    return tuple(replace(page, centrality=ranks.get(page.page, 0.0)) for page in content.pages)


def _documents(
    content: SiteContent, chunks: Mapping[str, list[Chunk]], changes: Changes, status: EmbeddingStatus
) -> tuple[Document, ...]:
    """The ledger: a row a source. A row whose file did not change stays as it is."""
    before: Mapping[str, Document] = changes.earlier.documents if changes.earlier is not None else {}
    now = _now()
    rows: list[Document] = []
    for page in content.pages:
        state = changes.kept.get(page.page)
        count = len(state.twin_keys) if state is not None else len(chunks.get(page.page, ()))
        row = _document(page, content.reads[page.page], count, status if count else "none", now)
        known = before.get(row.file_path)
        if known is not None:
            is_same = replace(known, last_modified="", updated_at="") == replace(
                row, last_modified="", updated_at="", created_at=known.created_at
            )
            row = known if is_same else replace(row, created_at=known.created_at)
        rows.append(row)
    return tuple(rows)


def _document(page: Page, read: PageRead, count: int, status: EmbeddingStatus, now: str) -> Document:
    modified = datetime.fromtimestamp(read.modified, UTC).isoformat(timespec="seconds")
    return Document(page.site, page.source_path or page.file, read.digest, modified, status, count, now, now)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _status(plan: BuildPlan, embedder: Embedder | None) -> EmbeddingStatus:
    if embedder is not None:
        return "embedded"
    return "pending" if plan.options.embeds else "none"
