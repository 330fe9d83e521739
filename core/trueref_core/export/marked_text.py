"""Text with marks that say which page it is of, for services that cut documents themselves.

    --- Page 5 ---

Such a mark stands at the start of every page, between blank lines. It stands again every 400 tokens, on a line without
blank lines around it. So any piece of the text tells its pages, even that of the text before its first mark: if there
is a blank line before the mark, a new page begins there, and the text before it is of the previous page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import regex

from trueref_core.text.tokens import count_tokens

TOKENS_BETWEEN: Final = 400

_GAP: Final = r"[^\S\r\n]"
# Bounded: in a long row of dashes, the match would else be tried from each of them to the end of the row.
_DASHES: Final = r"(?:-{2,12}|[‐‑‒–—―−]{1,3}|(?:- ){1,2}-)"
_PAGE: Final = r"[Pp][Aa][Gg][Ee]"
# ASCII digits only: nobody translates those of a mark, and a text may hold others.
_NUMBER: Final = rf"{_GAP}{{1,3}}([0-9]{{1,7}})"
_RIGHT: Final = rf"{_GAP}{{0,3}}{_DASHES}"
_MARK: Final = re.compile(rf"{_DASHES}{_GAP}{{0,3}}{_PAGE}{_NUMBER}{_RIGHT}|<<([0-9]{{1,7}})>>")
_CUT_AT_START: Final = re.compile(
    rf"\s{{0,3}}(?:(?:-{_GAP}?)?{_PAGE}|[Aa][Gg][Ee]|[Gg][Ee]|[Ee]){_NUMBER}{_RIGHT}(?!\S)"
)
# What is left of a mark after a longer cut names no whole number: `7 ---` may be the end of 57.
_LEFT_AT_START: Final = re.compile(rf"\s{{0,3}}[0-9]{{0,7}}{_GAP}{{0,3}}(?:{_DASHES}|-)(?!\S)")
_CUT_AT_END: Final = re.compile(rf"{_DASHES}{_GAP}{{0,3}}{_PAGE}{_NUMBER}{_GAP}{{1,3}}-?\s{{0,3}}\Z")
_LEFT_AT_END: Final = re.compile(r"(?<=\n)(?:-{1,2}|---(?: ?[Pp](?:[Aa](?:[Gg](?:[Ee](?: [0-9]{0,7})?)?)?)?)?) ?\Z")
_TAIL: Final = 40
"""Characters that a mark has at most."""

# What the text itself must not hold: a mark, a mark without its beginning, as a piece may have one, and LlamaParse's.
_LIKE_A_MARK: Final = re.compile(
    rf"({_DASHES}{_GAP}{{0,3}}{_PAGE}{_GAP}{{1,3}}[0-9]{{1,7}})(?={_RIGHT})"
    rf"|([Ee]{_GAP}{{1,3}}[0-9]{{1,7}})(?={_RIGHT}(?!\S))|<<(?=[0-9]{{1,7}}>>)"
)
# The text after a mark must not begin with this: if it is cut there, it would be taken for the mark of the next page.
_BEGINS_LIKE_A_MARK: Final = re.compile(r"\A---(?= ?[Pp])")

_WORD: Final = regex.compile(r"\s*[^\s]{1,60}[\p{M}\u200d\ufe0f]*")


@dataclass(frozen=True, slots=True)
class _Mark:
    """A mark in a piece: where it is, its page, and whether a page begins with it (None: it does not tell)."""

    start: int
    end: int
    page: int
    begins: bool | None


def pages_of(text: str, before: int | None = None) -> tuple[int, ...]:
    """The pages that a piece of marked text is of, each once, in order; none if it does not tell.

    Marks with other dashes, with more or fewer blanks, and cut in half are read, and those of LlamaParse (`<<5>>`).

    Args:
        text: Any piece of a marked text, as a service gives it back.
        before: The page of what stands before the first mark, if that is known from elsewhere, as of the file that
            the piece begins. What the piece itself tells goes before.
    """
    marks = list(_marks(text))
    if not marks:
        return (before,) if before is not None and _behind_cut(_before_cut(text)).strip() else ()
    pages: set[int] = set()
    if _behind_cut(text[: marks[0].start]).strip():
        page = _page_before(marks[0], before)
        pages |= {page} if page is not None else set()
    ends = [*(mark.start for mark in marks[1:]), max(marks[-1].end, len(_before_cut(text)))]
    pages |= {mark.page for mark, end in zip(marks, ends, strict=True) if text[mark.end : end].strip()}
    # Marks alone: a piece of pages without text.
    return tuple(sorted(pages or {mark.page for mark in marks}))


def marked_text(pages: Iterable[tuple[int, str]]) -> str:
    """Pages as one text with a mark at the start of each, and again wherever 400 tokens have gone by.

    Args:
        pages: Number and text of each, in order.
    """
    return "\n\n".join(f"{_mark(number)}\n\n{_repeated(number, text)}".rstrip() for number, text in pages) + "\n"


def _mark(number: int) -> str:
    return f"--- Page {number} ---"


def _repeated(number: int, text: str) -> str:
    """The text of a page with its mark after every 400 tokens, between words."""
    pieces: list[str] = []
    begun, tokens = 0, 0
    plain = _LIKE_A_MARK.sub(_broken, text).strip()
    for word in _WORD.finditer(plain):
        size = count_tokens(word[0])
        if tokens and tokens + size > TOKENS_BETWEEN:
            pieces.append(plain[begun : word.start()])
            begun, tokens = word.start(), 0
        tokens += size
    pieces.append(plain[begun:])
    return f"\n{_mark(number)}\n".join(_BEGINS_LIKE_A_MARK.sub("---:", piece.strip()) for piece in pieces)


def _broken(mark: re.Match[str]) -> str:
    """A sign of the text itself, as no mark is written."""
    written = mark[1] or mark[2]
    return f"{written}:" if written else "< <"


def _marks(text: str) -> Iterator[_Mark]:
    """The marks of a text, in order. A mark that is cut off at its start or end counts too."""
    first = _CUT_AT_START.match(text)
    if first is not None:
        yield _Mark(0, first.end(), int(first[1]), None)
    at = first.end() if first is not None else 0
    for mark in _MARK.finditer(text, at):
        begins = True if mark[2] else _begins_page(text, mark.start())
        yield _Mark(mark.start(), mark.end(), int(mark[1] or mark[2]), begins)
        at = mark.end()
    last = _CUT_AT_END.search(text, max(at, len(text) - _TAIL))
    if last is not None:
        yield _Mark(last.start(), len(text), int(last[1]), _begins_page(text, last.start()))


def _begins_page(text: str, start: int) -> bool | None:
    """Whether a blank line stands before a mark, as at the start of a page; None if the mark stands within a line."""
    gap = text[len(text[:start].rstrip()) : start]
    return None if "\n" not in gap else gap.count("\n") > 1


def _page_before(mark: _Mark, before: int | None) -> int | None:
    if mark.begins is None:
        return before
    return mark.page - mark.begins or None


def _behind_cut(text: str) -> str:
    """A piece without what may be left of a mark that its beginning cut."""
    left = _LEFT_AT_START.match(text)
    return text[left.end() :] if left is not None else text


def _before_cut(text: str) -> str:
    """A piece without what may be left of a mark that its end cut."""
    left = _LEFT_AT_END.search(text, max(0, len(text) - _TAIL))
    return text[: left.start()] if left is not None else text
