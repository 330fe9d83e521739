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
from trueref_plugin.changes import Changes, find_changes, read_earlier, without
from trueref_plugin.cutting.cut import cut_page
from trueref_plugin.cutting.twins import find_twins, twin_key
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
    made_by = recipe(options.fingerprint(), name, vectors=embedder is not None)
    changes = find_changes(content, read_earlier(options.index, served), made_by)
    chunks = _cut(content, [page for page in content.pages if page.page not in changes.kept], embedder, report)
    twins = _twins(content, chunks, changes)
    if moved := _with_other_twins(changes, twins):
        changes = without(changes, content, moved)
        chunks |= _cut(content, [page for page in content.pages if page.page in moved], embedder, report)
    new = [page for page in content.pages if page.page not in changes.kept]
    return IndexContent(
        sites=(content.site,),
        pages=_with_centrality(content, changes),
        anchors=tuple(anchor for page in new for anchor in content.anchors(page.page)),
        chunks=tuple(_with_twin(chunk, twins) for page in new for chunk in chunks.get(page.page, ())),
        links=tuple(link for page in new for link in changes.links[page.page]),
        documents=_documents(content, chunks, changes, _status(plan, embedder)),
        options=options.fingerprint(),
        embedder=name,
        dimensions=embedder.dimensions if embedder is not None else 0,
        twin_keys={chunk.id: twin_key(chunk) for found in chunks.values() for chunk in found},
        kept=_kept(content, changes),
    )


def _kept(content: SiteContent, changes: Changes) -> Kept | None:
    if changes.earlier is None:
        return None
    states = {(content.site.name, page): state for page, state in changes.kept.items()}
    return Kept(changes.earlier.generation.id, states)


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


def _twins(content: SiteContent, chunks: Mapping[str, list[Chunk]], changes: Changes) -> dict[str, str]:
    """The twin of every chunk of the site that has one, by id."""
    keys: list[tuple[str, str]] = []
    for page in content.pages:
        if state := changes.kept.get(page.page):
            keys.extend(state.twin_keys)
        else:
            keys.extend((chunk.id, twin_key(chunk)) for chunk in chunks.get(page.page, ()))
    return find_twins(keys)


def _with_other_twins(changes: Changes, twins: Mapping[str, str]) -> set[str]:
    """The kept pages of which a chunk had another twin, or none."""
    if changes.earlier is None:
        return set()
    before = find_twins(pair for _, state in sorted(changes.earlier.states.items()) for pair in state.twin_keys)
    return {
        page
        for page, state in changes.kept.items()
        if any(before.get(chunk) != twins.get(chunk) for chunk, _ in state.twin_keys)
    }


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
