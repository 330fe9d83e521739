"""A line of text as Markdown that shows exactly this text: characters that would be read as markup get a backslash.

Cleaned text already has its code in backticks. In the rest, only those characters are escaped that a CommonMark reader
would take for markup: a model or a person should not have to read past backslashes without need.
"""

from __future__ import annotations

import re
from typing import Final

from trueref_core.text.sentences import code_spans

_SIGN: Final = re.compile(r"[`\\*_<\]]|&(?=#?\w{1,32};)")
_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_BEFORE_HTML: Final = frozenset("/!?")
_BLOCK: Final = re.compile(r"[-+](?:\s|$)|#{1,6}(?:\s|$)|>|=+\s*$|~{3}|[-:|\s]+$")
"""Matches what begins a block at the beginning of a line, or turns the line before into a heading or a table."""
_NUMBER: Final = re.compile(r"(\d{1,9})[.)](?:\s|$)")


def paragraph(text: str) -> str:
    """Lines of text, none of which begins a block of another kind."""
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    """One line, which begins no block of another kind."""
    number = _NUMBER.match(line)
    if number:
        return f"{number[1]}\\{inline(line)[number.end(1) :]}"
    return ("\\" if _BLOCK.match(line) else "") + inline(line)


def inline(line: str) -> str:
    """One line of text with its code in backticks, for any place in a line of Markdown."""
    parts: list[str] = []
    at = 0
    for start, end in code_spans(line, 0, len(line)):
        parts += (_escaped(line, at, start), line[start:end])
        at = end
    return "".join((*parts, _escaped(line, at, len(line))))


def _escaped(line: str, start: int, end: int) -> str:
    """A part of a line that is not code, with a backslash before each character of markup."""
    parts: list[str] = []
    for sign in _SIGN.finditer(line, start, end):
        if _is_mark(line, sign.start()):
            parts.append(line[start : sign.start()] + "\\")
            start = sign.start()
    return "".join((*parts, line[start:end]))


def _is_mark(line: str, at: int) -> bool:
    """Whether the character at a position would be read as markup."""
    sign, before, after = line[at], line[at - 1] if at else "", line[at + 1 : at + 2]
    if sign == "`":
        # A backtick without a partner on its line could find one on the next line.
        return True
    if sign == "\\":
        return not after or after in _PUNCTUATION
    if sign in "*_" and before.isspace() and after.isspace():
        return False
    if sign == "_":
        return not (before.isalnum() and after.isalnum())
    if sign == "<":
        return after in _BEFORE_HTML or after.isalpha()
    if sign == "]":
        # These two begin the destination of a link, and of a definition.
        return after in ("(", ":")
    return True
