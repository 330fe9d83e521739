"""The child process that reads PDFs with PDFium, `python -m trueref_plugin.pdf.pdf_child`. A crash costs one file."""

from __future__ import annotations

import ctypes
from itertools import groupby
from typing import Any, Final

import msgspec
import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
import pypdfium2.raw  # pyright: ignore[reportMissingTypeStubs]

from trueref_plugin.pdf.pdf_characters import HYPHEN
from trueref_plugin.pdf.pdf_messages import Failure, Open, Opened, PdfLine, PdfPageText, PdfReply, PdfRequest
from trueref_plugin.reading.guarding.child import limit_memory, serve

pdfium: Any = pypdfium2.raw
"""The functions of PDFium itself, which have no types."""

CHARACTERS_MOST: Final = 200_000
"""Characters of a page at most. No page that people read has more."""
BOOKMARKS_MOST: Final = 20_000
WIDE_GAP: Final = 2.0
"""In letter heights: a gap this wide separates a running title from its page number, and the cells of a table."""
NESTED_MOST: Final = 3
"""A picture is searched for in this many nested forms of a page."""

_HYPHENS: Final = frozenset((0x02, 0xFFFE, 0xAD))
"""Characters that PDFium gives for a hyphen at the end of a line, behind which it continues with the next line."""


class PdfPageReader:
    """Reads one file at a time."""

    def __init__(self) -> None:
        self._document: Any = None

    def answer(self, frame: bytes) -> bytes:
        """Answers one request."""
        request = msgspec.msgpack.decode(frame, type=PdfRequest)
        try:
            answer: PdfReply = self.open(request.data) if isinstance(request, Open) else self.read(request.page)
        except MemoryError:
            answer = Failure("it needs too much memory")
        except pypdfium2.PdfiumError as error:
            answer = Failure(_reason(error))
        except Exception as error:
            # A bug in our code. Until it is mended this file is missing, and the others are not.
            answer = Failure(f"reading it failed ({type(error).__name__}: {error})")
        return msgspec.msgpack.encode(answer)

    def open(self, data: bytes) -> Opened:
        """Opens a file, and closes the one before it."""
        if self._document is not None:
            self._document.close()
            self._document = None
        self._document = pypdfium2.PdfDocument(data)
        metadata = self._document.get_metadata_dict(skip_empty=True)
        return Opened(
            len(self._document),
            _text(metadata.get("Title", "")),
            _text(metadata.get("Subject", "")),
            tuple(self._outline()),
        )

    def read(self, number: int) -> PdfPageText:
        """Reads a page of the open file."""
        page = self._document[number - 1]
        try:
            text = page.get_textpage()
            try:
                count = text.count_chars()
                lines = _lines(text.raw, min(count, CHARACTERS_MOST))
            finally:
                text.close()
            has_picture = not lines and _has_picture(page)
        finally:
            page.close()
        return PdfPageText(lines, has_picture, count > CHARACTERS_MOST)

    def _outline(self) -> list[tuple[int, str]]:
        """The bookmarks that lead to a page, in order."""
        bookmarks: list[tuple[int, str]] = []
        for item in self._document.get_toc(max_depth=8):
            if len(bookmarks) == BOOKMARKS_MOST:
                break
            target, title = item.get_dest(), _text(item.get_title())
            index = target.get_index() if target is not None else None
            if index is not None and title.strip():
                bookmarks.append((index + 1, title))
        return bookmarks


def _reason(error: pypdfium2.PdfiumError) -> str:
    """The message for an error of PDFium."""
    code = getattr(error, "err_code", None)
    if code == pdfium.FPDF_ERR_PASSWORD:
        return "it is protected with a password. Publish one that can be read without, or leave it out"
    if code == pdfium.FPDF_ERR_SECURITY:
        return "it is protected in a way that PDFium does not know"
    return "it is damaged, or no PDF"


def _has_picture(page: Any) -> bool:  # noqa: ANN401 (pypdfium2 has no types)
    """Whether a page shows a picture."""
    return any(True for _ in page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,), max_depth=NESTED_MOST))


def _lines(text: Any, count: int) -> tuple[PdfLine, ...]:  # noqa: ANN401
    """The lines of a page in the order in which PDFium gives its characters."""
    codes = [pdfium.FPDFText_GetUnicode(text, index) for index in range(count)]
    groups = groupby(range(count), key=lambda index: codes[index] in (0x0A, 0x0D))
    lines = (_line(text, codes, list(group)) for is_end, group in groups if not is_end)
    return tuple(line for line in lines if line is not None)


def _line(text: Any, codes: list[int], line: list[int]) -> PdfLine | None:  # noqa: ANN401
    """A line of characters, given by their indexes; None if it shows nothing."""
    shown = [index for index in line if not _is_blank(codes[index])]
    if not shown:
        return None
    x, y = _origin(text, shown[0])
    _, end_y = _origin(text, shown[-1])
    # The size of a character in the middle: the first one may be the bullet of an item, in another font.
    size = _size(text, shown[len(shown) // 2])
    written = "".join(_character(text, codes, index, line[-1], size) for index in range(shown[0], shown[-1] + 1))
    return PdfLine(written, x, y, end_y, size)


def _character(text: Any, codes: list[int], index: int, last: int, size: float) -> str:  # noqa: ANN401
    """A character as it goes into the text: hyphens and wide gaps are marked."""
    code = codes[index]
    if code in _HYPHENS:
        return HYPHEN
    if code == 0x20 and 0 < index < last:
        # PDFium gives one space for a gap of any width.
        return "\t" if _box(text, index + 1)[0] - _box(text, index - 1)[1] > WIDE_GAP * size else " "
    return chr(code) if 0x20 <= code < 0xD800 or 0xDFFF < code <= 0x10FFFF else " "


def _is_blank(code: int) -> bool:
    """Whether a character shows nothing."""
    return code <= 0x20 or code == 0xA0


def _origin(text: Any, index: int) -> tuple[float, float]:  # noqa: ANN401
    """The position of a character."""
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text, index, x, y)
    return x.value, y.value


def _box(text: Any, index: int) -> tuple[float, float]:  # noqa: ANN401
    """Left and right of a character."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top)
    return left.value, right.value


def _size(text: Any, index: int) -> float:  # noqa: ANN401
    """The height of a character."""
    # Not the size of its font, which is another one if the page is scaled.
    box = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(text, index, box)
    height: float = abs(box.top - box.bottom)
    return max(height, 1.0)


def _text(text: str) -> str:
    """A text without lone surrogates, which cannot be sent to the parent process."""
    return text.encode("utf-8", "replace").decode()


def main() -> None:
    """Serves until the parent ends it."""
    limit_memory()
    serve(PdfPageReader().answer)


if __name__ == "__main__":
    main()
