"""The places of a section in which an author explains a name: titles, terms, and the beginnings of lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from trueref_core.text.block_marks import read_marks

if TYPE_CHECKING:
    from trueref_core.records import Chunk
    from trueref_server.corpus.corpus import Section


def titles_and_text(section: Section) -> tuple[str, str]:
    """The titles of a section, a line for each, and its text without code.

    The terms of its definitions are titles too: what they mean stands below them.
    """
    texts = [chunk for chunk in section.chunks if chunk.kind != "code"]
    titles = [section.chunks[0].title, *chain.from_iterable(map(_terms, texts))]
    return "\n".join(titles), "\n".join(chunk.text for chunk in texts)


def _terms(chunk: Chunk) -> Iterator[str]:
    marks = read_marks(chunk)
    ends = [*(mark.offset for mark in marks[1:]), len(chunk.text)]
    # A chunk in which no block begins has no marks.
    for mark, end in zip(marks, ends, strict=False):
        if mark.role == "term":
            yield chunk.text[mark.offset : end].strip()
