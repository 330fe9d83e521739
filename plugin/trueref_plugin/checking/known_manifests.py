"""The manifests that links are checked against: that of the checked site, and those that other sites publish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

import msgspec

from trueref_core.errors import OptionError, unknown_site
from trueref_core.manifest.history import Entry, History
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site
from trueref_core.text.version_names import current_version
from trueref_plugin.checking.markdown.project import Project


def load_manifest(path_or_url: str, note: Callable[[str], None]) -> Manifest:
    """The manifest in a file or at an address.

    Args:
        path_or_url: A path, or an `http` or `https` address.
        note: Receives a line if a copy from an earlier check is used.

    Raises:
        OptionError: The file is missing, or the address cannot be fetched.
        IndexDamaged: The content is not a manifest.
        IndexIncompatible: An incompatible version of the program wrote the manifest.
    """
    if "://" in path_or_url:
        # Imported here: most checks use no network, and its modules take a tenth of a second.
        from trueref_plugin.checking.manifest_fetch import fetch_manifest

        return Manifest.decode(fetch_manifest(path_or_url, note), path_or_url)
    path = Path(path_or_url)
    if not path.is_file():
        raise OptionError(f"The manifest {path_or_url} is not a file. Give the manifest.json that a site publishes.")
    return Manifest.load(path)


def merged(manifests: Sequence[Manifest]) -> Manifest:
    """One manifest with all sites of several, and with the pages and anchors of their earlier builds.

    If two sites have the same name, the name of the second gets a number.
    """
    if len(manifests) == 1:
        return manifests[0]
    sites: dict[str, Site] = {}
    pages: list[Page] = []
    anchors: list[Anchor] = []
    earlier: list[Entry] = []
    for manifest in manifests:
        for site in manifest.sites:
            name = _free_name(site.name, sites)
            sites[name] = replace(site, name=name)
            for page in manifest.pages(site.name):
                pages.append(replace(page, site=name))
                anchors.extend(replace(anchor, site=name) for anchor in manifest.anchors(page.page, site.name))
            earlier.extend(
                msgspec.structs.replace(entry, site=name)
                for entry in manifest.history.entries
                if entry.site == site.name
            )
    generation_id = manifests[0].generation_id if manifests else ""
    return Manifest(generation_id, sites.values(), pages, anchors, History(earlier))


def page_of_source(manifest: Manifest, path: Path) -> tuple[Path, Page] | None:
    """The page that is made of a file, and the folder that its source path is relative to; None if none is known."""
    file = path.resolve()
    for folder in reversed(file.parents):
        if page := manifest.page_by_source(file.relative_to(folder).as_posix()):
            return folder, page
    return None


def site_in_index(index_manifest: Manifest | None, name: str | None, base_url: str | None) -> str | None:
    """The name that a site has in its index; None if it is not known.

    It is the name that the options give, else the name of the only site of the index, else the name of the only site
    with the same base URL.

    Raises:
        OptionError: The index has no site of the given name.
    """
    if index_manifest is None:
        return None
    if name is not None:
        if index_manifest.site(name) is None:
            raise unknown_site(name, (site.name for site in index_manifest.sites))
        return name
    if len(index_manifest.sites) == 1:
        return index_manifest.sites[0].name
    matching = [site.name for site in index_manifest.sites if base_url is not None and site.base_url == base_url]
    # If two sites have the same base URL, it does not decide.
    return matching[0] if len(matching) == 1 else None


def site_of_sources(manifest: Manifest, project: Project) -> str | None:
    """The name of the site that is built from the sources of a project; None if no known site is.

    It is the site with the base URL that mkdocs.yml names, else the site with the most pages whose source files are in
    the project. If several sites have equally many, as versions of the same docs have, it is the current version.
    """
    if project.base_url:
        matching = [site.name for site in manifest.sites if site.base_url and site.base_url == project.base_url]
        if matching:
            return matching[0]
    sources = [(page.site, page.source_path) for page in manifest.pages() if page.source_path]
    counts = Counter(site for site, source in sources if (project.docs / source).is_file())
    most = max(counts.values(), default=0)
    candidates = [site for site in manifest.sites if counts[site.name] == most]
    return _current_site(candidates).name if counts else None


def with_sources(manifest: Manifest, site: str | None, project: Project) -> Manifest:
    """The manifest with the source files of a site's pages, by the rules of its generator if no build named them."""
    if site is None or project.config is None or any(page.source_path for page in manifest.pages(site)):
        return manifest
    pages = [
        replace(page, source_path=project.source_of_page_file(page.file)) if page.site == site else page
        for page in manifest.pages()
    ]
    anchors = [anchor for page in pages for anchor in manifest.anchors(page.page, page.site)]
    return Manifest(manifest.generation_id, manifest.sites, pages, anchors, manifest.history)


def _current_site(sites: Sequence[Site]) -> Site:
    """The site that has the current version of some docs; the first site if none has a version.

    A version whose address does not name it is the current one, if it is the only such version.
    """
    versioned = [site for site in sites if site.version]
    without_version = [site for site in versioned if not _has_version_in_address(site)]
    if len(without_version) == 1:
        return without_version[0]
    current = current_version([site.version for site in versioned]) if versioned else ""
    return next(site for site in sites if site.version == current)


def _has_version_in_address(site: Site) -> bool:
    """Whether the version of a site is a part of its base URL, with or without a `v` before it."""
    number = site.version.removeprefix("v")
    return not {site.version, number, f"v{number}"}.isdisjoint((site.base_url or "").split("/"))


def _free_name(name: str, used_names: Container[str]) -> str:
    """The name, with a number added if a site has it already."""
    numbered = (f"{name} {number}" for number in count(2))
    return next(candidate for candidate in chain([name], numbered) if candidate not in used_names)
