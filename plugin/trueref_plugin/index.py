"""The program of build time, top to bottom: read, cut, embed, publish."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.embedder import Embedder, load_embedder, resolve_embedder_name
from trueref_core.errors import IndexFault
from trueref_core.generations import IndexContent, build_lock, publish, read_intact, read_manifest, stored_vectors
from trueref_core.manifest import Manifest
from trueref_core.records import Chunk, Document, EmbeddingStatus, Generation
from trueref_plugin.cutting.cut import cut_page
from trueref_plugin.cutting.run import wordpieces_at_most
from trueref_plugin.cutting.twins import mark_twins
from trueref_plugin.markdown import site_texts
from trueref_plugin.options import BuildOptions
from trueref_plugin.reader import SiteContent, read_site
from trueref_plugin.report import Reporter
from trueref_plugin.sidecar import read_sidecar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

LOCK_SECONDS: Final = 60.0
"""How long a build waits for another one before it says so."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a build did. `changed` is False when the same content was served already: then nothing was cut or embedded.

    `truncated` counts chunks whose end the embedder does not read: long code, which is never cut. `refused` holds
    file and reason.
    """

    generation: Generation
    changed: bool
    embedded: int = 0
    reused: int = 0
    truncated: int = 0
    refused: tuple[tuple[str, str], ...] = ()

    def lines(self, index: Path) -> list[str]:
        """What a person wants to know of the build, a line each."""
        counts, state = self.generation.counts, "published" if self.changed else "unchanged"
        what = f"{counts['pages']} pages, {counts['anchors']} anchors, {counts['chunks']} chunks"
        lines = [f"Index {state} at {index}: {what}, generation {self.generation.id}."]
        if self.changed and self.generation.vectors:
            lines.append(f"Embedded {self.embedded} texts, reused {self.reused}.")
        if self.truncated:
            share = self.truncated / max(counts["chunks"], 1)
            lines.append(f"The embedder does not read the end of {self.truncated} chunks ({share:.1%}).")
        return lines


def index_site(
    site: Path,
    *,
    index: Path,
    base_url: str | None = None,
    name: str | None = None,
    version: str = "",
    pages: Path | None = None,
    full: bool = False,
    embedder: str = "bundled",
    exclude: Sequence[str] = (),
    content_selector: str | None = None,
    report: Reporter | None = None,
) -> IndexReport:
    """Reads a finished site and publishes what it holds as the served generation of an index.

    Args:
        site: Folder with the built HTML.
        index: Folder of the index, made where it is missing.
        base_url: Absolute address of the site's root; None takes it from canonical links.
        name: Name of the site in the index; None takes the name that the pages give.
        version: Version of the documentation; "" takes what each page says.
        pages: Sidecar that a plugin wrote, with what only the build knows.
        full: Cut and embed every text again, even where nothing changed.
        embedder: `bundled`, `lexical`, or a fastembed model.
        exclude: Patterns of pages that are never searched or cited.
        content_selector: CSS selector of the element that holds the content.
        report: Told what happens; None for silence.

    Raises:
        TruerefError: Something a user can mend: see `trueref_core.errors`.
    """
    facts = read_sidecar(pages).by_file() if pages is not None else None
    options = BuildOptions(
        site, index, base_url, name, version, facts, tuple(exclude), content_selector, embedder, full
    )
    return build(options, report or Reporter())


def build(options: BuildOptions, report: Reporter) -> IndexReport:
    """One build: read, cut, embed what is new, publish. An unchanged site is read, and nothing else."""
    options = options.checked()
    with build_lock(options.index, LOCK_SECONDS):
        content = read_site(options, report, _earlier(options.index))
        served = _served(options.index)
        if served is not None and not options.full and _holds(served, content, options, vectors=options.embeds):
            return IndexReport(served, changed=False, refused=content.refused)
        _warn_of_other_site(served, content, report)
        embedder = load_embedder(options.embedder)
        done = embed_and_publish(options, content, embedder, known_vectors(options, embedder), report)
        assert done is not None
        return done


@dataclass(frozen=True, slots=True)
class TextBuild:
    """A build that answers by full text, and what it read, for `embed_and_publish`."""

    report: IndexReport
    content: SiteContent


def build_text(options: BuildOptions, report: Reporter) -> TextBuild:
    """A build that answers by full text at once and leaves embedding for later.

    Keeps what is served where that already has vectors of the same content.
    """
    options = options.checked()
    with build_lock(options.index, LOCK_SECONDS):
        content = read_site(options, report, _earlier(options.index))
        served = _served(options.index)
        if served is not None and any(_holds(served, content, options, vectors=has) for has in (False, options.embeds)):
            return TextBuild(IndexReport(served, changed=False, refused=content.refused), content)
        chunks = cut_site(content, None, report)
        published = publish(options.index, index_content(options, content, chunks, None, {}))
        return TextBuild(IndexReport(published.generation, published.changed, refused=content.refused), content)


def embed_and_publish(
    options: BuildOptions,
    content: SiteContent,
    embedder: Embedder | None,
    known: dict[str, Vector],
    report: Reporter,
    is_wanted: Callable[[], bool] = lambda: True,
) -> IndexReport | None:
    """Cuts what was read, embeds the texts that are new, and publishes a whole generation.

    Args:
        options: What the build was told.
        content: The site as read.
        embedder: The one that `options` name; None publishes a generation without vectors.
        known: Vectors by text hash. New ones are added, also when the work is broken off.
        report: Told what happens.
        is_wanted: Asked after each text; the first False breaks the work off.

    Returns:
        The report, or None where the work was broken off.
    """
    chunks = cut_site(content, embedder, report)
    texts = {chunk.text_hash: chunk.embedded_text for chunk in chunks}
    missing = {text_hash: text for text_hash, text in texts.items() if text_hash not in known}
    if embedder is not None and not _embed(missing, embedder, known, report, is_wanted):
        return None
    published = publish(options.index, index_content(options, content, chunks, embedder, known))
    return IndexReport(
        published.generation,
        published.changed,
        embedded=len(missing) if embedder is not None else 0,
        reused=len(texts) - len(missing),
        truncated=_truncated(chunks, embedder),
        refused=content.refused,
    )


def known_vectors(options: BuildOptions, embedder: Embedder | None) -> dict[str, Vector]:
    """The vectors of the served generation that this build may use again, by text hash."""
    if options.full or embedder is None:
        return {}
    try:
        return stored_vectors(options.index, embedder.name)
    except IndexFault:
        # A damaged generation is replaced by this build; its vectors cannot be trusted.
        return {}


def _earlier(index: Path) -> Manifest | None:
    """What is served, for what an earlier build said of pages: a page that it hid stays hidden."""
    try:
        return read_manifest(index)
    except IndexFault:
        return None


def cut_site(content: SiteContent, embedder: Embedder | None, report: Reporter) -> list[Chunk]:
    """The chunks of every page that may be searched."""

    # A wordpiece count has the two marks that the embedder adds; a chunk has them once, not once a sentence.
    def measure(text: str) -> int:
        assert embedder is not None
        return embedder.count_tokens(text) - 2

    searched = [page for page in content.pages if not page.hidden and page.kind != "redirect"]
    report.start("Cutting pages", len(searched))
    chunks: list[Chunk] = []
    for page in searched:
        chunks.extend(cut_page(page, content.parsed[page.page], measure if embedder is not None else None))
        report.advance()
    report.finish()
    return mark_twins(chunks)


def _embed(
    texts: dict[str, str],
    embedder: Embedder,
    vectors: dict[str, Vector],
    report: Reporter,
    is_wanted: Callable[[], bool],
) -> bool:
    """Adds the vectors of some texts, given by their hash. False where the work was broken off."""
    report.start("Embedding", len(texts))
    for text_hash, vector in zip(texts, embedder.embed(texts.values()), strict=True):
        vectors[text_hash] = vector
        report.advance()
        if not is_wanted():
            return False
    report.finish()
    return True


def index_content(
    options: BuildOptions,
    content: SiteContent,
    chunks: list[Chunk],
    embedder: Embedder | None,
    vectors: dict[str, Vector],
) -> IndexContent:
    """What is published. Without an embedder it is a generation that answers by full text only."""
    return IndexContent(
        sites=(content.site,),
        pages=content.pages,
        anchors=content.anchors,
        chunks=tuple(chunks),
        links=(),
        documents=_documents(content, chunks, _status(options, embedder)),
        options=options.fingerprint(),
        embedder=resolve_embedder_name(options.embedder),
        dimensions=embedder.dimensions if embedder is not None else 0,
        vectors=vectors if embedder is not None else None,
        texts=site_texts(content),
    )


def _status(options: BuildOptions, embedder: Embedder | None) -> EmbeddingStatus:
    if embedder is not None:
        return "embedded"
    return "pending" if options.embeds else "none"


def _documents(content: SiteContent, chunks: list[Chunk], status: EmbeddingStatus) -> tuple[Document, ...]:
    counts: dict[str, int] = {}
    for chunk in chunks:
        counts[chunk.page] = counts.get(chunk.page, 0) + 1
    return tuple(
        replace(document, chunk_count=count, embedding_status=status if count else "none")
        for page, document in zip(content.pages, content.documents, strict=True)
        for count in [counts.get(page.page, 0)]
    )


def _served(index: Path) -> Generation | None:
    try:
        return read_intact(index)
    except IndexFault:
        return None


def _holds(served: Generation, content: SiteContent, options: BuildOptions, *, vectors: bool) -> bool:
    # The site's digest covers pages, anchors, blocks, options and versions: equal digests have equal chunks.
    same_embedder = served.embedder == resolve_embedder_name(options.embedder)
    return served.sites == (content.site,) and same_embedder and served.vectors is vectors


def _warn_of_other_site(served: Generation | None, content: SiteContent, report: Reporter) -> None:
    names = [site.name for site in served.sites if site.name != content.site.name] if served else []
    if names:
        report.warn(f"The index held the site {names[0]!r}; it is replaced by {content.site.name!r}.")


def _truncated(chunks: list[Chunk], embedder: Embedder | None) -> int:
    if embedder is None:
        return 0
    texts = (chunk.embedded_text for chunk in chunks)
    long = (text for text in texts if wordpieces_at_most(text) > embedder.max_tokens)
    return sum(embedder.count_tokens(text) > embedder.max_tokens for text in long)
