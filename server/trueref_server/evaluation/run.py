"""Asks an index every case."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from trueref_server.evaluation.cases import Case, Place
from trueref_server.evaluation.judgements import DEPTH
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.records import Question

if TYPE_CHECKING:
    from trueref_server.service import Service


async def run_cases(service: Service, cases: Iterable[Case]) -> list[Outcome]:
    """Search for every case, one after the other, so that the times are those of one reader."""
    await service.warm()
    return [await _run(service, case) for case in cases]


async def _run(service: Service, case: Case) -> Outcome:
    asked = Question(case.question, case.history, case.page, case.version, case.language)
    found = await service.look_up(asked, limit=DEPTH)
    places = tuple(Place(hit.page, hit.anchor, hit.site) for hit in found.hits)
    return Outcome(case.id, places, found.draft.confidence, found.draft.verdict, found.milliseconds)
