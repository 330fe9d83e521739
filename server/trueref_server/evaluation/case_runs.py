"""Asks an index every case."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from trueref_server.evaluation.cases import Case, Place
from trueref_server.evaluation.judgements import DEPTH
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.shown import card_texts, open_text
from trueref_server.records import Question

if TYPE_CHECKING:
    from trueref_server.service import Service


async def run_cases(service: Service, cases: Iterable[Case]) -> list[Outcome]:
    """Ask every case, one after the other, so that the times are those of one reader."""
    await service.warm()
    return [await _run(service, case) for case in cases]


async def _run(service: Service, case: Case) -> Outcome:
    asked = Question(case.question, case.history, case.page, case.version, case.language)
    found = await service.look_up(asked, limit=DEPTH)
    draft = found.draft
    return Outcome(
        id=case.id,
        results=tuple(Place(hit.page, hit.anchor, hit.site) for hit in found.hits),
        confidence=draft.confidence,
        verdict=draft.verdict,
        milliseconds=found.milliseconds,
        shown=open_text(draft) if case.has_nuggets else None,
        cards=card_texts(draft) if case.has_nuggets else (),
    )
