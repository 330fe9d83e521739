"""What the worst questions make the server do, counted: searches, and on which thread the sections are compared."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest
from scripts.measure_answers import counted_runs
from scripts.worst_questions import MAX_CHARACTERS, counted_searches, worst_questions
from tests.conftest import SEED
from tests.server.kiln_site import GUIDE, kiln_index
from tests.sharing import bundled_embedder

from trueref_core.embedding.bundled_model import ROWS_KEPT
from trueref_server.corpus.corpus import Statistics
from trueref_server.corpus.words import stem
from trueref_server.question.conversation import MAX_CARRIED, MAX_EARLIER, carried_words, last_topic
from trueref_server.question.plan import MAX_IDENTIFIERS, make_plan
from trueref_server.question.question_text import MAX_QUOTED
from trueref_server.records import Exchange, Question
from trueref_server.search import search
from trueref_server.search.hybrid_search import MAX_WORDS
from trueref_server.service import Service
from trueref_server.settings import Settings

MAX_SEARCHES = 20
"""Searches of one question; `identifiers of the site` had some 250 on a site with as many."""

WORDS = "controller kiln shelves table temperatures proxy certificate corporate export minutes drying rack".split()
NAMES = [f"{one}.{other}_{one}" for one in WORDS for other in WORDS]
WORST = worst_questions(WORDS, NAMES, random.Random(SEED))


@pytest.fixture(scope="module")
def kiln(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kiln_index(tmp_path_factory, "bundled", GUIDE)


@pytest.fixture
async def service(kiln: Path, anyio_backend: str) -> AsyncIterator[Service]:
    service = Service(Settings(index=kiln))
    await service.warm()
    yield service
    await service.close()


def test_the_worst_questions_are_as_long_as_they_may_be() -> None:
    assert max(len(question.text) for question in WORST.values()) == MAX_CHARACTERS
    assert len(make_plan(Question(" ".join(NAMES)[:MAX_CHARACTERS])).identifiers) == MAX_IDENTIFIERS
    assert len(make_plan(Question(" ".join(f"`{name}`" for name in NAMES)[:MAX_CHARACTERS])).quoted) <= MAX_QUOTED


def test_of_too_many_identifiers_those_that_the_site_may_have_are_looked_for() -> None:
    known = Statistics(sections=1)
    known.section_counts.update(map(stem, ["kiln", "proxy"]))
    strange = " ".join(f"nobody_{number}.has_{number}" for number in range(50))
    plan = make_plan(Question(f"{strange} KILN_PROXY"), "en", known)
    assert plan.identifiers[0] == "KILN_PROXY"
    # As few as readers write are all looked for, in their order.
    assert make_plan(Question("nobody_1.has_1 KILN_PROXY"), "en", known).identifiers == ("nobody_1.has_1", "KILN_PROXY")


def test_of_an_earlier_question_the_beginning_counts() -> None:
    history = (Exchange("x" * 20 * MAX_CHARACTERS), Exchange("How do I load the shelves? " + " ".join(NAMES)))
    assert len(last_topic(history)) <= MAX_EARLIER
    assert len(carried_words(history)) <= MAX_CARRIED


@pytest.mark.parametrize("asked", [["How do I fire the kiln?", "How do I load the shelves?"]])
def test_only_short_questions_in_one_are_answered_each_for_itself(asked: list[str]) -> None:
    assert make_plan(Question(" ".join(asked))).asks == tuple(asked)
    long = " and ".join(["the controller of the kiln"] * 10)
    assert make_plan(Question(f"{asked[0]} How do I fire {long}?")).asks == ()
    assert make_plan(Question(f"{' '.join(asked)} We have {long}. We have {long}.")).asks == ()
    assert make_plan(Question(f"{' '.join(asked)} {' '.join(NAMES[:6])}")).asks == ()


@pytest.mark.long
@pytest.mark.anyio
@pytest.mark.parametrize("made_of", WORST)
async def test_no_question_makes_many_searches(service: Service, made_of: str) -> None:
    with counted_searches() as searches:
        await service.ask_whole(WORST[made_of])
    assert len(searches) <= MAX_SEARCHES


@pytest.mark.anyio
async def test_a_question_is_read_by_the_embedder_once_and_nothing_else_is(service: Service) -> None:
    """Its vector is searched for, and its words are compared with those of passages, which the index has."""
    embedder = bundled_embedder()
    # The model of the process keeps the rows of what it read last: what another test has asked is not to be among them.
    list(embedder.embed(f"Shelf {number}" for number in range(ROWS_KEPT)))
    with counted_runs() as read:
        await service.ask_whole(Question("Where do I export the table of temperatures to, please?"))
    assert read == [embedder.count_tokens("Where do I export the table of temperatures to, please?")]


@pytest.mark.anyio
async def test_each_of_three_questions_in_one_is_searched_for_once(service: Service) -> None:
    """Alone, each of these is searched for again: no section has its option beside the rest."""
    asks = [
        f"How do I {words} with kiln_{words.split()[-1]}?" for words in ("load shelves", "fire drying", "export rack")
    ]
    with counted_searches() as alone:
        for text in asks:
            await service.ask_whole(Question(text))
    question = Question(" ".join(asks))
    assert make_plan(question).asks == tuple(asks)
    with counted_searches() as together:
        await service.ask_whole(question)
    by_words = [text for text in together if text]
    # The whole, and each of the three.
    assert len(by_words) == 4
    assert len([text for text in alone if text]) > 3


@pytest.mark.anyio
async def test_of_a_long_text_the_rarest_words_are_searched_for(service: Service) -> None:
    """Words of the site come before words of nobody, and all that a reader writes are searched for."""
    strange = " ".join(f"nobody{number}" for number in range(2 * MAX_WORDS))
    with counted_searches() as searches:
        await service.ask_whole(Question(f"{strange} controller kiln"))
        await service.ask_whole(Question("controller kiln nobody"))
    whole, short = (text.split() for text in searches if text.endswith(("kiln", "kiln nobody")))
    assert len(whole) == MAX_WORDS
    assert whole[-2:] == ["controller", "kiln"]
    assert short == ["controller", "kiln", "nobody"]


@pytest.mark.anyio
async def test_sections_are_compared_off_the_event_loop(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: dict[str, set[int]] = {}

    def noted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            threads.setdefault(name, set()).add(get_ident())
            return real(*given, **named)

        return call

    stages = ("score_sections", "linking_sections", "relate_sections", "hits_of", "assess")
    for name in stages:
        monkeypatch.setattr(search, name, noted(name, getattr(search, name)))
    await service.ask_whole(WORST["identifiers of the site"])
    assert set(threads) == set(stages)
    assert get_ident() not in set().union(*threads.values())


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
