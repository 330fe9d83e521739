"""The most similar of many names, without comparing all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Final

from jellyfish import jaro_winkler_similarity

ALL_COMPARED: Final = 512
"""Names up to which every one is compared."""

AROUND: Final = 128
"""Of more names: how many are compared on either side in the order of the alphabet, and how many for a word."""


class Similar:
    """Names that are searched for the one most like another, by Jaro-Winkler similarity.

    Of many names only those are compared that begin alike, end alike, or share a word that is rare among them: the
    similarity gives most to how names begin, and each of the three lists is bounded.
    """

    def __init__(self, names: Sequence[str], words: Sequence[Collection[str]]) -> None:
        """Takes the names, each with its words. What is searched in is made at the first search."""
        self._names, self._words = names, words

    def closest(self, name: str, words: Collection[str], least: float) -> int | None:
        """Where in the list the most similar name is, the first of equals; None where none is like it by `least`."""
        is_short = len(self._names) <= ALL_COMPARED
        places = range(len(self._names)) if is_short else sorted(self._candidates(name, words))
        nearest: int | None = None
        for at in places:
            similarity = jaro_winkler_similarity(name, self._names[at])
            if similarity > least or (nearest is None and similarity == least):
                nearest, least = at, similarity
        return nearest

    def _candidates(self, name: str, words: Collection[str]) -> set[int]:
        """Where the names are that are compared with this one: a few hundred at most, however many there are."""
        around = _neighbours(self._forwards, name) | _neighbours(self._backwards, name[::-1])
        rare = (self._by_word.get(word, ()) for word in words)
        return around.union(*(places for places in rare if len(places) <= AROUND))

    @cached_property
    def _forwards(self) -> list[tuple[str, int]]:
        return sorted((name, at) for at, name in enumerate(self._names))

    @cached_property
    def _backwards(self) -> list[tuple[str, int]]:
        return sorted((name[::-1], at) for at, name in enumerate(self._names))

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for at, words in enumerate(self._words):
            for word in set(words):
                places.setdefault(word, []).append(at)
        return places


def _neighbours(ordered: Sequence[tuple[str, int]], name: str) -> set[int]:
    at = bisect_left(ordered, (name, 0))
    return _places(ordered[max(0, at - AROUND) : at + AROUND])


def _places(items: Iterable[tuple[str, int]]) -> set[int]:
    return {place for _, place in items}
