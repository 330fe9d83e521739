"""A check from top to bottom: finds out what each path is, loads the manifests, collects findings, writes corrections.

The README of this folder describes the steps.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from trueref_core.errors import IndexFault, IndexMissing, OptionError
from trueref_core.manifest.lookup import Manifest
from trueref_plugin.checking.findings import CheckReport, Finding, SkipKind, without_repetitions
from trueref_plugin.checking.known_manifests import load_manifest, merged, site_in_index, site_of_sources, with_sources
from trueref_plugin.checking.markdown.fixes import fix as write_corrections
from trueref_plugin.checking.markdown.project import (
    CONFIG_NAMES,
    DOCUSAURUS_NAMES,
    DOCUSAURUS_SUFFIXES,
    SOURCE_SUFFIXES,
    Project,
    find_config,
    is_docusaurus,
)
from trueref_plugin.checking.markdown.project_loading import load_project, reader_of
from trueref_plugin.checking.site.broken_links import SiteLinks
from trueref_plugin.checking.site.built_site import WalkedSite, walk_site
from trueref_plugin.checking.site_findings import MarkdownSources, SiteFindings, shown_path
from trueref_plugin.checking.source_findings import SourceFindings
from trueref_plugin.checking.text_findings import text_findings
from trueref_plugin.options import check_base_url
from trueref_plugin.reading.guarding.guard import GuardedReader

_FROM_ROOT: Final = re.compile(r"/(?!/)")

INDEX: Final = ".trueref"
"""The folder of the index, beside the configuration of the site, as the plugins choose it by default."""

MARKDOWN: Final = (*SOURCE_SUFFIXES, ".mdx")

NOT_WALKED: Final = frozenset(("node_modules", "venv", "__pycache__"))
"""Folders of installed programs: their documentation is not that of the project."""


def check(
    paths: Iterable[Path | str],
    *,
    index: Path | None = None,
    manifests: Sequence[str] = (),
    config: Path | None = None,
    base_url: str | None = None,
    site: str | None = None,
    fix: bool = False,
) -> CheckReport:
    """Checks the links of built sites, of Markdown files, or of any text. Uses the network for `manifests` only.

    Args:
        paths: Folders of built sites, folders of Markdown sources, and files.
        index: Folder of the index that files are checked against; None takes `.trueref` beside the configuration. For
            a built site the index names the source files of its pages, and the pages of other sites in the index.
        manifests: Published manifests, files or addresses. Absolute links into their sites are checked too.
        config: The mkdocs.yml or docusaurus.config.js by which sources become pages; None looks for it.
        base_url: Where a built site is published; None takes it from its canonical links.
        site: Name of the site in the index, if that holds several and the base URL does not decide.
        fix: Write corrections into Markdown files, for links with only one possible target.

    Raises:
        TruerefError: Something a user can mend: see `trueref_core.errors`.
    """
    if base_url is not None:
        check_base_url(base_url)
    published = f"{base_url.rstrip('/')}/" if base_url else None
    with GuardedReader() as guarded:
        job = _Job(index, manifests, config, published, site, guarded)
        for path in map(Path, paths):
            job.check(path)
        return job.report(fix=fix)


@dataclass
class _Job:
    """One check: its options, the findings so far, and a cache of the manifests and projects that it has loaded.

    `taken` has a line for each folder that says what kind of folder it was checked as.
    """

    index: Path | None
    published: Sequence[str]
    config: Path | None
    base_url: str | None
    site: str | None
    guarded: GuardedReader
    findings: list[Finding] = field(default_factory=list[Finding])
    notes: list[str] = field(default_factory=list[str])
    unread: list[str] = field(default_factory=list[str])
    checked: int = 0
    skipped: Counter[SkipKind] = field(default_factory=Counter[SkipKind])
    taken: list[str] = field(default_factory=list[str])
    _projects: dict[Path, Project] = field(default_factory=dict[Path, Project])
    _manifests: dict[Path, Manifest | None] = field(default_factory=dict[Path, Manifest | None])
    _merged: dict[int, Manifest] = field(default_factory=dict[int, Manifest])
    _checkers: dict[Path, SourceFindings] = field(default_factory=dict[Path, SourceFindings])

    def check(self, path: Path) -> None:
        """Checks one path: as a built site, as sources, or as a text."""
        if path.is_dir() and _is_site(path):
            self._check_site(path)
        elif path.is_dir():
            self._check_sources(path)
        elif not path.exists():
            raise OptionError(f"{path} does not exist. Name the folder of a built site, or files.")
        elif self._is_source(path):
            self._check_source(path)
        elif path.suffix.lower() in (".html", ".htm"):
            raise OptionError(f"{path} is a page of a built site. Name the folder of the site, since pages lead on.")
        else:
            self._check_text(path)

    def report(self, *, fix: bool) -> CheckReport:
        """All findings in the order of files and lines. With `fix`, corrections are written first."""
        unique = without_repetitions(self.findings)
        ordered = sorted(unique, key=_in_order)
        fixed, unfixed = write_corrections(ordered) if fix else ([], ordered)
        notes, unread = (tuple(dict.fromkeys(lines)) for lines in (self.notes, self.unread))
        taken = tuple(dict.fromkeys(self.taken))
        return CheckReport(tuple(unfixed), tuple(fixed), notes, self.checked, unread, dict(self.skipped), taken)

    @cached_property
    def _published_manifests(self) -> list[Manifest]:
        """The manifests of other sites that the option `manifests` names, each loaded once."""
        return [load_manifest(path_or_url, self.notes.append) for path_or_url in self.published]

    def _check_site(self, folder: Path) -> None:
        """Checks the links of a built site as a browser sees them, and looks up broken ones in the Markdown."""
        walked = walk_site(folder, self.base_url or self._address_in_index())
        self.notes += [f"{file} was left out: {reason}." for file, reason in walked.refused]
        other_manifests = [*self._neighbours(walked.site.base_url), *self._published_manifests]
        links = SiteLinks(walked, merged([walked.manifest, *other_manifests]) if other_manifests else None)
        broken = list(links.broken())
        self.checked += links.checked
        self.skipped += links.skipped
        self.taken.append(f"{folder} is taken for a built site: {_counted(len(walked.pages), 'page')}.")
        if not links.has_files and any(item.kind == "missing-file" for item in broken):
            self.notes.append(f"{folder} has none of the files that its pages load: files were not checked.")
            without_files = [item for item in broken if item.kind != "missing-file"]
            self.checked -= len(broken) - len(without_files)
            self.skipped["no-files"] += len(broken) - len(without_files)
            broken = without_files
        if walked.site.base_url is None and any(_FROM_ROOT.match(item.link) for item in broken):
            self.notes.append(
                f"{folder} does not say where it is published: links that begin with a slash were taken to count from "
                "that folder. Name its address: --base-url URL."
            )
        if broken or links.leaving:
            # Only now, because most checks find nothing, and reading mkdocs.yml takes as long as everything else.
            sources = self._sources_of(folder, walked)
            walked_with_sources: WalkedSite = walked.with_sources(sources.source_of) if sources else walked
            manifest = merged([walked_with_sources.manifest, *other_manifests])
            site_findings = SiteFindings(walked_with_sources, manifest, sources)
            self.findings += site_findings.findings(broken, links.leaving)
            # A link that climbs out of the site was counted as skipped; if its source names a file, it is a finding.
            findings_outside = min(site_findings.outside, links.skipped["outside"])
            self.checked += findings_outside
            self.skipped["outside"] -= findings_outside

    def _address_in_index(self) -> str | None:
        """The base URL that the index has for the named site, None if it has none.

        Without a base URL, links into the other sites of the index are not recognised.
        """
        index_manifest = self._manifest(self.index) if self.index is not None and self.site is not None else None
        name = site_in_index(index_manifest, self.site, None)
        site = index_manifest.site(name) if index_manifest is not None and name is not None else None
        return site.base_url if site is not None else None

    def _neighbours(self, base_url: str | None) -> list[Manifest]:
        """The other sites of the given index, if a built site is one of several in it."""
        index_manifest = self._manifest(self.index) if self.index is not None and self._holds_several else None
        name = site_in_index(index_manifest, self.site, base_url)
        if index_manifest is None or name is None:
            return []
        return [index_manifest.of_sites({site.name for site in index_manifest.sites if site.name != name})]

    @cached_property
    def _holds_several(self) -> bool:
        """Whether the given index holds several sites."""
        from trueref_core.generations.served_generation import read_generation

        # A single site needs no manifest of the index, which takes a while to read: its folder decides.
        try:
            return self.index is not None and len(read_generation(self.index).sites) > 1
        except IndexFault:
            return False

    def _sources_of(self, folder: Path, walked: WalkedSite) -> MarkdownSources | None:
        """The Markdown that a site was built from; None if it is not known.

        Its configuration is the given one, or lies in the folder of the index or of the site, or above it.
        """
        sibling = folder if self.index is None else self.index
        config = self.config or find_config(sibling.resolve().parent)
        if config is None:
            return None
        try:
            project = self._project(config)
        except OptionError as error:
            if self.config is not None:
                raise
            self.notes.append(f"Lines are those of the HTML: {error}")
            return None
        # Docusaurus can get its output folder on the command line: any folder beside its configuration may be the site.
        built_into = (
            folder.resolve() if is_docusaurus(config) and folder.resolve().parent == project.docs else project.site
        )
        is_of_site = built_into is not None and built_into.resolve() == folder.resolve()
        if self.config is None and self.index is None and not is_of_site:
            return None
        manifest = self._manifest_of_site(config.parent)
        name = site_in_index(manifest, self.site, walked.site.base_url)
        pages = manifest.pages(name) if manifest and name is not None else ()
        by_file = {page.file: page.source_path for page in pages}
        project = project.with_site(manifest or walked.manifest, name if manifest else walked.site.name)
        return MarkdownSources(project, reader_of(project, self.guarded), by_file, self.notes.append)

    def _manifest_of_site(self, folder: Path) -> Manifest | None:
        """The manifest of the index of a site, for the source files of its pages; None if it has none.

        A site can be checked without it, so that only an index that was named by an option has to be readable.
        """
        try:
            return self._manifest(folder)
        except IndexFault as error:
            if self.index is not None:
                raise
            self.notes.append(f"The index beside {folder} tells no source files: {error}")
            return None

    def _check_sources(self, folder: Path) -> None:
        """Checks every Markdown file of a folder, each by the configuration nearest to it."""
        files = list(_markdown_below(folder))
        configs = {self.config or find_config(file.parent) for file in files}
        config_names = " and ".join(sorted(_config_in_words(config) for config in configs))
        self.taken.append(f"{folder} is taken for Markdown sources of {config_names}: {_counted(len(files), 'file')}.")
        for file in files:
            self._check_source(file) if self._is_source(file) else self._check_text(file)

    def _is_source(self, path: Path) -> bool:
        """Whether a file is read as a Markdown source. MDX is one only if Docusaurus makes pages from it."""
        is_mdx = path.suffix.lower() in DOCUSAURUS_SUFFIXES and path.suffix.lower() not in SOURCE_SUFFIXES
        if is_mdx:
            return is_docusaurus(self.config or find_config(path.parent))
        return path.suffix.lower() in SOURCE_SUFFIXES

    def _check_source(self, path: Path) -> None:
        """Checks one Markdown file."""
        findings = self._source_findings(path)
        checked_before, skipped = findings.checked, Counter(findings.skipped)
        try:
            self.findings += findings.findings(path)
        except OptionError as error:
            # The other files are checked all the same.
            self.unread.append(str(error))
        self.checked += findings.checked - checked_before
        self.skipped += findings.skipped - skipped

    def _source_findings(self, path: Path) -> SourceFindings:
        """The checker of a Markdown file, which it shares with the other files of its project."""
        config = self.config or find_config(path.parent)
        index_manifest = self._manifest(config.parent if config else Path())
        if index_manifest is None and not self._published_manifests:
            raise IndexMissing(
                f"{path} is checked against the pages of its site, and there is no index of them. Build one with "
                f"`{'npm run build' if is_docusaurus(config) else 'mkdocs build'}` or `trueref index SITE`, or name a "
                "published manifest: --manifest FILE."
            )
        manifest = self._with_published(index_manifest)
        project = self._project(config) if config else self._bare_project(path, manifest)
        if project.docs not in self._checkers:
            site_name = site_in_index(index_manifest, self.site, project.base_url)
            site = site_name or site_of_sources(manifest, index_manifest, project)
            if site is None:
                self.notes.append(
                    f"No known site is made of {project.docs}: of its relative links only files are checked."
                )
            manifest_with_sources = with_sources(manifest, site, project.with_site(manifest, site))
            project = project.with_site(manifest_with_sources, site)
            reader = reader_of(project, self.guarded)
            self._checkers[project.docs] = SourceFindings(
                project, reader, manifest_with_sources, site, self.notes.append
            )
        return self._checkers[project.docs]

    def _check_text(self, path: Path) -> None:
        """Checks a file of any other kind, such as an answer of a model that was written down."""
        config = self.config or find_config(path.parent)
        index_manifest = self._manifest(config.parent if config else Path())
        manifest = self._with_published(index_manifest)
        if not manifest.sites:
            raise IndexMissing(
                f"{path} is checked against pages of sites, and none is known. Name an index or a published manifest: "
                "--index DIR, --manifest FILE."
            )
        try:
            text = path.read_bytes().decode("utf-8", "replace")
        except OSError as error:
            raise OptionError(f"{path} cannot be read ({error.strerror or error}).") from error
        if "\0" in text:
            self.notes.append(f"{path} was left out: it is no text.")
            return
        site = site_in_index(index_manifest, self.site, self.base_url)
        findings, checked, skipped = text_findings(path, text, manifest, site)
        self.findings += findings
        self.checked += checked
        self.skipped += skipped

    def _project(self, config: Path) -> Project:
        """The project of a configuration, loaded once."""
        if config not in self._projects:
            self._projects[config] = load_project(config)
        return self._projects[config]

    def _bare_project(self, path: Path, manifest: Manifest) -> Project:
        """The project of a source file without a mkdocs.yml above it.

        Its folder is the one relative to which the manifest names this file as the source of a page.
        """
        folders = reversed(path.resolve().parents)
        source_folders = (
            folder for folder in folders if manifest.page_by_source(path.resolve().relative_to(folder).as_posix())
        )
        docs = next(source_folders, path.resolve().parent)
        return self._projects.setdefault(docs, Project(None, docs))

    def _with_published(self, index_manifest: Manifest | None) -> Manifest:
        """The manifest of an index, if there is one, merged with the published ones."""
        if id(index_manifest) not in self._merged:
            self._merged[id(index_manifest)] = merged(
                [*([index_manifest] if index_manifest else []), *self._published_manifests]
            )
        return self._merged[id(index_manifest)]

    def _manifest(self, folder: Path) -> Manifest | None:
        """The manifest of the given index, else of the index in a folder; None if that has none."""
        # Imported here, because numpy comes with it, and that takes as long to import as a site takes to read.
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


def _in_order(finding: Finding) -> tuple[str, int, int]:
    """The sort key of findings: file, line, column."""
    return finding.location.file, finding.location.line, finding.location.column


def _config_in_words(config: Path | None) -> str:
    """A configuration in words."""
    if config is None:
        return "no known configuration"
    return f"{shown_path(config)} ({'Docusaurus' if is_docusaurus(config) else 'MkDocs'})"


def _counted(number: int, name: str) -> str:
    """A number with its noun."""
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"


def _is_site(folder: Path) -> bool:
    """Whether a folder is a built site. Sources may hold some HTML too, but no `index.html` beside Markdown files."""
    names = [entry.name.lower() for entry in folder.iterdir()]
    if not {*CONFIG_NAMES, *DOCUSAURUS_NAMES}.isdisjoint(names):
        return False
    if "index.html" in names or any(name.endswith(MARKDOWN) for name in names):
        return "index.html" in names
    # A site and its sources may both have nothing but a folder for each language at their root.
    return next(_markdown_below(folder), None) is None or any(folder.rglob("index.html"))


def _markdown_below(folder: Path) -> Iterator[Path]:
    """The Markdown files below a folder, in the order of their names."""
    # Hidden files are left out: no generator makes pages from them, although other pages may include them.
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in NOT_WALKED)
        names = (name for name in sorted(files) if name.lower().endswith(MARKDOWN) and not name.startswith("."))
        yield from (Path(root) / name for name in names)
