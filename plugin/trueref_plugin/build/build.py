"""The program of build time, top to bottom: read, cut, embed, publish."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.embedding.embedder import Embedder, load_embedder
from trueref_core.errors import IndexDamaged
from trueref_core.extras import require_extra
from trueref_core.garbage_collection import without_collecting
from trueref_core.generations.publication import (
    IndexContent,
    Published,
    build_folder,
    build_lock,
    forget,
    publish,
    verified_vectors,
)
from trueref_core.records import Chunk, Generation, PageKind
from trueref_plugin.build.build_plan import BuildPlan, plan_build, refreshed
from trueref_plugin.build.published_vectors import reused_vectors
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter
from trueref_plugin.sidecar import read_sidecar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trueref_core.export.export_files import Export

    Vector = NDArray[np.float32]

LOCK_SECONDS: Final = 60.0
"""How long a build waits for another one before it says so."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a build did. `changed` is False when the same content was served already: then nothing was cut or embedded.

    `site` is the name of the site in the index, which may hold others. `truncated` counts chunks whose end the embedder
    does not read: long code, which is never cut. `refused` holds file and reason. `exported` are the files that were
    written into the site. `unfit` says where the embedder was made for other languages than those of the pages.
    """

    generation: Generation
    changed: bool
    site: str = ""
    embedded: int = 0
    reused: int = 0
    truncated: int = 0
    refused: tuple[tuple[str, str], ...] = ()
    exported: tuple[str, ...] = ()
    unfit: str = ""

    def lines(self, index: Path) -> list[str]:
        """What a person wants to know of the build, a line each."""
        counts, state = self.generation.counts, "published" if self.changed else "unchanged"
        what = f"{counts['pages']} pages, {counts['anchors']} anchors, {counts['chunks']} chunks"
        lines = [f"Index {state} at {index}: {what}, generation {self.generation.id}."]
        if len(self.generation.sites) > 1:
            names = ", ".join(site.name for site in self.generation.sites)
            lines.append(f"It holds {len(self.generation.sites)} sites: {names}. This build was of {self.site}.")
        if self.changed and self.generation.vectors:
            lines.append(f"Embedded {self.embedded} texts, reused {self.reused}.")
        if self.truncated:
            share = self.truncated / max(counts["chunks"], 1)
            lines.append(
                f"The embedder reads only the beginning of {self.truncated} chunks ({share:.1%}), long code as a rule: "
                "what stands at their end is found by its words, and not by its meaning."
            )
        if self.unfit:
            lines.append(self.unfit)
        return lines


# Long by its options: each is passed on as it is.
def index_site(
    site: Path,
    *,
    index: Path,
    base_url: str | None = None,
    name: str | None = None,
    version: str = "",
    language: str = "",
    pages: Path | None = None,
    full: bool = False,
    embedder: str = "bundled",
    exclude: Sequence[str] = (),
    content_selector: str | None = None,
    kinds: Mapping[str, PageKind] | None = None,
    weights: Mapping[str, float] | None = None,
    reuse: str | None = None,
    pdf: Sequence[Path] = (),
    exports: Sequence[Export] | None = None,
    report: Reporter | None = None,
) -> IndexReport:
    """Reads a finished site and publishes what it holds as the served generation of an index.

    Other sites that the index holds stay as they are. Where the plugin of a generator has put the widget's files into
    the site, the generation is noted beside them.

    Args:
        site: Folder with the built HTML.
        index: Folder of the index, made where it is missing.
        base_url: Absolute address of the site's root; None takes it from canonical links.
        name: Name of the site in the index: one that is not there is added. None takes the name that the pages give,
            and replaces the site with the same base URL where the index has no such name.
        version: Version of the documentation; "" takes what each page says.
        language: Language of the pages, such as `de`; "" takes what each page says.
        pages: Sidecar that a plugin wrote, with what only the build knows.
        full: Cut and embed every text again, even where nothing changed.
        embedder: `bundled`, `lexical`, or a fastembed model.
        exclude: Patterns of pages that are never searched or cited.
        content_selector: CSS selector of the element that holds the content.
        kinds: Kinds of pages by pattern of their addresses, such as `handbook/*` to `reference`.
        weights: What is added to the scores of pages, from -1 to 1, by pattern of their addresses, such as
            `internals/*` to -0.2. Weights of all patterns that fit add up.
        reuse: Folder or address of a published index whose vectors are used where this one has none of a text.
        pdf: Folders of PDFs that the site does not publish, to be found and cited too. Those in the site folder are
            read anyway. Needs the extra `pdf`.
        exports: Files to write into the site for other tools; those of an earlier build that are not among them are
            taken back. None leaves those that are there.
        report: Told what happens; None for silence.

    Raises:
        TruerefError: Something a user can mend: see `trueref_core.errors`.
    """
    facts = read_sidecar(pages).by_file() if pages is not None else None
    options = BuildOptions(
        site=site,
        index=index,
        base_url=base_url,
        name=name,
        version=version,
        language=language,
        facts=facts,
        facts_are_whole=facts is not None,
        exclude=tuple(exclude),
        content_selector=content_selector,
        kinds=kinds,
        weights=weights,
        embedder=embedder,
        reuse=reuse,
        pdf=tuple(pdf),
        full=full,
    )
    heard, exported = report or Reporter(), list[str]()

    def finish(done: IndexReport) -> None:
        from trueref_plugin.build.site_assets import note_build

        note_build(site, index, done.site or None, done.generation)
        if exports is not None:
            from trueref_plugin.build.site_exports import write_exports

            exported.extend(write_exports(site, index, exports, heard, done.site))

    return replace(build(options, heard, finish), exported=tuple(exported))


@without_collecting()
def build(
    options: BuildOptions, report: Reporter, finish: Callable[[IndexReport], None] = lambda _: None
) -> IndexReport:
    """One build: read, cut, embed what is new, publish. Of an unchanged site, only files that changed are read.

    Args:
        options: What to build.
        report: Told what happens.
        finish: Called with the report before another build may begin: of two at once, the later one's files stay.
    """
    options = options.checked()
    require_extra("serve", "Building an index")
    line = f"Waiting for another build that writes to the index at {options.index}."
    with build_lock(options.index, LOCK_SECONDS, lambda: report.note(line)):
        try:
            return _finished(options, report, finish)
        except IndexDamaged:
            # Something that the build goes on from is not what was written, though it looks as it did.
            forget(options.index)
            return _finished(options, report, finish)


def _finished(options: BuildOptions, report: Reporter, finish: Callable[[IndexReport], None]) -> IndexReport:
    done = _build(options, report)
    finish(done)
    return done


def _build(options: BuildOptions, report: Reporter) -> IndexReport:
    plan = plan_build(options, report)
    if plan.is_served(vectors=options.embeds):
        assert plan.served is not None
        return IndexReport(
            plan.served,
            changed=False,
            site=plan.content.site.name,
            refused=plan.content.refused,
            unfit=plan.unfit,
        )
    embedder = load_embedder(options.embedder)
    known: dict[str, Vector] = {}
    done = embed_and_publish(plan, make(plan, embedder, known, report), embedder, known, report)
    assert done is not None
    return done


@dataclass(frozen=True, slots=True)
class Made:
    """What is to be published, and the texts in it that have no vector yet, by text hash."""

    content: IndexContent
    missing: dict[str, str]


def make(plan: BuildPlan, embedder: Embedder | None, known: dict[str, Vector], report: Reporter) -> Made:
    """Cuts the pages that changed, and finds the texts that were never embedded.

    Args:
        plan: What was read.
        embedder: The one that the options name; None makes a generation that answers by full text only.
        known: Vectors by text hash; those that the served generation has of these texts are added.
        report: Told what happens.
    """
    # An unchanged build, which comes most often, cuts nothing.
    from trueref_plugin.build.generation_content import make_content

    content = make_content(plan, embedder, report)
    if embedder is None:
        return Made(content, {})
    texts = {chunk.text_hash: chunk.embedded_text for chunk in content.chunks}
    known |= known_vectors(plan, embedder, texts.keys() - known.keys())
    if plan.options.reuse and not plan.options.full:
        missing = texts.keys() - known.keys()
        known |= reused_vectors(plan.options.reuse, embedder.name, embedder.dimensions, missing, report)
    return Made(content, {text_hash: text for text_hash, text in texts.items() if text_hash not in known})


def embed_and_publish(
    plan: BuildPlan,
    made: Made,
    embedder: Embedder | None,
    known: dict[str, Vector],
    report: Reporter,
    is_wanted: Callable[[], bool] = lambda: True,
) -> IndexReport | None:
    """Embeds the texts that are new, and publishes a whole generation.

    Args:
        plan: What was read.
        made: What `make` made of it with the same embedder.
        embedder: See `make`.
        known: Vectors by text hash. New ones are added, also when the work is broken off.
        report: Told what happens.
        is_wanted: Asked after each text; the first False breaks the work off.

    Returns:
        The report, or None where the work was broken off.
    """
    if embedder is not None and not _embed(made.missing, embedder, known, report, is_wanted):
        return None
    with build_lock(plan.options.index, LOCK_SECONDS):
        # Asked under the lock: a newer build that found nothing to do has found this one's work undone.
        if not is_wanted():
            return None
        content = _beside_others(plan, made, embedder, known, report)
        if embedder is not None:
            content = replace(content, vectors=known)
        published = publish(plan.options.index, content, rewrite=plan.options.full)
    return _report(plan, made, content, published, embedder)


def _report(
    plan: BuildPlan, made: Made, content: IndexContent, published: Published, embedder: Embedder | None
) -> IndexReport:
    site = plan.content.site.name
    chunks = sum(document.chunk_count for document in content.documents if document.site == site)
    return IndexReport(
        published.generation,
        published.changed,
        site=site,
        embedded=len(made.missing),
        reused=chunks - len(made.missing),
        truncated=_truncated(content.chunks, embedder),
        refused=plan.content.refused,
        unfit=plan.unfit,
    )


def _beside_others(
    plan: BuildPlan, made: Made, embedder: Embedder | None, known: dict[str, Vector], report: Reporter
) -> IndexContent:
    """What is published beside the sites that the index holds now. The lock of the index is held."""
    now = refreshed(plan)
    if now is plan:
        return made.content
    # Another build has added, changed or dropped a site meanwhile.
    again = make(now, embedder, known, report)
    if embedder is not None:
        # Where this site was dropped, the vectors of its pages that did not change went with it.
        _embed(again.missing, embedder, known, report, lambda: True)
    return again.content


def known_vectors(plan: BuildPlan, embedder: Embedder, text_hashes: Collection[str]) -> dict[str, Vector]:
    """The vectors that the served generation has of some texts, by text hash. Raises `IndexDamaged`."""
    served = None if plan.options.full else plan.served
    if served is None or not served.vectors or served.embedder != embedder.name or not text_hashes:
        return {}
    return verified_vectors(build_folder(plan.options.index, served.id), text_hashes)


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


def _truncated(chunks: Iterable[Chunk], embedder: Embedder | None) -> int:
    if embedder is None:
        return 0
    from trueref_plugin.cutting.run import wordpieces_at_most

    texts = (chunk.embedded_text for chunk in chunks)
    long = (text for text in texts if wordpieces_at_most(text) > embedder.max_tokens)
    return sum(embedder.count_tokens(text) > embedder.max_tokens for text in long)
