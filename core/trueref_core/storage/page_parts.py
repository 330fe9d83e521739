"""Parts: the values of all pages, split into several files, so that a change of one page rewrites one file.

    anchors/0000.json   anchors/0001.json   ...     the rows of some pages each, in the order of the pages

The other files are hard-linked from the earlier build. The part of a page follows from its key alone, and the number of
parts from the number of pages, so the same pages give the same files whatever was changed before. With a single file,
one change at ten thousand pages spent seven CPU-seconds on reading, copying and summing 400 MB.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from trueref_core.errors import REBUILD, IndexDamaged
from trueref_core.records import Anchor, Chunk, Link, PageKey
from trueref_core.storage.atomic_files import write_file
from trueref_core.storage.sealed_folders import link_file, read_summed, read_sums

T = TypeVar("T")
PageRecord = TypeVar("PageRecord", bound=Anchor | Link | Chunk)

PAGES_A_PART: Final = 128
"""The average number of pages in a part is at most this. At 10,000 pages, a part of the anchors has two megabytes."""


class PageValue(msgspec.Struct, frozen=True, gc=False):
    """The value of one page, still encoded."""

    site: str
    page: str
    value: msgspec.Raw


PartRow = tuple[PageKey, msgspec.Raw]

_row_key = itemgetter(0)


def by_page(records: Iterable[PageRecord]) -> dict[PageKey, list[PageRecord]]:
    """Records by the page that they belong to, in their order; a link belongs to the page that it begins on."""
    grouped: dict[PageKey, list[PageRecord]] = defaultdict(list)
    for record in records:
        page = record.from_page if isinstance(record, Link) else record.page
        grouped[record.site, page].append(record)
    return grouped


def parts_for(pages: int) -> int:
    """The number of parts for a number of pages: a power of two, so that it seldom changes while a site grows."""
    return 1 << (max(0, pages - 1) // PAGES_A_PART).bit_length()


def part_of(key: PageKey, parts: int) -> int:
    """The number of the part that a page is in, from 0; `parts` is the number of parts."""
    # Not Python's `hash`, which differs from process to process.
    digest = blake2b("\n".join(key).encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big") % parts


class Parts:
    """The values of one kind in a build, read part by part when they are needed.

    Args:
        build: Folder of the build.
        kind: The kind of value, which is the name of the folder in the build.
        count: The number of parts.
        sums: Sums by file name. Every part is compared with its sum when it is read; None if the build was verified.
    """

    def __init__(self, build: Path, kind: str, count: int, sums: Mapping[str, str] | None) -> None:
        self.build, self.kind, self.count, self._sums = build, kind, count, sums
        self._read: dict[int, dict[PageKey, msgspec.Raw]] = {}

    def get(self, key: PageKey) -> msgspec.Raw | None:
        """The encoded value of a page, None if the page has none. Raises `IndexDamaged`."""
        return self.part(part_of(key, self.count)).get(key)

    def part(self, number: int) -> Mapping[PageKey, msgspec.Raw]:
        """The encoded values of one part by page. Raises `IndexDamaged`."""
        if number not in self._read:
            name = part_name(self.kind, number)
            data = read_summed(self.build, name, self._sums)
            try:
                rows = msgspec.json.decode(data, type=list[PageValue])
            except msgspec.DecodeError as error:
                raise _undecodable_part(self.build / name, error) from error
            self._read[number] = {(row.site, row.page): row.value for row in rows}
        return self._read[number]

    def items(self) -> list[PartRow]:
        """The encoded values of all pages, in the order of the pages. Raises `IndexDamaged`."""
        # Sorted by the key alone, since encoded values cannot be compared.
        return sorted((row for number in range(self.count) for row in self.part(number).items()), key=_row_key)

    def decoded(self, value_type: type[T]) -> dict[PageKey, T]:
        """The decoded values of all pages, in the order of the pages. Raises `IndexDamaged`."""
        decoder = msgspec.json.Decoder(value_type)
        try:
            return {key: decoder.decode(raw) for key, raw in self.items()}
        except msgspec.DecodeError as error:
            raise _undecodable_part(self.build / self.kind, error) from error

    def link(self, name: str, target: Path) -> None:
        """Link the file of a part, or copy it where links are impossible. Raises `IndexDamaged` for a damaged copy."""
        sums = self._sums if self._sums is not None else read_sums(self.build)
        link_file(self.build, name, target, sums)

    def has_same_file(self, other: Parts, key: PageKey) -> bool:
        """Whether the file with a page's value has the same sum in both, so that neither file need be read."""
        name = part_name(self.kind, part_of(key, self.count))
        this_sum, other_sum = (self._sums or {}).get(name), (other._sums or {}).get(name)
        return self.kind == other.kind and self.count == other.count and this_sum is not None and this_sum == other_sum


def write_parts(
    folder: Path,
    kind: str,
    count: int,
    new: Mapping[PageKey, Any],
    earlier: Parts | None = None,
    stale: Collection[PageKey] = (),
) -> None:
    """Write the values of one kind into the folder of a build. Equal values give equal files.

    Args:
        folder: Folder of the build.
        kind: The kind of value, which is the name of the folder to make in the build.
        count: The number of parts.
        new: New values by page, which can be encoded as JSON.
        earlier: The values of an earlier build, which are kept for all other pages.
        stale: Pages whose earlier value is dropped. Pages in `new` need not be listed.

    Raises:
        OSError: The folder cannot be written.
        IndexDamaged: A part of the earlier build differs from what was written.
    """
    (folder / kind).mkdir()
    rows = _kept_rows(count, new, earlier, stale)
    for key, value in new.items():
        rows[part_of(key, count)][key] = msgspec.Raw(msgspec.json.encode(value, order="deterministic"))
    for number in range(count):
        name = part_name(kind, number)
        if number in rows:
            write_file(folder / name, encode_rows(sorted(rows[number].items(), key=_row_key)))
        else:
            assert earlier is not None
            earlier.link(name, folder / name)


def _kept_rows(
    count: int, new: Iterable[PageKey], earlier: Parts | None, stale: Collection[PageKey]
) -> dict[int, dict[PageKey, msgspec.Raw]]:
    """The rows that are kept from the earlier build, for each part that has to be written again."""
    if earlier is not None and earlier.count == count:
        changed = {part_of(key, count) for key in (*new, *stale)}
        return {
            number: {key: raw for key, raw in earlier.part(number).items() if key not in stale} for number in changed
        }
    rows: dict[int, dict[PageKey, msgspec.Raw]] = {number: {} for number in range(count)}
    for key, raw in earlier.items() if earlier is not None else ():
        if key not in stale:
            rows[part_of(key, count)][key] = raw
    return rows


def part_name(kind: str, number: int) -> str:
    """The name of a part's file, relative to the build."""
    return f"{kind}/{number:04x}.json"


def encode_rows(rows: Iterable[PartRow]) -> bytes:
    """The bytes of a part: one line for each page, in the given order."""
    lines = (msgspec.json.encode(PageValue(*key, raw)) for key, raw in rows)
    return b"[\n%b\n]\n" % b",\n".join(lines)


def _undecodable_part(path: Path, error: Exception) -> IndexDamaged:
    """The error for a part that cannot be decoded."""
    return IndexDamaged(f"The index is damaged: {path} cannot be decoded ({error}). {REBUILD}")
