"""What a reader sees of an answer, as text."""

from __future__ import annotations

from trueref_server.answering.answer_markdown import captioned, fenced
from trueref_server.records import Draft


def open_text(answer: Draft) -> str:
    """The text of the open cards, with code between fences; the answer's own text where no card is open."""
    shown = [excerpt.blocks for excerpt in answer.excerpts if excerpt.n in answer.citations]
    return "\n\n".join(map(fenced, shown)) or answer.text


def card_texts(answer: Draft) -> tuple[str, ...]:
    """The text of each card, as it is when a reader opens it."""
    return tuple("\n\n".join(captioned(block, block.text) for block in excerpt.blocks) for excerpt in answer.excerpts)
