"""What a build begins with: the site as read, and what is served while it is made into a generation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trueref_core.embedding.embedder import resolve_embedder_name
from trueref_core.embedding.model_languages import unfit_line
from trueref_core.errors import IndexFault, IndexMissing
from trueref_core.generations.publication import read_generation, read_intact, read_manifest, recipe
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Generation, Site
from trueref_plugin.build.other_sites import check_fits, find_neighbours, lines_of, warn_of_lost
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter
from trueref_plugin.site.site_reader import SiteContent


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """What was read, and what is served. `neighbours` are the other sites of the index, which stay as they are."""

    options: BuildOptions
    site: SiteContent
    served: Generation | None
    earlier: Manifest | None
    neighbours: tuple[Site, ...] = ()

    @property
    def unfit(self) -> str:
        """One line where the embedder was made for other languages than those of the pages, else ""."""
        return unfit_line(resolve_embedder_name(self.options.embedder), self.site.pages)

    def is_served(self, *, vectors: bool) -> bool:
        """Whether what was read is what is served already, with or without vectors."""
        # The site's digest covers pages, anchors, blocks, options and versions: equal digests have equal chunks.
        return (
            self.served is not None
            and not self.options.full
            and set(self.served.sites) == {self.site.site, *self.neighbours}
            and self.served.embedder == resolve_embedder_name(self.options.embedder)
            and self.served.vectors is vectors
        )

    def recipe(self, *, vectors: bool) -> str:
        """The digest of everything that shapes the pages of this site besides their files."""
        return recipe(self.site.fingerprint, resolve_embedder_name(self.options.embedder), vectors=vectors)

    @property
    def may_go_without_vectors(self) -> bool:
        """Whether full text may be published before vectors are there: a generation has those of all sites or none."""
        return not self.neighbours or not self.options.embeds


def read_served_manifest(options: BuildOptions, report: Reporter) -> Manifest | None:
    """What is served, for what an earlier build said of pages: a page that it hid stays hidden."""
    try:
        return read_manifest(options.index)
    except IndexMissing:
        return None
    except IndexFault as error:
        if options.facts is None:
            report.warn(f"Which pages an earlier build hid cannot be read: {error} Name them again with --pages.")
        return None


def compare(options: BuildOptions, site: SiteContent, earlier: Manifest | None, report: Reporter) -> BuildPlan:
    """Puts a site as read beside what is served: its own generation, and the other sites of the index.

    Args:
        options: What to build.
        site: The site as read.
        earlier: The manifest of what is served, as the site was read with it.
        report: Takes notes and warnings about the other sites.

    Raises:
        OptionError: The build does not go with the other sites of the index.
    """
    served = _served(options.index)
    indexed = served.sites if served else ()
    neighbours = _neighbours(options, site, indexed)
    check_fits(neighbours, served, options)
    for is_warning, line in lines_of(site.site, neighbours, indexed):
        (report.warn if is_warning else report.note)(line)
    if served is None and (lost := warn_of_lost(options.index, site.site.name)):
        report.warn(lost)
    return BuildPlan(options, site, served, earlier, neighbours)


def refreshed(plan: BuildPlan) -> BuildPlan:
    """The plan beside the sites that the index holds now: another build may have published since it was made.

    The same plan where they are the ones it was made beside. The lock of the index is held.

    Raises:
        OptionError: The build does not go with the other sites of the index any more.
    """
    try:
        indexed = read_generation(plan.options.index).sites
    except IndexFault:
        # `current.json` is damaged or gone. What the plan goes on from has a folder of its own, which is still there.
        return plan
    if _neighbours(plan.options, plan.site, indexed) == plan.neighbours:
        return plan
    served = _served(plan.options.index)
    neighbours = _neighbours(plan.options, plan.site, served.sites if served else ())
    check_fits(neighbours, served, plan.options)
    earlier = read_manifest(plan.options.index) if served else None
    return replace(plan, served=served, earlier=earlier, neighbours=neighbours)


def _neighbours(options: BuildOptions, site: SiteContent, indexed: Sequence[Site]) -> tuple[Site, ...]:
    """The other sites of the index that stay beside the one that is built."""
    return find_neighbours(site.site, indexed, is_named=options.name is not None)


def _served(index: Path) -> Generation | None:
    """The served generation, where it is whole. A damaged one is as none: everything is made anew."""
    try:
        return read_intact(index)
    except IndexFault:
        return None
