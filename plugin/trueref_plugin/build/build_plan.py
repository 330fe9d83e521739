"""What a build begins with: the site as read, and what is served while it is made into a generation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trueref_core.embedding.embedder import resolve_embedder_name
from trueref_core.embedding.model_languages import unfit_line
from trueref_core.errors import IndexFault, IndexMissing
from trueref_core.garbage_collection import without_collecting
from trueref_core.generations.publication import read_generation, read_intact, read_manifest
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Generation, Site
from trueref_plugin.build.other_sites import check_fits, find_neighbours, lines_of, warn_of_lost
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter
from trueref_plugin.site.site_reader import SiteContent, read_site


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """What was read, and what is served. `neighbours` are the other sites of the index, which stay as they are."""

    options: BuildOptions
    content: SiteContent
    served: Generation | None
    earlier: Manifest | None
    neighbours: tuple[Site, ...] = ()

    @property
    def unfit(self) -> str:
        """One line where the embedder was made for other languages than those of the pages, else ""."""
        return unfit_line(resolve_embedder_name(self.options.embedder), self.content.pages)

    def is_served(self, *, vectors: bool) -> bool:
        """Whether what was read is what is served already, with or without vectors."""
        # The site's digest covers pages, anchors, blocks, options and versions: equal digests have equal chunks.
        return (
            self.served is not None
            and not self.options.full
            and set(self.served.sites) == {self.content.site, *self.neighbours}
            and self.served.embedder == resolve_embedder_name(self.options.embedder)
            and self.served.vectors is vectors
        )

    @property
    def may_go_without_vectors(self) -> bool:
        """Whether full text may be published before vectors are there: a generation has those of all sites or none."""
        return not self.neighbours or not self.options.embeds


@without_collecting()
def plan_build(options: BuildOptions, report: Reporter) -> BuildPlan:
    """Reads the site, and what is served.

    Raises:
        OptionError: The build does not go with the other sites of the index.
        SiteError: The site cannot be read.
    """
    earlier = _manifest(options, report)
    content = read_site(options, report, earlier)
    served = _served(options.index)
    held = served.sites if served else ()
    neighbours = _neighbours(options, content, held)
    check_fits(neighbours, served, options)
    for is_warning, line in lines_of(content.site, neighbours, held):
        (report.warn if is_warning else report.note)(line)
    if served is None and (lost := warn_of_lost(options.index, content.site.name)):
        report.warn(lost)
    return BuildPlan(options, content, served, earlier, neighbours)


def refreshed(plan: BuildPlan) -> BuildPlan:
    """The plan beside the sites that the index holds now: another build may have published since it was made.

    The same plan where they are the ones it was made beside. The lock of the index is held.

    Raises:
        OptionError: The build does not go with the other sites of the index any more.
    """
    try:
        held = read_generation(plan.options.index).sites
    except IndexFault:
        # What the plan goes on from has its own folder.
        return plan
    if _neighbours(plan.options, plan.content, held) == plan.neighbours:
        return plan
    served = _served(plan.options.index)
    neighbours = _neighbours(plan.options, plan.content, served.sites if served else ())
    check_fits(neighbours, served, plan.options)
    earlier = read_manifest(plan.options.index) if served else None
    return replace(plan, served=served, earlier=earlier, neighbours=neighbours)


def _neighbours(options: BuildOptions, content: SiteContent, held: Sequence[Site]) -> tuple[Site, ...]:
    return find_neighbours(content.site, held, is_named=options.name is not None)


def _manifest(options: BuildOptions, report: Reporter) -> Manifest | None:
    """What is served, for what an earlier build said of pages: a page that it hid stays hidden."""
    try:
        return read_manifest(options.index)
    except IndexMissing:
        return None
    except IndexFault as error:
        if options.facts is None:
            report.warn(f"Which pages an earlier build hid cannot be read: {error} Name them again with --pages.")
        return None


def _served(index: Path) -> Generation | None:
    try:
        return read_intact(index)
    except IndexFault:
        return None
