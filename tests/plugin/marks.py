"""The blocks of a page, put together again from its chunks and their marks: what a reader of an index can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from trueref_core.records import BlockRole, Chunk, ChunkKind
from trueref_core.text.block_marks import BlockMark, read_marks
from trueref_plugin.reading.parsed import Block

BlockFacts = tuple[str, BlockRole, ChunkKind, str]
"""Anchor, role, kind and path of a block."""


def marked(chunk: Chunk) -> list[tuple[BlockMark, str]]:
    """The blocks that begin in a chunk, each with its text as far as the chunk has it."""
    marks = read_marks(chunk)
    borders = pairwise([*(mark.offset for mark in marks), len(chunk.text)])
    return [(mark, chunk.text[start:end].strip("\n")) for mark, (start, end) in zip(marks, borders, strict=True)]


def rebuilt(chunks: Sequence[Chunk]) -> list[tuple[BlockFacts, list[str]]]:
    """The blocks of a page, each with its parts: one of every chunk that holds some of it."""
    blocks: list[tuple[BlockFacts, list[str]]] = []
    for chunk in chunks:
        found = marked(chunk)
        # What stands before the first mark goes on with a block that began before.
        before = chunk.text[chunk.overlap : found[0][0].offset] if found else chunk.text[chunk.overlap :]
        if before.strip():
            blocks[-1][1].append(before)
        for mark, text in found:
            if mark.continued:
                blocks[-1][1].append(text)
            else:
                blocks.append(((chunk.anchor, mark.role, mark.kind, mark.path), [text]))
    return blocks


def broken_marks(parsed: Sequence[tuple[str, Block, str]], chunks: Sequence[Chunk]) -> Iterator[str]:
    """What is wrong with the marks of a page's chunks, given its blocks with their anchors and rendered headers."""
    found = rebuilt(chunks)
    if [facts for facts, _ in found] != [(anchor, block.role, block.kind, block.path) for anchor, block, _ in parsed]:
        yield "the marks do not tell the blocks of the page in order"
        return
    for (_, parts), (anchor, block, header) in zip(found, parsed, strict=True):
        rows = [_letters(part.removeprefix(header)) if header else _letters(part) for part in parts]
        if "".join(rows) not in (_letters(block.text), _letters(header + block.text)):
            yield f"the marks do not give back a block of {anchor!r}: {block.text[:40]!r}"
    for chunk in chunks:
        for mark, _ in marked(chunk):
            if mark.offset < chunk.overlap or chunk.text[mark.offset : mark.offset + 1] in ("", "\n"):
                yield f"chunk {chunk.position} has a mark at {mark.offset}, where no block begins"
        for before, mark in pairwise(read_marks(chunk)):
            if chunk.text[mark.offset - 2 : mark.offset] != "\n\n" or mark.offset <= before.offset:
                yield f"chunk {chunk.position} has a mark at {mark.offset}, which no blank line stands before"


def _letters(text: str) -> str:
    return "".join(text.split())
