"""The requests to the child that reads PDFs, and its replies.

They are encoded as msgpack and not as pickle, because the child runs a C++ parser on files that others wrote. If such a
file took over the child, unpickling a reply would run its code in the build.
"""

from __future__ import annotations

import msgspec


class OpenRequest(msgspec.Struct, frozen=True, tag=True):
    """A request to open a file, given by its bytes. The pages that are requested after that are pages of this file."""

    data: bytes


class PageRequest(msgspec.Struct, frozen=True, tag=True):
    """A request to read a page of the open file, counted from 1."""

    page: int


class PdfMetadata(msgspec.Struct, frozen=True, tag=True):
    """The metadata of a file. `pages` is their number; `outline` has the page and title of each bookmark, in order."""

    pages: int
    title: str
    subject: str
    outline: tuple[tuple[int, str], ...]


class PdfLine(msgspec.Struct, frozen=True):
    """A line of text with its position. Lengths are in points, `y` from the bottom.

    `x` and `y` are the position of its first character, and `end_y` is the height of its last one: after a hyphen, the
    next line is part of the same `PdfLine`. `size` is the height of its letters. A tab in `text` stands for a gap far
    wider than a space.
    """

    text: str
    x: float
    y: float
    end_y: float
    size: float


class PdfPageText(msgspec.Struct, frozen=True, tag=True):
    """The text of a page. `has_picture` is only set for a page without text. `is_cut`: the page has more text."""

    lines: tuple[PdfLine, ...] = ()
    has_picture: bool = False
    is_cut: bool = False


class FailureReply(msgspec.Struct, frozen=True, tag=True):
    """The reply if a request failed, with the reason."""

    reason: str


PdfRequest = OpenRequest | PageRequest
PdfReply = PdfMetadata | PdfPageText | FailureReply
