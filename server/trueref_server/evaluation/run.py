"""Asks an index every case."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from trueref_server.evaluation.cases import Case, Place
from trueref_server.evaluation.judgements import DEPTH
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.shown import card_texts, open_text
from trueref_server.records import Question
from trueref_server.retrieval.confidence import verdict_of

if TYPE_CHECKING:
    from trueref_server.service import Service


async def run_cases(service: Service, cases: Iterable[Case]) -> list[Outcome]:
    """Search for every case, one after the other, so that the times are those of one reader.

    Where a case says what its answer has to show, all are answered too: confidences of one run are of one kind.
    """
    cases = list(cases)
    answered = any(case.has_nuggets for case in cases)
    await service.warm()
    return [await _run(service, case, answered=answered) for case in cases]


async def _run(service: Service, case: Case, *, answered: bool) -> Outcome:
    asked = Question(case.question, case.history, case.page, case.version, case.language)
    found = await service.look_up(asked, limit=DEPTH)
    places = tuple(Place(hit.page, hit.anchor, hit.site) for hit in found.hits)
    sure = found.evidence.confidence
    outcome = Outcome(case.id, places, sure, verdict_of(sure), found.milliseconds)
    if not answered:
        return outcome
    answer = await service.ask_whole(asked)
    return msgspec.structs.replace(
        outcome,
        confidence=answer.confidence,
        verdict=answer.verdict,
        shown=open_text(answer),
        cards=card_texts(answer),
    )
