"""Findings of a built site: where each broken link stands, in the Markdown where that is known, and what was meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from trueref_core.errors import OptionError
from trueref_core.manifest import Manifest
from trueref_core.records import Reference
from trueref_core.resolve import ResolveContext
from trueref_core.target import Target, read_target
from trueref_plugin.checking.broken import Broken
from trueref_plugin.checking.correct import corrected
from trueref_plugin.checking.findings import Finding, FindingKind, Place
from trueref_plugin.checking.html_places import places_of
from trueref_plugin.checking.project import SOURCE_SUFFIXES, Project
from trueref_plugin.checking.site import WalkedSite
from trueref_plugin.checking.sources import SourceLink, SourceReader

Key = tuple[str, str | None, str]
"""What a link names: site, path, fragment decoded."""

FRAME_LEAST: Final = 3
"""So many pages at least have a link that is of the frame around the content, and more than half of all."""


class MarkdownSources:
    """The Markdown that a site was built of.

    Args:
        project: Where it is.
        reader: Reads it.
        by_file: By HTML file of the site: the source file, where a build said so. Others go by MkDocs' names.
        note: Told which file cannot be read: its findings stay in the HTML.
    """

    def __init__(
        self, project: Project, reader: SourceReader, by_file: Mapping[str, str], note: Callable[[str], None]
    ) -> None:
        self._project = project
        self._reader = reader
        self._by_file = by_file
        self._note = note

    def source_of(self, file: str) -> str:
        """The source file of an HTML file, "" where it is not known."""
        return self._by_file.get(file) or self._project.source_of_page_file(file)

    def page_of(self, source: str) -> str:
        """The page that MkDocs makes of a source file."""
        return self._project.page_of(source)

    def links_of(self, source: str) -> tuple[str, Sequence[SourceLink]]:
        """A source file as a path for a person, and its links: none where it cannot be read."""
        path = self._project.docs / source
        try:
            return shown_path(path), self._reader.read(path).links if path.is_file() else ()
        except OptionError as error:
            self._note(str(error))
            return shown_path(path), ()


class SiteFindings:
    """Makes findings of what is broken in a walked site.

    Args:
        walked: The site, with the source files of its pages where they are known.
        manifest: Its manifest, and those of other sites that links lead to.
        sources: The Markdown; None where nobody knows it.
    """

    def __init__(self, walked: WalkedSite, manifest: Manifest, sources: MarkdownSources | None) -> None:
        self._walked = walked
        self._manifest = manifest
        self._sources = sources
        self._pages = {page.page: page for page in walked.pages}
        self._html: dict[str, str] = {}

    def findings(self, broken: Iterable[Broken]) -> Iterator[Finding]:
        """The findings. A link that most pages have is told once, and in the text of each page that has it there."""
        told: set[Place] = set()
        for items in self._grouped(broken):
            for finding in self._of_group(items):
                # Two pages may be made of one source, and one place may break in two ways of writing it.
                if finding.place not in told:
                    told.add(finding.place)
                    yield finding

    def _grouped(self, broken: Iterable[Broken]) -> Iterable[Sequence[Broken]]:
        """The broken links, those together that name the same."""
        groups: dict[tuple[FindingKind, Key], list[Broken]] = {}
        for item in broken:
            key = key_of(self._manifest, item.link, self._context(item))
            groups.setdefault((item.kind, key), []).append(item)
        return groups.values()

    def _of_group(self, items: Sequence[Broken]) -> Iterator[Finding]:
        rest: list[Broken] = []
        for item in items:
            in_source = list(self._in_sources(item))
            yield from in_source
            rest += [] if in_source else [item]
        if len({item.page for item in items}) < max(FRAME_LEAST, len(self._pages) // 2 + 1):
            for item in rest:
                yield from self._in_html(item, 0)
        elif rest:
            first = min(rest, key=lambda item: self._pages[item.page].file)
            yield from self._in_html(first, len({item.page for item in rest}) - 1)

    def _context(self, broken: Broken) -> ResolveContext:
        return ResolveContext(self._walked.site.name, broken.base)

    def _in_sources(self, broken: Broken) -> Iterator[Finding]:
        source = self._pages[broken.page].source_path
        if self._sources is None or not source:
            return
        file, links = self._sources.links_of(source)
        for link in links:
            if self._is_it(broken, link, source):
                yield self._in_source(broken, file, link, source)

    def _is_it(self, broken: Broken, link: SourceLink, source: str) -> bool:
        """Whether a link of the source has become the broken one of the page."""
        there = key_of(self._manifest, broken.link, self._context(broken))
        in_source = ResolveContext(self._walked.site.name, broken.page, source)
        keys = [key_of(self._manifest, link.link, place) for place in (self._context(broken), in_source)]
        is_same = there in (*keys, self._key_when_built(link.link, in_source))
        return is_same and link.is_file == broken.is_file

    def _key_when_built(self, link: str, context: ResolveContext) -> Key | None:
        """What a link to a source file named when its page was still made, by a plugin say."""
        target = read_target(self._manifest, link, context)
        if isinstance(target, Reference) or self._sources is None or not target.source_path:
            return None
        if not target.source_path.endswith(SOURCE_SUFFIXES):
            return None
        page = self._sources.page_of(target.source_path)
        return self._walked.site.name, page, unquote(target.fragment, errors="replace")

    def _in_source(self, broken: Broken, file: str, link: SourceLink, source: str) -> Finding:
        context = ResolveContext(self._walked.site.name, broken.page, source)
        place = Place(file, link.line, link.column, link.span)
        return make_finding(self._manifest, broken.kind, place, link.link, context, written=link.written)

    def _in_html(self, broken: Broken, repeated: int) -> Iterator[Finding]:
        page = self._pages[broken.page]
        if broken.page not in self._html:
            self._html[broken.page] = self._walked.html(page)
        found = places_of(self._html[broken.page], broken.link, is_file=broken.is_file) or [(1, 1)]
        file = shown_path(self._walked.folder / page.file)
        for line, column in found[:1] if repeated else found:
            place, context = Place(file, line, column), self._context(broken)
            yield make_finding(self._manifest, broken.kind, place, broken.link, context, repeated=repeated)


def make_finding(
    manifest: Manifest,
    kind: FindingKind,
    place: Place,
    link: str,
    context: ResolveContext,
    *,
    written: str | None = None,
    repeated: int = 0,
) -> Finding:
    """A finding with what was meant. `written` is the link as its file has it, where that differs from `link`."""
    shown = link if written is None else written
    if kind == "missing-file":
        reason = f"There is no file `{_path_named(manifest, link, context)}`."
        return Finding(kind, place, shown, reason, page=context.page, repeated=repeated)
    found = manifest.resolve(link, context)
    correction = corrected(manifest, link, found, context)
    return Finding(kind, place, shown, found.reason, found, correction, context.page, repeated)


def key_of(manifest: Manifest, link: str, context: ResolveContext) -> Key:
    """What a link names where it stands: a source file is the page that was made of it."""
    target = read_target(manifest, link, context)
    if isinstance(target, Reference) or target.site is None:
        return "", None, link
    page = manifest.page_by_source(target.source_path, target.site.name) if target.source_path else None
    return target.site.name, page.page if page else target.path, unquote(target.fragment, errors="replace")


def _path_named(manifest: Manifest, link: str, context: ResolveContext) -> str:
    target = read_target(manifest, link, context)
    named = (target.source_path or target.path) if isinstance(target, Target) else None
    return named or link


def shown_path(path: Path) -> str:
    """A path as a person would type it here: relative where it lies below the working folder."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
