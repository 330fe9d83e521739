"""Finds addresses without any markup, and splits a word into addresses and the text around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import Literal

WordPartKind = Literal["text", "address", "mail", "disguised"]

ADDRESS_END = re.compile("[\u2018-\u201f\u2026\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff5b-\uff65]")
"""Punctuation before which a bare address ends, since no address has it unencoded.

Curly quotation marks, the ellipsis, and the punctuation of Chinese and Japanese texts.
"""

WWW = re.compile(r"(?<![a-z0-9])www\.", re.IGNORECASE)
"""The beginning of an address without a scheme, which many renderers link."""

SCHEME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-")
MAIL = re.compile(r"[\w.+%-]@[\w-]++\.[\w-]")
"""The middle of a mail address, from the character before its `@` to the one after the first dot behind it."""

OPENING = "([{*_'~,;:"
"""Characters before a mail address that are no part of it."""

TRAILING = ".,;:!?'*_~"
"""Characters behind an address that belong to the sentence or to its markup."""

TILDES = re.compile("~{3,}")
"""Tildes that may open a block of code at the beginning of a line."""


@dataclass(frozen=True, slots=True)
class WordPart:
    """A piece of a word. `disguised` is an address in entities, which a renderer would decode and link."""

    kind: WordPartKind
    text: str


def split_word(word: str) -> list[WordPart]:
    """The parts of a word, in order. Together they are the word, without runs of three tildes or more."""
    if "&" in word and _is_disguised(word):
        return [WordPart("disguised", word)]
    parts: list[WordPart] = []
    position = 0
    while position < len(word) and (begin := _next_address(word, position)) is not None:
        end = _address_end(word, begin)
        parts += _split_mail(word[position:begin])
        parts.append(WordPart("address", word[begin:end]))
        position = end
    return parts + _split_mail(word[position:])


def is_address_like(text: str) -> bool:
    """Whether some renderer may make a link of a part of a text that has no markup."""
    return "://" in text or "@" in text or WWW.search(text) is not None


def _is_disguised(word: str) -> bool:
    """Whether a word is an address once its entities are decoded, which a renderer does before it links."""
    decoded = unescape(word)
    return decoded != word and is_address_like(decoded)


def _next_address(word: str, position: int) -> int | None:
    """Where the next address begins: at the scheme before `://`, or at `www.`."""
    begin = word.find("://", position)
    while begin > position and word[begin - 1] in SCHEME_LETTERS:
        begin -= 1
    www = WWW.search(word, position)
    return min((start for start in (begin, www.start() if www else -1) if start >= 0), default=None)


def _address_end(word: str, begin: int) -> int:
    """Where an address ends, without the punctuation of the sentence around it."""
    stop = ADDRESS_END.search(word, begin)
    end = stop.start() if stop else len(word)
    # An address has at least one character, or `split_word` would never end.
    shortest_end = min(end, begin + 1)
    # A closing parenthesis belongs to the address if one opens in it, and otherwise to the sentence.
    closers = word.count(")", begin, end) - word.count("(", begin, end)
    while end > shortest_end:
        last = word[end - 1]
        if last == ")" and closers > 0:
            closers -= 1
        elif last not in TRAILING:
            break
        end -= 1
    return end


def _split_mail(text: str) -> list[WordPart]:
    """The parts of a text without addresses of pages: mail addresses, and the text around them."""
    # Three tildes may open a fence if the word is written at the start of a line.
    text = TILDES.sub("", text) if "~~~" in text else text
    if "@" not in text or not MAIL.search(text):
        return [WordPart("text", text)] if text else []
    # All between the outer punctuation counts as the mail address: renderers differ in where one begins and ends.
    begin = len(text) - len(text.lstrip(OPENING))
    end = max(len(text.rstrip(TRAILING + ")")), begin)
    parts = (WordPart("text", text[:begin]), WordPart("mail", text[begin:end]), WordPart("text", text[end:]))
    return [part for part in parts if part.text]
