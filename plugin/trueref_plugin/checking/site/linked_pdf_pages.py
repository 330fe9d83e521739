"""The pages of PDFs that links name, so that `guide.pdf#page=7` is checked like any other anchor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

from trueref_core.documents import page_anchor, page_of_anchor
from trueref_plugin.files.site_files import PDF_SUFFIX, read_page
from trueref_plugin.reading.page_links import PageLinks, ReadAnchor


def linked_pdf_pages(folder: Path, files: Iterable[str], links: Iterable[str]) -> dict[str, PageLinks]:
    """The pages of the PDFs of a site, as anchors by file. Only PDFs with a link to one of their pages are read.

    A PDF that cannot be opened is left out, and all PDFs are if the extra `pdf` is not installed. Then their pages are
    not known, and links to them are not checked.

    Args:
        folder: The folder of the site.
        files: The files of the site, relative to the folder.
        links: Every link of its pages, as written.
    """
    # Compared by name alone, because links are resolved later, and opening one PDF too many costs little.
    linked_names = {name for link in links if (name := _pdf_name(link))}
    linked_files = [file for file in files if file.rpartition("/")[2].lower() in linked_names]
    if not linked_files or find_spec("pypdfium2") is None:
        return {}
    return dict(_page_anchors(folder, sorted(linked_files)))


def _pdf_name(link: str) -> str:
    """The name of the PDF in a link to one of its pages, in lower case; "" for any other link."""
    path, _, fragment = link.partition("#")
    if not fragment or page_of_anchor(fragment) is None:
        return ""
    name = unquote(path.partition("?")[0].rpartition("/")[2]).lower()
    return name if name.endswith(PDF_SUFFIX) else ""


def _page_anchors(folder: Path, files: Iterable[str]) -> Iterator[tuple[str, PageLinks]]:
    """For each PDF that can be opened, all its pages as anchors."""
    from trueref_plugin.pdf.pdf_guard import GuardedPdfs
    from trueref_plugin.reading.guarding.child import PageRefused

    with GuardedPdfs() as guarded:
        for file in files:
            with suppress(OSError, PageRefused):
                page_count = guarded.open(read_page(folder, file).data).pages
                anchors = (
                    ReadAnchor(page_anchor(number), "other", 0, "", False) for number in range(1, page_count + 1)
                )
                yield file, PageLinks(tuple(anchors), (), (), "", "", "")
