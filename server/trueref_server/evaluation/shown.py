"""What a reader sees of an answer, as text."""

from __future__ import annotations

from collections.abc import Iterable

from trueref_server.answering.answer_markdown import longest_run
from trueref_server.evaluation.spans import FENCE
from trueref_server.records import Draft, ExcerptBlock


def open_text(answer: Draft) -> str:
    """The text of the open cards, with code between fences; the answer's own text where no card is open."""
    shown = [excerpt.blocks for excerpt in answer.excerpts if excerpt.n in answer.citations]
    return "\n\n".join(map(fenced, shown)) or answer.text


def card_texts(answer: Draft) -> tuple[str, ...]:
    """The text of each card, as it is when a reader opens it."""
    return tuple("\n\n".join(_captioned(block, block.text) for block in excerpt.blocks) for excerpt in answer.excerpts)


def fenced(blocks: Iterable[ExcerptBlock]) -> str:
    """The text of some blocks, with code between fences."""
    return "\n\n".join(map(_fenced, blocks))


def _fenced(block: ExcerptBlock) -> str:
    if block.kind != "code":
        return _captioned(block, block.text)
    # A fence is longer than any run of its sign in the code, as in Markdown.
    fence = "`" * max(len(FENCE), longest_run(block.text, "`") + 1)
    return _captioned(block, f"{fence}{block.code_language}\n{block.text}\n{fence}")


def _captioned(block: ExcerptBlock, text: str) -> str:
    return f"{block.caption}\n\n{text}" if block.caption else text
