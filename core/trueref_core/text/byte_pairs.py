"""Counts tokens by byte-pair encoding where tiktoken is not installed, for `trueref export`.

tiktoken and its dependencies take 7 MB, nearly a fifth of the 40 MB that a plain installation may have. Builds of an
index use tiktoken, since it is faster. A test checks that both give the same counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

import regex


class BytePairs:
    """Counts the tokens of texts by the ranks of byte pairs, in n log n time for any text."""

    def __init__(self, pieces: str, ranks: Mapping[bytes, int]) -> None:
        """Takes the pattern that splits a text into pieces, in tiktoken's syntax, and the rank of each token."""
        # The two libraries disagree on \s: for `regex` the separators of records and files are white space too.
        self._pieces = regex.compile(pieces.replace(r"\s", r"\p{White_Space}").replace(r"\S", r"\P{White_Space}"))
        self._ranks = ranks
        self._longest = max(map(len, ranks))

    def count(self, text: str) -> int:
        """The number of tokens of a text."""
        return sum(self._count(piece[0].encode("utf-8", "replace")) for piece in self._pieces.finditer(text))

    def _count(self, piece: bytes) -> int:
        """The number of tokens of a piece: the parts that are left when no two neighbours can be merged any more.

        The pair with the lowest rank is merged first; of equal ranks, the leftmost.
        """
        size = len(piece)
        if piece in self._ranks or size < 2:
            return 1
        # A part is identified by its start. `ends` has the end of each part, which is the start of the next one.
        ends, previous_starts = list(range(1, size + 1)), list(range(-1, size - 1))
        pairs = [pair for at in range(size - 1) if (pair := self._pair(piece, at, ends))]
        heapify(pairs)
        is_part_start, part_count = [True] * size, size
        while pairs:
            _, at, end = heappop(pairs)
            middle = ends[at]
            # The heap keeps outdated pairs: they are skipped if one of the two parts was merged meanwhile.
            if not is_part_start[at] or middle >= size or ends[middle] != end:
                continue
            is_part_start[middle], ends[at] = False, end
            part_count -= 1
            if end < size:
                previous_starts[end] = at
            for start in (previous_starts[at], at):
                if start >= 0 and (pair := self._pair(piece, start, ends)):
                    heappush(pairs, pair)
        return part_count

    def _pair(self, piece: bytes, at: int, ends: list[int]) -> tuple[int, int, int] | None:
        """The rank, start and end of the pair of the part at `at` and the next one; None if the pair is no token."""
        if ends[at] >= len(piece) or ends[ends[at]] - at > self._longest:
            return None
        end = ends[ends[at]]
        rank = self._ranks.get(piece[at:end])
        return None if rank is None else (rank, at, end)
