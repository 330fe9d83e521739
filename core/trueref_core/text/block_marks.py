"""Marks: the position, role and containers of each block in the text of a chunk.

The text of a chunk is searched, so it contains no marks. They are in `Chunk.blocks`, one string for each block that
begins in the chunk's own text: `OFFSET ROLE KIND PATH`. A table that is cut has a mark in every chunk, with `+` behind
the role in all but the first. Role, kind and path are those of `trueref_plugin.reading.parsed.Block`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from trueref_core.records import BlockRole, Chunk, ChunkKind

_GOES_ON = "+"


@dataclass(frozen=True, slots=True)
class BlockMark:
    """One block in a chunk.

    `offset` counts code points from the start of the chunk's text, overlap included. The block ends at the next mark,
    less the blank line between them, or goes on in the next chunk of the section. `continued`: it began in a chunk
    before, and this one repeats its header.
    """

    offset: int
    role: BlockRole
    kind: ChunkKind
    path: str = ""
    continued: bool = False


def write_mark(mark: BlockMark) -> str:
    """A mark as a string of `Chunk.blocks`."""
    role = mark.role + _GOES_ON if mark.continued else mark.role
    return " ".join(filter(None, (str(mark.offset), role, mark.kind, mark.path)))


def read_marks(chunk: Chunk) -> tuple[BlockMark, ...]:
    """The marks of a chunk, in the order of its text."""
    return tuple(map(_read_mark, chunk.blocks))


def _read_mark(text: str) -> BlockMark:
    """A mark from its string."""
    offset, role, kind, *path = text.split(" ")
    return BlockMark(
        int(offset),
        cast("BlockRole", role.removesuffix(_GOES_ON)),
        cast("ChunkKind", kind),
        path[0] if path else "",
        role.endswith(_GOES_ON),
    )
