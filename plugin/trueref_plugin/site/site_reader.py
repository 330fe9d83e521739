"""Reads a whole site: makes the record of every page for the index, and keeps its parsed content in the cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.documents import Attachment
from trueref_core.errors import IndexDamaged
from trueref_core.generations import page_digests
from trueref_core.manifest.lookup import Manifest
from trueref_core.page_weights import page_weight
from trueref_core.records import Anchor, Page, Site
from trueref_core.version import CUTTER_VERSION, READER_VERSION, __version__
from trueref_plugin.digests import digest, digest_of_bytes
from trueref_plugin.files.linked_folders import LinkedFolders
from trueref_plugin.files.page_summary import PageRead, page_anchors, summarize
from trueref_plugin.files.read_cache import ReadCache
from trueref_plugin.files.site_files import find_files, list_files, read_each, read_page
from trueref_plugin.options import BuildOptions
from trueref_plugin.pdf.pdf_records import pdf_pages
from trueref_plugin.pdf.pdf_sources import find_pdfs, read_pdfs
from trueref_plugin.progress import Reporter
from trueref_plugin.reading.guarding.decode import decode_page
from trueref_plugin.reading.guarding.guard import GuardedReader
from trueref_plugin.reading.parsed import ParsedPage
from trueref_plugin.sidecar import PageFacts, facts_of
from trueref_plugin.site.base_url import address_at, find_base_path, find_base_url, other_forms, shown_pages
from trueref_plugin.site.hidden_pages import reason_to_hide
from trueref_plugin.site.page_kinds import page_kind
from trueref_plugin.site.page_languages import page_languages
from trueref_plugin.site.published_versions import PublishedVersions
from trueref_plugin.site.recognition_warnings import report_unmatched, report_unrecognised
from trueref_plugin.site.redirects import with_aliases, without_reloads

COPY: Final = "copy of a version under its alias"
"""The evidence for the kind of a page that is such a copy."""


@dataclass(frozen=True, slots=True)
class SiteContent:
    """A site as read. `refused` holds (file, reason) for each file that was left out."""

    site: Site
    pages: tuple[Page, ...]
    reads: Mapping[str, PageRead]
    """By address of a page: its file as read."""
    refused: tuple[tuple[str, str], ...]
    fingerprint: Mapping[str, str]
    """What a generation depends on besides its pages: the options, and a digest of the files that look like pages."""
    options: BuildOptions
    cache: ReadCache = field(repr=False)
    attachments: Mapping[str, Attachment] = field(default_factory=dict[str, Attachment])
    """The files of PDFs that the site does not publish, by id."""
    address: str | None = None
    """The base URL that links are read with. If the pages only show its path, its host is `UNKNOWN_HOST`."""

    @property
    def located_site(self) -> Site:
        """The record of the site with the address that links are read with, which is not published."""
        return replace(self.site, base_url=self.address)

    def parsed(self, page: str) -> ParsedPage:
        """The content of a page.

        Raises:
            IndexDamaged: The cache has the summary of the page but not its content. The cache is then deleted, so that
                the next build reads all files again.
        """
        parsed = self.cache.content(self.reads[page].digest)
        if parsed is None:
            self.cache.forget()
            raise IndexDamaged(f"The cached text of {self.reads[page].file} was damaged and is deleted. Build again.")
        return parsed

    def anchors(self, page: str) -> tuple[Anchor, ...]:
        """The anchors of a page as records, in document order."""
        return tuple(page_anchors(self.site.name, page, self.parsed(page)))


# This function is long because of its documentation.
def read_site(
    options: BuildOptions, report: Reporter, earlier: Manifest | None = None, cache: ReadCache | None = None
) -> SiteContent:
    """Reads every page of a finished site. Files that an earlier build has read are taken from the cache.

    A page that cannot be read is named in a warning and in `refused`. The other pages are kept.

    Args:
        options: The options of the build.
        report: Receives progress, notes and warnings.
        earlier: The served manifest. A page for which this build has no facts keeps the facts that it has there, such
            as whether it is hidden.
        cache: The cache of files that were read; None takes that of the index.

    Raises:
        SiteError: The folder is missing or has no HTML.
    """
    cache = cache or ReadCache(options.index, options.content_selector, options.name or options.site_name)
    files = find_files(options.site)
    reads, refused = _read_files(options, files.pages, report, cache)
    pdfs, unread = read_pdfs(options, find_pdfs(options, files.pdfs), report, cache)
    # Saved before anything else can fail: if this build is refused later, the next one need not read the files again.
    cache.save([read.digest for read in reads] + [read.digest for read in pdfs])
    base_url = options.base_url or find_base_url((read.file, read.summary.head.canonical) for read in reads)
    languages = page_languages({read.file: read.summary.head for read in reads})
    site = _site(options, base_url, reads, languages)
    address = base_url or _address_at_path(options.site, reads)
    by_page = _by_address(reads, address)
    facts = _facts(options, earlier, site.name)
    versions = PublishedVersions(options.site, (read.summary.head for read in reads))
    linked = LinkedFolders(options.site)
    copies = versions.copies({page: read.file for page, read in by_page.items()})
    pages = [_page(site, page, read, options, facts, versions, linked, languages) for page, read in by_page.items()]
    # A search would find a copy under an alias (mike's `latest/`) beside its original. So the copy becomes a redirect.
    pages = [replace(page, kind="redirect", kind_evidence=COPY) if page.page in copies else page for page in pages]
    redirects = {page: target for page, read in by_page.items() if (target := read.summary.head.redirect)} | copies
    pages = with_aliases(pages, redirects, address)
    report_unrecognised(pages, {page: read.summary for page, read in by_page.items()}, options, report)
    # PDFs come after the pages: a PDF gets the language and version of the pages in its folder.
    documents, document_reads, attachments = pdf_pages(site, pdfs, pages, options.version, facts)
    pages = _weighed([*pages, *documents], options, report)
    by_page |= document_reads
    # A link to a file that is not a page makes no edge, so the edges change when such files are added or removed.
    fingerprint = options.fingerprint() | {"files": digest(*files.page_like, *(file for file, _ in refused))}
    site = replace(site, digest=_site_digest(fingerprint, pages, by_page))
    left_out = (*refused, *unread)
    return SiteContent(site, tuple(pages), by_page, left_out, fingerprint, options, cache, attachments, address)


def manifest_of_site(site: Path, earlier: Manifest | None = None) -> Manifest:
    """The manifest of a built site without an index: nothing is cut, embedded or written.

    Args:
        site: Folder with the built HTML.
        earlier: A manifest of the same pages, which has what only a build knows: source files, and hidden pages.

    Raises:
        SiteError: The folder is missing or has no HTML.
    """
    name = earlier.sites[0].name if earlier is not None and len(earlier.sites) == 1 else None
    # Nothing is written, so the folder of the index may be any folder.
    content = read_site(BuildOptions(site=site, index=site, name=name), Reporter(), earlier, ReadCache(None, None))
    anchors = [anchor for page in content.pages for anchor in content.anchors(page.page)]
    return Manifest("", [content.site], content.pages, anchors)


def _read_files(
    options: BuildOptions, files: Sequence[str], report: Reporter, cache: ReadCache
) -> tuple[list[PageRead], list[tuple[str, str]]]:
    """Every page of the folder as read; and (file, reason) for each page that could not be read."""
    with GuardedReader() as guarded:
        reads, refused = read_each("Reading pages", files, lambda file: _read(file, options, guarded, cache), report)
    for file in (read.file for read in reads if read.summary.encoding == "windows-1252"):
        report.warn(f"{file} is not UTF-8 and names no other encoding: read as windows-1252.")
    return reads, refused


def _read(file: str, options: BuildOptions, guarded: GuardedReader, cache: ReadCache) -> PageRead:
    """One file: from the cache of an earlier build, or parsed now."""
    source = read_page(options.site, file)
    source_digest = digest_of_bytes(source.data)
    summary = None if options.full else cache.summary(source_digest)
    if summary is None:
        # Imported only here, so that a build that parses nothing does not wait for the import of the parser.
        from trueref_plugin.reading.parse import parse_page

        html, encoding = decode_page(source.data)
        parsed = guarded.read(parse_page, html, options.content_selector)
        summary = summarize(parsed, encoding)
        cache.put(source_digest, summary, parsed)
    return PageRead(file, source_digest, source.modified, summary)


def _site(options: BuildOptions, base_url: str | None, reads: list[PageRead], languages: Mapping[str, str]) -> Site:
    """The record of the site, from the options, and from what most of its pages say."""
    heads = [read.summary.head for read in reads]
    name = options.name or options.site_name or _most_common(head.site_name for head in heads) or "docs"
    return Site(
        name=name,
        base_url=base_url,
        version=options.version,
        language=options.language or languages.get("index.html") or _most_common(languages.values()),
        generator=_most_common(head.generator for head in heads),
    )


def _address_at_path(folder: Path, reads: Sequence[PageRead]) -> str | None:
    """The address of a site on an unknown host, if its pages show the path that it is published under."""
    assets = [asset for read in reads if (asset := read.summary.head.asset)]
    # Most sites have canonical links or relative addresses: only here all files have to be listed.
    return address_at(find_base_path(assets, list_files(folder))) if assets else None


def _by_address(reads: Iterable[PageRead], base_url: str | None) -> dict[str, PageRead]:
    """The pages as read, by address. A page that only reloads itself is read as one that does not redirect."""
    by_file = {read.file: read for read in reads}
    heads = ((file, read.summary.head) for file, read in by_file.items())
    addresses = shown_pages(((file, head.canonical, not head.clean_urls) for file, head in heads), base_url)
    by_page = {page: by_file[file] for file, page in addresses.items()}
    redirects = {page: read.summary.head.redirect for page, read in by_page.items() if read.summary.head.redirect}
    leading_on = without_reloads(redirects, {page: read.file for page, read in by_page.items()}, base_url)
    return by_page | {page: _without_redirect(by_page[page]) for page in redirects.keys() - leading_on.keys()}


def _without_redirect(read: PageRead) -> PageRead:
    """A page as read, without the address that it redirects to."""
    head = msgspec.structs.replace(read.summary.head, redirect="")
    return replace(read, summary=msgspec.structs.replace(read.summary, head=head))


def _facts(options: BuildOptions, earlier: Manifest | None, site: str) -> Mapping[str, PageFacts]:
    """What generators know of the pages, by file: from this build, and for all other pages from the build before."""
    facts = dict(options.facts or {})
    if earlier is None or options.facts_are_complete:
        return facts
    # By file and not by address, because addresses follow from canonical links, which may have changed.
    return {page.file: facts_of(page) for page in earlier.pages(site)} | facts


def _page(
    site: Site,
    page: str,
    read: PageRead,
    options: BuildOptions,
    facts_by_file: Mapping[str, PageFacts],
    versions: PublishedVersions,
    linked: LinkedFolders,
    languages: Mapping[str, str],
) -> Page:
    """The record of one page."""
    head, file = read.summary.head, read.file
    facts = facts_by_file.get(file) or PageFacts(file)
    kind, evidence = page_kind(page, read.summary, options.kinds, versions.root_of(file))
    forms = other_forms(file, page)
    hidden_by = reason_to_hide(page, file, facts, head, options)
    return Page(
        site=site.name,
        page=page,
        file=file,
        title=read.summary.title,
        description=head.description,
        kind=kind,
        kind_evidence=evidence,
        language=facts.language or options.language or languages[file],
        version=facts.version or options.version or versions.version_of(file, head),
        source_path=facts.source,
        aliases=(*forms, *linked.other_addresses((page, *forms))),
        hidden=bool(hidden_by),
        hidden_by=hidden_by,
        draft=facts.draft,
        told=tuple(name for name in ("language", "version") if getattr(facts, name)),
        content_hash=read.summary.content,
    )


def _weighed(pages: list[Page], options: BuildOptions, report: Reporter) -> list[Page]:
    """The pages with the weights that the options give them. Patterns that fit no page get a warning."""
    report_unmatched(pages, options, report)
    if not options.weights:
        return pages
    return [replace(page, weight=page_weight(page.page, options.weights)) for page in pages]


def _site_digest(fingerprint: Mapping[str, str], pages: Sequence[Page], reads: Mapping[str, PageRead]) -> str:
    """A digest of everything that chunks are made from: sites with equal digests have equal chunks."""
    versions = (__version__, READER_VERSION, CUTTER_VERSION)
    anchors = [reads[page.page].summary.anchors for page in pages]
    return page_digests.digest(
        [repr((versions, fingerprint)).encode(), page_digests.encoded(pages), page_digests.encoded(anchors)]
    )


def _most_common(values: Iterable[str]) -> str:
    """The value that occurs most often, "" if there is none."""
    counts = Counter(value for value in values if value)
    return counts.most_common(1)[0][0] if counts else ""
