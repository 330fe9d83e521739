from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.handmade import publish_demo
from tests.server.judged import answerable, unanswerable

from trueref_server.evaluation.case_runs import run_cases
from trueref_server.evaluation.cases import Case, SectionAddress
from trueref_server.evaluation.evaluation_report import report_on
from trueref_server.pipeline import Drafted
from trueref_server.records import Exchange, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

QUESTIONS = {
    "dark": "how do I switch on dark mode",
    "some": "dark mode zebras giraffes pandas",
    "none": "quantum chromodynamics",
}


@pytest.mark.anyio
async def test_a_case_that_is_run_has_places_and_the_time_it_took(index: Path) -> None:
    service = Service(Settings(index=index))
    cases = [
        Case("a", "how do I switch on dark mode", answerable=True, gold=(SectionAddress("setup/colors/", "dark-mode"),))
    ]
    outcomes = await run_cases(service, cases)
    await service.close()
    assert report_on(cases, outcomes).figures["section@1"] == 1
    assert outcomes[0].results[0] == SectionAddress("setup/colors/", "dark-mode", "demo")
    assert (outcomes[0].milliseconds or 0) > 0


@pytest.mark.anyio
async def test_a_verdict_is_what_the_reader_is_told(index: Path) -> None:
    service = Service(Settings(index=index))
    cases = [Case(name, question, answerable=False) for name, question in QUESTIONS.items()]
    outcomes = await run_cases(service, cases)
    answers = [await service.ask_whole(Question(question)) for question in QUESTIONS.values()]
    await service.close()
    expected = [(answer.verdict, answer.confidence) for answer in answers]
    assert [(found.verdict, found.confidence) for found in outcomes] == expected
    assert {"answer", "not-found"} <= {verdict for verdict, _ in expected}


class Listening(Service):
    """Remembers what it was asked."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.asked: list[Question] = []

    async def draft(self, question: Question, *, limit: int = 10) -> Drafted:
        self.asked.append(question)
        return await super().draft(question, limit=limit)


@pytest.mark.anyio
async def test_a_question_is_asked_from_where_the_reader_is(tmp_path: Path) -> None:
    publish_demo(tmp_path)
    service = Listening(Settings(index=tmp_path))
    history = (Exchange("before", "said"),)
    case = Case("a", "then?", answerable=False, page="install/", version="2", language="en", history=history)
    await run_cases(service, [case, answerable("b"), unanswerable("c")])
    await service.close()
    assert service.asked[0] == Question("then?", history, "install/", "2", "en")
    assert service.asked[1:] == [Question("where is b"), Question("where is c")]
