"""The text that an answerer reads, within a budget: the best sections whole, or the parts around what was found.

A search finds chunks, and an answer needs sections. Each is put together from its chunks, without the text that these
repeat of each other, and no block of code is ever cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from trueref_core.records import Chunk
from trueref_server.answering.answer_markdown import BETWEEN, write
from trueref_server.answering.neighbours import Neighbour
from trueref_server.answering.passages import passages
from trueref_server.corpus.words import shortened_to_words
from trueref_server.records import Hit, SectionAt

PREVIEW: Final = 400
"""Tokens that each section gets before any is made whole: a chunk of 1,000 characters with one beside it."""


@dataclass(frozen=True, slots=True)
class ContextSection:
    """A section as an answerer reads it.

    `tokens` are cl100k tokens, those of the whole section for a whole one. `version` and `language` are those of its
    page, "" if the page names none. `before` and `behind` are the section beside which a neighbour is read, None for
    what was found.
    """

    site: str
    page: str
    anchor: str
    title: str
    text: str
    is_whole: bool
    tokens: int
    version: str = ""
    language: str = ""
    before: SectionAt | None = None
    behind: SectionAt | None = None


def context_of(hits: Sequence[Hit], budget: int, neighbours: Sequence[Neighbour] = ()) -> tuple[ContextSection, ...]:
    """The sections of some hits as far as the budget goes, best first, and then the neighbours they lean on.

    What was found of each comes first. What is left of the budget makes sections whole, then has room for neighbours,
    and then widens the previews of those sections that do not fit.

    Args:
        hits: What was found of each section, best first.
        budget: Tokens of all texts together, as cl100k counts them.
        neighbours: Sections that these lean on.
    """
    sections = [(hit, hit.in_page_order) for hit in hits]
    read: list[ContextSection] = []
    left = budget
    for at, (hit, chunks) in enumerate(sections):
        # What was found of the best section is read even if it is a long block of code, which is never cut.
        wanted = PREVIEW if at else max(PREVIEW, hit.chunk.tokens)
        read.append(_section(hit, chunks, min(wanted, left)))
        left -= read[-1].tokens
    beside: list[ContextSection] = []
    # Two rounds: a section that is too long takes nothing from a shorter one behind it.
    for is_widened in (False, True):
        for at, (hit, chunks) in enumerate(sections):
            if read[at].is_whole:
                continue
            room = left + read[at].tokens
            if is_widened or _tokens(chunks) <= room:
                read[at] = _section(hit, chunks, room)
                left = room - read[at].tokens
        if not is_widened:
            beside = _read_beside(neighbours, left)
            left -= sum(section.tokens for section in beside)
    return tuple(section for section in (*read, *beside) if section.text)


def _read_beside(neighbours: Sequence[Neighbour], left: int) -> list[ContextSection]:
    """The sections beside those that lean on them, each with as many tokens as a preview has."""
    beside: list[ContextSection] = []
    for neighbour in neighbours:
        read = _section(neighbour.hit, neighbour.hit.in_page_order, min(PREVIEW, left))
        left -= read.tokens
        leaning, is_before = neighbour.leaning, neighbour.is_before
        beside.append(replace(read, before=leaning if is_before else None, behind=None if is_before else leaning))
    return beside


def _section(hit: Hit, chunks: Sequence[Chunk], room: int) -> ContextSection:
    """A section whole, or as much of it around the chunk that was found as a number of tokens has room for."""
    window = _around(hit.chunk, chunks, room)
    text = BETWEEN.join(write(passage.blocks) for passage in passages(window))
    tokens = _tokens(window)
    if tokens > room:
        # Even what was found is too long: it ends between words, and a block of code is left out.
        is_cut = room > 0 and all(chunk.kind != "code" for chunk in window)
        text = shortened_to_words(text, max(1, len(text) * room // tokens)) if is_cut else ""
        tokens = room if is_cut else 0
    # A paragraph that goes on from a chunk which had no room has no text of its own.
    tokens = tokens if text else 0
    is_whole = tokens == _tokens(chunks)
    chunk = hit.chunk
    return ContextSection(
        hit.site, hit.page, hit.anchor, chunk.title, text, is_whole, tokens, chunk.version, chunk.language
    )


def _around(center: Chunk, chunks: Sequence[Chunk], room: int) -> Sequence[Chunk]:
    """A chunk of a section, with as many before and behind it as there is room for."""
    start = next((at for at, chunk in enumerate(chunks) if chunk.id == center.id), 0)
    end = start + 1
    left = room - _tokens(chunks[start:end])
    is_wider = True
    while is_wider:
        is_wider = False
        # Before it first: it may begin in the middle of what the chunk before it says.
        if start > 0 and chunks[start - 1].tokens <= left:
            start, left, is_wider = start - 1, left - chunks[start - 1].tokens, True
        if end < len(chunks) and chunks[end].tokens <= left:
            end, left, is_wider = end + 1, left - chunks[end].tokens, True
    return chunks[start:end]


def _tokens(chunks: Sequence[Chunk]) -> int:
    """The tokens of some chunks, as the build counted them."""
    return sum(chunk.tokens for chunk in chunks)
