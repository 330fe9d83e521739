"""How much more work the worst questions make than those of readers, counted over the development sites."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest
from scripts.worst_questions import counted_searches, words_and_names, worst_questions
from tests.conftest import SEED
from tests.e2e.conftest import DEVELOPMENT_SITES
from tests.work import counted_lines

from trueref_server.evaluation.cases import read_cases
from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tests.e2e.conftest import DevelopmentSite

pytestmark = [pytest.mark.long]

MAX_LINES_TIMES = 4
"""Times the lines of our own code that run for the median question of readers. They were 3.3 to 3.9 times as many over
both sites with four seeds; before identifiers, parts and words were capped, such a question took 21 times the time."""

MAX_SEARCHES = 11
"""Searches for one question. The median question of readers makes one, and the one with the most makes five."""

MAX_WORDS = 160
"""Words in all searches for one question together: 129 to 138 over both sites with four seeds. One search takes 64 at most,
and a question that is asked again with the words of the one before it makes two such searches."""


@dataclass(frozen=True)
class Work:
    """What the server does for a question: lines of our own code that run, searches, and the words of these."""

    lines: int
    searches: int
    words: int


async def work_for(index: Path, questions: Iterable[Question], worst: Mapping[str, Question]) -> list[Work]:
    """The work for each question, and for each of the worst behind them."""
    with counted_lines() as lines:
        service = Service(Settings(index=index, cache_answers=0))
        await service.warm()
        works: list[Work] = []
        for question in [*questions, *worst.values()]:
            before = lines()
            with counted_searches() as searches:
                await service.ask_whole(question)
            words = sum(len(search.split()) for search in searches)
            works.append(Work(lines() - before, len(searches), words))
        await service.close()
        return works


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", DEVELOPMENT_SITES)
def test_no_question_makes_many_times_the_work_of_the_median(
    name: str, development_sites: Callable[[str], DevelopmentSite], shared: Path
) -> None:
    index = development_sites(name).index
    of_readers = [Question(case.question) for case in read_cases([shared / f"{name}.jsonl"])]
    worst = worst_questions(*asyncio.run(words_and_names(index)), random.Random(SEED))
    works = asyncio.run(work_for(index, of_readers, worst))
    of_worst = dict(zip(worst, works[len(of_readers) :], strict=True))
    most = max(of_worst, key=lambda name: of_worst[name].lines)
    lines = median(work.lines for work in works[: len(of_readers)])
    print(f"{most}: {of_worst[most].lines / lines:.2f} times {lines:.0f} lines, {of_worst[most]}")
    assert lines > 1000
    assert of_worst[most].lines <= MAX_LINES_TIMES * lines, most
    assert max(work.searches for work in of_worst.values()) <= MAX_SEARCHES
    assert max(work.words for work in of_worst.values()) <= MAX_WORDS
