"""A section put together again from its chunks, as the blocks of the page: paragraphs, lists, tables, code, titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trueref_core.block_marks import BlockMark, read_marks

if TYPE_CHECKING:
    from trueref_core.records import BlockRole, Chunk, ChunkKind


@dataclass(frozen=True, slots=True)
class SectionBlock:
    """One block as the page has it. `role` and `path` are those of the build's `Block`; `path` is taken apart."""

    kind: ChunkKind
    role: BlockRole
    text: str
    path: tuple[str, ...] = ()
    code_language: str = ""


def section_blocks(chunks: Sequence[Chunk]) -> list[SectionBlock]:
    """The blocks of a section, in order and whole.

    Args:
        chunks: Chunks of one section that follow one another, in the order of the page. Where they begin in the middle
            of a block, that block is left out: what is shown of a page is never a torn piece.
    """
    blocks: list[SectionBlock] = []
    for before, chunk in zip([None, *chunks], chunks, strict=False):
        follows = before is not None and chunk.previous == before.id
        own = list(_own_blocks(chunk, is_known=follows))
        if own and own[0][0].offset < 0:
            mark, text = own.pop(0)
            if blocks and follows:
                blocks[-1] = replace(blocks[-1], text=blocks[-1].text + _gap(chunk, blocks[-1].kind) + text)
        for mark, text in own:
            if mark.continued:
                if blocks and follows and blocks[-1].kind == "table":
                    blocks[-1] = replace(blocks[-1], text=f"{blocks[-1].text}{_rows_after(blocks[-1].text, text)}")
                continue
            path = tuple(mark.path.split("/")) if mark.path else ()
            blocks.append(SectionBlock(mark.kind, mark.role, text, path, chunk.code_language))
    return blocks


def _own_blocks(chunk: Chunk, *, is_known: bool) -> Iterator[tuple[BlockMark, str]]:
    """The blocks of a chunk's own text; what goes on from the chunk before comes first, with an offset below 0."""
    marks = read_marks(chunk)
    first = marks[0].offset if marks else len(chunk.text)
    if chunk.text[chunk.overlap : first].strip():
        yield BlockMark(-1, "text", chunk.kind), chunk.text[chunk.overlap : first].rstrip()
    ends = [mark.offset for mark in marks[1:]] + [len(chunk.text)]
    for mark, end in zip(marks, ends, strict=True):
        if not mark.continued or is_known:
            yield mark, chunk.text[mark.offset : end].rstrip()


def _gap(chunk: Chunk, kind: ChunkKind) -> str:
    """The white space at which a block was cut: the end of what a chunk repeats has it."""
    repeated = chunk.text[: chunk.overlap]
    if repeated:
        return repeated[len(repeated.rstrip()) :]
    return "\n" if kind in ("list", "table") else " "


def _rows_after(text: str, rest: str) -> str:
    """The rows of a piece of a table, less its repeated header; a row that was cut itself goes on where it ended."""
    header = table_header(rest)
    rows = "\n".join(rest.split("\n")[len(header) :])
    return f"\n{rows}" if text.endswith("|") and rows.startswith("|") else f" {rows}"


def table_header(text: str) -> list[str]:
    """The first two lines of a table that has a header, else none."""
    lines = text.split("\n", 2)[:2]
    return lines if len(lines) == 2 and lines[1].startswith("|") and set(lines[1]) <= set("|- ") else []
