"""Writes text as Markdown that shows exactly this text: characters that would be read as markup get a backslash.

Cleaned text already has its code in backticks. In the rest, only the characters that CommonMark reads as markup are
escaped, because needless backslashes would make the text harder to read, for people and for models.
"""

from __future__ import annotations

import re
from typing import Final

from trueref_core.text.markdown_escapes import ESCAPABLE
from trueref_core.text.sentences import code_spans

_MARKUP: Final = re.compile(r"[`\\*_<\]]|&(?=#?\w{1,32};)")
_BEFORE_HTML: Final = frozenset("/!?")
_BLOCK_START: Final = re.compile(r"[-+](?:\s|$)|#{1,6}(?:\s|$)|>|=+\s*$|~{3}|[-:|\s]+$")
"""Matches a line that would begin a block of another kind, or turn the line before it into a heading or a table."""
_ITEM_NUMBER: Final = re.compile(r"(\d{1,9})[.)](?:\s|$)")


def paragraph(text: str) -> str:
    """Escapes lines of text so that none of them begins a block of another kind."""
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    """Escapes one line so that it begins no block of another kind."""
    number = _ITEM_NUMBER.match(line)
    if number:
        return f"{number[1]}\\{inline(line)[number.end(1) :]}"
    return ("\\" if _BLOCK_START.match(line) else "") + inline(line)


def inline(line: str) -> str:
    """Escapes text with its code in backticks so that it may stand anywhere in a line of Markdown."""
    parts: list[str] = []
    position = 0
    for start, end in code_spans(line, 0, len(line)):
        parts += (_escaped(line, position, start), line[start:end])
        position = end
    return "".join((*parts, _escaped(line, position, len(line))))


def _escaped(line: str, start: int, end: int) -> str:
    """A part of a line that is not code, with a backslash before each character of markup."""
    parts: list[str] = []
    for sign in _MARKUP.finditer(line, start, end):
        if _is_mark(line, sign.start()):
            parts.append(line[start : sign.start()] + "\\")
            start = sign.start()
    return "".join((*parts, line[start:end]))


def _is_mark(line: str, position: int) -> bool:
    """Whether the character at a position would be read as markup."""
    sign, before, after = line[position], line[position - 1] if position else "", line[position + 1 : position + 2]
    if sign == "`":
        # A single backtick on a line could begin code that ends at a backtick on the next line.
        return True
    if sign == "\\":
        return not after or after in ESCAPABLE
    if sign in "*_" and before.isspace() and after.isspace():
        return False
    if sign == "_":
        return not (before.isalnum() and after.isalnum())
    if sign == "<":
        return after in _BEFORE_HTML or after.isalpha()
    if sign == "]":
        # `](` would begin the address of a link, and `]:` that of a link reference definition.
        return after in ("(", ":")
    return True
