"""The other sites of an index: which of them stay when one site is built, and what that build must have in common."""

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
    """As much of `generation.json` as can still be read if the rest of it is from another version."""

    sites: tuple[_NamedSite, ...]


def find_neighbours(site: Site, indexed: Sequence[Site], options: BuildOptions) -> tuple[Site, ...]:
    """The sites of an index that stay beside the one that is built.

    A name that the index does not hold is that of a new site. But a name that nobody chose is the title of the pages,
    and may be the new title of a site that is in the index: of the one with the same address, or of the only site if
    neither has an address. That site is replaced.

    Args:
        site: The site that is built.
        indexed: The sites of the index.
        options: Those of the build, which may have chosen the name.
    """
    others = tuple(other for other in indexed if other.name != site.name)
    if options.name is not None or len(others) != len(indexed):
        return others
    same_address = [other for other in others if other.base_url == site.base_url]
    if len(same_address) == 1 and (site.base_url is not None or len(others) == 1):
        return tuple(other for other in others if other != same_address[0])
    return others


def check_fits(neighbours: Sequence[Site], served: Generation | None, options: BuildOptions) -> None:
    """Refuses a build whose vectors cannot be compared with those of the other sites.

    Raises:
        OptionError: The build has another embedder than the other sites, or these have no vectors yet.
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
            f"The index holds {in_words(neighbours)} without vectors, which a preview had still to make. "
            "Build that first."
        )


def report_other_sites(site: Site, neighbours: Sequence[Site], indexed: Sequence[Site], report: Reporter) -> None:
    """Notes and warnings about the other sites of the index."""
    replaced = [other for other in indexed if other.name != site.name and other not in neighbours]
    if replaced:
        report.warn(
            f"The index held the site {replaced[0].name!r}; it is replaced by {site.name!r}. Give a name to have both."
        )
    is_new = all(other.name != site.name for other in indexed)
    if neighbours and is_new and not replaced:
        report.note(f"The site {site.name!r} is added to the index, which holds {in_words(neighbours)}.")
    same_address = [other for other in neighbours if other.base_url is not None and other.base_url == site.base_url]
    if same_address:
        report.warn(
            f"The sites {site.name!r} and {same_address[0].name!r} have the same address {site.base_url}, so that "
            "links cannot tell them apart. Give each its base URL, or drop one: "
            f"`trueref index --drop {same_address[0].name}`."
        )


def warn_of_lost(index: Path, site: str) -> str | None:
    """A warning that the other sites of a damaged index are lost; None if it held no others."""
    try:
        data = (build_folder(index) / "generation.json").read_bytes()
        lost = [listed for listed in msgspec.json.decode(data, type=_SiteNames).sites if listed.name != site]
    except (IndexFault, OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    if not lost:
        return None
    # The names come from a damaged file: they are only shown, and decide nothing.
    return f"The index cannot be gone on from, and {in_words(lost)} in it cannot be kept. Build that again too."


def unreadable(neighbours: Sequence[Site]) -> IndexDamaged:
    """The error if the other sites of the index cannot be taken over."""
    return IndexDamaged(f"What the index holds of {in_words(neighbours)} cannot be read. Build again.")


def in_words(sites: Sequence[Site | _NamedSite]) -> str:
    """Sites in words: "the sites 'a', 'b'"."""
    return f"the site{'s' if len(sites) > 1 else ''} {', '.join(repr(site.name) for site in sites)}"
