"""Marked text: each document as a text file with marks that number its pages, and a list of these files.

Retrieval services cut texts wherever they like, and return a piece with the id that they gave to its file. The marks in
the piece tell its pages (`trueref_core.export.marked_text`), and the list tells which document the file was made from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from trueref_core.addresses import href_of
from trueref_core.documents import DOCUMENTS, document_href, page_anchor
from trueref_core.errors import OptionError
from trueref_core.export.export_files import ExportedFile
from trueref_core.export.marked_text import marked_text, pages_of
from trueref_core.manifest.codec import ManifestFile
from trueref_core.records import Page

FILE_LIST: Final = "pages.json"
"""The name of the list of files in an export."""

_HEADING: Final = re.compile(r"^## Page ([1-9][0-9]{0,6})$", re.MULTILINE)
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_MAX_NAME: Final = 150


class HostedFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """The origin of a file.

    `document` is the address of the document in the site. `page` is the number of the page that the file begins with,
    and `pages` the number of its pages. `pdf` says whether each page has an address of its own, `#page=N`.
    """

    document: str
    title: str = ""
    page: int = 1
    pages: int = 1
    pdf: bool = False


class HostedFileIds(msgspec.Struct, frozen=True):
    """The list of files by id: by their names, until somebody replaces these by the ids of a service."""

    files: dict[str, HostedFile]
    schema: int = 1


class TextOrigin(msgspec.Struct, frozen=True):
    """The origin of a piece of text: its document, "" if that is not known, its pages, and the addresses of these."""

    document: str
    title: str
    pages: tuple[int, ...]
    hrefs: tuple[str, ...]


def page_heading(number: int) -> str:
    """The heading of a page in the Markdown of a PDF. No line of the PDF's text looks the same: its `#` is escaped."""
    return f"## Page {number}"


def marked_files(file: ManifestFile, texts: Mapping[tuple[str, str], str], site: str) -> Iterator[ExportedFile]:
    """The documents of a site as marked text, with PDFs that the site does not publish, and then their list.

    Args:
        file: The rows of the manifest.
        texts: The Markdown of pages, by site and address. A page without a text is left out.
        site: Name of the site.
    """
    listed: dict[str, HostedFile] = {}
    for row in file.pages:
        page, text = row.page, texts.get((row.page.site, row.page.page), "")
        # Hidden pages and drafts must not reach a service that others can search.
        if page.site != site or page.hidden or page.draft or not text:
            continue
        pages = split_pages(text) if page.kind == "pdf" else [(1, text)]
        name = _file_name(page, listed)
        listed[name] = HostedFile(page.page, page.title, pages=len(pages), pdf=page.kind == "pdf")
        yield ExportedFile(name, marked_text(pages).encode())
    yield ExportedFile(FILE_LIST, msgspec.json.format(msgspec.json.encode(HostedFileIds(listed))) + b"\n")


def split_pages(text: str) -> list[tuple[int, str]]:
    """The number and text of each page in a PDF's Markdown. The title before the first page is put on that page."""
    marks = list(_HEADING.finditer(text))
    if not marks:
        return [(1, text)]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    pages = [(int(mark[1]), text[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=True)]
    title = text[: marks[0].start()].strip()
    return [(pages[0][0], f"{title}\n\n{pages[0][1]}".strip()), *pages[1:]]


def read_file_list(data: bytes, source: str) -> HostedFileIds:
    """The list of files from its bytes.

    Raises:
        OptionError: The bytes are no such list. `source` names the file in the message.
    """
    try:
        return msgspec.json.decode(data, type=HostedFileIds)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise OptionError(
            f"{source} does not list hosted files ({error}). Give the {FILE_LIST} of an export."
        ) from error


def locate(
    text: str, file_list: HostedFileIds | None = None, file_id: str | None = None, prefix: str = "/_trueref"
) -> TextOrigin:
    """The origin of a piece of marked text.

    Args:
        text: The piece. An empty piece counts as the beginning of the file.
        file_list: The list of files.
        file_id: Id of the file that the piece was cut from. Without it and `file_list`, only the pages are known.
        prefix: The prefix of the server that serves unpublished PDFs.

    Raises:
        OptionError: The list has no such id.
    """
    if file_list is None or file_id is None:
        return TextOrigin("", "", pages_of(text), ())
    file = file_list.files.get(file_id)
    if file is None:
        examples = ", ".join(repr(name) for name in list(file_list.files)[:3])
        raise OptionError(
            f"The list has no file {file_id!r}. It has {len(file_list.files)}, such as {examples or 'none'}."
        )
    pages = pages_of(text, file.page) if text.strip() else (file.page,)
    hrefs = (_href(file, page_anchor(page) if file.pdf else "", prefix) for page in pages)
    return TextOrigin(file.document, file.title, pages, tuple(dict.fromkeys(hrefs)))


def _href(file: HostedFile, anchor: str, prefix: str) -> str:
    """The address of an anchor of a document: on the server for an unpublished PDF, else in the site."""
    if file.document.startswith(DOCUMENTS):
        return document_href(prefix, file.document.removeprefix(DOCUMENTS), anchor)
    return href_of(file.document, anchor)


def _file_name(page: Page, files_by_name: Mapping[str, HostedFile]) -> str:
    """A new file name for a page, without folders, since most services accept none."""
    plain = _UNSAFE.sub("-", page.file.replace("/", "--")).strip("-.")[-_MAX_NAME:] or "document"
    name, number = f"{plain}.txt", 2
    while name in files_by_name:
        name, number = f"{plain}-{number}.txt", number + 1
    return name
