"""Removes one site from an index. The other sites stay unchanged: none of their pages is read or embedded again."""

from __future__ import annotations

from pathlib import Path

from trueref_core.errors import OptionError, unknown_site
from trueref_core.generations.content import IndexContent
from trueref_core.generations.publication import build_lock, publish
from trueref_core.generations.served_generation import read_generation, read_intact, read_manifest
from trueref_core.records import Generation, Site
from trueref_plugin.build.build import LOCK_SECONDS
from trueref_plugin.build.incremental import EarlierGeneration, read_earlier
from trueref_plugin.build.other_sites import unreadable_sites
from trueref_plugin.files.read_cache import forget_site


def drop_site(index: Path, name: str) -> Generation:
    """Publishes a generation without one of its sites. The history of that site is removed too.

    Args:
        index: Folder of the index.
        name: Name of the site.

    Returns:
        The published generation.

    Raises:
        OptionError: The index holds no such site, or no other site.
        IndexFault: The index cannot be read.
    """
    # The lock makes the folder of an index, which is not to appear where there is none.
    read_generation(index)
    with build_lock(index, LOCK_SECONDS):
        generation = read_intact(index)
        remaining = _remaining_sites(generation, name, index)
        earlier = read_earlier(index, generation, read_manifest(index))
        # The other sites cannot be read again, because their files are not here: a damaged index is an error.
        if earlier is None:
            raise unreadable_sites(remaining)
        published = publish(index, _content_of_sites(earlier, remaining))
        # The cache of read pages only loses rows of a site when the site is built, which will not happen again.
        forget_site(index, name)
        return published.generation


def _remaining_sites(generation: Generation, name: str, index: Path) -> tuple[Site, ...]:
    """The sites of a generation without the named one. Raises `OptionError` if it has no such site or no other."""
    remaining = tuple(site for site in generation.sites if site.name != name)
    if len(remaining) == len(generation.sites):
        raise unknown_site(name, (site.name for site in remaining))
    if not remaining:
        raise OptionError(f"{name!r} is the only site of the index. Delete the folder {index} instead.")
    return remaining


def _content_of_sites(earlier: EarlierGeneration, sites: tuple[Site, ...]) -> IndexContent:
    """The content of a generation that keeps the pages of some sites and has no new pages."""
    names, generation = {site.name for site in sites}, earlier.generation
    rows = earlier.rows_of(names)
    return IndexContent(
        sites=sites,
        pages=rows.pages,
        anchors=(),
        chunks=(),
        links=(),
        documents=rows.documents,
        recipes=rows.recipes,
        embedder=generation.embedder,
        dimensions=generation.dimensions,
        vectors={} if generation.vectors else None,
        kept=earlier.kept(set(), names),
    )
