"""Finds the most similar of many names without comparing all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Final

from jellyfish import jaro_winkler_similarity

from trueref_core.matching.name_words import grouped

ALL_COMPARED: Final = 512
"""Up to this many names, every name is compared."""

MAX_NEIGHBOURS: Final = 128
"""If there are more names than `ALL_COMPARED`, this many neighbours in alphabetical order are compared on either side.
A word that occurs in more than this many names is not used to find names to compare."""


class SimilarNames:
    """Names, in which `closest` finds the one that is most similar to a given name, by Jaro-Winkler similarity.

    Of many names, only those that begin alike, end alike or share a rare word are compared. The similarity depends most
    on the beginnings, and each of these three lists has a bounded length, so a look-up never takes long.
    """

    def __init__(self, names: Sequence[str], words: Sequence[Collection[str]]) -> None:
        """Takes the names, each with its words. The sorted lists are made at the first search."""
        self._names, self._words = names, words

    def closest(self, name: str, words: Collection[str], least: float) -> int | None:
        """The position of the most similar name, the first of equals; None if no similarity reaches `least`.

        `words` are the words of the given name.
        """
        is_short = len(self._names) <= ALL_COMPARED
        candidates = range(len(self._names)) if is_short else sorted(self._candidates(name, words))
        closest_position, best_similarity = None, least
        for at in candidates:
            similarity = jaro_winkler_similarity(name, self._names[at])
            if similarity > best_similarity or (closest_position is None and similarity == best_similarity):
                closest_position, best_similarity = at, similarity
        return closest_position

    def _candidates(self, name: str, words: Collection[str]) -> set[int]:
        """The positions of the names to compare with: a few hundred at most, however many there are."""
        begin_alike = _alphabetical_neighbours(self._forwards, name)
        end_alike = _alphabetical_neighbours(self._backwards, name[::-1])
        with_word = (self._by_word.get(word, ()) for word in words)
        share_rare_word = (positions for positions in with_word if len(positions) <= MAX_NEIGHBOURS)
        return (begin_alike | end_alike).union(*share_rare_word)

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


def _alphabetical_neighbours(ordered: Sequence[tuple[str, int]], name: str) -> set[int]:
    """The positions of the names before and after a name in a sorted list."""
    at = bisect_left(ordered, (name, 0))
    return {position for _, position in ordered[max(0, at - MAX_NEIGHBOURS) : at + MAX_NEIGHBOURS]}
