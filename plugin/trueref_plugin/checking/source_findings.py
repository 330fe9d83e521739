"""Findings of Markdown files that are sources of a site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from trueref_core.addresses import host_of, join_page
from trueref_core.errors import OptionError
from trueref_core.links.link_target import SCHEME, WEB_SCHEMES, Target, is_out_of_sources, read_target
from trueref_core.links.resolve import ResolveContext
from trueref_core.links.target_lookup import landing_at, page_at
from trueref_core.manifest.lookup import Manifest
from trueref_core.matching.page_match import SOURCE_FILE
from trueref_core.records import Page, Reference
from trueref_plugin.checking.findings import FileLocation, Finding, FindingKind, SkipKind, one_for_all_pages
from trueref_plugin.checking.markdown.markdown_links import LinkReader, SourceLink
from trueref_plugin.checking.markdown.project import Project
from trueref_plugin.checking.path_kinds import names_page
from trueref_plugin.checking.site_findings import link_on_page, shown_path, source_finding

# Marks of templates: a plugin fills in the address when it renders the page, so it is not known before.
_TEMPLATE: Final = ("{{", "{%", "${")


@dataclass
class SourceFindings:
    """Checks the Markdown files of a project. Counts the checked links, and the skipped ones by reason.

    Attributes:
        project: The project of the files.
        reader: Reads their links.
        manifest: Decides about the links. It has the pages of this site and of other sites.
        site: The name of this site in the manifest; None if only other sites are known: then relative links are not
            checked.
        note: Receives a line for each linked file that cannot be read. Such a file is assumed to have every id.
        checked: How many links were checked.
        skipped: By reason: how many links were not checked.
    """

    project: Project
    reader: LinkReader
    manifest: Manifest
    site: str | None
    note: Callable[[str], None]
    checked: int = 0
    skipped: Counter[SkipKind] = field(default_factory=Counter[SkipKind])

    def findings(self, path: Path) -> Iterator[Finding]:
        """The findings of one file, in the order of its lines.

        Raises:
            OptionError: The file cannot be read or rendered.
        """
        source = self.project.source_of(path)
        contexts = self._contexts(source)
        context = contexts[0]
        for link in self.reader.read(path).links:
            if skip_reason := self._why_skipped(link, context, is_source=source is not None):
                if skip_reason == "no-page" and self._is_relative_to_file(link, source) and _is_file_beside(link.link):
                    self.checked += 1
                    yield from self._missing_beside(path, link)
                else:
                    self.skipped[skip_reason] += 1
                continue
            target = read_target(self.manifest, link.link, _context_of(link, context))
            # A link to a file outside of the sources is a finding, even if the file exists.
            if landing_at(self.manifest, target) == "outside" and not is_out_of_sources(target):
                self.skipped["outside"] += 1
                continue
            self.checked += 1
            on_pages = [self._finding_on_page(path, link, source, context) for context in contexts]
            yield from one_for_all_pages(on_pages)

    def _finding_on_page(
        self, path: Path, link: SourceLink, source: str | None, context: ResolveContext
    ) -> Finding | None:
        """The finding about a link on one of the pages that are made from its file; None if the link lands there."""
        link = link_on_page(self.project, link, context.page, source)
        link_context = _context_of(link, context)
        target = read_target(self.manifest, link.link, link_context)
        kind = self._kind(path, link, target)
        if kind is None:
            return None
        finding = source_finding(self.manifest, self.project, kind, shown_path(path), link, source, link_context)
        named = target.source_path if isinstance(target, Target) else None
        if named and self.project.is_left_out(named, source or "") and (self.project.docs / named).is_file():
            reason = f"mkdocs.yml leaves `{named}` out of the site (`exclude_docs`, `draft_docs`)."
            return replace(finding, reason=reason, correction=None, suggestion=None)
        return finding

    @cached_property
    def _hosts(self) -> set[str | None]:
        """The hosts of the sites in the manifest: absolute links to other hosts are not checked."""
        return {urlsplit(site.base_url).hostname for site in self.manifest.sites if site.base_url}

    @cached_property
    def _pages_of_sources(self) -> Mapping[str, Sequence[Page]]:
        """By source file: the pages that are made from it. One without a translation is a page in each language."""
        pages: dict[str, list[Page]] = {}
        for page in self.manifest.pages(self.site) if self.site is not None else ():
            if page.source_path:
                pages.setdefault(page.source_path, []).append(page)
        return pages

    def _contexts(self, source: str | None) -> Sequence[ResolveContext]:
        """The contexts of links in a source file, one for each of its pages: the site, the page and the file."""
        if source is None or self.site is None:
            return [ResolveContext(self.site)]
        if self.project.links_differ_by_page and (pages := self._pages_of_sources.get(source)):
            return [ResolveContext(self.site, page.page, source) for page in pages]
        if page := self.manifest.page_by_source(source, self.site):
            return [ResolveContext(self.site, page.page, source)]
        if self.project.config is None or self.project.excluded(source):
            # For example the README of a Sphinx project: it is not known whether a page is made from it. And none is
            # made from a file that mkdocs.yml excludes, which other files may include.
            return [ResolveContext(self.site, None, source)]
        return [ResolveContext(self.site, self.project.page_of(source), source)]

    def _why_skipped(self, source_link: SourceLink, context: ResolveContext, *, is_source: bool) -> SkipKind | None:
        """Why a link is not checked; None if it is."""
        link = source_link.link
        if any(mark in link for mark in _TEMPLATE):
            return "template"
        scheme = SCHEME.match(link)
        if scheme and scheme[1].lower() not in WEB_SCHEMES:
            return "other-scheme"
        if scheme or link.startswith("//"):
            return None if host_of(link) in self._hosts else "other-site"
        if not is_source or self.site is None:
            return "no-page"
        # A file that other files include has no page of its own. Then only links that do not depend on the page can be
        # checked: those from the root of the host, and those to files, which are relative to the file itself.
        needs_no_page = link.startswith("/") or _names_file(source_link)
        return None if context.page is not None or (needs_no_page and not source_link.is_raw) else "no-page"

    def _is_relative_to_file(self, link: SourceLink, source: str | None) -> bool:
        """Whether a relative link in a file without a page is relative to the file itself."""
        if source is None:
            return True
        # If no known site is made from the file, only links to files are certain to be relative to it: what addresses
        # of pages are relative to is not known.
        return self.project.config is None and self.site is None and _names_file(link) and not link.is_raw

    def _kind(self, path: Path, link: SourceLink, target: Target | Reference) -> FindingKind | None:
        """The kind of the finding about a link; None if the link lands.

        Files on disk count as well as the manifest, which may be older: a writer who adds a page and a link to it
        should not have to build the site before the check.
        """
        if is_out_of_sources(target):
            return _kind_of_missing(link.link, is_file=link.is_file)
        landing = landing_at(self.manifest, target)
        if landing in ("place", "outside") or isinstance(target, Reference) or target.site is None:
            return None
        if landing == "page-top":
            return None if link.is_file or self._source_has_id(target) else "missing-anchor"
        if target.site.name != self.site:
            return "missing-page" if names_page(target.path or "") else None
        if not target.own_path and target.page == target.path:
            # A link within this file, which decides, because the manifest may be older.
            return None if self._has_id(path, target.fragment) else "missing-anchor"
        on_disk = self._existing_file(target, self.project.source_of(path) or "", is_raw=link.is_raw)
        if on_disk is not None:
            is_source = on_disk.suffix in self.project.suffixes and not link.is_file
            return "missing-anchor" if is_source and not self._has_id(on_disk, target.fragment) else None
        return _kind_of_missing(target.source_path or target.path or "", is_file=link.is_file)

    def _existing_file(self, target: Target, source: str, *, is_raw: bool) -> Path | None:
        """The file that a link of a source file names, among the sources or in the site that was built from them."""
        project = self.project
        paths = (
            folder / path
            for folder in project.file_folders
            for path in (target.source_path, target.path)
            if path and not (folder == project.docs and project.is_left_out(path, source))
        )
        existing = (path for path in paths if path.is_file() or (path / "index.html").is_file())
        # Markdown is not copied into the site, so an address in HTML (`is_raw`) cannot lead to it.
        return next((path for path in existing if not is_raw or path.suffix not in self.project.suffixes), None)

    def _source_has_id(self, target: Target) -> bool:
        """Whether the source file of the target has the id now, although the page of the last build has not."""
        page = page_at(self.manifest, target)
        if page is None or page.site != self.site or not page.source_path:
            return False
        path = self.project.docs / page.source_path
        return path.is_file() and path.suffix in self.project.suffixes and self._has_id(path, target.fragment)

    def _has_id(self, path: Path, fragment: str) -> bool:
        """Whether a source file has an id. A file that cannot be read is assumed to have every id."""
        names = {fragment, unquote(fragment, errors="replace")}
        if fragment.lower() in ("", "top"):
            return True
        try:
            return not names.isdisjoint(self.reader.read(path).ids)
        except OptionError as error:
            self.note(str(error))
            return True

    def _missing_beside(self, path: Path, link: SourceLink) -> Iterator[Finding]:
        """A finding if a file outside of the sources, such as a README, links to a missing file beside it."""
        linked_path = _path_of(link.link)
        if (path.parent / unquote(linked_path, errors="replace")).exists():
            return
        kind = _kind_of_missing(linked_path, is_file=link.is_file)
        location = FileLocation(shown_path(path), link.line, link.column, link.span)
        yield Finding(
            kind, location, link.written, f"There is no file `{join_page('', linked_path) or linked_path}` beside it."
        )


def _context_of(link: SourceLink, context: ResolveContext) -> ResolveContext:
    """The context of a link: no generator rewrites a link in HTML, so that it is relative to the page alone."""
    return replace(context, source=None) if link.is_raw else context


def _names_file(link: SourceLink) -> bool:
    """Whether a link stands in an element that loads a file, or names a source file."""
    return link.is_file or SOURCE_FILE.search(link.link.partition("#")[0]) is not None


def _is_file_beside(link: str) -> bool:
    """Whether a link is relative to the file in which it stands, and not to the root of a host."""
    linked_path = _path_of(link)
    return bool(linked_path) and not linked_path.startswith("/")


def _path_of(link: str) -> str:
    """A link without query and fragment."""
    return link.partition("#")[0].partition("?")[0]


def _kind_of_missing(path: str, *, is_file: bool) -> FindingKind:
    """The kind of the finding about a missing path, by the name in the path."""
    return "missing-page" if names_page(path.partition("#")[0]) and not is_file else "missing-file"
