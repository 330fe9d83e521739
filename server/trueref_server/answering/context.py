"""The text that a model reads, within a budget: the best sections whole, or the parts around what was found.

A search finds chunks, and an answer needs sections. Each section is put together from its chunks, without the text in
which they overlap. A block of code is never cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from trueref_core.records import Chunk
from trueref_server.answering.answer_markdown import BETWEEN, write
from trueref_server.answering.neighbours import Neighbour
from trueref_server.answering.sections.passages import passages
from trueref_server.corpus.words import shortened_to_words
from trueref_server.records import Hit, SectionAt

SHORTENED: Final = 400
"""Tokens that each section gets before any section is read whole: enough for a chunk of 1,000 characters and one beside
it."""


@dataclass(frozen=True, slots=True)
class ContextSection:
    """A section as a model reads it.

    `tokens` is how many cl100k tokens of the budget it takes. `version` and `language` are those of its page, "" if the
    page names none. A neighbour is read because another section depends on it. That section is in `before` if the
    neighbour comes before it on the page, and in `behind` if the neighbour comes after it. Both are None for a section
    that was found.
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
    """The sections of some hits within the budget, best first, and then the neighbours that they depend on.

    Each section first gets a shortened text around what was found. The rest of the budget is used for whole sections,
    then for neighbours, and then for longer texts of the sections that do not fit whole.

    Args:
        hits: The sections that were found, best first.
        budget: Tokens of all texts together, as cl100k counts them.
        neighbours: The sections beside the hits that the hits depend on.
    """
    sections = [(hit, hit.in_page_order) for hit in hits]
    context_sections: list[ContextSection] = []
    budget_left = budget
    for number, (hit, chunks) in enumerate(sections):
        # The chunk that was found of the best section is read even if it is a long block of code, which is never cut.
        shortened_tokens = SHORTENED if number else max(SHORTENED, hit.chunk.tokens)
        context_sections.append(_section(hit, chunks, min(shortened_tokens, budget_left)))
        budget_left -= context_sections[-1].tokens
    read_neighbours: list[ContextSection] = []
    # Two rounds: a section that is too long takes nothing from a shorter section after it.
    for is_widened in (False, True):
        for number, (hit, chunks) in enumerate(sections):
            if context_sections[number].is_whole:
                continue
            section_budget = budget_left + context_sections[number].tokens
            if is_widened or _tokens(chunks) <= section_budget:
                context_sections[number] = _section(hit, chunks, section_budget)
                budget_left = section_budget - context_sections[number].tokens
        if not is_widened:
            read_neighbours = _read_neighbours(neighbours, budget_left)
            budget_left -= sum(section.tokens for section in read_neighbours)
    return tuple(section for section in (*context_sections, *read_neighbours) if section.text)


def _read_neighbours(neighbours: Sequence[Neighbour], budget_left: int) -> list[ContextSection]:
    """The neighbours as sections, each with at most the tokens of a shortened text."""
    sections: list[ContextSection] = []
    for neighbour in neighbours:
        section = _section(neighbour.hit, neighbour.hit.in_page_order, min(SHORTENED, budget_left))
        budget_left -= section.tokens
        dependent_section, is_before = neighbour.dependent_section, neighbour.is_before
        sections.append(
            replace(
                section,
                before=dependent_section if is_before else None,
                behind=None if is_before else dependent_section,
            )
        )
    return sections


def _section(hit: Hit, chunks: Sequence[Chunk], budget: int) -> ContextSection:
    """A section whole, or as much of it around the chunk that was found as fits into `budget` tokens."""
    chunks_that_fit = _around(hit.chunk, chunks, budget)
    text = BETWEEN.join(write(passage.blocks) for passage in passages(chunks_that_fit))
    tokens = _tokens(chunks_that_fit)
    if tokens > budget:
        # Even the chunk that was found is too long: its text ends between words, and a block of code is left out.
        is_cut = budget > 0 and all(chunk.kind != "code" for chunk in chunks_that_fit)
        text = shortened_to_words(text, max(1, len(text) * budget // tokens)) if is_cut else ""
        tokens = budget if is_cut else 0
    # A chunk that only continues a paragraph of an earlier chunk gives no text without that chunk.
    tokens = tokens if text else 0
    is_whole = tokens == _tokens(chunks)
    chunk = hit.chunk
    return ContextSection(
        hit.site, hit.page, hit.anchor, chunk.title, text, is_whole, tokens, chunk.version, chunk.language
    )


def _around(center: Chunk, chunks: Sequence[Chunk], budget: int) -> Sequence[Chunk]:
    """A chunk of a section, with as many chunks before and after it as fit into `budget` tokens."""
    start = next((number for number, chunk in enumerate(chunks) if chunk.id == center.id), 0)
    end = start + 1
    budget_left = budget - _tokens(chunks[start:end])
    has_grown = True
    while has_grown:
        has_grown = False
        # The chunk before comes first: a chunk may begin in the middle of what the chunk before it says.
        if start > 0 and chunks[start - 1].tokens <= budget_left:
            start, budget_left, has_grown = start - 1, budget_left - chunks[start - 1].tokens, True
        if end < len(chunks) and chunks[end].tokens <= budget_left:
            end, budget_left, has_grown = end + 1, budget_left - chunks[end].tokens, True
    return chunks[start:end]


def _tokens(chunks: Sequence[Chunk]) -> int:
    """The tokens of some chunks, as the build counted them."""
    return sum(chunk.tokens for chunk in chunks)
