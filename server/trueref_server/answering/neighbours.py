"""Finds the sections before and after the hits that a hit depends on: `The same way, ...`, `as shown above`.

A section that is read alone lacks what its author says in the section before it, or announces what only the next
section has. The passages of an answer are shown under their titles and need less. A model would make up what it does
not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_server.answering.sections.announcements import COLONS
from trueref_server.answering.sections.passage import Passage
from trueref_server.answering.sections.passages import passages
from trueref_server.corpus.corpus import MAX_CHUNKS
from trueref_server.records import Hit, SectionAt

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.records import Chunk
    from trueref_core.tables.chunk_rows import SectionKey

# These are fewer words than for paragraphs (`excerpt.py`): at the beginning of a section, `This option` is the option
# in the title of the section.
_GOES_ON: Final = re.compile(
    r"(?:the same\b|similarly|likewise|alternatively|additionally|furthermore|moreover|besides|conversely|otherwise|"
    r"instead|however|therefore|thus|hence|then|but|and|or|also|again|finally|lastly|next|"
    r"in (?:addition|contrast|the same way)|by contrast|another|as (?:above|before)|"
    r"you (?:can|may|could|might|will|should|must|would) (?:also|then|now|still|instead|even|alternatively)|"
    r"we (?:can|may|could|will) (?:also|then|now|still|instead)|"
    r"(?:if|when|once) (?:so|not|done)|(?:after|unlike|like|because of) (?:this|that|these|those|them)|"
    r"(?:the |a |an )?`[^`\n]{1,60}` (?:[a-z]{1,20} )?(?:is|are|can|may|will) also)\b(?![.-]\w)",
    re.IGNORECASE,
)
"""The beginning of a section that continues the section before it."""

_BACK: Final = re.compile(
    r"\b(?:see|as|shown|described|mentioned|given|explained|listed|defined|created|used|from|like) above\b"
    r"|\babove (?:examples?|sections?|commands?|configurations?|settings?|steps?|code|snippets?|files?)\b"
    r"|\b(?:previous|preceding|earlier) (?:examples?|sections?|steps?|chapters?)\b"
    r"|\bin the same way\b|\bas before\b",
    re.IGNORECASE,
)
"""Words that point to the section before, if they are in the first passage of a section."""

_AHEAD: Final = re.compile(r"\b(?:next|following) (?:sections?|steps?|chapters?)\b|\bsections? below\b", re.IGNORECASE)
"""Words that point to the next section."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A section right before or after a section that depends on it.

    The chunk of `hit` is the one next to that section. `dependent_section` is the section that depends on the
    neighbour, and `is_before` says whether the neighbour comes before it.
    """

    hit: Hit
    dependent_section: SectionAt
    is_before: bool


async def neighbours_of(index: OpenIndex, hits: Sequence[Hit]) -> tuple[Neighbour, ...]:
    """The neighbours that the hits depend on and that are no hits themselves, in the order of the hits.

    Only English words show that a section depends on the section before it. In all languages, a colon at its end shows
    that a section announces the next one.

    Args:
        index: The open generation.
        hits: The sections that were found.
    """
    sections_of_hits = {(hit.site, hit.chunk.section_id) for hit in hits}
    neighbour_chunks: dict[SectionKey, tuple[str, Hit, bool]] = {}
    for hit in hits:
        for chunk, is_before in _depends_on(hit.in_page_order):
            key = index.section_of(chunk)
            # Only a part of a long section is read. The chunk before that part is of the same section, and no
            # neighbour.
            if key is not None and key not in sections_of_hits:
                neighbour_chunks.setdefault(key, (chunk, hit, is_before))
    chunk_of = {key: chunk for key, (chunk, _, _) in neighbour_chunks.items()}
    sections = await index.sections(chunk_of, most=MAX_CHUNKS) if chunk_of else {}
    return tuple(
        Neighbour(_neighbour_hit(adjacent, sections[key]), hit.address, is_before)
        for key, (adjacent, hit, is_before) in neighbour_chunks.items()
    )


def _neighbour_hit(adjacent: str, chunks: Sequence[Chunk]) -> Hit:
    """A neighbour as a hit, whose first chunk is the one next to the section that depends on it."""
    first, *others = sorted(chunks, key=lambda chunk: chunk.id != adjacent)
    return Hit(first.site, first.page, first.anchor, 0.0, (first, *others))


def _depends_on(chunks: Sequence[Chunk]) -> list[tuple[str, bool]]:
    """The ids of the adjacent chunks that a section depends on, each with whether it comes before the section."""
    section_passages = passages(chunks)
    depends_on: list[tuple[str, bool]] = []
    if chunks[0].previous and depends_on_previous(section_passages):
        depends_on.append((chunks[0].previous, True))
    if chunks[-1].next and (not section_passages or depends_on_next(section_passages, chunks[-1].text)):
        depends_on.append((chunks[-1].next, False))
    return depends_on


def depends_on_previous(section_passages: Sequence[Passage]) -> bool:
    """Whether a section continues the section before it, or points to something there.

    Args:
        section_passages: The passages of the section.
    """
    if not section_passages:
        return False
    first = section_passages[0].blocks[0]
    # Only the first passage: `as shown above` in a later passage mostly means the passage before it.
    return first.kind != "code" and (_GOES_ON.match(first.text) or _BACK.search(first.text)) is not None


def depends_on_next(section_passages: Sequence[Passage], last_text: str) -> bool:
    """Whether a section announces what the section after it says.

    Args:
        section_passages: The passages of the section.
        last_text: The text of its last chunk.
    """
    last = section_passages[-1].blocks[-1]
    is_announcing = last.kind not in ("code", "table") and last_text.rstrip().endswith(COLONS)
    return is_announcing or (last.kind != "code" and _AHEAD.search(last.text) is not None)
