"""The requests to the child that reads PDFs, and its answers.

In msgpack and not in pickle, because the child has run a parser in C++ on a file of others: should that be exploited,
unpickling its answer would run code in the build.
"""

from __future__ import annotations

import msgspec


class Open(msgspec.Struct, frozen=True, tag=True):
    """Opens a file, given by its bytes. The pages that are requested next are pages of this file."""

    data: bytes


class ReadPage(msgspec.Struct, frozen=True, tag=True):
    """Reads a page, counted from 1."""

    page: int


class Opened(msgspec.Struct, frozen=True, tag=True):
    """The metadata of a file. `outline` has the page and title of each bookmark, in order."""

    pages: int
    title: str
    subject: str
    outline: tuple[tuple[int, str], ...]


class PdfLine(msgspec.Struct, frozen=True):
    """A line of text with its position. Lengths are in points, `y` from the bottom.

    `x` and `y` are the position of its first character, `end_y` that of its last one: if a line ends with a hyphen, the
    next line is part of it. `size` is the height of its letters. A tab stands for a gap far wider than a space.
    """

    text: str
    x: float
    y: float
    end_y: float
    size: float


class PdfPageText(msgspec.Struct, frozen=True, tag=True):
    """The text of a page. `has_picture` is only set for a page without text; `is_cut`: there was more text."""

    lines: tuple[PdfLine, ...] = ()
    has_picture: bool = False
    is_cut: bool = False


class Failure(msgspec.Struct, frozen=True, tag=True):
    """The reason why there is no other answer."""

    reason: str


PdfRequest = Open | ReadPage
PdfReply = Opened | PdfPageText | Failure
