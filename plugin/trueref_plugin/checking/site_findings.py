"""Findings of a built site: the position of each broken link, in the Markdown if that is known, and its correction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from trueref_core.errors import OptionError
from trueref_core.links.link_target import OUT_OF_SOURCES, Target, is_out_of_sources, read_target
from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Page, Reference
from trueref_plugin.checking.corrections import corrected, suggested
from trueref_plugin.checking.findings import FileLocation, Finding, FindingKind, one_for_all_pages
from trueref_plugin.checking.link_positions import LinkPositions, link_positions
from trueref_plugin.checking.markdown.markdown_links import LinkReader, SourceLink
from trueref_plugin.checking.markdown.project import Project
from trueref_plugin.checking.site.broken_links import BrokenLink
from trueref_plugin.checking.site.built_site import WalkedSite

TargetKey = tuple[str, str | None, str]
"""The target of a link: the name of its site, its path, and its decoded fragment."""

MIN_FRAME: Final = 3
"""A link belongs to the frame around the content (the navigation, the footer) if at least this many pages have it, and
more than half of all."""


@dataclass(frozen=True)
class MarkdownSources:
    """The Markdown that a site was built from.

    `by_file` has the source file of each HTML file for which a build named one. For other files the rules of the
    generator decide. `note` receives a line for each source file that cannot be read: its findings are reported in the
    HTML.
    """

    project: Project
    reader: LinkReader
    by_file: Mapping[str, str]
    note: Callable[[str], None]

    def source_of(self, file: str) -> str:
        """The source file of an HTML file, "" if it is not known."""
        return self.by_file.get(file) or self.project.source_of_page_file(file)

    def links_of(self, source: str) -> tuple[str, Sequence[SourceLink]]:
        """The path of a source file as messages show it, and its links; no links if the file cannot be read."""
        path = self.project.docs / source
        if not path.name.lower().endswith(self.project.suffixes):
            return shown_path(path), ()
        try:
            return shown_path(path), self.reader.read(path).links if path.is_file() else ()
        except OptionError as error:
            self.note(str(error))
            return shown_path(path), ()

    def is_newer(self, source: str, built: Path) -> bool:
        """Whether a source file was changed after a build made a page from it. `built` is the file of the page."""
        try:
            return (self.project.docs / source).stat().st_mtime > built.stat().st_mtime
        except OSError:
            return False


class SiteFindings:
    """Makes findings of the broken links in a walked site.

    Args:
        walked: The site, with the source files of its pages as far as they are known.
        manifest: Its manifest, merged with those of other sites that links lead to.
        sources: The Markdown; None if it is not known.
    """

    def __init__(self, walked: WalkedSite, manifest: Manifest, sources: MarkdownSources | None) -> None:
        self._walked = walked
        self._manifest = manifest
        self._sources = sources
        self._pages = {page.page: page for page in walked.pages}
        self._positions: dict[str, LinkPositions] = {}
        self.outside = 0
        """How many links that lead out of the site are findings, among those that `findings` has given so far."""
        self.changed_since: list[str] = []
        """Source files that changed after the build, and do not have a broken link that their page has."""
        self._links: dict[tuple[str, str], Mapping[tuple[TargetKey, bool], Sequence[SourceLink]]] = {}

    def findings(self, broken: Iterable[BrokenLink], leaving: Iterable[BrokenLink] = ()) -> Iterator[Finding]:
        """The findings about broken links. A link in a source file is a finding wherever it stands there.

        Other links stand in the HTML only. If most pages have the same one, it is a single finding. A link of a source
        file from which several pages are made is a single finding too.

        Args:
            broken: Links that do not land.
            leaving: Links that lead out of the folder of the site. Such a link is only a finding if it stands in the
                source file as a link to a file.
        """
        groups = map(self._findings_of_group, self._by_target(broken))
        yield from self._once_for_all_pages(chain.from_iterable(groups))
        for item in leaving:
            in_sources = list(self._in_sources(item, is_leaving=True))
            self.outside += bool(in_sources)
            yield from in_sources

    def _once_for_all_pages(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings, with one about each link of a source file from which several pages are made."""
        pages_of = Counter(page.source_path for page in self._walked.pages)
        shared: dict[FileLocation, list[Finding]] = {}
        for finding in findings:
            page = self._pages.get(finding.page or "")
            if page is None or finding.location.span is None or pages_of[page.source_path] == 1:
                yield finding
            else:
                shared.setdefault(finding.location, []).append(finding)
        for group in shared.values():
            by_page = {finding.page: finding for finding in group}
            page_count = pages_of[self._pages[group[0].page or ""].source_path]
            # Docusaurus makes a download of a link on a page in another language if it does not find the page: there
            # the link lands, and says nothing about a correction.
            links_differ_by_page = self._sources is not None and self._sources.project.links_differ_by_page
            landing_count = page_count - len(by_page) if links_differ_by_page else 0
            yield from one_for_all_pages([*by_page.values(), *([None] * landing_count)])

    def _by_target(self, broken: Iterable[BrokenLink]) -> Iterable[Sequence[BrokenLink]]:
        """The broken links, grouped by their target."""
        groups: dict[tuple[FindingKind, TargetKey], list[BrokenLink]] = {}
        for item in broken:
            key = key_of(self._manifest, item.link, self._context(item))
            groups.setdefault((item.kind, key), []).append(item)
        return groups.values()

    def _findings_of_group(self, items: Sequence[BrokenLink]) -> Iterator[Finding]:
        """The findings about all broken links to one target.

        A link that stands in a source file is reported there. Other links are reported in the HTML: each of them, or
        only the first if most pages have the link, which then belongs to the frame around the content.
        """
        only_in_html: list[BrokenLink] = []
        for item in items:
            in_source = list(self._in_sources(item))
            yield from in_source
            only_in_html += [] if in_source else [item]
        if len({item.page for item in items}) < max(MIN_FRAME, len(self._pages) // 2 + 1):
            for item in only_in_html:
                yield from self._in_html(item, 0)
        elif only_in_html:
            first = min(only_in_html, key=lambda item: self._pages[item.page].file)
            yield from self._in_html(first, len({item.page for item in only_in_html}) - 1)

    def _context(self, broken: BrokenLink) -> ResolveContext:
        """Where a broken link stands."""
        return ResolveContext(self._walked.site.name, broken.base)

    def _in_sources(self, broken: BrokenLink, *, is_leaving: bool = False) -> Iterator[Finding]:
        """The findings about a link in the Markdown of its page, one for each place where it stands."""
        source = self._pages[broken.page].source_path
        if self._sources is None or not source:
            return
        project = self._sources.project
        file, links = self._sources.links_of(source)
        source_context = ResolveContext(self._walked.site.name, broken.page, source)
        if (broken.page, broken.base) not in self._links:
            self._links[broken.page, broken.base] = self._links_by_target(broken, links, source_context, project)
        target_key = _without_slash(key_of(self._manifest, broken.link, self._context(broken)))
        for link in self._links[broken.page, broken.base].get((target_key, broken.is_file), ()):
            if not is_leaving or self._leads_out(link, source_context):
                on_page = link_on_page(project, link, broken.page, source)
                context = self._context(broken) if on_page.is_raw else source_context
                yield source_finding(self._manifest, project, broken.kind, file, on_page, source, context)

    def _links_by_target(
        self, broken: BrokenLink, links: Iterable[SourceLink], source_context: ResolveContext, project: Project
    ) -> Mapping[tuple[TargetKey, bool], Sequence[SourceLink]]:
        """The links of a source file, by the targets that they may have on a page made from it."""
        by_key: dict[tuple[TargetKey, bool], list[SourceLink]] = {}
        for link in links:
            keys = self._possible_targets(broken, link, source_context, project)
            keys |= {_in_locale_of(broken.page, source_context.source or "", key, project) for key in keys}
            for key in set(map(_without_slash, keys)):
                by_key.setdefault((key, link.is_file), []).append(link)
        return by_key

    def _possible_targets(
        self, broken: BrokenLink, link: SourceLink, source_context: ResolveContext, project: Project
    ) -> set[TargetKey]:
        """The targets that a link of the source file may have on the page.

        A generator rewrites links to source files into addresses of pages, and leaves other links as they are written.
        """
        # Docusaurus leaves a link to a file that does not exist as it is written. MkDocs rewrites it in any case.
        targets_as_written = {key_of(self._manifest, form, self._context(broken)) for form in (link.link, link.written)}
        link = link_on_page(project, link, broken.page, source_context.source)
        if link.is_raw:
            return targets_as_written
        target = read_target(self._manifest, link.link, source_context)
        rewritten = key_of(self._manifest, link.link, source_context)
        if isinstance(target, Reference) or not target.source_path:
            return {*targets_as_written, rewritten}
        if self._manifest.page_by_source(target.source_path, self._walked.site.name):
            return {rewritten, *targets_as_written} if project.keeps_missing else {rewritten}
        page = project.page_of(target.source_path)
        if page is None or not target.source_path.endswith(project.suffixes):
            return {*targets_as_written, rewritten}
        # A plugin may have made the page of this source file, so that no build named the file for it.
        made_page = (self._walked.site.name, page, unquote(target.fragment, errors="replace"))
        return {*targets_as_written, rewritten, made_page}

    def _leads_out(self, link: SourceLink, source_context: ResolveContext) -> bool:
        """Whether a link of a source file leads out of the folder of the sources."""
        target = read_target(self._manifest, link.link, source_context)
        return not link.is_raw and is_out_of_sources(target)

    def _in_html(self, broken: BrokenLink, repeated: int) -> Iterator[Finding]:
        """The findings about a link in the HTML, if no source file is known or it does not have the link."""
        page = self._pages[broken.page]
        self._note_if_changed(page)
        if broken.page not in self._positions:
            self._positions[broken.page] = link_positions(self._walked.html(page))
        # Line 1 if the link is not found in the text: the parser repairs HTML that the pattern of tags does not match.
        positions = self._positions[broken.page].get((broken.link, broken.is_file), [(1, 1)])
        file = shown_path(self._walked.folder / page.file)
        for line, column in positions[:1] if repeated else positions:
            location = FileLocation(file, line, column)
            finding = make_finding(self._manifest, broken.kind, location, broken.link, self._context(broken))
            yield replace(finding, repeated=repeated)

    def _note_if_changed(self, page: Page) -> None:
        """Records the source file of a page if it changed after the build: the link may be corrected there."""
        source = page.source_path
        if self._sources is not None and source and self._sources.is_newer(source, self._walked.folder / page.file):
            self.changed_since.append(shown_path(self._sources.project.docs / source))


def _without_slash(key: TargetKey) -> TargetKey:
    """A target without a slash at the end of its path: a setting of the generator adds it, and not the source file."""
    site, path, fragment = key
    return site, path.rstrip("/") if path is not None else None, fragment


def _in_locale_of(page: str, source: str, key: TargetKey, project: Project) -> TargetKey:
    """A target as a page of another locale links to it (see `Project.target_page`)."""
    site, path, fragment = key
    return site, project.target_page(page, source, path) if path is not None else None, fragment


def link_on_page(project: Project, link: SourceLink, page: str | None, source: str | None) -> SourceLink:
    """A link of a source file as it is on one of the pages that are made from it (see `Project.link_to_source`)."""
    if link.is_raw or page is None or source is None:
        return link
    named = project.link_to_source(page, source, link.link)
    return replace(link, is_raw=True) if named is None else replace(link, link=named)


def source_finding(
    manifest: Manifest,
    project: Project,
    kind: FindingKind,
    file: str,
    link: SourceLink,
    source: str | None,
    context: ResolveContext,
) -> Finding:
    """The finding about a link in Markdown, with its correction in the form in which the author wrote the link.

    `file` is the path that messages show. `source` is the source path of the same file; None if it has none.
    """
    location = FileLocation(file, link.line, link.column, link.span)
    finding = replace(make_finding(manifest, kind, location, link.link, context), link=link.written)
    if source is not None and finding.correction is not None and not link.is_raw and context.page is not None:
        can_be_named = project.link_to_source(context.page, source, finding.correction) is not None
        finding = finding if can_be_named else replace(finding, correction=None)
    if source is None or link.link == link.written:
        return finding
    correction, suggestion = (
        project.written_correction(source, link.link, link.written, text) if text is not None else None
        for text in (finding.correction, finding.suggestion)
    )
    return replace(finding, correction=correction, suggestion=suggestion)


def make_finding(
    manifest: Manifest, kind: FindingKind, location: FileLocation, link: str, context: ResolveContext
) -> Finding:
    """A finding with its correction."""
    if kind == "missing-file":
        return Finding(kind, location, link, _why_missing(manifest, link, context), page=context.page)
    reference = resolve(manifest, link, context)
    correction = corrected(manifest, link, reference, context)
    suggestion = suggested(manifest, link, reference, context) if correction is None else None
    return Finding(kind, location, link, reference.reason, reference, correction, context.page, suggestion=suggestion)


def key_of(manifest: Manifest, link: str, context: ResolveContext) -> TargetKey:
    """The target of a link. A source file stands for the page that was made from it."""
    target = read_target(manifest, link, context)
    if isinstance(target, Reference) or target.site is None or target.path is None:
        return "", None, link
    page = manifest.page_by_source(target.source_path, target.site.name) if target.source_path else None
    return target.site.name, page.page if page else target.path, unquote(target.fragment, errors="replace")


def _why_missing(manifest: Manifest, link: str, context: ResolveContext) -> str:
    """The reason in a finding about a missing file."""
    target = read_target(manifest, link, context)
    if is_out_of_sources(target):
        return OUT_OF_SOURCES
    missing_path = (target.source_path or target.path) if isinstance(target, Target) else None
    return f"There is no file `{missing_path or link}`."


def shown_path(path: Path) -> str:
    """A path as a person would type it: relative if it lies below the working folder."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
