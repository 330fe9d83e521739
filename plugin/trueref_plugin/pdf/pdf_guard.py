"""Reads PDFs in a child process that may be killed: PDFium is C++, and may crash or hang on a damaged file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

import msgspec

from trueref_plugin.pdf.pdf_messages import (
    FailureReply,
    OpenRequest,
    PageRequest,
    PdfMetadata,
    PdfPageText,
    PdfReply,
    PdfRequest,
)
from trueref_plugin.reading.guarding.child import ChildProcess, PageRefused

MAX_BYTES: Final = 256 * 1024**2
MAX_PAGES: Final = 5_000
"""Pages that are read of a file, at most. Further pages are not searched, but links to them are valid."""
SECONDS_TO_OPEN: Final = 20.0
SECONDS_A_PAGE: Final = 5.0

T = TypeVar("T")


class GuardedPdfs(ChildProcess):
    """A child that reads PDFs one after the other. Use it as a context manager: leaving it ends the child."""

    module = "trueref_plugin.pdf.pdf_child"

    def open(self, data: bytes) -> PdfMetadata:
        """Opens a file.

        Raises:
            PageRefused: The file is too large, protected or damaged, or the parser crashed.
        """
        if len(data) > MAX_BYTES:
            raise PageRefused(f"it has {len(data) / 1024**2:.0f} MB, more than {MAX_BYTES // 1024**2}")
        return self._answer(OpenRequest(data), SECONDS_TO_OPEN, PdfMetadata)

    def pages(self, opened: PdfMetadata) -> Iterator[PdfPageText]:
        """Reads the pages of the file that was opened last, at most `MAX_PAGES`. Raises what `open` raises."""
        for number in range(1, min(opened.pages, MAX_PAGES) + 1):
            yield self._answer(PageRequest(number), SECONDS_A_PAGE, PdfPageText)

    def _answer(self, request: PdfRequest, seconds: float, reply_type: type[T]) -> T:
        """The reply of the child. Raises `PageRefused` if it is of another type than `reply_type`."""
        frame = self.ask(msgspec.msgpack.encode(request), seconds)
        try:
            answer = msgspec.msgpack.decode(frame, type=PdfReply)
        except (msgspec.DecodeError, UnicodeDecodeError):
            answer = None
        if isinstance(answer, reply_type):
            return answer
        raise PageRefused(answer.reason if isinstance(answer, FailureReply) else "the parser crashed on it")
