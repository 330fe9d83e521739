"""The sites that a check knows: those of the index, of published manifests and of projects, each loaded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from trueref_core.errors import IndexFault, IndexMissing
from trueref_core.manifest.lookup import Manifest
from trueref_plugin.checking.known_manifests import load_manifest, merged, page_of_source, site_in_index
from trueref_plugin.checking.markdown.project import Project
from trueref_plugin.checking.markdown.project_loading import load_project

INDEX: Final = ".trueref"
"""The default folder of the index in all plugins, beside the configuration of the site."""


@dataclass
class KnownSites:
    """The manifests and projects that a check loads when it needs them.

    Args:
        index: The index that was named by an option; None looks for one beside each configuration.
        published: Published manifests, files or addresses.
        site: Name of the site in the index, if it was named.
        note: Receives a line for the notes of the report.
    """

    index: Path | None
    published: Sequence[str]
    site: str | None
    note: Callable[[str], None]
    _projects: dict[Path, Project] = field(default_factory=dict[Path, Project])
    _manifests: dict[Path, Manifest | None] = field(default_factory=dict[Path, Manifest | None])
    _merged: dict[int, Manifest] = field(default_factory=dict[int, Manifest])

    @cached_property
    def published_manifests(self) -> list[Manifest]:
        """The manifests of other sites that the option `manifests` names, each loaded once."""
        return [load_manifest(path_or_url, self.note) for path_or_url in self.published]

    def address_in_index(self) -> str | None:
        """The base URL of the named site in the index; None if it has none.

        Without a base URL, links into the other sites of the index are not recognised.
        """
        index_manifest = self.manifest(self.index) if self.index is not None and self.site is not None else None
        name = site_in_index(index_manifest, self.site, None)
        site = index_manifest.site(name) if index_manifest is not None and name is not None else None
        return site.base_url if site is not None else None

    def neighbours(self, base_url: str | None) -> list[Manifest]:
        """The other sites of the given index, if a built site is one of several in it."""
        index_manifest = self.manifest(self.index) if self.index is not None and self._has_several_sites else None
        name = site_in_index(index_manifest, self.site, base_url)
        if index_manifest is None or name is None:
            return []
        return [index_manifest.of_sites({site.name for site in index_manifest.sites if site.name != name})]

    @cached_property
    def _has_several_sites(self) -> bool:
        """Whether the index can be read and has more than one site; only its list of sites is read for this."""
        from trueref_core.generations.served_generation import read_generation

        # A check of a single site does not need the manifest of the index, which is slow to read. An index that an
        # option names has to be there all the same: a mistyped path would leave out links into other sites.
        return self.index is not None and len(read_generation(self.index).sites) > 1

    def manifest_of_site(self, folder: Path) -> Manifest | None:
        """The manifest of the index of a site, which names the source files of its pages; None if there is no index.

        A site can be checked without it, so an index that cannot be read is only an error if an option names it.
        """
        try:
            return self.manifest(folder)
        except IndexFault as error:
            if self.index is not None:
                raise
            self.note(f"The index beside {folder} tells no source files: {error}")
            return None

    def project(self, config: Path) -> Project:
        """The project of a configuration, loaded once."""
        if config not in self._projects:
            self._projects[config] = load_project(config)
        return self._projects[config]

    def bare_project(self, path: Path, manifest: Manifest) -> Project:
        """The project of a source file without a mkdocs.yml above it.

        Its folder is the one that the source paths in the manifest are relative to, if the manifest has this file.
        """
        folder_and_page = page_of_source(manifest, path)
        docs = folder_and_page[0] if folder_and_page is not None else path.resolve().parent
        return self._projects.setdefault(docs, Project(None, docs))

    def with_published(self, index_manifest: Manifest | None) -> Manifest:
        """The manifest of an index, if there is one, merged with the published manifests."""
        if id(index_manifest) not in self._merged:
            self._merged[id(index_manifest)] = merged(
                [*([index_manifest] if index_manifest else []), *self.published_manifests]
            )
        return self._merged[id(index_manifest)]

    def manifest(self, folder: Path) -> Manifest | None:
        """The manifest of the index that an option names, else of the index in a folder; None if there is none."""
        # Imported here, because it imports numpy, which takes as long as reading a site.
        from trueref_core.generations.served_generation import read_manifest

        index = self.index or folder / INDEX
        if index not in self._manifests:
            try:
                self._manifests[index] = read_manifest(index)
            except IndexFault as error:
                if self.index is not None or not isinstance(error, IndexMissing):
                    raise
                self._manifests[index] = None
        return self._manifests[index]
