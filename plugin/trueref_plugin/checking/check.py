"""Runs a check: finds out what each path is, loads the manifests, collects the findings, and writes corrections.

The README of this folder describes the steps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Final

from trueref_core.addresses import HTML_SUFFIXES
from trueref_core.errors import IndexMissing, OptionError
from trueref_core.manifest.lookup import Manifest
from trueref_plugin.checking.findings import CheckReport, Finding, SkipKind, without_repetitions
from trueref_plugin.checking.known_manifests import merged, site_in_index, site_of_sources, with_sources
from trueref_plugin.checking.known_sites import KnownSites
from trueref_plugin.checking.markdown.fixes import fix as write_corrections
from trueref_plugin.checking.markdown.project import find_config, is_docusaurus
from trueref_plugin.checking.markdown.project_loading import reader_of
from trueref_plugin.checking.path_kinds import RESTRUCTURED_TEXT, is_site, is_source, markdown_below
from trueref_plugin.checking.site.broken_links import BrokenLink, SiteLinks
from trueref_plugin.checking.site.built_site import WalkedSite, walk_site
from trueref_plugin.checking.site_findings import MarkdownSources, SiteFindings, shown_path
from trueref_plugin.checking.source_findings import SourceFindings
from trueref_plugin.checking.text_findings import text_findings
from trueref_plugin.files.site_files import check_regular_file
from trueref_plugin.options import checked_base_url
from trueref_plugin.reading.guarding.guard import GuardedReader

_UNUSED_SITE: Final = "{folder} is checked without the site '{name}': name the index that has it, --index DIR."

_FROM_ROOT: Final = re.compile(r"/(?!/)")
"""The beginning of a link that counts from the root of a host."""


def check(
    paths: Iterable[Path | str] | Path | str,
    *,
    index: Path | str | None = None,
    manifests: Sequence[str] = (),
    config: Path | str | None = None,
    base_url: str | None = None,
    site: str | None = None,
    fix: bool = False,
) -> CheckReport:
    """Checks the links of built sites, of Markdown files, or of any text. Uses the network for `manifests` only.

    Args:
        paths: Folders of built sites, folders of Markdown sources, and files; or one of these.
        index: Folder of the index that files are checked against; None takes `.trueref` beside the configuration. For
            a built site the index names the source files of its pages, and the pages of other sites in the index.
        manifests: Published manifests, files or addresses. Absolute links into their sites are checked too.
        config: The mkdocs.yml or docusaurus.config.js of the sources; None looks for it beside and above each path.
        base_url: Where a built site is published; None takes it from its canonical links.
        site: Name of the site in the index. Needed if the index holds several sites, and the base URL does not decide.
        fix: Write corrections into Markdown files, for links with only one possible target.

    Raises:
        TruerefError: An error that a user can correct: see `trueref_core.errors`.
    """
    site_address = None if base_url is None else checked_base_url(base_url)
    config_file = None if config is None else Path(config)
    if config_file is not None and not config_file.is_file():
        raise OptionError(f"There is no configuration at {config}. Name a mkdocs.yml or docusaurus.config.js.")
    # A text is a sequence of its letters, and the first of an absolute path would name all files of the machine.
    named = [paths] if isinstance(paths, str | Path) else paths
    index_folder = None if index is None else Path(index)
    with GuardedReader() as guarded:
        notes: list[str] = []
        job = _Job(KnownSites(index_folder, manifests, site, notes.append), config_file, site_address, guarded, notes)
        for path in map(Path, named):
            job.check(path)
        return job.report(fix=fix)


@dataclass
class _Job:
    """One check: its options, the sites that it knows, and the findings so far.

    `taken` has a line for each folder that says whether it was checked as a built site or as sources.
    """

    known: KnownSites
    config: Path | None
    base_url: str | None
    guarded: GuardedReader
    notes: list[str]
    findings: list[Finding] = field(default_factory=list[Finding])
    unread: list[str] = field(default_factory=list[str])
    checked: int = 0
    skipped: Counter[SkipKind] = field(default_factory=Counter[SkipKind])
    taken: list[str] = field(default_factory=list[str])
    _checkers: dict[Path, SourceFindings] = field(default_factory=dict[Path, SourceFindings])

    def check(self, path: Path) -> None:
        """Checks one path: as a built site, as sources, or as any other text."""
        if path.is_dir() and is_site(path):
            self._check_site(path)
        elif path.is_dir():
            self._check_sources(path)
        elif not path.exists():
            raise OptionError(f"{path} does not exist. Name the folder of a built site, or files.")
        elif path.suffix.lower() in HTML_SUFFIXES:
            raise OptionError(f"{path} is a page of a built site. Name the folder of the site, since pages lead on.")
        else:
            self._check_file(path)

    def report(self, *, fix: bool) -> CheckReport:
        """All findings in the order of files and lines. With `fix`, corrections are written first."""
        by_position = attrgetter("location.file", "location.line", "location.column")
        ordered = sorted(without_repetitions(self.findings), key=by_position)
        fixed, unfixed = write_corrections(ordered) if fix else ([], ordered)
        notes, unread = (tuple(dict.fromkeys(lines)) for lines in (self.notes, self.unread))
        taken = tuple(dict.fromkeys(self.taken))
        checkers = self._checkers.values()
        checked = sum((checker.checked for checker in checkers), self.checked)
        skipped = sum((checker.skipped for checker in checkers), self.skipped)
        return CheckReport(tuple(unfixed), tuple(fixed), notes, checked, unread, dict(skipped), taken)

    def _check_site(self, folder: Path) -> None:
        """Checks the links of a built site as a browser sees them, and looks up broken ones in the Markdown."""
        walked = walk_site(folder, self.base_url or self.known.address_in_index())
        # Not a note: what is on such a page was not checked, so nobody may take the site to be right.
        self.unread += [f"{file} was left out: {reason}." for file, reason in walked.refused]
        if self.known.site is not None and self.known.index is None:
            self.notes.append(_UNUSED_SITE.format(folder=folder, name=self.known.site))
        other_manifests = [*self.known.neighbours(walked.site.base_url), *self.known.published_manifests]
        links = SiteLinks(walked, merged([walked.manifest, *other_manifests]) if other_manifests else None)
        broken = list(links.broken())
        self.checked += links.checked
        self.skipped += links.skipped
        self._note_site(walked)
        if links.lack_all_files(broken):
            broken = self._without_missing_files(folder, broken)
        if walked.site.base_url is None and any(_FROM_ROOT.match(item.link) for item in broken):
            self.notes.append(
                f"{folder} does not say where it is published: links that begin with a slash were taken to count from "
                "that folder. Name its address: --base-url URL."
            )
        # Only now, because most checks find nothing, and reading mkdocs.yml takes as long as all the rest.
        if broken or links.leaving:
            self._add_site_findings(walked, other_manifests, links, broken)

    def _note_site(self, walked: WalkedSite) -> None:
        """Notes that a folder was checked as a built site, and with how many pages."""
        # Named because a user who compares the number of pages with that of the Markdown files would miss one.
        error_page = ", 404.html among them" if "404.html" in walked.files else ""
        page_count = _counted(len(walked.pages), "page")
        self.taken.append(f"{walked.folder} is taken for a built site: {page_count}{error_page}.")

    def _without_missing_files(self, folder: Path, broken: Sequence[BrokenLink]) -> list[BrokenLink]:
        """The broken links of a copy that has no files, without those to files, which now count as not checked."""
        self.notes.append(f"{folder} has none of the files that its pages load: files were not checked.")
        remaining = [item for item in broken if item.kind != "missing-file"]
        self.checked -= len(broken) - len(remaining)
        self.skipped["no-files"] += len(broken) - len(remaining)
        return remaining

    def _add_site_findings(
        self, walked: WalkedSite, other_manifests: Sequence[Manifest], links: SiteLinks, broken: Sequence[BrokenLink]
    ) -> None:
        """Adds the findings about broken links of a built site, with their positions in its Markdown."""
        sources = self._sources_of(walked.folder, walked)
        walked_with_sources = walked.with_sources(sources.source_of) if sources else walked
        manifest = merged([walked_with_sources.manifest, *other_manifests])
        site_findings = SiteFindings(walked_with_sources, manifest, sources)
        self.findings += site_findings.findings(broken, links.leaving)
        config = sources.project.config if sources else None
        self.notes += _age_notes(walked.folder, site_findings.changed_since, config)
        # A link that leads out of the site was counted as skipped. It is a finding if its source names a file.
        findings_outside = min(site_findings.outside, links.skipped["outside"])
        self.checked += findings_outside
        self.skipped["outside"] -= findings_outside

    def _sources_of(self, folder: Path, walked: WalkedSite) -> MarkdownSources | None:
        """The Markdown that a site was built from; None if it is not known.

        The configuration is the one that the options name, else the nearest one beside or above the folder of the
        index. Without an index it is the nearest one beside or above the folder of the site.
        """
        sibling = folder if self.known.index is None else self.known.index
        config = self.config or find_config(sibling.resolve().parent)
        if config is None:
            return None
        try:
            project = self.known.project(config)
        except OptionError as error:
            if self.config is not None:
                raise
            self.notes.append(f"Lines are those of the HTML: {error}")
            return None
        # Docusaurus can get its output folder on the command line: any folder beside its configuration may be the site.
        is_beside_config = is_docusaurus(config) and folder.resolve().parent == project.docs
        is_site_of_config = is_beside_config or (
            project.site is not None and project.site.resolve() == folder.resolve()
        )
        if self.config is None and self.known.index is None and not is_site_of_config:
            return None
        manifest = self.known.manifest_of_site(config.parent)
        site_name = site_in_index(manifest, self.known.site, walked.site.base_url)
        pages = manifest.pages(site_name) if manifest and site_name is not None else ()
        by_file = {page.file: page.source_path for page in pages}
        project = project.with_site(manifest or walked.manifest, site_name if manifest else walked.site.name)
        return MarkdownSources(project, reader_of(project, self.guarded), by_file, self.notes.append)

    def _check_sources(self, folder: Path) -> None:
        """Checks every Markdown file of a folder, each by the configuration nearest to it.

        Folders and files that cannot be read are reported, and do not end the check.
        """
        unlisted: list[OSError] = []
        files = list(markdown_below(folder, unlisted.append))
        self.unread += [f"The folder {error.filename} cannot be read ({error.strerror})." for error in unlisted]
        configs = {self.config or find_config(file.parent) for file in files}
        config_names = " and ".join(sorted(_config_in_words(config) for config in configs))
        self.taken.append(f"{folder} is taken for Markdown sources of {config_names}: {_counted(len(files), 'file')}.")
        for file in files:
            try:
                check_regular_file(file)
            except OSError as error:
                leads_nowhere = isinstance(error, FileNotFoundError) and file.is_symlink()
                reason = "it is a link to a file that does not exist" if leads_nowhere else error.strerror
                self.unread.append(f"{file} cannot be read ({reason}).")
            else:
                self._check_file(file)

    def _check_file(self, path: Path) -> None:
        """Checks one file: as a source of pages, or as any other text."""
        if is_source(path, self.config):
            self._check_source(path)
        else:
            self._check_text(path)

    def _check_source(self, path: Path) -> None:
        """Checks one Markdown file. A file that cannot be read is reported, and does not end the check."""
        checker = self._checker_of(path)
        try:
            self.findings += checker.findings(path)
        except OptionError as error:
            self.unread.append(str(error))

    def _checker_of(self, path: Path) -> SourceFindings:
        """The checker of a Markdown file, which it shares with the other files of its project."""
        config, index_manifest, manifest = self._manifests_for(path)
        if not manifest.sites:
            raise IndexMissing(
                f"{path} is checked against the pages of its site, and there is no index of them. Build one with "
                f"`{_build_command(config)}` or `trueref index SITE`, or name a published manifest: --manifest FILE."
            )
        project = self.known.project(config) if config else self.known.bare_project(path, manifest)
        if project.docs not in self._checkers:
            site_name = site_in_index(index_manifest, self.known.site, project.base_url)
            site = site_name or site_of_sources(manifest, project)
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

    def _manifests_for(self, path: Path) -> tuple[Path | None, Manifest | None, Manifest]:
        """The configuration of a file, the manifest of its index, and the manifest that decides about its links."""
        config = self.config or find_config(path.parent)
        index_manifest = self.known.manifest(config.parent if config else Path())
        return config, index_manifest, self.known.with_published(index_manifest)

    def _check_text(self, path: Path) -> None:
        """Checks a file of any other kind, such as the saved answer of a language model."""
        _, index_manifest, manifest = self._manifests_for(path)
        if path.suffix.lower() in RESTRUCTURED_TEXT:
            note = (
                f"{path} is reStructuredText, of which only whole addresses are read. Build the site and name its "
                "folder: `trueref check build/html`."
            )
            if not manifest.sites:
                raise OptionError(note)
            self.notes.append(note)
        if not manifest.sites:
            raise IndexMissing(
                f"{path} is checked against pages of sites, and none is known. Name an index or a published manifest: "
                "--index DIR, --manifest FILE."
            )
        try:
            text = path.read_bytes().decode("utf-8", "replace")
        except OSError as error:
            self.unread.append(f"{path} cannot be read ({error.strerror or error}).")
            return
        if "\0" in text:
            self.notes.append(f"{path} was left out: it is no text.")
            return
        site = site_in_index(index_manifest, self.known.site, self.base_url)
        findings, checked, skipped = text_findings(path, text, manifest, site)
        self.findings += findings
        self.checked += checked
        self.skipped += skipped


def _age_notes(folder: Path, changed_since: Sequence[str], config: Path | None) -> list[str]:
    """A note if a site is older than its sources, in which its links may already be corrected."""
    files = sorted(set(changed_since))
    if not files:
        return []
    more = f" and {_counted(len(files) - 1, 'other file')}" if files[1:] else ""
    return [
        f"{folder} is older than its sources: {files[0]}{more} changed since and may have these links corrected. Build "
        f"it again: `{_build_command(config)}`."
    ]


def _build_command(config: Path | None) -> str:
    """The command that builds the site of a configuration, for messages."""
    return "npm run build" if is_docusaurus(config) else "mkdocs build"


def _config_in_words(config: Path | None) -> str:
    """A configuration as messages name it."""
    if config is None:
        return "no known configuration"
    return f"{shown_path(config)} ({'Docusaurus' if is_docusaurus(config) else 'MkDocs'})"


def _counted(number: int, name: str) -> str:
    """A number with its noun."""
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"
