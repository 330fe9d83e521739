"""PDFs as pages: the names of their own pages, and the addresses of PDFs that no site publishes.

A PDF in the site is a page at its own address. A PDF in a configured folder has no address: its page is
`_documents/<id>`, and a server sends its bytes under that id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.errors import SiteError

if TYPE_CHECKING:
    from trueref_core.records import Page

DOCUMENTS: Final = "_documents/"
"""The beginning of the addresses of unpublished PDFs."""

FOLDER: Final = "documents"
"""The folder of a build that holds the files of unpublished PDFs."""

_KEY: Final = b"trueref document"
_ID: Final = re.compile(r"[0-9a-f]{32}")
_PAGE: Final = re.compile(r"page=([0-9]{1,9})")
_PIECE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that is copied into a build. `digest` is the digest that its content had when the file was read."""

    path: Path
    digest: str


def document_id(site: str, name: str, digest: str) -> str:
    """The id of an unpublished PDF.

    It depends on the content, so it is the same on every machine, cannot be guessed from a name, and does not reveal
    where the file is.

    Args:
        site: Name of the site in the index.
        name: Name of the document, with its folder.
        digest: Digest of the document's content.
    """
    identity = "\0".join((site, name, digest)).encode("utf-8", "surrogatepass")
    return blake2b(identity, digest_size=16, key=_KEY).hexdigest()


def is_unpublished(page: Page) -> bool:
    """Whether a page is a PDF that is not part of the site."""
    return page.kind == "pdf" and page.page.startswith(DOCUMENTS)


def id_of(page: Page) -> str | None:
    """The id of an unpublished PDF; None for every other page."""
    document = page.page.removeprefix(DOCUMENTS)
    return document if is_unpublished(page) and _ID.fullmatch(document) else None


def page_anchor(number: int) -> str:
    """The fragment that opens a page of a PDF, as RFC 8118 defines it."""
    return f"page={number}"


def page_of_anchor(anchor: str) -> int | None:
    """The page number, from 1, that an anchor or fragment of a PDF names; None if it names no page."""
    for part in anchor.split("&"):
        if number := _PAGE.fullmatch(part):
            return int(number[1])
    return None


def page_label(page_number: int, file: str) -> str:
    """The name of a page of a PDF in citations: `Page 5 of guide.pdf`."""
    return f"Page {page_number} of {file.rpartition('/')[2]}"


def document_href(prefix: str, key: str, anchor: str) -> str:
    """The address of an unpublished PDF on a server with this prefix, such as `/_trueref/documents/<id>#page=5`."""
    return f"{prefix.rstrip('/')}/{FOLDER}/{key}{'#' if anchor else ''}{anchor}"


def copy_attachment(attachment: Attachment, target: Path) -> None:
    """Copies a file, and checks that its content is still what it was when the file was read.

    Raises:
        SiteError: The file was changed since, or cannot be read any more.
        OSError: The copy cannot be written.
    """
    hasher = blake2b(digest_size=16)
    try:
        source = attachment.path.open("rb")
    except OSError as error:
        raise SiteError(
            f"{attachment.path} cannot be read any more ({error.strerror or error}). Build again."
        ) from error
    with source, target.open("wb") as copy:
        while piece := source.read(_PIECE):
            hasher.update(piece)
            copy.write(piece)
    if hasher.hexdigest() != attachment.digest:
        raise SiteError(f"{attachment.path} was changed while it was being indexed. Build again.")
