"""What the child that reads PDFs is asked and answers. msgpack, not pickle: what answers has run a parser in C++."""

from __future__ import annotations

import msgspec


class Open(msgspec.Struct, frozen=True, tag=True):
    """A file, as its bytes. The pages that are asked for next are those of it."""

    data: bytes


class Read(msgspec.Struct, frozen=True, tag=True):
    """A page, from 1."""

    page: int


class Opened(msgspec.Struct, frozen=True, tag=True):
    """What a file says of itself. `outline` has the page and title of each bookmark, in order."""

    pages: int
    title: str
    subject: str
    outline: tuple[tuple[int, str], ...]


class Line(msgspec.Struct, frozen=True):
    """A line of text as it is set. Lengths are in points, `y` from the bottom.

    `x` and `y` are where its first character stands, `end_y` where its last one does: a line that ends with a hyphen
    holds the next one too. `size` is the height of its letters. A tab stands where a gap is far wider than a space.
    """

    text: str
    x: float
    y: float
    end_y: float
    size: float


class PageText(msgspec.Struct, frozen=True, tag=True):
    """The text of a page. `has_picture` is looked for only where there is no text; `is_cut`: there was more."""

    lines: tuple[Line, ...] = ()
    has_picture: bool = False
    is_cut: bool = False


class Failure(msgspec.Struct, frozen=True, tag=True):
    """Why there is no answer."""

    reason: str


Request = Open | Read
Answer = Opened | PageText | Failure
