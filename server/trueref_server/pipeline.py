"""The pipeline of a question, in the order of its stages: plan, search, rank, assess, excerpt, check.

Each stage takes the value of the stage before it and returns a new one: `Reading`, `RankedSections`, `Draft`. Search,
rank and assess run in rounds: see `search/search.py`.
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
"""How many sections a follow-up search of a model may add."""

ASKED_IN_TWO_ROUNDS: Final = 2
"""A question may ask several things. If it asks this many or fewer, each of them may have a second round of searches.
With a second round for each of three things, the most expensive text that was found cost 4.4 times as much as the
median question of readers; 2 of 3,489 questions ask three things (`python scripts/worst_questions.py`)."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """The answer to a question by passages, with the sections that the passages come from.

    `numbering` has the numbers of the sources. `milliseconds` is the time until the sections were ranked.
    """

    sections: RankedSections
    draft: Draft
    numbering: Numbering
    milliseconds: float


async def find_sections(search_index: SearchIndex, question: Question, limit: int) -> RankedSections:
    """The sections for a question, best first: the stages of a search without an answer."""
    reading = await plan_question(search_index, question)
    return await search_sections(search_index, reading, limit)


async def draft_answer(search_index: SearchIndex, question: Question, limit: int, prefix: str) -> Drafted:
    """The answer to a question, made of passages of the docs.

    Args:
        search_index: What is searched.
        question: What is asked.
        limit: How many sections are wanted.
        prefix: The path at which the server serves its API, and the PDFs that no site publishes.
    """
    started = time.perf_counter()
    # Plan.
    reading = await plan_question(search_index, question)
    # Search, rank, assess: `search/search.py` does these in rounds.
    sections = await search_sections(search_index, reading, limit)
    milliseconds = milliseconds_since(started)
    # Excerpt: the passages are taken from whole sections.
    parts = await _search_parts(search_index, question, sections)
    numbering, language = Numbering(question.numbered), sections.question.plan.language or question.language
    # In a thread: reading passages takes milliseconds, and on the event loop all other readers would wait for them.
    draft = await asyncio.to_thread(
        answer_extractively,
        sections.question,
        sections.hits,
        search_index.index.manifest,
        search_index.late,
        sections.note,
        [(part.question, part.hits) for part in parts],
        numbering,
    )
    draft = await asyncio.to_thread(attributed, draft, search_index.text_of, language)
    sources, more = (tuple(with_routes(listed, prefix)) for listed in (draft.sources, draft.more))
    return Drafted(sections, replace(draft, sources=sources, more=more), numbering, milliseconds)


# This function is long because of its documentation and of the inner `search`, whose sources are quoted as well.
async def stream_answer(
    search_index: SearchIndex,
    question: Question,
    drafted: Drafted,
    model: ModelAnswerer | None,
    settings: Settings,
    *,
    network: str,
) -> AsyncGenerator[Event | Draft]:
    """The events of an answer: the passages, or the text that a model writes from them, checked while it is streamed.

    If a model writes, the last item is a `Draft` that replaces the answer by passages.

    Args:
        search_index: What was searched.
        question: What is asked.
        drafted: The answer by passages.
        model: Writes the answer; None if the passages are the answer.
        settings: The server's settings: they say how many tokens of the sections the model reads.
        network: The client network to which the model's tokens are counted.
    """
    draft = drafted.draft
    # If no section is near the question, a model has nothing to write from.
    if model is None or draft.verdict == "not-found":
        for event in events_of(draft):
            yield event
            # Gives the event loop a turn, so that each piece is sent at once, and a reader who has left is noticed.
            await asyncio.sleep(0)
        return
    # Imported here, since only an answer by a model needs them: they took 2 % of the time of `trueref ask` without one.
    from trueref_server.model.asking.numbered_sources import model_sources
    from trueref_server.model.quotes import with_quotes

    context, neighbour_sources = await read_context(search_index, drafted, settings)
    listed_sources = (*draft.sources, *draft.more, *neighbour_sources)
    sources = model_sources(listed_sources, context, drafted.numbering.numbers)
    numbers = {source.n for source in sources}
    # Sent before the model begins: the reader can read the passages until the model has an answer.
    yield SourcesEvent(tuple(source for source in listed_sources if source.n in numbers), draft.excerpts)
    manifest, language = search_index.index.manifest, drafted.sections.question.plan.language
    # Check: the links and facts that the model writes are looked up before they are sent. If they do not hold, the
    # passages answer.
    readable_sources = list(sources)

    async def search(text: str) -> FollowUpSources:
        """Run a further search for the model; its sources are quoted in the answer as well."""
        further_sources = await _find_what_a_model_lacks(search_index, question, listed_sources, settings, text)
        readable_sources.extend(further_sources.sources)
        return further_sources

    answer = model.answer(
        question,
        draft,
        sources,
        manifest,
        extra_sources=neighbour_sources,
        network=network,
        language=language,
        search=search,
    )
    async with aclosing(answer) as steps:
        async for step in steps:
            if isinstance(step, Draft) and not step.fallback:
                step = await asyncio.to_thread(with_quotes, step, readable_sources, search_index.text_of)
            yield step


async def read_context(
    search_index: SearchIndex, drafted: Drafted, settings: Settings
) -> tuple[tuple[ContextSection, ...], tuple[Source, ...]]:
    """The context that a model reads: the sections that were found, and the neighbours that they lean on.

    The second value has the sources of those neighbours that the answer by passages does not list.
    """
    index, numbering = search_index.index, drafted.numbering
    hits = drafted.sections.hits[:SECTIONS_READ]
    neighbours = await neighbours_of(index, hits)
    context = await asyncio.to_thread(context_of, hits, settings.context_tokens, neighbours)
    draft = drafted.draft
    listed_numbers = {source.n for source in (*draft.sources, *draft.more)}
    neighbour_sources = tuple(numbered_source(numbering, index.manifest, neighbour.hit) for neighbour in neighbours)
    unlisted = replace(
        draft, sources=(), more=tuple(source for source in neighbour_sources if source.n not in listed_numbers)
    )
    language = drafted.sections.question.plan.language
    return context, tuple(with_routes(attributed(unlisted, search_index.text_of, language).more, settings.prefix))


async def _find_what_a_model_lacks(
    search_index: SearchIndex, question: Question, listed_sources: Sequence[Source], settings: Settings, text: str
) -> FollowUpSources:
    """The sections that a further search by a model finds and the model has not read; none if none is likely to answer.

    Args:
        search_index: The index that is searched.
        question: The question of the reader.
        listed_sources: The sources that the model has been given.
        settings: The server's settings.
        text: What the model searches for.
    """
    from trueref_server.model.asking.numbered_sources import model_sources
    from trueref_server.model.follow_up import FollowUpSources

    # The follow-up continues the numbers of the answer, as if the reader's conversation had numbered its sources.
    numbered_addresses = [""] * max((source.n for source in listed_sources), default=0)
    for source in listed_sources:
        numbered_addresses[source.n - 1] = without_route(source.href, settings.prefix)
    follow_up = replace(question, text=text, history=(), numbered=tuple(numbered_addresses))
    drafted = await draft_answer(search_index, follow_up, DEPTH, settings.prefix)
    listed_numbers = {source.n for source in listed_sources}
    cited_sources = [source for source in drafted.draft.sources if source.n in drafted.draft.citations]
    new_sources = [source for source in cited_sources if source.n not in listed_numbers][:FOLLOW_UP_SECTIONS]
    # A follow-up is held to the same bar as an open card: its verdict has to be `answer`.
    if drafted.draft.verdict != "answer" or not new_sources:
        return FollowUpSources((), ())
    context = context_of(drafted.sections.hits[:SECTIONS_READ], settings.context_tokens // 2)
    sources = model_sources(new_sources, context, drafted.numbering.numbers)
    context_numbers = {source.n for source in sources}
    return FollowUpSources(tuple(source for source in new_sources if source.n in context_numbers), sources)


async def _search_parts(
    search_index: SearchIndex, question: Question, sections: RankedSections
) -> list[RankedSections]:
    """The sections for each of the several things that a question asks; none if it asks a single thing."""
    plan = sections.question.plan
    # A question that leans on a conversation was searched together with it: a part of the question alone would lose the
    # topic.
    asked_parts = () if plan.carried else plan.asks
    parts = [replace(question, text=text, history=history) for text, history in _with_antecedents(asked_parts)]
    readings = [await plan_question(search_index, part) for part in parts]
    if len(asked_parts) > ASKED_IN_TWO_ROUNDS:
        readings = [replace(reading, plan=replace(reading.plan, rounds=1)) for reading in readings]
    return [await search_sections(search_index, reading, DEPTH) for reading in readings]


def _with_antecedents(asks: Sequence[str]) -> Iterator[tuple[str, tuple[Exchange, ...]]]:
    """The parts of a question, each with its history.

    A part that points back (`and where does it log?`) gets, as its history, the last part that does not point back.
    """
    antecedent = ""
    for text in asks:
        if points(text):
            yield text, (Exchange(antecedent),)
        else:
            antecedent = text
            yield text, ()


def milliseconds_since(started: float) -> float:
    """The milliseconds since `started`, a value of `time.perf_counter`."""
    return round((time.perf_counter() - started) * 1000, 3)
