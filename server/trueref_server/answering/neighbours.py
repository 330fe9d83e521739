"""Finds sections beside the ones that were found, if one of these leans on them: `The same way, ...`, `as shown above`.

A section that is read alone does not say what its author left to the one before it, or announces what only the next one
has. The passages of an answer stand under their titles and need less; a model would make up what it does not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_server.answering.announcements import COLONS
from trueref_server.answering.passages import Passage, passages
from trueref_server.corpus.corpus import CHUNKS_MOST
from trueref_server.records import Hit

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.records import Chunk
    from trueref_core.tables.chunk_rows import SectionKey
    from trueref_server.records import SectionAt

# These are fewer words than within a section: at the beginning of one, `This option` is the option in its title.
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
"""How a section begins that goes on from the section before it."""

_BACK: Final = re.compile(
    r"\b(?:see|as|shown|described|mentioned|given|explained|listed|defined|created|used|from|like) above\b"
    r"|\babove (?:examples?|sections?|commands?|configurations?|settings?|steps?|code|snippets?|files?)\b"
    r"|\b(?:previous|preceding|earlier) (?:examples?|sections?|steps?|chapters?)\b"
    r"|\bin the same way\b|\bas before\b",
    re.IGNORECASE,
)
"""What points to the section before, if no passage of its own section stands before it."""

_AHEAD: Final = re.compile(r"\b(?:next|following) (?:sections?|steps?|chapters?)\b|\bsections? below\b", re.IGNORECASE)
"""What points to the section behind."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A section beside one that leans on it.

    The chunk of `hit` is the one that stands beside. `leaning` is the section that leans on it, which it `is_before` or
    behind.
    """

    hit: Hit
    leaning: SectionAt
    is_before: bool


async def neighbours_of(index: OpenIndex, hits: Sequence[Hit]) -> tuple[Neighbour, ...]:
    """The neighbours that the sections of some hits lean on and that are not among them, in the order of these.

    That a section leans on the one before it is recognised by English words only. That it announces the next one is
    recognised in all languages, by the colon at its end.

    Args:
        index: The open generation.
        hits: What was found.
    """
    read = {(hit.site, hit.chunk.section_id) for hit in hits}
    wanted: dict[SectionKey, tuple[str, Hit, bool]] = {}
    for hit in hits:
        for chunk, is_before in _leans_on(hit.in_page_order):
            key = index.section_of(chunk)
            # A long section is read in part: its own chunk before that part is no neighbour.
            if key is not None and key not in read:
                wanted.setdefault(key, (chunk, hit, is_before))
    around = {key: chunk for key, (chunk, _, _) in wanted.items()}
    sections = await index.sections(around, most=CHUNKS_MOST) if around else {}
    return tuple(
        Neighbour(_hit_beside(beside, sections[key]), hit.address, is_before)
        for key, (beside, hit, is_before) in wanted.items()
    )


def _hit_beside(beside: str, chunks: Sequence[Chunk]) -> Hit:
    """A neighbour as if it had been found by the chunk that stands beside the section which leans on it."""
    first, *others = sorted(chunks, key=lambda chunk: chunk.id != beside)
    return Hit(first.site, first.page, first.anchor, 0.0, (first, *others))


def _leans_on(chunks: Sequence[Chunk]) -> list[tuple[str, bool]]:
    """The ids of the chunks beside a section that it leans on, each with whether it stands before the section."""
    section_passages = passages(chunks)
    leans_on: list[tuple[str, bool]] = []
    if chunks[0].previous and leans_back(section_passages):
        leans_on.append((chunks[0].previous, True))
    if chunks[-1].next and (not section_passages or leans_ahead(section_passages, chunks[-1].text)):
        leans_on.append((chunks[-1].next, False))
    return leans_on


def leans_back(section_passages: Sequence[Passage]) -> bool:
    """Whether a section goes on from the section before it, or points to what stands there.

    Args:
        section_passages: The passages of the section.
    """
    if not section_passages:
        return False
    first = section_passages[0].blocks[0]
    # `As shown above` of a later passage is mostly the passage before it.
    return first.kind != "code" and (_GOES_ON.match(first.text) or _BACK.search(first.text)) is not None


def leans_ahead(section_passages: Sequence[Passage], last_text: str) -> bool:
    """Whether a section announces what stands in the section behind it.

    Args:
        section_passages: The passages of the section; none if all that it says is such an announcement.
        last_text: The text of its last chunk.
    """
    last = section_passages[-1].blocks[-1]
    is_announcing = last.kind not in ("code", "table") and last_text.rstrip().endswith(COLONS)
    return is_announcing or (last.kind != "code" and _AHEAD.search(last.text) is not None)
