"""Compares ids, fragments and texts of headings by their words."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar
from unicodedata import normalize

import regex

MAX_CHARACTERS: Final = 256
"""Characters of an id or a fragment that are compared. Nobody writes a longer name for a section."""

# Letters and numbers with their combining marks: in many scripts a vowel is a mark.
WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+")
# In these scripts people may leave an accent out; in others the mark makes a different letter.
_ACCENT = regex.compile(r"(?<=[\p{Latin}\p{Greek}\p{Cyrillic}])\p{Mn}+")
# Marks that only change how a symbol is drawn. Some rules for slugs remove the symbol and leave its mark.
_SYMBOL_STYLE = regex.compile(r"[\uFE0E\uFE0F\u20E3]")
_DIGITS_MEET = regex.compile(r"(?<=\d)\0(?=\d)")

Words = tuple[str, ...]

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class ComparableName:
    """An anchor or a fragment in the form in which names are compared: its words in small letters without accents."""

    words: Words
    key: str
    """The words joined without separators, except between numbers: `9.20` is not `9.2.0`.

    Rules for slugs differ in case, separators, accents and Unicode forms. All of these give the same key.
    """

    @property
    def has_numbers_apart(self) -> bool:
        """Whether two numbers stand side by side with a separator between them."""
        return _DIGITS_MEET.search("\0".join(self.words)) is not None


def name_of(text: str) -> ComparableName:
    """The form in which an anchor or a fragment is compared."""
    # Cut off here, since the cache keeps what it is given: a fragment that somebody sends may be very long.
    return _name_of(text[:MAX_CHARACTERS])


@lru_cache(maxsize=65_536)
def _name_of(text: str) -> ComparableName:
    if not text.isascii():
        text = normalize("NFC", _ACCENT.sub("", normalize("NFKD", _SYMBOL_STYLE.sub("", text))))
    words = tuple(WORD.findall(text.casefold()))
    key = words[0] if len(words) == 1 else _DIGITS_MEET.sub(".", "\0".join(words)).replace("\0", "")
    return ComparableName(words, key)


def is_specific(anchor: str) -> bool:
    """Whether an id is specific enough to be looked for on any page: it has at least two words without digits.

    Ids such as `security` and `fixes_6` are common, so finding one on another page proves little.
    """
    return sum(not any(map(str.isdigit, word)) for word in name_of(anchor).words) > 1


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """The values of each key, in the order of the pairs."""
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups
