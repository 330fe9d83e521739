"""The plan of a build: the site as read, and the generation that is served while the build runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trueref_core.embedding.embedder import resolve_embedder_name
from trueref_core.embedding.model_languages import untrained_language_warning
from trueref_core.errors import REBUILD, IndexFault, IndexMissing
from trueref_core.generations.content import recipe
from trueref_core.generations.served_generation import read_generation, read_intact, read_manifest
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Generation, Site
from trueref_plugin.build.other_sites import check_fits, find_neighbours, lost_sites_warning, report_other_sites
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter
from trueref_plugin.site.site_reader import SiteContent


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """The site as read, and the generation that is served now.

    `earlier` is the manifest of the served generation. `neighbours` are the other sites of the index, which this build
    does not change.
    """

    options: BuildOptions
    site: SiteContent
    served: Generation | None
    earlier: Manifest | None
    neighbours: tuple[Site, ...] = ()

    @property
    def language_warning(self) -> str:
        """A warning if the embedder was not trained on the languages of the pages, else ""."""
        return untrained_language_warning(resolve_embedder_name(self.options.embedder), self.site.pages)

    def is_served(self, *, vectors: bool) -> bool:
        """Whether the served generation already has this content, with or without vectors."""
        # The site's digest covers pages, anchors, blocks, options and versions: equal digests have equal chunks.
        return (
            self.served is not None
            and not self.options.full
            # A site that is in the index and not among the neighbours is replaced by this one, which is a change.
            and set(self.served.sites) == {self.site.site, *self.neighbours}
            and self.served.embedder == resolve_embedder_name(self.options.embedder)
            and self.served.vectors is vectors
        )

    def recipe(self, *, vectors: bool) -> str:
        """The digest of everything that shapes the pages of this site besides their files."""
        return recipe(self.site.fingerprint, resolve_embedder_name(self.options.embedder), vectors=vectors)

    @property
    def may_go_without_vectors(self) -> bool:
        """Whether a generation without vectors may be published before the vectors are made.

        A generation has vectors for all of its sites or for none, so the other sites would lose theirs.
        """
        return not self.neighbours or not self.options.embeds


def read_served_manifest(options: BuildOptions, report: Reporter) -> Manifest | None:
    """The manifest of the served generation, or None. It names the pages that an earlier build hid."""
    try:
        return read_manifest(options.index)
    except IndexMissing:
        return None
    except IndexFault as error:
        # A build with facts of its own does not need the earlier ones, so it needs no warning.
        if options.facts is None:
            # The index is being built again already.
            reason = str(error).removesuffix(REBUILD).rstrip()
            report.warn(f"Which pages an earlier build hid cannot be read: {reason} Name them again with --pages.")
        return None


def compare(options: BuildOptions, site: SiteContent, earlier: Manifest | None, report: Reporter) -> BuildPlan:
    """Makes the plan: looks up the served generation, and checks that the site fits the other sites of the index.

    Args:
        options: What to build.
        site: The site as read.
        earlier: The manifest of the served generation, which was used to read the site.
        report: Receives notes and warnings about the other sites.

    Raises:
        OptionError: The options do not fit the other sites of the index.
    """
    served = _served(options.index)
    indexed_sites = served.sites if served else ()
    neighbours = find_neighbours(site.site, indexed_sites, options)
    # Checked now and not when publishing, so that an error comes before the slow stages.
    check_fits(neighbours, served, options)
    report_other_sites(site.site, neighbours, indexed_sites, report)
    if served is None and (warning := lost_sites_warning(options.index, site.site.name)):
        report.warn(warning)
    return BuildPlan(options, site, served, earlier, neighbours)


def refreshed(plan: BuildPlan) -> BuildPlan:
    """The plan with the current other sites of the index: another build may have published since it was made.

    It is the same object if those sites did not change. The caller has to hold the lock of the index.

    Raises:
        OptionError: The options do not fit the current other sites of the index.
    """
    try:
        indexed_sites = read_generation(plan.options.index).sites
    except IndexFault:
        # `current.json` is damaged or gone. The folder of the generation that the plan builds on is still there, so the
        # plan stays valid.
        return plan
    if find_neighbours(plan.site.site, indexed_sites, plan.options) == plan.neighbours:
        return plan
    silent = Reporter()
    return compare(plan.options, plan.site, read_served_manifest(plan.options, silent), silent)


def _served(index: Path) -> Generation | None:
    """The served generation; None if there is none, or if it is damaged, so that everything is made again."""
    try:
        return read_intact(index)
    except IndexFault:
        return None
