"""Five questions to each site: the section that a reader would point at is the first source."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.cli.running import run
from tests.generators.expected import EXPECTED

from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

if TYPE_CHECKING:
    from tests.generators.conftest import Built

pytestmark = [pytest.mark.long, pytest.mark.slow]

ASKED = [(name, asked) for name, expected in EXPECTED.items() for asked in expected.questions]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
@pytest.mark.parametrize(("name", "asked"), ASKED)
async def test_each_question_is_answered_by_its_section(builds: Callable[[str], Built], name: str, asked: str) -> None:
    built = builds(name)
    question, _, page = asked.partition(" @")
    service = Service(load_settings({}, options={"index": built.index}))
    try:
        answer = await service.ask_whole(Question(question, page=page or None))
    finally:
        await service.close()
    assert answer.verdict == "answer"
    assert (answer.sources[0].page, answer.sources[0].anchor) == built.expected.questions[asked]
    assert 1 in answer.citations


def test_there_are_five_questions_to_each_site() -> None:
    assert all(len(expected.questions) >= 5 for expected in EXPECTED.values())


def test_the_command_line_answers_with_the_address_of_the_section(builds: Callable[[str], Built]) -> None:
    done = run("ask", "What is a nuc?", "--json", "--index", builds("furo").index)
    answer = json.loads(done.stdout)
    assert answer["sources"][0]["url"] == "https://hive.example.org/sphinx/glossary.html#term-nuc"


@pytest.mark.anyio
async def test_an_old_version_does_not_answer_for_a_new_one(builds: Callable[[str], Built]) -> None:
    service = Service(load_settings({}, options={"index": builds("mike").index}))
    try:
        for version, days in (("1.0", "14"), ("2.1", "10")):
            answer = await service.ask_whole(Question("What does reminder_days mean?", page=f"{version}/settings/"))
            assert {source.page.partition("/")[0] for source in answer.sources} == {version}
            assert f"`{days}`" in answer.text
    finally:
        await service.close()
