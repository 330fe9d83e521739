"""The positions of all chunks of a generation, kept in memory.

A row is the number of a chunk in its table, from 0. Strings that many chunks share are stored once, and each chunk has
their numbers: for a million chunks this takes 0.3 GB, and lists of strings took 1 GB.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SectionKey = tuple[str, str]
"""A site, and the id of a section in it."""

FilterValues = tuple[str, str, str, str]
"""Site, version, language and page of a chunk: the fields that filters use."""

Coded = tuple[list[str], "NDArray[np.int64]"]
"""A column: its values, each once, and for each row the number of its value."""


@dataclass(frozen=True, slots=True)
class ChunkRows:
    """The rows of a generation's chunks.

    `ids` are in the order of the rows, and `row_of` is the reverse. `sections` numbers the sections, and
    `_section_numbers` has the section of each row. `_members` are all rows by section, in the order of the page;
    `_starts` has the begin of each section in it, and the end after the last. `_filter_values` are all values that
    occur, and `_filter_number` has the number of the values of each row.
    """

    ids: list[str] = field(repr=False)
    row_of: dict[str, int] = field(repr=False)
    sections: dict[SectionKey, int] = field(repr=False)
    _keys: list[SectionKey] = field(repr=False)
    _section_numbers: NDArray[np.int32] = field(repr=False)
    _members: NDArray[np.int32] = field(repr=False)
    _starts: NDArray[np.int64] = field(repr=False)
    _filter_values: list[FilterValues] = field(repr=False)
    _filter_number: NDArray[np.int32] = field(repr=False)

    @classmethod
    def of(cls, ids: list[str], filtered: Sequence[Coded], sections: Coded, positions: NDArray[np.int64]) -> ChunkRows:
        """The rows of a table, from its columns.

        Args:
            ids: Of the chunks.
            filtered: The columns of site, version, language and page.
            sections: The column of section ids.
            positions: Of the chunks on their pages.
        """
        import numpy as np

        keys, section_of = _together([filtered[0], sections])
        # Sorted by the position on the page: a build that changes a page puts its chunks at the end of the table.
        members = np.lexsort((positions, section_of)).astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(np.bincount(section_of, minlength=len(keys)))])
        section_keys = [(site, section) for site, section in keys]
        values, filter_number = _together(filtered)
        return cls(
            ids,
            {chunk: row for row, chunk in enumerate(ids)},
            {key: number for number, key in enumerate(section_keys)},
            section_keys,
            section_of,
            members,
            starts,
            [(site, version, language, page) for site, version, language, page in values],
            filter_number,
        )

    @property
    def languages(self) -> frozenset[str]:
        """The languages of all chunks."""
        return frozenset(language for _, _, language, _ in self._filter_values)

    def section_of(self, row: int) -> SectionKey:
        """The section that the chunk in a row is in."""
        return self._keys[int(self._section_numbers[row])]

    def of_section(self, key: SectionKey) -> list[int]:
        """The rows of a section in the order of the page; none if it is unknown."""
        number = self.sections.get(key)
        if number is None:
            return []
        rows: list[int] = self._members[self._starts[number] : self._starts[number + 1]].tolist()
        return rows

    def allowed(self, allow: Callable[[str, str, str, str], bool]) -> NDArray[np.intp]:
        """The rows that a filter allows, by their site, version, language and page."""
        import numpy as np

        each = np.fromiter((allow(*values) for values in self._filter_values), bool, len(self._filter_values))
        return np.flatnonzero(each[self._filter_number])


def _together(columns: Sequence[Coded]) -> tuple[list[tuple[str, ...]], NDArray[np.int32]]:
    """The combinations of values in several columns, each once, and for each row the number of its combination."""
    import numpy as np

    together = columns[0][1]
    for values, codes in columns[1:]:
        # Renumbered at every step: the product of the numbers of all columns may not fit into 64 bits.
        together = np.unique(together, return_inverse=True)[1] * len(values) + codes
    _, firsts, numbers = np.unique(together, return_index=True, return_inverse=True)
    each: list[list[str]] = []
    for values, codes in columns:
        row_values: list[int] = codes[firsts].tolist()
        each.append([values[code] for code in row_values])
    return list(zip(*each, strict=True)), numbers.astype(np.int32)
