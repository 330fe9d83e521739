"""Text with marks that number its pages, for services that cut documents themselves.

    --- Page 5 ---

Such a mark stands at the start of every page, between blank lines. It is repeated every 400 tokens within the page, on
a line without blank lines around it. So any piece of the text tells all of its pages, even the page of the text before
the first mark of the piece: if a blank line precedes the mark, a page begins there, and the text before it is of the
previous page; else it is of the same page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import regex

from trueref_core.text.tokens import count_tokens

TOKENS_BETWEEN: Final = 400
"""Tokens after which a mark is repeated within a page."""

_BLANK: Final = r"[^\S\r\n]"
# Bounded, since otherwise a match would be tried from each dash of a long row to its end, in quadratic time.
_DASHES: Final = r"(?:-{2,12}|[‐‑‒–—―−]{1,3}|(?:- ){1,2}-)"
_PAGE: Final = r"[Pp][Aa][Gg][Ee]"
# Only ASCII digits: nobody translates the digits of a mark, and the text itself may have others.
_NUMBER: Final = rf"{_BLANK}{{1,3}}([0-9]{{1,7}})"
_RIGHT_DASHES: Final = rf"{_BLANK}{{0,3}}{_DASHES}"
_MARK: Final = re.compile(rf"{_DASHES}{_BLANK}{{0,3}}{_PAGE}{_NUMBER}{_RIGHT_DASHES}|<<([0-9]{{1,7}})>>")
"""Matches a whole mark, with the number of the page in one of its two groups: the second is that of LlamaParse."""

# The four patterns below match what is left of a mark at an end of a piece. `CUT` still tells the page, `REST` does
# not: of a longer number only the last digits may be there.
_CUT_AT_START: Final = re.compile(
    rf"\s{{0,3}}(?:(?:-{_BLANK}?)?{_PAGE}|[Aa][Gg][Ee]|[Gg][Ee]|[Ee]){_NUMBER}{_RIGHT_DASHES}(?!\S)"
)
# If more of a mark is cut off, the rest does not tell the page: `7 ---` may be the end of 57.
_REST_AT_START: Final = re.compile(rf"\s{{0,3}}[0-9]{{0,7}}{_BLANK}{{0,3}}(?:{_DASHES}|-)(?!\S)")
_CUT_AT_END: Final = re.compile(rf"{_DASHES}{_BLANK}{{0,3}}{_PAGE}{_NUMBER}{_BLANK}{{1,3}}-?\s{{0,3}}\Z")
# Only behind a line feed, as `marked_text` writes marks: a dash at the end of a line is a dash.
_REST_AT_END: Final = re.compile(r"(?<=\n)(?:-{1,2}|---(?: ?[Pp](?:[Aa](?:[Gg](?:[Ee](?: [0-9]{0,7})?)?)?)?)?) ?\Z")
_LONGEST_MARK: Final = 40
"""The most characters of a mark."""

# What the text of a page must not contain: a mark, the end of a mark, since a piece may begin with one, and a mark of
# LlamaParse (`<<5>>`).
_LIKE_A_MARK: Final = re.compile(
    rf"({_DASHES}{_BLANK}{{0,3}}{_PAGE}{_BLANK}{{1,3}}[0-9]{{1,7}})(?={_RIGHT_DASHES})"
    rf"|([Ee]{_BLANK}{{1,3}}[0-9]{{1,7}})(?={_RIGHT_DASHES}(?!\S))|<<(?=[0-9]{{1,7}}>>)"
)
# The text after a mark must not begin like a mark: if it is cut there, it would be read as the mark of the next page.
_BEGINS_LIKE_A_MARK: Final = re.compile(r"\A---(?= ?[Pp])")

_WORD: Final = regex.compile(r"\s*[^\s]{1,60}[\p{M}\u200d\ufe0f]*")
"""Matches a word with the white space before it. A longer word is cut, but never before a mark of its last letter."""


@dataclass(frozen=True, slots=True)
class _PageMark:
    """A mark in a piece: its start and end, its page, and whether the page begins there, None if that is unknown."""

    start: int
    end: int
    page: int
    begins: bool | None


def pages_of(text: str, before: int | None = None) -> tuple[int, ...]:
    """The pages that a piece of marked text is of, each once, in order; none if the piece does not tell them.

    Marks with other dashes, with more or fewer blanks or cut in half are read too, and so are those of LlamaParse
    (`<<5>>`).

    Args:
        text: Any piece of a marked text, as a service returns it.
        before: The page of the text before the first mark, if the caller knows it, such as the first page of the file
            that the piece was cut from. It is used only if the piece itself does not tell this page.
    """
    marks = list(_marks(text))
    if not marks:
        return (before,) if before is not None and _without_cut_start(_without_cut_end(text)).strip() else ()
    pages: set[int] = set()
    if _without_cut_start(text[: marks[0].start]).strip():
        page = _page_before(marks[0], before)
        pages |= {page} if page is not None else set()
    ends = [*(mark.start for mark in marks[1:]), max(marks[-1].end, len(_without_cut_end(text)))]
    pages |= {mark.page for mark, end in zip(marks, ends, strict=True) if text[mark.end : end].strip()}
    # If no mark has text behind it, the piece is of pages without text.
    return tuple(sorted(pages or {mark.page for mark in marks}))


def marked_text(pages: Iterable[tuple[int, str]]) -> str:
    """Pages as one text with a mark at the start of each page, and again after every 400 tokens.

    Args:
        pages: Number and text of each page, in order.
    """
    return (
        "\n\n".join(f"{_mark(number)}\n\n{_with_repeated_mark(number, text)}".rstrip() for number, text in pages) + "\n"
    )


def _mark(number: int) -> str:
    """The line that begins a page of the text."""
    return f"--- Page {number} ---"


def _with_repeated_mark(number: int, text: str) -> str:
    """The text of a page with its mark after every 400 tokens, always between two words."""
    pieces: list[str] = []
    piece_start, piece_tokens = 0, 0
    plain = _LIKE_A_MARK.sub(_defused, text).strip()
    for word in _WORD.finditer(plain):
        word_tokens = count_tokens(word[0])
        if piece_tokens and piece_tokens + word_tokens > TOKENS_BETWEEN:
            pieces.append(plain[piece_start : word.start()])
            piece_start, piece_tokens = word.start(), 0
        piece_tokens += word_tokens
    pieces.append(plain[piece_start:])
    return f"\n{_mark(number)}\n".join(_BEGINS_LIKE_A_MARK.sub("---:", piece.strip()) for piece in pieces)


def _defused(mark: re.Match[str]) -> str:
    """What the text itself has in the form of a mark, changed so that it is no mark."""
    written = mark[1] or mark[2]
    return f"{written}:" if written else "< <"


def _marks(text: str) -> Iterator[_PageMark]:
    """The marks of a piece, in order, also one that is cut off at the start or at the end of the piece."""
    first = _CUT_AT_START.match(text)
    if first is not None:
        yield _PageMark(0, first.end(), int(first[1]), None)
    at = first.end() if first is not None else 0
    for mark in _MARK.finditer(text, at):
        begins = True if mark[2] else _begins_page(text, mark.start())
        yield _PageMark(mark.start(), mark.end(), int(mark[1] or mark[2]), begins)
        at = mark.end()
    last = _CUT_AT_END.search(text, max(at, len(text) - _LONGEST_MARK))
    if last is not None:
        yield _PageMark(last.start(), len(text), int(last[1]), _begins_page(text, last.start()))


def _begins_page(text: str, start: int) -> bool | None:
    """Whether a blank line stands before a mark, as at the start of a page; None if the mark stands within a line."""
    gap = text[len(text[:start].rstrip()) : start]
    return None if "\n" not in gap else gap.count("\n") > 1


def _page_before(mark: _PageMark, told_by_caller: int | None) -> int | None:
    """The page of the text before the first mark of a piece; None if it is not known."""
    if mark.begins is None:
        return told_by_caller
    page = mark.page - 1 if mark.begins else mark.page
    # There is no page before the first one.
    return page if page > 0 else None


def _without_cut_start(text: str) -> str:
    """A piece without the rest of a mark at its start, if the start may have cut one."""
    rest = _REST_AT_START.match(text)
    return text[rest.end() :] if rest is not None else text


def _without_cut_end(text: str) -> str:
    """A piece without the beginning of a mark at its end, if the end may have cut one."""
    rest = _REST_AT_END.search(text, max(0, len(text) - _LONGEST_MARK))
    return text[: rest.start()] if rest is not None else text
