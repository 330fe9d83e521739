"""Removes one site from an index. The others stay as they are: none of their pages is read or embedded again."""

from __future__ import annotations

from pathlib import Path

from trueref_core.errors import OptionError
from trueref_core.generations.content import IndexContent
from trueref_core.generations.publication import build_lock, publish
from trueref_core.generations.served_generation import read_intact, read_manifest
from trueref_core.records import Generation, Site
from trueref_plugin.build.build import LOCK_SECONDS
from trueref_plugin.build.incremental import Earlier, read_earlier
from trueref_plugin.build.other_sites import unreadable
from trueref_plugin.files.read_cache import forget_site


def drop_site(index: Path, name: str) -> Generation:
    """Publishes a generation without a site. Its history goes with it.

    Args:
        index: Folder of the index.
        name: Name of the site.

    Returns:
        The generation.

    Raises:
        OptionError: The index holds no such site, or only this one.
        IndexFault: The index cannot be read.
    """
    with build_lock(index, LOCK_SECONDS):
        generation = read_intact(index)
        remaining = _remaining_sites(generation, name, index)
        earlier = read_earlier(index, generation, read_manifest(index))
        # The files of the other sites are not here, so a damaged index cannot be made again without them.
        if earlier is None:
            raise unreadable(remaining)
        published = publish(index, _without(earlier, remaining))
        # Only builds of a site delete its rows in the cache. This site will have no more builds.
        forget_site(index, name)
        return published.generation


def _remaining_sites(generation: Generation, name: str, index: Path) -> tuple[Site, ...]:
    """The sites of a generation without the named one. Raises `OptionError` if it has no such site or no other."""
    remaining = tuple(site for site in generation.sites if site.name != name)
    if len(remaining) == len(generation.sites):
        names = ", ".join(repr(site.name) for site in remaining)
        raise OptionError(f"The index holds no site {name!r}. It holds: {names}.")
    if not remaining:
        raise OptionError(f"{name!r} is the only site of the index. Delete the folder {index} instead.")
    return remaining


def _without(earlier: Earlier, sites: tuple[Site, ...]) -> IndexContent:
    """The content of a generation that only keeps pages of the one before it."""
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
