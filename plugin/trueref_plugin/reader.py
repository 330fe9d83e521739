"""Reads a whole site: every page of the folder, as records and as parsed content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from trueref_core.addresses import page_of_file
from trueref_core.records import Anchor, Document, Page, Site
from trueref_core.version import CUTTER_VERSION, READER_VERSION, __version__
from trueref_plugin.base_url import find_base_url, other_forms, shown_page
from trueref_plugin.cutting.cut import digest
from trueref_plugin.folder import SourceFile, list_pages, read_page
from trueref_plugin.kinds import page_kind
from trueref_plugin.options import BuildOptions
from trueref_plugin.reading.decode import decode_page
from trueref_plugin.reading.guard import GuardedReader, PageRefused
from trueref_plugin.reading.parse import parse_page
from trueref_plugin.reading.parsed import ParsedPage
from trueref_plugin.reading.prescan import why_odd
from trueref_plugin.redirects import with_aliases
from trueref_plugin.report import Reporter
from trueref_plugin.sidecar import PageFacts, facts_of

if TYPE_CHECKING:
    from trueref_core.manifest import Manifest

_GENERATED: Final = {
    "404": "error page",
    "genindex": "generated page",
    "py-modindex": "generated page",
}
"""Pages that generators make of the others, in whatever folder of a language or version: never an answer."""

_GENERATED_BY_SPHINX: Final = {"search": "generated page"}
"""Deeper in a site of another generator, a page of this name is one of the author's."""


@dataclass(frozen=True, slots=True)
class SiteContent:
    """A site as read. `parsed` is keyed by `page`; pages that were refused are in `refused`, file and reason."""

    site: Site
    pages: tuple[Page, ...]
    anchors: tuple[Anchor, ...]
    documents: tuple[Document, ...]
    parsed: dict[str, ParsedPage]
    refused: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Read:
    source: SourceFile
    parsed: ParsedPage


def read_site(options: BuildOptions, report: Reporter, earlier: Manifest | None = None) -> SiteContent:
    """Reads every page of a finished site.

    A page that cannot be read is named in a warning and in `refused`; the others are kept.

    Args:
        options: What the build was told.
        report: Told what happens.
        earlier: What is served, with what an earlier build said of pages that this one says nothing of.

    Raises:
        SiteError: The folder is missing or holds no HTML.
    """
    reads, refused = _read_files(options, report)
    base_url = options.base_url or find_base_url((read.source.file, read.parsed.head.canonical) for read in reads)
    site = _site(options, base_url, [read.parsed for read in reads])
    parsed = _by_address(reads, base_url)
    facts = _facts(options, earlier, site.name)
    pages = [_page(site, page, read, options, facts) for page, read in parsed.items()]
    redirects = {page: read.parsed.head.redirect for page, read in parsed.items() if read.parsed.head.redirect}
    pages = with_aliases(pages, redirects, base_url)
    anchors = tuple(anchor for page, read in parsed.items() for anchor in page_anchors(site.name, page, read.parsed))
    site = replace(site, digest=_site_digest(options, pages, anchors))
    documents = tuple(_document(site.name, page, parsed[page.page].source) for page in pages)
    content = {page: read.parsed for page, read in parsed.items()}
    return SiteContent(site, tuple(pages), anchors, documents, content, tuple(refused))


def page_anchors(site: str, page: str, parsed: ParsedPage) -> Iterable[Anchor]:
    """The anchors of a page as records, in document order."""
    for position, found in enumerate(parsed.anchors):
        section = parsed.sections[found.section] if found.section >= 0 else None
        breadcrumb = (*section.breadcrumb, section.title) if section is not None else ()
        parent = section.anchor if section is not None else ""
        yield Anchor(
            site, page, found.anchor, found.kind, found.level, found.text, breadcrumb, parent, position, found.duplicate
        )


def _read_files(options: BuildOptions, report: Reporter) -> tuple[list[_Read], list[tuple[str, str]]]:
    files = list_pages(options.site)
    reads: list[_Read] = []
    refused: list[tuple[str, str]] = []
    report.start("Reading pages", len(files))
    with GuardedReader() as guarded:
        for file in files:
            try:
                source = read_page(options.site, file)
                reads.append(_Read(source, _parse(source, options.content_selector, guarded, report)))
            except OSError as error:
                refused.append((file, f"it cannot be opened ({error.strerror or error})"))
            except PageRefused as error:
                refused.append((file, str(error)))
            report.advance()
    report.finish()
    for file, reason in refused:
        report.warn(f"{file} was left out: {reason}.")
    return reads, refused


def _parse(source: SourceFile, selector: str | None, guarded: GuardedReader, report: Reporter) -> ParsedPage:
    html, encoding = decode_page(source.data)
    if encoding == "windows-1252":
        report.warn(f"{source.file} is not UTF-8 and names no other encoding: read as windows-1252.")
    if why_odd(html) is None:
        # What fails here fails in the child too, or is too deep for this stack: there it is reported by name.
        with suppress(Exception):
            return parse_page(html, selector)
    return guarded.parse(html, selector)


def _site(options: BuildOptions, base_url: str | None, parsed: list[ParsedPage]) -> Site:
    name = options.name or _most_common(page.head.site_name for page in parsed) or "docs"
    return Site(
        name=name,
        base_url=base_url,
        version=options.version,
        language=_most_common(page.head.language for page in parsed),
        generator=_most_common(page.head.generator for page in parsed),
    )


def _by_address(reads: Iterable[_Read], base_url: str | None) -> dict[str, _Read]:
    """The pages by the address they are shown under. Two files that claim one address keep those of their files."""
    shown: dict[str, list[_Read]] = {}
    for read in reads:
        shown.setdefault(shown_page(read.source.file, read.parsed.head.canonical, base_url), []).append(read)
    return {
        page if len(claiming) == 1 else page_of_file(read.source.file): read
        for page, claiming in shown.items()
        for read in claiming
    }


def _facts(options: BuildOptions, earlier: Manifest | None, site: str) -> Mapping[str, PageFacts]:
    """What this build says of its pages, and where it says nothing what an earlier one of the same site said."""
    known = {} if earlier is None else {page.file: facts_of(page) for page in earlier.pages(site)}
    return known | dict(options.facts or {})


def _page(site: Site, page: str, read: _Read, options: BuildOptions, facts_by_file: Mapping[str, PageFacts]) -> Page:
    parsed, file = read.parsed, read.source.file
    facts = facts_by_file.get(file) or PageFacts(file)
    kind, evidence = page_kind(page, parsed)
    hidden_by = _hidden_by(page, file, facts, parsed, options)
    return Page(
        site=site.name,
        page=page,
        file=file,
        title=parsed.title,
        description=parsed.head.description,
        kind=kind,
        kind_evidence=evidence,
        language=facts.language or parsed.head.language,
        version=facts.version or options.version or parsed.head.version,
        source_path=facts.source,
        aliases=other_forms(file, page),
        hidden=bool(hidden_by),
        hidden_by=hidden_by,
        draft=facts.draft,
        told=tuple(name for name in ("language", "version") if getattr(facts, name)),
        content_hash=_content_hash(parsed),
    )


def _hidden_by(page: str, file: str, facts: PageFacts, parsed: ParsedPage, options: BuildOptions) -> str:
    if facts.draft:
        return "draft"
    if facts.hidden:
        return "search exclusion"
    if parsed.head.noindex and not parsed.head.redirect:
        return "noindex"
    if any(fnmatchcase(page, pattern) or fnmatchcase(facts.source, pattern) for pattern in options.exclude):
        return "option"
    name = file.removesuffix(".html").removesuffix("/index").rpartition("/")[2]
    is_sphinx = "sphinx" in parsed.head.generator.lower() or file == "search.html"
    return _GENERATED.get(name) or (_GENERATED_BY_SPHINX.get(name, "") if is_sphinx else "")


def _content_hash(parsed: ParsedPage) -> str:
    inside = [anchor for anchor in parsed.anchors if anchor.section >= 0 and anchor.kind != "internal"]
    return digest(repr((parsed.title, parsed.head.description, parsed.sections, parsed.blocks, inside)))


def _site_digest(options: BuildOptions, pages: Iterable[Page], anchors: Iterable[Anchor]) -> str:
    versions = (__version__, READER_VERSION, CUTTER_VERSION)
    return digest(repr(versions), repr(options.fingerprint()), *map(repr, pages), *map(repr, anchors))


def _document(site: str, page: Page, source: SourceFile) -> Document:
    modified = datetime.fromtimestamp(source.modified, UTC).isoformat(timespec="seconds")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    path = page.source_path or page.file
    return Document(site, path, source.digest, modified, "none", 0, now, now)


def _most_common(values: Iterable[str]) -> str:
    counts = Counter(value for value in values if value)
    return counts.most_common(1)[0][0] if counts else ""
