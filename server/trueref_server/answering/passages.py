"""A section put together again from its chunks, as a list of passages that a reader would call one thing each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from trueref_core.records import Chunk
from trueref_core.sentences import split_sentences

PassageKind = Literal["prose", "list", "code", "table"]

_ITEM = re.compile(r"(?:-|\d{1,5}\.) ")


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, a list, a table or a block of code. `parts` are sentences, items, rows, or the code itself."""

    kind: PassageKind
    parts: tuple[str, ...]
    header: str = ""
    code_language: str = ""


def passages(chunks: Sequence[Chunk]) -> list[Passage]:
    """The passages of a section, in order.

    Args:
        chunks: All chunks of one section, in the order of the page.
    """
    found: list[Passage] = []
    for run in _runs(chunks):
        first = run[0]
        if first.kind == "code":
            found.extend(Passage("code", (chunk.text,), code_language=chunk.code_language) for chunk in run)
        elif first.kind == "table":
            found.append(_table([chunk.text for chunk in run]))
        else:
            found.extend(_text_passages(stitch(run)))
    return found


def stitch(run: Sequence[Chunk]) -> str:
    """The text of neighbouring chunks without what they repeat of each other."""
    text = ""
    for chunk in run:
        repeated, own = chunk.text[: chunk.overlap], chunk.text[chunk.overlap :]
        # What is repeated ends with the white space that stood between the two.
        gap = repeated[len(repeated.rstrip()) :] if repeated else "\n\n"
        text += (gap if text else "") + own
    return text


def _runs(chunks: Sequence[Chunk]) -> Iterator[list[Chunk]]:
    run: list[Chunk] = []
    for chunk in chunks:
        if run and not (_family(run[-1]) == _family(chunk) and chunk.previous == run[-1].id):
            yield run
            run = []
        run.append(chunk)
    if run:
        yield run


def _family(chunk: Chunk) -> str:
    return chunk.kind if chunk.kind in ("code", "table") else "text"


def _table(texts: Sequence[str]) -> Passage:
    header, rows = "", list[str]()
    for text in texts:
        lines = text.split("\n")
        if len(lines) > 1 and set(lines[1]) <= set("|- "):
            header = "\n".join(lines[:2])
            lines = lines[2:]
        rows.extend(lines)
    return Passage("table", tuple(rows), header)


def _text_passages(text: str) -> Iterator[Passage]:
    for block in text.split("\n\n"):
        lines = block.split("\n")
        if _ITEM.match(lines[0].lstrip()):
            yield Passage("list", tuple(_items(lines)))
        else:
            sentences = tuple(block[start:end] for start, end in split_sentences(block))
            if sentences:
                yield Passage("prose", sentences)


def _items(lines: Sequence[str]) -> Iterator[str]:
    """Items with the lines that belong to them: nested items and further paragraphs are indented."""
    item: list[str] = []
    for line in lines:
        if item and _ITEM.match(line):
            yield "\n".join(item)
            item = []
        item.append(line)
    if item:
        yield "\n".join(item)
