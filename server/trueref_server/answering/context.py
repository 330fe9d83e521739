"""What an answerer reads: the best sections whole, the others as previews, within a budget of tokens.

The chunk finds, the section answers: sections are put together from their chunks, without what these repeat of each
other, and no block of code is ever cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from trueref_core.records import Chunk
from trueref_server.answering.answer_markdown import BETWEEN, write
from trueref_server.answering.passages import passages
from trueref_server.corpus.words import shortened
from trueref_server.records import Evidence, Hit

WHOLE_MOST: Final = 3
"""Sections that are given whole, where the budget has room for them."""

PREVIEW: Final = 500
"""Characters of a preview at most."""


@dataclass(frozen=True, slots=True)
class ContextSection:
    """A section as an answerer reads it.

    `tokens` are cl100k tokens, those of the whole section for a whole one. `version` is that of its page, "" where the
    page names none.
    """

    site: str
    page: str
    anchor: str
    title: str
    text: str
    is_whole: bool
    tokens: int
    version: str = ""


def context_of(evidence: Evidence, budget: int) -> tuple[ContextSection, ...]:
    """The sections of some evidence as far as the budget goes, best first.

    A section that does not fit whole is previewed, and a preview that does not fit ends the list.

    Args:
        evidence: The sections.
        budget: Tokens of all texts together, as cl100k counts them.
    """
    read: list[ContextSection] = []
    left = budget
    for hit, chunks in zip(evidence.hits, evidence.sections, strict=False):
        is_whole = sum(section.is_whole for section in read) < WHOLE_MOST and _tokens(chunks) <= left
        section = _whole(hit, chunks) if is_whole else _preview(hit, chunks)
        if section.tokens > left:
            break
        read.append(section)
        left -= section.tokens
    return tuple(read)


def _whole(hit: Hit, chunks: Sequence[Chunk]) -> ContextSection:
    """A section with all its passages."""
    text = BETWEEN.join(write(passage.blocks) for passage in passages(chunks))
    return ContextSection(
        hit.site, hit.page, hit.anchor, hit.chunk.title, text, True, _tokens(chunks), hit.chunk.version
    )


def _preview(hit: Hit, chunks: Sequence[Chunk]) -> ContextSection:
    """The beginning of a section: passages while they fit, and the first of them cut between words if need be."""
    texts: list[str] = []
    for passage in passages(chunks):
        text = write(passage.blocks)
        if sum(map(len, texts)) + len(BETWEEN) * len(texts) + len(text) > PREVIEW:
            # A block of code is never cut, not even where nothing else of the section fits.
            if not texts and not passage.has_code:
                texts.append(shortened(text, PREVIEW))
            break
        texts.append(text)
    text = BETWEEN.join(texts)
    # A preview is a share of its section: so are its tokens, for want of counting them at every question.
    whole = sum(len(chunk.text) - chunk.overlap for chunk in chunks)
    tokens = min(_tokens(chunks), -(-_tokens(chunks) * len(text) // max(1, whole)))
    return ContextSection(hit.site, hit.page, hit.anchor, hit.chunk.title, text, False, tokens, hit.chunk.version)


def _tokens(chunks: Sequence[Chunk]) -> int:
    """The tokens of some chunks, as the build counted them."""
    return sum(chunk.tokens for chunk in chunks)
