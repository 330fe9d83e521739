"""The PDFs of a build: those in the site folder, which are published, and those of configured folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_plugin.digests import digest, digest_of_bytes
from trueref_plugin.files.page_summary import PageRead, summarize
from trueref_plugin.files.site_files import PDF_SUFFIX, check_inside, check_ordinary, printable, read_each

if TYPE_CHECKING:
    from trueref_plugin.files.read_cache import Reads
    from trueref_plugin.options import BuildOptions
    from trueref_plugin.pdf.pdf_guard import GuardedPdfs
    from trueref_plugin.progress import Reporter

MEDIA_TYPE: Final = "application/pdf"
"""Stands for the encoding in the summary of a PDF."""
NAMED_MOST: Final = 5
MISSING: Final = "Install `trueref[pdf]` to have their text found and cited by page."


@dataclass(frozen=True, slots=True)
class PdfFile:
    """A PDF. `file` is its path in the site; if it is not published, the name of its folder and its path in that."""

    file: str
    path: Path
    is_published: bool


@dataclass(frozen=True, slots=True)
class PdfRead(PageRead):
    """A PDF as read. `digest` covers content and name, `content_digest` the content alone."""

    source: PdfFile
    content_digest: str


def find_pdfs(options: BuildOptions, published: Iterable[str]) -> list[PdfFile]:
    """The PDFs that a build reads: first those in the site folder, `published`, which are relative to it.

    PDFs that fit a pattern of `exclude` become no pages.
    """
    pdfs = [PdfFile(file, options.site / file, is_published=True) for file in published]
    for folder in options.pdf:
        pdfs.extend(PdfFile(file, path, is_published=False) for file, path in _files(folder, options.index))
    return [pdf for pdf in pdfs if not any(fnmatchcase(pdf.file, pattern) for pattern in options.exclude)]


def read_pdfs(
    options: BuildOptions, pdfs: Sequence[PdfFile], report: Reporter, memory: Reads
) -> tuple[list[PdfRead], list[tuple[str, str]]]:
    """Reads PDFs. Files that an earlier build has read are taken from its cache.

    Returns:
        The files as read; and the file and the reason of each that was not. Without PDFium both are empty, and one line
        says what to install.
    """
    if not pdfs:
        return [], []
    if find_spec("pypdfium2") is None:
        report.note(_missing(pdfs))
        return [], []
    from trueref_plugin.pdf.pdf_guard import GuardedPdfs

    with GuardedPdfs() as guarded:
        reads, refused = read_each(
            "Reading PDFs", pdfs, lambda pdf: _read(pdf, options, guarded, memory), report, attrgetter("file")
        )
    # A copy of a published file would be found beside it. The published one has an address on the site.
    published = {read.content_digest for read in reads if read.source.is_published}
    reads = [read for read in reads if read.source.is_published or read.content_digest not in published]
    for read in reads:
        for note in read.summary.notes:
            report.note(f"{read.file} {note}.")
    return reads, refused


def _read(pdf: PdfFile, options: BuildOptions, guarded: GuardedPdfs, memory: Reads) -> PdfRead:
    """One PDF, from the cache or parsed now."""
    if pdf.is_published:
        check_inside(options.site, pdf.path)
    check_ordinary(pdf.path)
    data = pdf.path.read_bytes()
    content = digest_of_bytes(data)
    # The name counts, because it is the title of a file that has no other.
    cache_digest = digest(content, pdf.file.rpartition("/")[2])
    summary = None if options.full else memory.summary(cache_digest)
    if summary is None:
        # A build without changes parses nothing, and should not wait for this import.
        from trueref_plugin.pdf.pdf_parse import parse_pdf

        opened = guarded.open(data)
        parsed, notes = parse_pdf(pdf.file, opened, list(guarded.pages(opened)))
        summary = summarize(parsed, MEDIA_TYPE, notes)
        memory.put(cache_digest, summary, parsed)
    return PdfRead(pdf.file, cache_digest, pdf.path.stat().st_mtime, summary, pdf, content)


def _files(folder: Path, index: Path) -> Iterator[tuple[str, Path]]:
    """The PDFs below a folder in the order of their names, except those in hidden folders and in the index."""
    root_name, index_folder = folder.resolve().name, index.resolve()
    for inner, folders, files in os.walk(folder):
        # The index may lie in the same folder, with copies of these PDFs in it.
        shown = (name for name in folders if not name.startswith("."))
        folders[:] = sorted(name for name in shown if Path(os.path.realpath(Path(inner) / name)) != index_folder)
        for file in sorted(files):
            if file.lower().endswith(PDF_SUFFIX):
                path = Path(inner) / file
                yield f"{root_name}/{path.relative_to(folder).as_posix()}", path


def _missing(pdfs: Sequence[PdfFile]) -> str:
    """The line for a build that cannot read PDFs."""
    named = ", ".join(printable(pdf.file) for pdf in pdfs[:NAMED_MOST])
    more = f" and {len(pdfs) - NAMED_MOST} more" if len(pdfs) > NAMED_MOST else ""
    what = "PDF is" if len(pdfs) == 1 else "PDFs are"
    return f"{len(pdfs)} {what} not read: {named}{more}. {MISSING}"
