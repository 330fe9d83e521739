"""Marks: the position, role and containers of each block in the text of a chunk.

The text of a chunk is searched, so it contains no marks. They are in `Chunk.blocks`, one string for each block that
begins in the chunk's own text: `OFFSET ROLE KIND PATH ^NOTES`. A table that is cut has a mark in every chunk, with `+`
behind the role in all but the first. Role, kind, path and notes are those of `trueref_plugin.reading.parsed.Block`.
Path and notes are left out if there are none. Notes are references to footnotes, `NUMBER:AT`, joined by commas.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from trueref_core.records import BlockRole, Chunk, ChunkKind

_CONTINUED = "+"
_NOTES = "^"


@dataclass(frozen=True, slots=True)
class BlockMark:
    """One block in a chunk.

    `offset` counts code points from the start of the chunk's text, overlap included. The block ends before the blank
    line that precedes the next mark, or continues in the next chunk of the section. `continued` marks a table that
    began in an earlier chunk; this chunk repeats its header. `notes` has the number of each footnote and the place in
    the block that refers to it.
    """

    offset: int
    role: BlockRole
    kind: ChunkKind
    path: str = ""
    continued: bool = False
    notes: tuple[tuple[int, int], ...] = ()


def write_mark(mark: BlockMark) -> str:
    """A mark as a string of `Chunk.blocks`."""
    role = mark.role + _CONTINUED if mark.continued else mark.role
    notes = _NOTES + ",".join(f"{number}:{at}" for number, at in mark.notes) if mark.notes else ""
    return " ".join(filter(None, (str(mark.offset), role, mark.kind, mark.path, notes)))


def read_marks(chunk: Chunk) -> tuple[BlockMark, ...]:
    """The marks of a chunk, in the order of its text."""
    return tuple(map(_read_mark, chunk.blocks))


def _read_mark(text: str) -> BlockMark:
    """A mark from its string; see the top of this module for the syntax."""
    offset, role, kind, *optional_fields = text.split(" ")
    notes = optional_fields.pop()[1:] if optional_fields and optional_fields[-1].startswith(_NOTES) else ""
    return BlockMark(
        int(offset),
        cast("BlockRole", role.removesuffix(_CONTINUED)),
        cast("ChunkKind", kind),
        optional_fields[0] if optional_fields else "",
        role.endswith(_CONTINUED),
        tuple(map(_read_note, notes.split(","))) if notes else (),
    )


def _read_note(text: str) -> tuple[int, int]:
    """The number of a footnote and where the block refers to it."""
    number, _, at = text.partition(":")
    return int(number), int(at)
