"""Finds addresses without any markup: splits a word into addresses and the text around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import Literal

PartKind = Literal["text", "address", "mail", "disguised"]

# How far a bare address goes: up to punctuation that no address has unencoded.
ADDRESS_END = re.compile("[\u2018-\u201f\u2026\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff5b-\uff65]")
WWW = re.compile(r"(?<![a-z0-9])www\.", re.IGNORECASE)
SCHEME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-")
MAIL = re.compile(r"[\w.+%-]@[\w-]++\.[\w-]")
OPENING = "([{*_'~,;:"
TRAILING = ".,;:!?'*_~"
TILDES = re.compile("~{3,}")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a word. `disguised` is an address in entities, which a renderer would decode and link."""

    kind: PartKind
    text: str


def split_word(word: str) -> list[Part]:
    """The parts of a word, in order. Text, addresses and mail addresses joined are the word."""
    if "&" in word and _is_disguised(word):
        return [Part("disguised", word)]
    parts: list[Part] = []
    at = 0
    while at < len(word) and (begin := _next_address(word, at)) is not None:
        end = _end_of(word, begin)
        parts += _with_mail(word[at:begin])
        parts.append(Part("address", word[begin:end]))
        at = end
    return parts + _with_mail(word[at:])


def is_address_like(text: str) -> bool:
    """Whether some renderer may link a part of a text by itself."""
    return "://" in text or "@" in text or WWW.search(text) is not None


def _is_disguised(word: str) -> bool:
    """Whether a word is an address once its entities are decoded, which a renderer does before it links."""
    decoded = unescape(word)
    return decoded != word and is_address_like(decoded)


def _next_address(word: str, at: int) -> int | None:
    """Where the next address begins: at the scheme before `://`, or at `www.`."""
    begin = word.find("://", at)
    while begin > at and word[begin - 1] in SCHEME_LETTERS:
        begin -= 1
    www = WWW.search(word, at)
    return min((start for start in (begin, www.start() if www else -1) if start >= 0), default=None)


def _end_of(word: str, begin: int) -> int:
    """Where an address ends, less the punctuation of the sentence around it."""
    stop = ADDRESS_END.search(word, begin)
    end = stop.start() if stop else len(word)
    # An address has one character at least, or `split_word` would go on for ever.
    shortest_end = min(end, begin + 1)
    # A closing parenthesis belongs to the address if one opens in it, and else to the sentence around it.
    closers = word.count(")", begin, end) - word.count("(", begin, end)
    while end > shortest_end:
        last = word[end - 1]
        if last == ")" and closers > 0:
            closers -= 1
        elif last not in TRAILING:
            break
        end -= 1
    return end


def _with_mail(text: str) -> list[Part]:
    """The parts of a text without addresses of pages, mail addresses set apart."""
    # Three tildes may open a fence if the word comes to stand at the start of a line.
    text = TILDES.sub("", text) if "~~~" in text else text
    if "@" not in text or not MAIL.search(text):
        return [Part("text", text)] if text else []
    # The whole of it: renderers differ in where an address begins and ends.
    begin = len(text) - len(text.lstrip(OPENING))
    end = max(len(text.rstrip(TRAILING + ")")), begin)
    parts = (Part("text", text[:begin]), Part("mail", text[begin:end]), Part("text", text[end:]))
    return [part for part in parts if part.text]
