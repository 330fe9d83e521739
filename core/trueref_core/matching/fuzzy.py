"""Finds the most similar of many names without comparing all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Final

from jellyfish import jaro_winkler_similarity

from trueref_core.matching.name_words import grouped

ALL_COMPARED: Final = 512
"""Up to this many names, each is compared."""

AROUND: Final = 128
"""If there are more: the number of neighbours in alphabetical order that are compared on either side, and of the names
that share a word at most."""


class Similar:
    """Names among which the one most similar to another is searched, by Jaro-Winkler similarity.

    If there are many, only those are compared that begin alike, end alike, or share a rare word: the similarity depends
    most on the beginning of names, and each of these three lists is bounded. So a look-up never takes long.
    """

    def __init__(self, names: Sequence[str], words: Sequence[Collection[str]]) -> None:
        """Takes the names, each with its words. The sorted lists are made at the first search."""
        self._names, self._words = names, words

    def closest(self, name: str, words: Collection[str], least: float) -> int | None:
        """The position of the most similar name, the first of equals; None if no similarity reaches `least`."""
        is_short = len(self._names) <= ALL_COMPARED
        candidates = range(len(self._names)) if is_short else sorted(self._candidates(name, words))
        nearest: int | None = None
        for at in candidates:
            similarity = jaro_winkler_similarity(name, self._names[at])
            if similarity > least or (nearest is None and similarity == least):
                nearest, least = at, similarity
        return nearest

    def _candidates(self, name: str, words: Collection[str]) -> set[int]:
        """The positions of the names to compare with: a few hundred at most, however many there are."""
        around = _neighbours(self._forwards, name) | _neighbours(self._backwards, name[::-1])
        rare = (self._by_word.get(word, ()) for word in words)
        return around.union(*(positions for positions in rare if len(positions) <= AROUND))

    @cached_property
    def _forwards(self) -> list[tuple[str, int]]:
        """The names with their positions, sorted by their beginnings."""
        return sorted((name, at) for at, name in enumerate(self._names))

    @cached_property
    def _backwards(self) -> list[tuple[str, int]]:
        """The names with their positions, sorted by their ends."""
        return sorted((name[::-1], at) for at, name in enumerate(self._names))

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """The positions of the names that have a word, by word."""
        return grouped((word, at) for at, words in enumerate(self._words) for word in set(words))


def _neighbours(ordered: Sequence[tuple[str, int]], name: str) -> set[int]:
    """The positions of the names around one in alphabetical order."""
    at = bisect_left(ordered, (name, 0))
    return {position for _, position in ordered[max(0, at - AROUND) : at + AROUND]}
