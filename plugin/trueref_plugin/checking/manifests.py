"""Manifests that links are checked against: this site's, and those that other sites publish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from trueref_core.errors import OptionError
from trueref_core.manifest import Manifest
from trueref_core.records import Anchor, Page, Site


def load_manifest(given: str, note: Callable[[str], None]) -> Manifest:
    """The manifest in a file or at an address.

    Args:
        given: A path, or an `http` or `https` address.
        note: Told where a copy of an earlier day is used.

    Raises:
        OptionError: It cannot be had.
        IndexDamaged: It is no manifest.
        IndexIncompatible: Another version wrote it.
    """
    if "://" in given:
        # Most checks ask no network, and its modules take a tenth of a second.
        from trueref_plugin.checking.fetch import fetch

        return Manifest.decode(fetch(given, note), given)
    path = Path(given)
    if not path.is_file():
        raise OptionError(f"The manifest {given} is not a file. Give the manifest.json that a site publishes.")
    return Manifest.load(path)


def merged(manifests: Sequence[Manifest]) -> Manifest:
    """One manifest of several. A site whose name is taken by one before it gets a number behind it."""
    if len(manifests) == 1:
        return manifests[0]
    sites: dict[str, Site] = {}
    pages: list[Page] = []
    anchors: list[Anchor] = []
    for manifest in manifests:
        for site in manifest.sites:
            name = _free(site.name, sites)
            sites[name] = replace(site, name=name)
            for page in manifest.pages(site.name):
                pages.append(replace(page, site=name))
                anchors.extend(replace(anchor, site=name) for anchor in manifest.anchors(page.page, site.name))
    return Manifest(manifests[0].generation_id if manifests else "", sites.values(), pages, anchors)


def _free(name: str, taken: Iterable[str]) -> str:
    names = set(taken)
    return next(
        free for free in (name, *(f"{name} {number}" for number in range(2, len(names) + 3))) if free not in names
    )
