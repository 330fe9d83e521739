"""The child process that reads PDFs with PDFium, `python -m trueref_plugin.pdf.pdf_child`.

If it crashes, one PDF is lost.
"""

from __future__ import annotations

import ctypes
from itertools import groupby
from typing import Any, Final

import msgspec
import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
import pypdfium2.raw  # pyright: ignore[reportMissingTypeStubs]

from trueref_plugin.pdf.pdf_characters import HYPHEN
from trueref_plugin.pdf.pdf_messages import (
    FailureReply,
    OpenRequest,
    PdfLine,
    PdfMetadata,
    PdfPageText,
    PdfReply,
    PdfRequest,
)
from trueref_plugin.reading.guarding.child import limit_memory, serve

pdfium: Any = pypdfium2.raw
"""The functions of PDFium itself, which have no types."""

MAX_CHARACTERS: Final = 200_000
"""Characters that are read of a page, at most. No page for people has more."""
MAX_BOOKMARKS: Final = 20_000
WIDE_GAP: Final = 2.0
"""In letter heights: a wider gap separates a running title from its page number, and the cells of a table."""
MAX_NESTED: Final = 3
"""Pictures are searched for in form objects that are nested at most this deep."""

_HYPHENS: Final = frozenset((0x02, 0xFFFE, 0xAD))
"""PDFium gives one of these characters for a hyphen at the end of a line, and joins the next line to it."""


class PdfPageReader:
    """Reads one file at a time."""

    def __init__(self) -> None:
        self._document: Any = None

    def answer(self, frame: bytes) -> bytes:
        """Answers one request."""
        request = msgspec.msgpack.decode(frame, type=PdfRequest)
        try:
            answer: PdfReply = self.open(request.data) if isinstance(request, OpenRequest) else self.read(request.page)
        except MemoryError:
            answer = FailureReply("it needs too much memory")
        except pypdfium2.PdfiumError as error:
            answer = FailureReply(_reason(error))
        except Exception as error:
            # This is a bug in our code. It should cost this file alone, and not the build.
            answer = FailureReply(f"reading it failed ({type(error).__name__}: {error})")
        return msgspec.msgpack.encode(answer)

    def open(self, data: bytes) -> PdfMetadata:
        """Opens a file, and closes the file before it."""
        if self._document is not None:
            self._document.close()
            self._document = None
        self._document = pypdfium2.PdfDocument(data)
        metadata = self._document.get_metadata_dict(skip_empty=True)
        return PdfMetadata(
            len(self._document),
            _text(metadata.get("Title", "")),
            _text(metadata.get("Subject", "")),
            tuple(self._outline()),
        )

    def read(self, number: int) -> PdfPageText:
        """Reads a page of the open file. Pages are counted from 1."""
        page = self._document[number - 1]
        try:
            textpage = page.get_textpage()
            try:
                count = textpage.count_chars()
                lines = _lines(textpage.raw, min(count, MAX_CHARACTERS))
            finally:
                textpage.close()
            has_picture = not lines and _has_picture(page)
        finally:
            page.close()
        return PdfPageText(lines, has_picture, count > MAX_CHARACTERS)

    def _outline(self) -> list[tuple[int, str]]:
        """The bookmarks that lead to a page, in order, as (number of the page, title)."""
        bookmarks: list[tuple[int, str]] = []
        for item in self._document.get_toc(max_depth=8):
            if len(bookmarks) == MAX_BOOKMARKS:
                break
            target, title = item.get_dest(), _text(item.get_title())
            index = target.get_index() if target is not None else None
            if index is not None and title.strip():
                bookmarks.append((index + 1, title))
        return bookmarks


def _reason(error: pypdfium2.PdfiumError) -> str:
    """The reason for an error of PDFium, as the end of a sentence for a person."""
    code = getattr(error, "err_code", None)
    if code == pdfium.FPDF_ERR_PASSWORD:
        return "it is protected with a password. Publish one that can be read without, or leave it out"
    if code == pdfium.FPDF_ERR_SECURITY:
        return "it is protected in a way that PDFium does not know"
    return "it is damaged, or no PDF"


def _has_picture(page: Any) -> bool:  # noqa: ANN401 (pypdfium2 has no types)
    """Whether a page shows a picture."""
    return any(True for _ in page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,), max_depth=MAX_NESTED))


def _lines(textpage: Any, count: int) -> tuple[PdfLine, ...]:  # noqa: ANN401
    """The lines of a page in the order in which PDFium gives its characters."""
    codes = [pdfium.FPDFText_GetUnicode(textpage, index) for index in range(count)]
    groups = groupby(range(count), key=lambda index: codes[index] in (0x0A, 0x0D))
    lines = (_line(textpage, codes, list(group)) for is_end, group in groups if not is_end)
    return tuple(line for line in lines if line is not None)


def _line(textpage: Any, codes: list[int], indexes: list[int]) -> PdfLine | None:  # noqa: ANN401
    """The line that the characters with these indexes make; None if they are all blank."""
    shown = [index for index in indexes if not _is_blank(codes[index])]
    if not shown:
        return None
    x, y = _origin(textpage, shown[0])
    _, end_y = _origin(textpage, shown[-1])
    # The size of a character in the middle: the first character may be the bullet of an item, in another font.
    size = _size(textpage, shown[len(shown) // 2])
    shown_text = "".join(
        _character(textpage, codes, index, indexes[-1], size) for index in range(shown[0], shown[-1] + 1)
    )
    return PdfLine(shown_text, x, y, end_y, size)


def _character(textpage: Any, codes: list[int], index: int, last: int, size: float) -> str:  # noqa: ANN401
    """A character as it goes into the text. A hyphen at the end of a line and a wide gap are marked."""
    code = codes[index]
    if code in _HYPHENS:
        return HYPHEN
    if code == 0x20 and 0 < index < last:
        # PDFium gives one space for a gap of any width.
        return "\t" if _sides(textpage, index + 1)[0] - _sides(textpage, index - 1)[1] > WIDE_GAP * size else " "
    return chr(code) if 0x20 <= code < 0xD800 or 0xDFFF < code <= 0x10FFFF else " "


def _is_blank(code: int) -> bool:
    """Whether a character shows nothing."""
    return code <= 0x20 or code == 0xA0


def _origin(textpage: Any, index: int) -> tuple[float, float]:  # noqa: ANN401
    """The position of a character on the page, in points: x, y."""
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(textpage, index, x, y)
    return x.value, y.value


def _sides(textpage: Any, index: int) -> tuple[float, float]:  # noqa: ANN401
    """The left and right side of a character, in points."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pdfium.FPDFText_GetCharBox(textpage, index, left, right, bottom, top)
    return left.value, right.value


def _size(textpage: Any, index: int) -> float:  # noqa: ANN401
    """The height of a character, in points."""
    # Not the size of its font: the page may be scaled.
    box = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(textpage, index, box)
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
