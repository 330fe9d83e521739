"""The pipeline of a question, in the order of its stages: plan, search, rank, assess, excerpt, check.

`answer_question` has them from top to bottom. Each stage takes the value of the stage before it and returns a new one:
`Reading`, `RankedSections`, `Drafted`, and the events that a reader is sent.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from trueref_server.answering.answered_parts import SECTIONS_READ
from trueref_server.answering.attribution import attributed
from trueref_server.answering.context import ContextSection, context_of
from trueref_server.answering.differences import names_all
from trueref_server.answering.extractive import addresses_of, answer_extractively, source_of
from trueref_server.answering.neighbours import neighbours_of
from trueref_server.answering.numbering import Numbering
from trueref_server.answering.passage_comparison import PassageComparison
from trueref_server.events import Event, SourcesEvent, events_of
from trueref_server.index.published_files import with_routes, without_route
from trueref_server.question.pointing import points_to_unnamed
from trueref_server.ranking import signals
from trueref_server.ranking.confidence_features import DEPTH
from trueref_server.ranking.late_interaction import can_compare
from trueref_server.ranking.rank import signal_value
from trueref_server.records import Draft, Exchange, Hit, Question, Source
from trueref_server.search.search import RankedSections, SearchIndex, plan_question, search_sections

if TYPE_CHECKING:
    from trueref_server.model.answerer import ModelAnswerer
    from trueref_server.model.follow_up import FollowUpSources
    from trueref_server.settings import Settings

FOLLOW_UP_SECTIONS: Final = 2
"""How many sections a follow-up search of a model may add."""

ABOUT: Final = "What is {}?"
"""The question about each of several things that a question compares."""

ASKED_IN_TWO_ROUNDS: Final = 2
"""A question may ask several things. If it asks this many or fewer, each of them may have a second round of searches.
With a second round for each of three things, the most expensive text that was found cost 4.4 times as much as the
median question of readers; 2 of 3,489 questions ask three things (`python scripts/worst_questions.py`)."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """The answer to a question by passages, with the sections that the passages come from.

    `parts` has the sections for each of several things that the question asks. `numbering` has the numbers of the
    sources. `milliseconds` is the time until the sections for the whole question were ranked.
    """

    sections: RankedSections
    parts: Sequence[RankedSections]
    draft: Draft
    numbering: Numbering
    milliseconds: float


async def find_sections(search_index: SearchIndex, question: Question, limit: int) -> RankedSections:
    """The sections for a question, best first: the stages of a search without an answer."""
    reading = await plan_question(search_index, question)
    return await search_sections(search_index, reading, limit)


# This function is long because of its documentation.
async def answer_question(
    search_index: SearchIndex,
    question: Question,
    limit: int,
    settings: Settings,
    model: ModelAnswerer | None = None,
    network: str = "",
) -> AsyncGenerator[Drafted | Event | Draft]:
    """Answer a question: the stages of the pipeline, one after the other.

    The first item is the answer by passages. The events that a reader is sent follow. If a model writes, the last item
    is a `Draft` that replaces the answer by passages.

    Args:
        search_index: What is searched.
        question: What is asked.
        limit: How many sections are wanted.
        settings: The server's settings: the path of its API, and how many tokens of the sections a model reads.
        model: Writes the answer; None if the passages are the answer.
        network: The client network to which the model's tokens are counted.
    """
    started = time.perf_counter()
    # Plan: how the question is read, and where it is searched.
    reading = await plan_question(search_index, question)
    # Search, rank, assess: in rounds, since what the first hits leave out is searched for (`_search_in_rounds`).
    sections = await search_sections(search_index, reading, limit)
    milliseconds = milliseconds_since(started)
    # The same for each of several things that a question asks.
    parts = await search_parts(search_index, question, sections)
    # Excerpt: the passages that answer, as they stand in the sections.
    draft, numbering = await excerpt_sections(search_index, question, sections, parts, settings.prefix)
    drafted = Drafted(sections, parts, draft, numbering, milliseconds)
    yield drafted
    # Check: passages are words of the docs under links of the manifest. What a model writes is held against both.
    async with aclosing(checked_answer(search_index, question, drafted, model, settings, network)) as steps:
        async for step in steps:
            yield step


async def draft_answer(search_index: SearchIndex, question: Question, limit: int, settings: Settings) -> Drafted:
    """The answer by passages alone: the pipeline up to its stage *excerpt*."""
    async with aclosing(answer_question(search_index, question, limit, settings)) as steps:
        drafted = await anext(steps)
    assert isinstance(drafted, Drafted)
    return drafted


async def search_parts(search_index: SearchIndex, question: Question, sections: RankedSections) -> list[RankedSections]:
    """The sections for each of several things that a question asks; none if it asks a single thing.

    Args:
        search_index: What is searched.
        question: What is asked.
        sections: The sections for the whole question, whose plan has the things that it asks.
    """
    plan = sections.question.plan
    # A section whose title names all that is compared is about the difference: nothing else is searched for then.
    title = sections.hits[0].chunk.title if sections.hits else ""
    is_about_rival = bool(plan.rival and sections.hits) and signal_value(sections.hits[0], signals.usual_title) > 0
    compared = () if is_about_rival or names_all(title, plan.compared, plan.language) else plan.compared
    # A question that depends on a conversation was searched together with it: a part of the question alone would lose
    # the topic.
    asked_parts = () if plan.carried else plan.asks or tuple(map(ABOUT.format, compared))
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
        if points_to_unnamed(text):
            yield text, (Exchange(antecedent),)
        else:
            antecedent = text
            yield text, ()


async def excerpt_sections(
    search_index: SearchIndex,
    question: Question,
    sections: RankedSections,
    parts: Sequence[RankedSections],
    prefix: str,
) -> tuple[Draft, Numbering]:
    """An answer made of passages of the sections that were found, and the numbers of its sources.

    Args:
        search_index: What was searched.
        question: What is asked.
        sections: The sections for the whole question.
        parts: The sections for each of several things that it asks.
        prefix: The path at which the server serves its API, and the PDFs that no site publishes.
    """
    comparison = await passage_comparison(search_index, [sections, *parts])
    # In a thread: reading passages takes milliseconds, and on the event loop all other readers would wait for them.
    draft, numbering = await asyncio.to_thread(
        answer_extractively,
        sections.question,
        sections.hits,
        search_index.index.manifest,
        comparison,
        sections.note,
        [(part.question, part.hits) for part in parts],
        Numbering.of(question.numbered),
    )
    language = sections.question.plan.language or question.language
    draft = await asyncio.to_thread(attributed, draft, search_index.text_of, language)
    sources, more = (tuple(with_routes(listed, prefix)) for listed in (draft.sources, draft.more))
    return replace(draft, sources=sources, more=more), numbering


async def passage_comparison(search_index: SearchIndex, ranked: Sequence[RankedSections]) -> PassageComparison | None:
    """What compares passages with a question and the parts of it word by word; None if the embedder cannot.

    Args:
        search_index: What was searched.
        ranked: The sections for the question, and those for each part.
    """
    if search_index.late is None:
        return None
    plans = ((found.question.plan, found.hits[:SECTIONS_READ]) for found in ranked)
    hits = [hit for plan, read in plans if can_compare(plan.query, plan.language) for hit in read]
    stored = await search_index.index.wordpieces([chunk.id for hit in hits for chunk in hit.chunks])
    return PassageComparison(search_index.late, stored)


# This function is long because the call of the model names all that it needs.
async def checked_answer(
    search_index: SearchIndex,
    question: Question,
    drafted: Drafted,
    model: ModelAnswerer | None,
    settings: Settings,
    network: str,
) -> AsyncGenerator[Event | Draft]:
    """The events of an answer: its passages, or the text that a model writes from them, checked while it is streamed.

    The links and facts that a model writes are looked up before they are sent. If they do not hold, the passages
    answer.
    """
    draft = drafted.draft
    # If no section is near the question, a model has nothing to write from.
    if model is None or draft.verdict == "not-found":
        for event in events_of(draft):
            yield event
            # Gives the event loop a turn, so that each piece is sent at once, and a reader who has left is noticed.
            await asyncio.sleep(0)
        return
    # Imported here, since only an answer by a model needs it: it took 2 % of the time of `trueref ask` without one.
    from trueref_server.model.asking.numbered_sources import model_sources

    context, neighbour_sources, numbering = await read_context(search_index, drafted, settings)
    listed_sources = (*draft.sources, *draft.more, *neighbour_sources)
    sources = model_sources(listed_sources, context, numbering.numbers)
    numbers = {source.n for source in sources}
    # Sent before the model begins: the reader can read the passages until the model has an answer.
    yield SourcesEvent(tuple(source for source in listed_sources if source.n in numbers), draft.excerpts)
    answer = model.answer(
        question,
        draft,
        sources,
        search_index.index.manifest,
        extra_sources=neighbour_sources,
        network=network,
        language=drafted.sections.question.plan.language,
        search=partial(_find_what_a_model_lacks, search_index, question, listed_sources, settings),
        text_of=search_index.text_of,
    )
    async with aclosing(answer) as steps:
        async for step in steps:
            yield step


async def read_context(
    search_index: SearchIndex, drafted: Drafted, settings: Settings
) -> tuple[tuple[ContextSection, ...], tuple[Source, ...], Numbering]:
    """The context that a model reads: the sections that were found, and the neighbours that they depend on.

    The second value has the sources of those neighbours that the answer by passages does not list, and the third the
    numbers of all sources.
    """
    index = search_index.index
    hits = _hits_to_read(drafted)
    neighbours = await neighbours_of(index, hits)
    context = await asyncio.to_thread(context_of, hits, settings.context_tokens, neighbours)
    draft = drafted.draft
    listed_numbers = {source.n for source in (*draft.sources, *draft.more)}
    numbering = drafted.numbering.including(addresses_of((neighbour.hit for neighbour in neighbours), index.manifest))
    neighbour_sources = tuple(source_of(neighbour.hit, index.manifest, numbering) for neighbour in neighbours)
    unlisted = replace(
        draft, sources=(), more=tuple(source for source in neighbour_sources if source.n not in listed_numbers)
    )
    language = drafted.sections.question.plan.language
    listed = with_routes(attributed(unlisted, search_index.text_of, language).more, settings.prefix)
    return context, tuple(listed), numbering


def _hits_to_read(drafted: Drafted) -> list[Hit]:
    """The sections that a model reads, best first: those that the cards show of several parts, then the others found.

    Without the parts, a model would not read what the reader sees: the section about one of two things that a question
    compares is often not among the first for the whole question.
    """
    found = {hit.address: hit for ranked in (*drafted.parts, drafted.sections) for hit in ranked.hits}
    numbers = drafted.numbering.numbers
    by_number = {numbers[address]: address for address in found if address in numbers}
    shown = [by_number[source.n] for source in drafted.draft.sources] if drafted.parts else []
    addresses = dict.fromkeys([*shown, *(hit.address for hit in drafted.sections.hits)])
    return [found[address] for address in addresses][:SECTIONS_READ]


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
    drafted = await draft_answer(search_index, follow_up, DEPTH, settings)
    listed_numbers = {source.n for source in listed_sources}
    cited_sources = [source for source in drafted.draft.sources if source.n in drafted.draft.citations]
    new_sources = [source for source in cited_sources if source.n not in listed_numbers][:FOLLOW_UP_SECTIONS]
    # A follow-up is held to the same bar as an open card: its verdict has to be `answer`.
    if drafted.draft.verdict != "answer" or not new_sources:
        return FollowUpSources((), ())
    context = context_of(_hits_to_read(drafted), settings.context_tokens // 2)
    sources = model_sources(new_sources, context, drafted.numbering.numbers)
    context_numbers = {source.n for source in sources}
    return FollowUpSources(tuple(source for source in new_sources if source.n in context_numbers), sources)


def milliseconds_since(started: float) -> float:
    """The milliseconds since `started`, a value of `time.perf_counter`."""
    return round((time.perf_counter() - started) * 1000, 3)
