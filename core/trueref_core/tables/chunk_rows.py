"""The rows of all chunks of a generation, in memory: ids, sections, and the values that filters use.

A row is the number of a chunk in its table, from 0. A string that many chunks share is stored once, and each chunk has
the number of the string. For a million chunks this takes 0.3 GB, while lists of strings took 1 GB.
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

CodedColumn = tuple[list[str], "NDArray[np.int64]"]
"""A column of strings: its values, each once, and for each row the number of its value."""


@dataclass(frozen=True, slots=True)
class ChunkRows:
    """The rows of a generation's chunks.

    `ids` has the id of the chunk in each row, and `row_of` the row of each id. `sections` has a number for each
    section, `_section_keys` the section of each number, and `_section_numbers` the number for each row. `_members`
    has all rows, grouped by section and in the order of the page; those of section `n` begin at `_starts[n]` and end
    before `_starts[n + 1]`. `_filter_values` has all combinations of values that occur, and `_filter_number` the number
    of the combination for each row.
    """

    ids: list[str] = field(repr=False)
    row_of: dict[str, int] = field(repr=False)
    sections: dict[SectionKey, int] = field(repr=False)
    _section_keys: list[SectionKey] = field(repr=False)
    _section_numbers: NDArray[np.int32] = field(repr=False)
    _members: NDArray[np.int32] = field(repr=False)
    _starts: NDArray[np.int64] = field(repr=False)
    _filter_values: list[FilterValues] = field(repr=False)
    _filter_number: NDArray[np.int32] = field(repr=False)

    @classmethod
    def of(
        cls, ids: list[str], filtered: Sequence[CodedColumn], sections: CodedColumn, positions: NDArray[np.int64]
    ) -> ChunkRows:
        """The rows of a table, from its columns.

        Args:
            ids: The ids of the chunks.
            filtered: The columns of site, version, language and page, in this order.
            sections: The column of section ids.
            positions: The positions of the chunks on their pages.
        """
        import numpy as np

        keys, section_of = _combinations([filtered[0], sections])
        # Sorted by the position on the page, since a build that changes a page puts its chunks at the end of the table.
        members = np.lexsort((positions, section_of)).astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(np.bincount(section_of, minlength=len(keys)))])
        section_keys = [(site, section) for site, section in keys]
        values, filter_number = _combinations(filtered)
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
        return self._section_keys[int(self._section_numbers[row])]

    def of_section(self, key: SectionKey) -> list[int]:
        """The rows of a section in the order of the page; none for an unknown section."""
        number = self.sections.get(key)
        if number is None:
            return []
        rows: list[int] = self._members[self._starts[number] : self._starts[number + 1]].tolist()
        return rows

    def allowed(self, allow: Callable[[str, str, str, str], bool]) -> NDArray[np.intp]:
        """The rows that a filter allows.

        `allow` is called with site, version, language and page, once for each combination that occurs.
        """
        import numpy as np

        is_allowed = np.fromiter((allow(*values) for values in self._filter_values), bool, len(self._filter_values))
        return np.flatnonzero(is_allowed[self._filter_number])


def _combinations(columns: Sequence[CodedColumn]) -> tuple[list[tuple[str, ...]], NDArray[np.int32]]:
    """The combinations of values in several columns, each once, and for each row the number of its combination."""
    import numpy as np

    combined = columns[0][1]
    for values, codes in columns[1:]:
        # Combinations are numbered anew at every step: the product of the sizes of all columns may exceed 64 bits.
        combined = np.unique(combined, return_inverse=True)[1] * len(values) + codes
    _, first_rows, numbers = np.unique(combined, return_index=True, return_inverse=True)
    value_columns: list[list[str]] = []
    for values, codes in columns:
        row_values: list[int] = codes[first_rows].tolist()
        value_columns.append([values[code] for code in row_values])
    return list(zip(*value_columns, strict=True)), numbers.astype(np.int32)
