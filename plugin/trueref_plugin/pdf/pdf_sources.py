"""Finds and reads the PDFs of a build: in the site folder, which are published, and in configured folders."""

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
from trueref_plugin.files.site_files import PDF_SUFFIX, check_inside, check_regular_file, printable, read_each

if TYPE_CHECKING:
    from trueref_plugin.files.read_cache import ReadCache
    from trueref_plugin.options import BuildOptions
    from trueref_plugin.pdf.pdf_guard import GuardedPdfs
    from trueref_plugin.progress import Reporter

MEDIA_TYPE: Final = "application/pdf"
"""Stands for the encoding in the summary of a PDF."""
MAX_NAMED: Final = 5
MISSING: Final = "Install `trueref[pdf]` to have their text found and cited by page."


@dataclass(frozen=True, slots=True)
class PdfFile:
    """A PDF. `file` is its path in the site; for an unpublished one, the name of its folder and its path in that."""

    file: str
    path: Path
    is_published: bool


@dataclass(frozen=True, slots=True)
class PdfRead(PageRead):
    """A PDF as read. `digest` covers its content and name, and `content_digest` its content alone."""

    source: PdfFile
    content_digest: str


def find_pdfs(options: BuildOptions, published: Iterable[str]) -> list[PdfFile]:
    """The PDFs that a build reads. PDFs that fit a pattern of `exclude` are left out.

    A folder that cannot be listed is among them, with a slash at its end: it is reported as a PDF that cannot be read.

    Args:
        options: The options of the build.
        published: The PDFs in the site folder, relative to it.
    """
    pdfs = [PdfFile(file, options.site / file, is_published=True) for file in published]
    for folder in options.pdf:
        pdfs.extend(PdfFile(file, path, is_published=False) for file, path in _pdfs_below(folder, options.index))
    return [pdf for pdf in pdfs if not any(fnmatchcase(pdf.file, pattern) for pattern in options.exclude)]


def read_pdfs(
    options: BuildOptions, pdfs: Sequence[PdfFile], report: Reporter, cache: ReadCache
) -> tuple[list[PdfRead], list[tuple[str, str]]]:
    """Reads PDFs. Files that an earlier build has read are taken from the cache.

    Returns:
        The PDFs as read; and (file, reason) for each PDF that could not be read. Without PDFium both are empty, and the
        report says what to install.
    """
    if not pdfs:
        return [], []
    if find_spec("pypdfium2") is None:
        if files := [pdf for pdf in pdfs if not pdf.file.endswith("/")]:
            report.note(_missing(files))
        return [], []
    from trueref_plugin.pdf.pdf_guard import GuardedPdfs

    with GuardedPdfs() as guarded:
        reads, refused = read_each(
            "Reading PDFs", pdfs, lambda pdf: _read(pdf, options, guarded, cache), report, attrgetter("file")
        )
    # An unpublished copy of a published file would be found beside it. Only the published one is kept, because it has
    # an address on the site.
    published = {read.content_digest for read in reads if read.source.is_published}
    reads = [read for read in reads if read.source.is_published or read.content_digest not in published]
    for read in reads:
        for note in read.summary.notes:
            report.note(f"{read.file} {note}.")
    return reads, refused


def _read(pdf: PdfFile, options: BuildOptions, guarded: GuardedPdfs, cache: ReadCache) -> PdfRead:
    """One PDF, from the cache or parsed now."""
    if pdf.is_published:
        check_inside(options.site, pdf.path)
    check_regular_file(pdf.path)
    data = pdf.path.read_bytes()
    content = digest_of_bytes(data)
    # The name is part of the digest, because it is the title of a file that has no other.
    cache_digest = digest(content, pdf.file.rpartition("/")[2])
    summary = None if options.full else cache.summary(cache_digest)
    if summary is None:
        # Imported only here, so that a build that parses nothing does not wait for this import.
        from trueref_plugin.pdf.pdf_parse import parse_pdf

        opened = guarded.open(data)
        parsed, notes = parse_pdf(pdf.file, opened, list(guarded.pages(opened)))
        summary = summarize(parsed, MEDIA_TYPE, notes)
        cache.put(cache_digest, summary, parsed)
    return PdfRead(pdf.file, cache_digest, pdf.path.stat().st_mtime, summary, pdf, content)


def _pdfs_below(folder: Path, index: Path) -> Iterator[tuple[str, Path]]:
    """The PDFs below a folder, in the order of their names, without those in hidden folders and in the index.

    Each is a pair of its name (see `PdfFile`) and its path. Folders that cannot be listed come last.
    """
    root_name, index_folder = folder.resolve().name, index.resolve()
    unlisted: list[OSError] = []
    for current, folders, files in os.walk(folder, onerror=unlisted.append):
        # The index may lie in the same folder, with copies of these PDFs in it.
        visible_folders = (name for name in folders if not name.startswith("."))
        folders[:] = sorted(
            name for name in visible_folders if Path(os.path.realpath(Path(current) / name)) != index_folder
        )
        for file in sorted(files):
            if file.lower().endswith(PDF_SUFFIX):
                path = Path(current) / file
                yield f"{root_name}/{path.relative_to(folder).as_posix()}", path
    for path in (Path(error.filename) for error in unlisted):
        yield f"{(Path(root_name) / path.relative_to(folder)).as_posix()}/", path


def _missing(pdfs: Sequence[PdfFile]) -> str:
    """The note of a build in which PDFium is not installed."""
    named = ", ".join(printable(pdf.file) for pdf in pdfs[:MAX_NAMED])
    more = f" and {len(pdfs) - MAX_NAMED} more" if len(pdfs) > MAX_NAMED else ""
    what = "PDF is" if len(pdfs) == 1 else "PDFs are"
    return f"{len(pdfs)} {what} not read: {named}{more}. {MISSING}"
