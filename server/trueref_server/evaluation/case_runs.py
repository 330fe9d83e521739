"""Asks all cases, and keeps what a reader would see of each answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from trueref_server.answering.answer_markdown import longest_run
from trueref_server.evaluation.cases import Case, SectionAddress
from trueref_server.evaluation.judgements import DEPTH
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.span_finder import FENCE
from trueref_server.records import Draft, ExcerptBlock, Question

if TYPE_CHECKING:
    from trueref_server.service import Service


async def run_cases(service: Service, cases: Iterable[Case]) -> list[Outcome]:
    """Ask every case, one after the other, so that the times are those of one reader."""
    # Otherwise the time of the first case would include opening the index.
    await service.warm()
    return [await _run(service, case) for case in cases]


async def _run(service: Service, case: Case) -> Outcome:
    """Ask one case. If the case has nuggets, keep the text that its reader sees."""
    question = Question(case.question, case.history, case.page, case.version, case.language)
    # The context for a model is not read: that took a fifth of the time of a case, and no figure needs it.
    drafted = await service.draft(question, limit=DEPTH)
    draft = drafted.draft
    return Outcome(
        id=case.id,
        results=tuple(SectionAddress(hit.page, hit.anchor, hit.site) for hit in drafted.sections.hits[:DEPTH]),
        confidence=draft.confidence,
        verdict=draft.verdict,
        milliseconds=drafted.milliseconds,
        shown=open_text(draft) if case.has_nuggets else None,
        cards=card_texts(draft) if case.has_nuggets else (),
    )


def open_text(answer: Draft) -> str:
    """The text of the open cards, with code between fences; the answer's own text if no card is open."""
    open_cards = [excerpt.blocks for excerpt in answer.excerpts if excerpt.n in answer.citations]
    return "\n\n".join(map(fenced, open_cards)) or answer.text


def card_texts(answer: Draft) -> tuple[str, ...]:
    """The text of each card, as a reader who opens it sees it."""
    return tuple("\n\n".join(_captioned(block, block.text) for block in excerpt.blocks) for excerpt in answer.excerpts)


def fenced(blocks: Iterable[ExcerptBlock]) -> str:
    """The text of some blocks, with code between fences."""
    return "\n\n".join(map(_fenced, blocks))


def _fenced(block: ExcerptBlock) -> str:
    """The text of a block, code between fences."""
    if block.kind != "code":
        return _captioned(block, block.text)
    # The fence is longer than any run of backticks in the code, as Markdown demands.
    fence = "`" * max(len(FENCE), longest_run(block.text) + 1)
    return _captioned(block, f"{fence}{block.code_language}\n{block.text}\n{fence}")


def _captioned(block: ExcerptBlock, text: str) -> str:
    """A text of a block under its caption."""
    return f"{block.caption}\n\n{text}" if block.caption else text
