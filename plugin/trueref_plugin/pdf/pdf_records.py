"""Makes the records of PDFs: one page for each, and the attachments that go into the index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from trueref_core.documents import DOCUMENTS, Attachment, document_id
from trueref_core.records import Page, Site
from trueref_plugin.pdf.pdf_sources import PdfRead
from trueref_plugin.sidecar import PageFacts


def pdf_pages(
    site: Site, reads: Sequence[PdfRead], other_pages: Sequence[Page], version: str, facts: Mapping[str, PageFacts]
) -> tuple[list[Page], dict[str, PdfRead], dict[str, Attachment]]:
    """The records of PDFs.

    Args:
        site: The site that they belong to.
        reads: The PDFs as read.
        other_pages: The other pages of the site. A PDF gets the language and version of most pages in its folder.
        version: The version in the options, "" if they name none.
        facts: What the generator knows of the PDFs, by file.

    Returns:
        The pages; by address of a page: its PDF as read; and by id: the files of PDFs that the site does not publish.
    """
    # Most sites have no PDFs. Then the folders of the other pages need not be counted.
    folder_facts = _FolderFacts(other_pages if reads else ())
    used_addresses = {page.page for page in other_pages}
    pages: list[Page] = []
    by_address: dict[str, PdfRead] = {}
    attachments: dict[str, Attachment] = {}
    for read in reads:
        source = read.source
        key = "" if source.is_published else document_id(site.name, source.file, read.content_digest)
        address = source.file if source.is_published else f"{DOCUMENTS}{key}"
        if address in used_addresses or address in by_address:
            # The same file lies in two of the configured folders.
            continue
        if key:
            attachments[key] = Attachment(source.path, read.content_digest)
        language, own_version = folder_facts.nearest(source.file if source.is_published else "")
        pages.append(_page(site, address, read, language, version or own_version, facts.get(source.file)))
        by_address[address] = read
    return pages, by_address, attachments


def _page(site: Site, address: str, read: PdfRead, language: str, version: str, facts: PageFacts | None) -> Page:
    """The record of one PDF."""
    own_facts = facts or PageFacts(read.file)
    hidden_by = "draft" if own_facts.draft else "search exclusion" if own_facts.hidden else ""
    return Page(
        site=site.name,
        page=address,
        file=read.file,
        title=read.summary.title,
        description=read.summary.head.description,
        kind="pdf",
        kind_evidence="a PDF file",
        language=own_facts.language or language,
        version=own_facts.version or version,
        source_path=own_facts.source,
        hidden=bool(hidden_by),
        hidden_by=hidden_by,
        draft=own_facts.draft,
        told=tuple(name for name in ("language", "version") if getattr(own_facts, name)),
        content_hash=read.summary.content,
    )


class _FolderFacts:
    """The language and version of most pages in each folder."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._counts: dict[str, Counter[tuple[str, str]]] = {}
        for page in pages:
            # A redirect names no language, and an error page may have the language of another part of the site.
            if page.kind == "redirect" or page.hidden:
                continue
            folder = page.file
            while folder:
                folder = folder.rpartition("/")[0]
                self._counts.setdefault(folder, Counter())[page.language, page.version] += 1

    def nearest(self, file: str) -> tuple[str, str]:
        """Language and version of most pages in the nearest folder around a file that has pages, else "" and ""."""
        folder = file.rpartition("/")[0]
        while folder and folder not in self._counts:
            folder = folder.rpartition("/")[0]
        counts = self._counts.get(folder)
        return counts.most_common(1)[0][0] if counts else ("", "")
