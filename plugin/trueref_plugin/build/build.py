"""Builds an index in six stages: read, compare, cut, embed, publish, export. `_build` runs them in this order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.embedding.embedder import Embedder, load_embedder
from trueref_core.errors import IndexDamaged
from trueref_core.extras import require_extra
from trueref_core.garbage_collection import without_garbage_collection
from trueref_core.generations.content import IndexContent
from trueref_core.generations.publication import PublicationResult, build_lock, publish
from trueref_core.generations.updating import marked_as_updating
from trueref_core.records import Generation, PageKind
from trueref_core.storage.integrity_cache import delete_cache
from trueref_plugin.build.build_plan import BuildPlan, compare, read_served_manifest
from trueref_plugin.build.chunk_vectors import ChunkVectors, count_truncated, embed, look_up_vectors
from trueref_plugin.build.incremental import compare_pages
from trueref_plugin.options import BuildOptions, check_server_url
from trueref_plugin.progress import Reporter
from trueref_plugin.sidecar import read_sidecar
from trueref_plugin.site.site_reader import read_site

if TYPE_CHECKING:
    from trueref_core.export.export_files import Export

LOCK_SECONDS: Final = 60.0
"""How long a build waits until another build releases the lock. A preview holds the lock for a few seconds only, so
waiting helps. The first build of a large site holds it for longer: then the waiting build fails, because somebody
should find out why two builds run at once."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a build did.

    Attributes:
        generation: The generation that is served after the build.
        changed: False if the same content was already served: then nothing was cut or embedded.
        site: Name of the site in the index, which may hold other sites too.
        embedded: How many texts got a vector in this build.
        reused: How many chunks of the site did not need a text to be embedded in this build: their vector existed
            already, or another chunk has the same text. Without an embedder these are all chunks of the site.
        truncated: How many chunks are longer than what the embedder reads. These are long blocks of code, which are
            never cut.
        refused: For each file that was left out: its path and the reason.
        exported: The files that were written into the site.
        unfit: A warning if the embedder was not trained on the languages of the pages, else "".
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
        """The report as lines for a person."""
        counts, state = self.generation.counts, "published" if self.changed else "unchanged"
        contents = f"{counts['pages']} pages, {counts['anchors']} anchors, {counts['chunks']} chunks"
        lines = [f"Index {state} at {index}: {contents}, generation {self.generation.id}."]
        if len(self.generation.sites) > 1:
            names = ", ".join(site.name for site in self.generation.sites)
            lines.append(f"It holds {len(self.generation.sites)} sites: {names}. This build was of {self.site}.")
        # An unchanged build embedded nothing, so a line with two zeros would only be noise.
        if self.changed and self.generation.vectors:
            lines.append(f"Embedded {self.embedded} texts, reused {self.reused}.")
        if self.truncated:
            share = self.truncated / max(counts["chunks"], 1)
            lines.append(
                f"The embedder reads only the beginning of {self.truncated} chunks ({share:.1%}), mostly of long code. "
                "The rest of these chunks is found by its words, and not by its meaning."
            )
        if self.unfit:
            lines.append(self.unfit)
        return lines


# This function is long because each option is a parameter, with its documentation.
def index_site(
    site: Path | str,
    *,
    index: Path | str,
    base_url: str | None = None,
    name: str | None = None,
    version: str = "",
    language: str = "",
    pages: Path | str | None = None,
    full: bool = False,
    embedder: str = "bundled",
    exclude: Sequence[str] = (),
    content_selector: str | None = None,
    kinds: Mapping[str, PageKind] | None = None,
    weights: Mapping[str, float] | None = None,
    reuse: str | None = None,
    pdf: Sequence[Path | str] = (),
    exports: Sequence[Export] | None = None,
    widget: str | None = None,
    report: Reporter | None = None,
) -> IndexReport:
    """Reads a finished site and publishes its content as the served generation of an index.

    The other sites of the index stay unchanged. If the plugin of a generator has put the widget's files into the site,
    the id of the generation is written beside them.

    Args:
        site: Folder with the built HTML.
        index: Folder of the index, made if it is missing.
        base_url: Absolute address of the site's root; None takes it from canonical links.
        name: Name of the site in the index. A name that the index does not have yet adds a site. None takes the name
            from the pages; if the index does not have that name, the site with the same base URL is replaced.
        version: Version of the documentation; "" takes the version that each page names.
        language: Language of the pages, such as `de`; "" takes the language that each page names.
        pages: The sidecar: a JSON file in which the plugin of a generator wrote what the HTML does not show.
        full: Cut and embed every text again, even if nothing changed.
        embedder: `bundled`, `lexical`, or a fastembed model.
        exclude: Patterns of pages that are never searched or cited.
        content_selector: CSS selector of the element that holds the content.
        kinds: Kinds of pages by pattern of their addresses, such as `handbook/*` to `reference`.
        weights: What is added to the scores of pages, from -1 to 1, by pattern of their addresses, such as
            `internals/*` to -0.2. The weights of all patterns that match a page are added up.
        reuse: Folder or address of a published index. A text without a vector in this index takes its vector from there
            instead of being embedded.
        pdf: Folders of PDFs to index that the site does not publish. PDFs in the site folder are always indexed. Needs
            the extra `pdf`.
        exports: Kinds of files to write into the site for other tools. Files of other kinds that an earlier build wrote
            are deleted. None leaves all files of an earlier build in place.
        widget: Address of the server that the widget asks. The widget is put on every page of the site. With `none` the
            widget searches files beside the pages, which this build writes. None leaves the pages unchanged.
        report: Receives progress, notes and warnings; None discards them.

    Raises:
        TruerefError: An error that a user can correct: see `trueref_core.errors`.
    """
    # A sidecar lists every page of the site, so its facts are complete and none is taken over from an earlier build.
    facts = read_sidecar(Path(pages)) if pages is not None else None
    options = BuildOptions(
        site=Path(site),
        index=Path(index),
        base_url=base_url,
        name=name,
        version=version,
        language=language,
        facts=facts,
        facts_are_complete=facts is not None,
        exclude=tuple(exclude),
        content_selector=content_selector,
        kinds=kinds,
        weights=weights,
        embedder=embedder,
        reuse=reuse,
        pdf=tuple(map(Path, pdf)),
        full=full,
    )
    reporter = report or Reporter()
    if widget is not None:
        # Before the pages are read, so that the index is made of the bytes that are deployed.
        options, exports = _with_widget(options, widget, exports, reporter)

    def export(index_report: IndexReport) -> Sequence[str]:
        return _write_exports(options, exports, index_report, reporter)

    return build(options, reporter, export)


def _with_widget(
    options: BuildOptions, widget: str, exports: Sequence[Export] | None, report: Reporter
) -> tuple[BuildOptions, Sequence[Export] | None]:
    """Puts the widget on the pages of a site. Returns the checked options, and the exports that the widget needs.

    Without a server the widget searches files beside the pages, and only the export `search` writes them.
    """
    from trueref_plugin.build.widget_pages import NO_SERVER, put_widget_on_pages

    base_url = options.base_url
    # The address is one of the options: a wrong one is named together with the other problems.
    options = options.checked(*([] if widget == NO_SERVER else [partial(check_server_url, widget)]))
    report.note(put_widget_on_pages(options.site, widget, base_url))
    return options, [*dict.fromkeys([*(exports or ()), "search"])] if widget == NO_SERVER else exports


def _write_exports(
    options: BuildOptions, exports: Sequence[Export] | None, index_report: IndexReport, report: Reporter
) -> Sequence[str]:
    """Writes the files of the widget and the exports of a published build, and returns the paths of the exports.

    None leaves the exports of an earlier build as they are; an empty list deletes them.
    """
    # Imported here and below, because only some builds need them, and a build without changes should be fast.
    from trueref_plugin.build.site_assets import note_build

    note_build(options.site, options.index, index_report.site or None, index_report.generation)
    if exports is None:
        return ()
    from trueref_plugin.build.site_exports import write_exports

    return write_exports(options.site, options.index, exports, report, index_report.site)


@without_garbage_collection()
def build(
    options: BuildOptions, report: Reporter, export: Callable[[IndexReport], Sequence[str]] = lambda _report: ()
) -> IndexReport:
    """Builds the index of a site: reads its files, publishes a generation, and writes the exports.

    Args:
        options: What to build.
        report: Receives progress, notes and warnings.
        export: Writes files into the site and returns their paths. Its argument says what was published. It is called
            before the lock is released, so that of two builds at the same time the later one writes last.

    Raises:
        TruerefError: An error that a user can correct: see `trueref_core.errors`.
    """
    # Checked before the lock is taken, so that a wrong option is reported at once and not after waiting.
    options = options.checked()
    require_extra("serve", "Building an index")
    waiting_note = f"Waiting for another build that writes to the index at {options.index}."
    # The lock is held from the first read on: the generation that the site is compared with must still be the served
    # one when the result is published.
    with build_lock(options.index, LOCK_SECONDS, lambda: report.note(waiting_note)):
        try:
            return _build(options, report, export)
        except IndexDamaged:
            # The integrity cache trusts a file whose size and time are unchanged. On a failing disk such a file can
            # still be damaged. Without the cache all files are compared with their checksums, and damaged ones are
            # made again.
            delete_cache(options.index)
            return _build(options, report, export)


def _build(options: BuildOptions, report: Reporter, export: Callable[[IndexReport], Sequence[str]]) -> IndexReport:
    """The stages of a build in their order. Each takes the values that the stages before it returned."""
    # Read. The manifest comes first: it lists the pages that an earlier build hid; otherwise only a sidecar does.
    earlier = read_served_manifest(options, report)
    site = read_site(options, report, earlier)

    # Compare. Most builds end here: nothing is cut, and no library of tables or vectors is imported.
    plan = compare(options, site, earlier, report)
    if plan.is_served(vectors=options.embeds):
        index_report = unchanged_report(plan)
        return replace(index_report, exported=tuple(export(index_report)))

    # From here on the server tells readers that the latest changes may be missing from an answer.
    with marked_as_updating(options.index):
        # Cut. The embedder counts wordpieces, so that chunks fit into what it reads of a text.
        embedder = load_embedder(options.embedder)
        content = cut(plan, embedder, report)

        # Embed what has no vector yet.
        vectors = ChunkVectors({}, {})
        if embedder is not None:
            vectors = look_up_vectors(plan, content.chunks, embedder, {}, report)
            content = replace(content, vectors={**vectors.existing, **dict(embed(vectors.missing, embedder, report))})

        # Publish.
        published = publish(options.index, content, rewrite=options.full)
    index_report = report_of(plan, content, published, embedder, embedded=len(vectors.missing))

    # Export. Last, because exports are made from the served generation.
    return replace(index_report, exported=tuple(export(index_report)))


def cut(plan: BuildPlan, embedder: Embedder | None, report: Reporter) -> IndexContent:
    """Compares the site page by page, cuts the changed pages, and makes the content to publish, without vectors.

    Args:
        plan: The site as read, and the served generation.
        embedder: Counts wordpieces; None makes a generation that answers by full text only.
        report: Receives the progress of cutting.
    """
    # Most builds change nothing and end before this function: they should not wait for these imports.
    from trueref_plugin.build.generation_content import cut_pages, make_content

    changes = compare_pages(plan, vectors=embedder is not None)
    chunks = cut_pages(plan.site, changes, embedder, report)
    return make_content(plan, changes, chunks, embedder)


def unchanged_report(plan: BuildPlan) -> IndexReport:
    """The report of a build whose content was already served."""
    assert plan.served is not None
    return IndexReport(
        plan.served, changed=False, site=plan.site.site.name, refused=plan.site.refused, unfit=plan.language_warning
    )


def report_of(
    plan: BuildPlan, content: IndexContent, published: PublicationResult, embedder: Embedder | None, *, embedded: int
) -> IndexReport:
    """The report of a build that published. `embedded` counts the texts that had no vector before."""
    name = plan.site.site.name
    # Only the chunks of this site count: those of other sites were neither embedded nor looked up in this build.
    chunks = sum(document.chunk_count for document in content.documents if document.site == name)
    return IndexReport(
        published.generation,
        published.changed,
        site=name,
        embedded=embedded,
        reused=chunks - embedded,
        truncated=count_truncated(content.chunks, embedder) if embedder is not None else 0,
        refused=plan.site.refused,
        unfit=plan.language_warning,
    )
