"""Findings of a built site: for each broken link its position, in the Markdown if that is known, and its correction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from trueref_core.errors import OptionError
from trueref_core.links.link_target import OUT_OF_SOURCES, Target, is_out_of_sources, read_target
from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Page, Reference
from trueref_plugin.checking.corrections import corrected, suggested
from trueref_plugin.checking.findings import FileLocation, Finding, FindingKind
from trueref_plugin.checking.link_positions import LinkPositions, link_positions
from trueref_plugin.checking.markdown.markdown_links import LinkReader, SourceLink
from trueref_plugin.checking.markdown.project import Project
from trueref_plugin.checking.site.broken_links import Broken
from trueref_plugin.checking.site.built_site import WalkedSite

TargetKey = tuple[str, str | None, str]
"""The target of a link: site, path, decoded fragment."""

FRAME_LEAST: Final = 3
"""A link belongs to the frame around the content (the navigation, the footer) if at least this many pages have it, and
more than half of all."""


@dataclass(frozen=True)
class MarkdownSources:
    """The Markdown that a site was built from.

    `by_file` has the source files by HTML file, as far as a build named them; others follow the generator's rules.
    `note` takes a line for each file that cannot be read: its findings are reported in the HTML.
    """

    project: Project
    reader: LinkReader
    by_file: Mapping[str, str]
    note: Callable[[str], None]

    def source_of(self, file: str) -> str:
        """The source file of an HTML file, "" if it is not known."""
        return self.by_file.get(file) or self.project.source_of_page_file(file)

    def links_of(self, source: str) -> tuple[str, Sequence[SourceLink]]:
        """A source file as a path for a person, and its links: none if it cannot be read."""
        path = self.project.docs / source
        if not path.name.lower().endswith(self.project.suffixes):
            return shown_path(path), ()
        try:
            return shown_path(path), self.reader.read(path).links if path.is_file() else ()
        except OptionError as error:
            self.note(str(error))
            return shown_path(path), ()

    def is_newer(self, source: str, built: Path) -> bool:
        """Whether a source file was written after the file that a build made of it."""
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
        """Links that climb out of the site and are findings, as far as `findings` has come."""
        self.changed_since: list[str] = []
        """Source files that have changed since the build, whose pages have links that these do not have any more."""
        self._links: dict[tuple[str, str], Mapping[tuple[TargetKey, bool], Sequence[SourceLink]]] = {}

    def findings(self, broken: Iterable[Broken], leaving: Iterable[Broken] = ()) -> Iterator[Finding]:
        """The findings. A link that most pages have is one finding, and one more in each text that has it.

        A source file may be that of two pages: then a link in it is reported twice, with one location.

        Args:
            broken: Links that do not land.
            leaving: Links that climb out of the folder of the site. Such a link is a finding only if its source file
                has it as a link to a file.
        """
        for items in self._grouped(broken):
            yield from self._of_group(items)
        for item in leaving:
            in_sources = list(self._in_sources(item, is_leaving=True))
            self.outside += bool(in_sources)
            yield from in_sources

    def _grouped(self, broken: Iterable[Broken]) -> Iterable[Sequence[Broken]]:
        """The broken links, grouped by their target."""
        groups: dict[tuple[FindingKind, TargetKey], list[Broken]] = {}
        for item in broken:
            key = key_of(self._manifest, item.link, self._context(item))
            groups.setdefault((item.kind, key), []).append(item)
        return groups.values()

    def _of_group(self, items: Sequence[Broken]) -> Iterator[Finding]:
        """The findings of all links to one target.

        A link that a source file has is reported there. Others are reported in the HTML: each of them, or a single one
        if most pages have the link, which then belongs to the frame of the site.
        """
        only_in_html: list[Broken] = []
        for item in items:
            in_source = list(self._in_sources(item))
            yield from in_source
            only_in_html += [] if in_source else [item]
        if len({item.page for item in items}) < max(FRAME_LEAST, len(self._pages) // 2 + 1):
            for item in only_in_html:
                yield from self._in_html(item, 0)
        elif only_in_html:
            first = min(only_in_html, key=lambda item: self._pages[item.page].file)
            yield from self._in_html(first, len({item.page for item in only_in_html}) - 1)

    def _context(self, broken: Broken) -> ResolveContext:
        """Where a broken link stands."""
        return ResolveContext(self._walked.site.name, broken.base)

    def _in_sources(self, broken: Broken, *, is_leaving: bool = False) -> Iterator[Finding]:
        """The findings of a link in the Markdown of its page, one for each time that it stands there."""
        source = self._pages[broken.page].source_path
        if self._sources is None or not source:
            return
        project = self._sources.project
        file, links = self._sources.links_of(source)
        in_source = ResolveContext(self._walked.site.name, broken.page, source)
        if (broken.page, broken.base) not in self._links:
            self._links[broken.page, broken.base] = self._by_key(broken, links, in_source, project)
        target_key = _plain(key_of(self._manifest, broken.link, self._context(broken)))
        for link in self._links[broken.page, broken.base].get((target_key, broken.is_file), ()):
            if not is_leaving or self._leads_out(link, in_source):
                context = self._context(broken) if link.is_raw else in_source
                yield source_finding(self._manifest, project, broken.kind, file, link, source, context)

    def _by_key(
        self, broken: Broken, links: Iterable[SourceLink], in_source: ResolveContext, project: Project
    ) -> Mapping[tuple[TargetKey, bool], Sequence[SourceLink]]:
        """The links of a source, by the targets that they may have on its page."""
        by_key: dict[tuple[TargetKey, bool], list[SourceLink]] = {}
        for link in links:
            keys = self._keys(broken, link, in_source, project)
            keys |= {_seen_from(broken.page, in_source.source or "", key, project) for key in keys}
            for key in set(map(_plain, keys)):
                by_key.setdefault((key, link.is_file), []).append(link)
        return by_key

    def _keys(self, broken: Broken, link: SourceLink, in_source: ResolveContext, project: Project) -> set[TargetKey]:
        """The targets that a link of the source may have on the page.

        A generator rewrites links to source files into addresses of pages, and leaves other links as they are written.
        """
        # Docusaurus leaves a link to a file that does not exist as it is written. MkDocs rewrites it in any case.
        as_it_is = {key_of(self._manifest, form, self._context(broken)) for form in (link.link, link.written)}
        if link.is_raw:
            return as_it_is
        target = read_target(self._manifest, link.link, in_source)
        rewritten = key_of(self._manifest, link.link, in_source)
        if isinstance(target, Reference) or not target.source_path:
            return {*as_it_is, rewritten}
        if self._manifest.page_by_source(target.source_path, self._walked.site.name):
            return {rewritten, *as_it_is} if project.keeps_missing else {rewritten}
        page = project.page_of(target.source_path)
        if page is None or not target.source_path.endswith(project.suffixes):
            return {*as_it_is, rewritten}
        # The site may have a page for it that is not known as its page, because a plugin made it.
        return {*as_it_is, rewritten, (self._walked.site.name, page, unquote(target.fragment, errors="replace"))}

    def _leads_out(self, link: SourceLink, in_source: ResolveContext) -> bool:
        """Whether a link of a source climbs out of the folder of the sources."""
        target = read_target(self._manifest, link.link, in_source)
        return not link.is_raw and is_out_of_sources(target)

    def _in_html(self, broken: Broken, repeated: int) -> Iterator[Finding]:
        """The findings of a link in the HTML, if no source is known or the source does not have the link."""
        page = self._pages[broken.page]
        self._note_if_changed(page)
        if broken.page not in self._positions:
            self._positions[broken.page] = link_positions(self._walked.html(page))
        # Line 1 if the link is not found in the text: the parser repairs HTML that the pattern cannot read.
        positions = self._positions[broken.page].get((broken.link, broken.is_file), [(1, 1)])
        file = shown_path(self._walked.folder / page.file)
        for line, column in positions[:1] if repeated else positions:
            location = FileLocation(file, line, column)
            finding = make_finding(self._manifest, broken.kind, location, broken.link, self._context(broken))
            yield replace(finding, repeated=repeated)

    def _note_if_changed(self, page: Page) -> None:
        """Notes the source of a page if it has changed since the build: the link may have been corrected there."""
        source = page.source_path
        if self._sources is not None and source and self._sources.is_newer(source, self._walked.folder / page.file):
            self.changed_since.append(shown_path(self._sources.project.docs / source))


def _plain(key: TargetKey) -> TargetKey:
    """A target without the slash at the end of its path, which a setting of the generator adds, not the source."""
    site, path, fragment = key
    return site, path.rstrip("/") if path is not None else None, fragment


def _seen_from(page: str, source: str, key: TargetKey, project: Project) -> TargetKey:
    """A target as it is on a page of another locale (see `Project.seen_from`)."""
    site, path, fragment = key
    return site, project.seen_from(page, source, path) if path is not None else None, fragment


def source_finding(
    manifest: Manifest,
    project: Project,
    kind: FindingKind,
    file: str,
    link: SourceLink,
    source: str | None,
    context: ResolveContext,
) -> Finding:
    """The finding of a link in Markdown, with its correction in the form in which the author wrote the link.

    `file` is the file as a person would type it, `source` the same file as source path, None if it has none.
    """
    location = FileLocation(file, link.line, link.column, link.span)
    finding = replace(make_finding(manifest, kind, location, link.link, context), link=link.written)
    if source is None or link.link == link.written:
        return finding
    correction, suggestion = (
        project.as_written(source, link.link, link.written, text) if text is not None else None
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
    """The reason of a finding about a file."""
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
