"""The other sites of an index: which are kept when one site is built, and what they require of that build."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from trueref_core.embedding.embedder import resolve_embedder_name
from trueref_core.errors import IndexDamaged, IndexFault, OptionError
from trueref_core.generations.served_generation import build_folder
from trueref_core.records import Generation, Site
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter


class _NamedSite(msgspec.Struct):
    name: str


class _SiteNames(msgspec.Struct):
    """The part of `generation.json` that can still be read if another version of the program wrote the file."""

    sites: tuple[_NamedSite, ...]


def find_neighbours(site: Site, indexed_sites: Sequence[Site], options: BuildOptions) -> tuple[Site, ...]:
    """The sites of an index that are kept when a site is built.

    A name that is not in the index adds a site. But if the options give no name, the name is the title of the pages,
    and a title that is not in the index may be the new title of a site that is. Then that site is replaced: the one
    with the same base URL, or the only site of the index if neither has a base URL.

    Args:
        site: The site that is built.
        indexed_sites: The sites of the index.
        options: The options of the build, which may give a name.
    """
    other_sites = tuple(other for other in indexed_sites if other.name != site.name)
    if options.name is not None or len(other_sites) != len(indexed_sites):
        return other_sites
    same_address = [other for other in other_sites if other.base_url == site.base_url]
    if len(same_address) == 1 and (site.base_url is not None or len(other_sites) == 1):
        return tuple(other for other in other_sites if other != same_address[0])
    return other_sites


def check_fits(neighbours: Sequence[Site], served: Generation | None, options: BuildOptions) -> None:
    """Refuses a build if its vectors could not be compared with those of the other sites.

    Raises:
        OptionError: The other sites have another embedder, or have no vectors yet.
    """
    if not neighbours or served is None:
        return
    if served.embedder != resolve_embedder_name(options.embedder):
        option = "bundled" if served.embedder == resolve_embedder_name("bundled") else served.embedder
        raise OptionError(
            f"The index holds {in_words(neighbours)}, made with the embedder {option!r}, and all sites of an index "
            f"have the same. Use {option!r} for this site too, or another index."
        )
    if options.embeds and not served.vectors:
        raise OptionError(
            f"The index holds {in_words(neighbours)} without vectors, because a preview has not made them yet. "
            f"Build {in_words(neighbours)} first."
        )


def report_other_sites(site: Site, neighbours: Sequence[Site], indexed_sites: Sequence[Site], report: Reporter) -> None:
    """Notes and warnings about the other sites of the index."""
    replaced = [other for other in indexed_sites if other.name != site.name and other not in neighbours]
    if replaced:
        report.warn(
            f"The index held the site {replaced[0].name!r}; it is replaced by {site.name!r}. Give a name to have both."
        )
    is_new = all(other.name != site.name for other in indexed_sites)
    if neighbours and is_new and not replaced:
        report.note(f"The site {site.name!r} is added to the index, which holds {in_words(neighbours)}.")
    same_address = [other for other in neighbours if other.base_url is not None and other.base_url == site.base_url]
    if same_address:
        report.warn(
            f"The sites {site.name!r} and {same_address[0].name!r} have the same address {site.base_url}, so that "
            "links cannot tell them apart. Give each its base URL, or drop one: "
            f"`trueref index --drop {same_address[0].name}`."
        )


def lost_sites_warning(index: Path, site: str) -> str | None:
    """A warning that the other sites of a damaged index are lost; None if it held no others."""
    try:
        generation_file = (build_folder(index) / "generation.json").read_bytes()
        site_names = msgspec.json.decode(generation_file, type=_SiteNames)
        lost_sites = [lost for lost in site_names.sites if lost.name != site]
    except (IndexFault, OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    if not lost_sites:
        return None
    # The names come from a damaged file: they are only shown, and decide nothing.
    return f"The index cannot be used, so {in_words(lost_sites)} in it cannot be kept. Build each lost site again."


def unreadable_sites(neighbours: Sequence[Site]) -> IndexDamaged:
    """The error to raise if the content of the other sites cannot be read, and so cannot be kept."""
    return IndexDamaged(f"The index is damaged: its data of {in_words(neighbours)} cannot be read. Build again.")


def in_words(sites: Sequence[Site | _NamedSite]) -> str:
    """Sites in words: "the sites 'a', 'b'"."""
    return f"the site{'s' if len(sites) > 1 else ''} {', '.join(repr(site.name) for site in sites)}"
