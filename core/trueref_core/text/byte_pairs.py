"""Counts tokens by byte pairs if tiktoken is not installed: `trueref export` needs nothing else of it.

With its dependencies for fetching ranks, tiktoken has 7 MB, a fifth of what a plain installation may have. It is
faster, so an index is counted with it. A test compares both.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

import regex


class BytePairs:
    """Counts the tokens of texts by the ranks of byte pairs. Takes n log n time for a text of any form."""

    def __init__(self, pieces: str, ranks: Mapping[bytes, int]) -> None:
        """Takes the pattern that splits a text, in the syntax of tiktoken, and the rank of each token."""
        # The two libraries disagree on \s: for `regex` the separators of records and files are white space too.
        self._pieces = regex.compile(pieces.replace(r"\s", r"\p{White_Space}").replace(r"\S", r"\P{White_Space}"))
        self._ranks = ranks
        self._longest = max(map(len, ranks))

    def count(self, text: str) -> int:
        """The number of tokens of a text."""
        return sum(self._count(piece[0].encode("utf-8", "replace")) for piece in self._pieces.finditer(text))

    def _count(self, piece: bytes) -> int:
        """The number of parts of a piece when no two neighbours can be merged: lowest rank first, then leftmost."""
        size = len(piece)
        if piece in self._ranks or size < 2:
            return 1
        # A part is identified by its start. `ends` has its end, where the next part begins; `before` the part before.
        ends, before = list(range(1, size + 1)), list(range(-1, size - 1))
        pairs = [pair for at in range(size - 1) if (pair := self._pair(piece, at, ends))]
        heapify(pairs)
        alive, left = [True] * size, size
        while pairs:
            _, at, stop = heappop(pairs)
            middle = ends[at]
            # Skipped if one of the two was merged with another part meanwhile: the heap keeps outdated pairs.
            if not alive[at] or middle >= size or ends[middle] != stop:
                continue
            alive[middle], ends[at] = False, stop
            left -= 1
            if stop < size:
                before[stop] = at
            for changed in (before[at], at):
                if changed >= 0 and (pair := self._pair(piece, changed, ends)):
                    heappush(pairs, pair)
        return left

    def _pair(self, piece: bytes, at: int, ends: list[int]) -> tuple[int, int, int] | None:
        """A part and the next one as a pair to merge: rank, begin and end; None if together they are no token."""
        if ends[at] >= len(piece) or ends[ends[at]] - at > self._longest:
            return None
        stop = ends[ends[at]]
        rank = self._ranks.get(piece[at:stop])
        return None if rank is None else (rank, at, stop)
