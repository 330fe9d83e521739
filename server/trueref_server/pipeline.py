"""The walk of a question, from top to bottom: plan, search, rank, assess, excerpt, check.

Each stage takes the value of the stage before it and returns a new one: `Reading`, `RankedSections`, `Draft`. Search,
rank and assess run in rounds, which `search/search.py` has.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from trueref_server.answering.attribution import attributed
from trueref_server.answering.context import ContextSection, context_of
from trueref_server.answering.extractive import SECTIONS_READ, answer_extractively, numbered_source
from trueref_server.answering.neighbours import neighbours_of
from trueref_server.answering.numbering import Numbering
from trueref_server.events import Event, SourcesEvent, events_of
from trueref_server.index.published_files import with_routes, without_route
from trueref_server.question.pointing import points
from trueref_server.ranking.confidence import DEPTH
from trueref_server.records import Draft, Exchange, Question, Source
from trueref_server.search.search import RankedSections, SearchIndex, plan_question, search_sections

if TYPE_CHECKING:
    from trueref_server.model.answerer import ModelAnswerer
    from trueref_server.model.follow_up import FollowUpSources
    from trueref_server.settings import Settings

FOLLOW_UP_SECTIONS: Final = 2
"""Sections that a follow-up may add."""

ASKED_IN_TWO_ROUNDS: Final = 2
"""A question may ask several things. Up to this many of them, each may have a second round of searches. With a second
round for each of three, the most expensive text that was found cost 4.4 times the median question of readers; 2 of
3,489 questions ask three things (`python scripts/worst_questions.py`)."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """The answer to a question by passages, with the sections that it was made of.

    `numbering` has the numbers of its sources, `milliseconds` is the time until the sections were ranked.
    """

    sections: RankedSections
    draft: Draft
    numbering: Numbering
    milliseconds: float


async def find_sections(ready: SearchIndex, question: Question, limit: int) -> RankedSections:
    """The sections for a question, best first: the stages of a search without an answer."""
    reading = await plan_question(ready, question)
    return await search_sections(ready, reading, limit)


async def draft_answer(ready: SearchIndex, question: Question, limit: int, prefix: str) -> Drafted:
    """The answer to a question, made of passages of the docs.

    Args:
        ready: What is searched.
        question: What is asked.
        limit: How many sections are wanted.
        prefix: Where the server gives the documents that no site publishes.
    """
    started = time.perf_counter()
    # Plan.
    reading = await plan_question(ready, question)
    # Search, rank, assess: `search/search.py` does these in rounds.
    sections = await search_sections(ready, reading, limit)
    milliseconds = milliseconds_since(started)
    # Excerpt: the passages are taken from whole sections.
    parts = await _search_parts(ready, question, sections)
    numbering, language = Numbering(question.numbered), sections.question.plan.language or question.language
    # In a thread: reading passages takes milliseconds, for which the event loop would keep other readers waiting.
    draft = await asyncio.to_thread(
        answer_extractively,
        sections.question,
        sections.hits,
        ready.index.manifest,
        ready.late,
        sections.note,
        [(part.question, part.hits) for part in parts],
        numbering,
    )
    draft = await asyncio.to_thread(attributed, draft, ready.text_of, language)
    sources, more = (tuple(with_routes(listed, prefix)) for listed in (draft.sources, draft.more))
    return Drafted(sections, replace(draft, sources=sources, more=more), numbering, milliseconds)


# Long by its documentation, and by the search within, whose sources it quotes as well.
async def stream_answer(
    ready: SearchIndex,
    question: Question,
    drafted: Drafted,
    model: ModelAnswerer | None,
    settings: Settings,
    *,
    network: str,
) -> AsyncGenerator[Event | Draft]:
    """The events of an answer: the passages, or what a model writes of them and is checked on its way out.

    If the model writes, a last `Draft` replaces the passages.

    Args:
        ready: What was searched.
        question: What is asked.
        drafted: The answer by passages.
        model: Writes the answer; None if passages answer.
        settings: Those of the server: how much of the sections the model reads.
        network: The client network, which the tokens of a model are counted for.
    """
    draft = drafted.draft
    # If nothing is near, a model has nothing to write from.
    if model is None or draft.verdict == "not-found":
        for event in events_of(draft):
            yield event
            # Hands the loop on, so that each piece leaves and a reader who has gone is noticed.
            await asyncio.sleep(0)
        return
    # Here, since only with a model are they needed: they took 2 % of the time of `trueref ask` without one.
    from trueref_server.model.asking.numbered_sources import model_sources
    from trueref_server.model.quotes import with_quotes

    context, beside = await read_context(ready, drafted, settings)
    listed = (*draft.sources, *draft.more, *beside)
    sources = model_sources(listed, context, drafted.numbering.numbers)
    numbers = {source.n for source in sources}
    # Before the model begins: the reader can read the passages until it has an answer.
    yield SourcesEvent(tuple(source for source in listed if source.n in numbers), draft.excerpts)
    manifest, language = ready.index.manifest, drafted.sections.question.plan.language
    # Check: links and facts of what the model writes are looked up before they leave; else the passages answer.
    read = list(sources)

    async def search(text: str) -> FollowUpSources:
        """A further search by the model, whose sources are quoted as well."""
        added = await _find_what_a_model_lacks(ready, question, listed, settings, text)
        read.extend(added.sources)
        return added

    answer = model.answer(
        question, draft, sources, manifest, beside=beside, network=network, language=language, search=search
    )
    async with aclosing(answer) as steps:
        async for step in steps:
            if isinstance(step, Draft) and not step.fallback:
                step = await asyncio.to_thread(with_quotes, step, read, ready.text_of)
            yield step


async def read_context(
    ready: SearchIndex, drafted: Drafted, settings: Settings
) -> tuple[tuple[ContextSection, ...], tuple[Source, ...]]:
    """The context that a model reads: the sections that were found, and those beside them that these lean on.

    The second value are the sources of the latter, which the answer by passages does not list.
    """
    index, numbering = ready.index, drafted.numbering
    hits = drafted.sections.hits[:SECTIONS_READ]
    neighbours = await neighbours_of(index, hits)
    context = await asyncio.to_thread(context_of, hits, settings.context_tokens, neighbours)
    draft = drafted.draft
    listed = {source.n for source in (*draft.sources, *draft.more)}
    beside = tuple(numbered_source(numbering, index.manifest, neighbour.hit) for neighbour in neighbours)
    unlisted = replace(draft, sources=(), more=tuple(source for source in beside if source.n not in listed))
    language = drafted.sections.question.plan.language
    return context, tuple(with_routes(attributed(unlisted, ready.text_of, language).more, settings.prefix))


async def _find_what_a_model_lacks(
    ready: SearchIndex, question: Question, listed: Sequence[Source], settings: Settings, text: str
) -> FollowUpSources:
    """Sections for a further search by a model, among those that it has not read; none if none is likely to answer.

    Args:
        ready: The index that is searched.
        question: The question of the reader.
        listed: The sources that the model has.
        settings: Those of the server.
        text: What the model searches for.
    """
    from trueref_server.model.asking.numbered_sources import model_sources
    from trueref_server.model.follow_up import FollowUpSources

    # A follow-up goes on with the numbers of the answer, as if the reader had numbered its sources.
    numbered = [""] * max((source.n for source in listed), default=0)
    for source in listed:
        numbered[source.n - 1] = without_route(source.href, settings.prefix)
    follow_up = replace(question, text=text, history=(), numbered=tuple(numbered))
    drafted = await draft_answer(ready, follow_up, DEPTH, settings.prefix)
    listed_numbers = {source.n for source in listed}
    cited = [source for source in drafted.draft.sources if source.n in drafted.draft.citations]
    new = [source for source in cited if source.n not in listed_numbers][:FOLLOW_UP_SECTIONS]
    # The bar is that of an answer: the search has to be as sure as for an open card.
    if drafted.draft.verdict != "answer" or not new:
        return FollowUpSources((), ())
    context = context_of(drafted.sections.hits[:SECTIONS_READ], settings.context_tokens // 2)
    sources = model_sources(new, context, drafted.numbering.numbers)
    numbers = {source.n for source in sources}
    return FollowUpSources(tuple(source for source in new if source.n in numbers), sources)


async def _search_parts(ready: SearchIndex, question: Question, sections: RankedSections) -> list[RankedSections]:
    """The sections for each of several things that a question asks; none if it asks a single thing."""
    plan = sections.question.plan
    # A question that leans on a conversation was searched with it as a whole: a part alone would lose the topic.
    asks = () if plan.carried else plan.asks
    parts = [replace(question, text=text, history=history) for text, history in _with_what_they_point_to(asks)]
    readings = [await plan_question(ready, part) for part in parts]
    if len(asks) > ASKED_IN_TWO_ROUNDS:
        readings = [replace(reading, plan=replace(reading.plan, rounds=1)) for reading in readings]
    return [await search_sections(ready, reading, DEPTH) for reading in readings]


def _with_what_they_point_to(asks: Sequence[str]) -> Iterator[tuple[str, tuple[Exchange, ...]]]:
    """The parts of a question; one that points back (`and where does it log?`) follows on the one before it."""
    named = ""
    for text in asks:
        if points(text):
            yield text, (Exchange(named),)
        else:
            named = text
            yield text, ()


def milliseconds_since(started: float) -> float:
    """The time since a reading of `time.perf_counter`."""
    return round((time.perf_counter() - started) * 1000, 3)
