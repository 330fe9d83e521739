"""The walk of a question, from top to bottom: plan, search, rank, assess, excerpt, check.

Each stage takes the value of the stage before it and returns a new one: `Reading`, `RankedSections`, `Evidence`,
`Draft`. Search, rank and assess run in rounds, which `search/search.py` has.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from trueref_server.answering.attribution import attributed
from trueref_server.answering.context import context_of
from trueref_server.answering.extractive import answer_extractively
from trueref_server.answering.numbering import Numbering
from trueref_server.events import DeltaEvent, Event, SourcesEvent, pieces
from trueref_server.index.published_files import with_routes, without_route
from trueref_server.model.follow_up import FollowUpSources
from trueref_server.model.numbered_sources import model_sources
from trueref_server.ranking.confidence import DEPTH
from trueref_server.records import Draft, Evidence, Question, Source
from trueref_server.search.evidence import gather_each
from trueref_server.search.search import RankedSections, SearchIndex, plan_question, search_sections

if TYPE_CHECKING:
    from trueref_server.model.answerer import ModelAnswerer
    from trueref_server.settings import Settings

FOLLOW_UP_SECTIONS: Final = 2
"""Sections that a follow-up may add."""

ASKED_IN_TWO_ROUNDS: Final = 2
"""Questions within a question that are searched for once more where something is left out. With a second round for each
of three, the dearest text that was found cost 4.4 times the median question of readers; 2 of 3,489 questions have three
(`python scripts/worst_questions.py`)."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """The sections for a question, what an answer may rest on, and the answer by passages.

    `milliseconds` is the time until the sections were ranked.
    """

    sections: RankedSections
    evidence: Evidence
    draft: Draft
    milliseconds: float


async def find_sections(ready: SearchIndex, question: Question, limit: int) -> RankedSections:
    """The sections for a question, best first: all that a search needs."""
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
    # Search, rank, assess: in rounds, see there.
    sections = await search_sections(ready, reading, limit)
    milliseconds = milliseconds_since(started)
    # Excerpt: the chunk finds, the section answers.
    parts = await _search_parts(ready, question, sections)
    evidence, *of_parts = await gather_each(ready.index, [(each.question, each.hits) for each in (sections, *parts)])
    numbering, language = Numbering(question.numbered), sections.question.plan.language or question.language
    # Not on the event loop: to read passages takes milliseconds that other readers would wait.
    draft = await asyncio.to_thread(
        answer_extractively,
        sections.question,
        evidence,
        ready.index.manifest,
        ready.late,
        sections.note,
        [(part.question, read) for part, read in zip(parts, of_parts, strict=True)],
        numbering,
    )
    draft = await asyncio.to_thread(attributed, draft, ready.text_of, language)
    sources, more = (tuple(with_routes(listed, prefix)) for listed in (draft.sources, draft.more))
    return Drafted(sections, evidence, replace(draft, sources=sources, more=more), milliseconds)


# Long by its documentation.
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

    Where the model writes, a last `Draft` replaces the passages.

    Args:
        ready: What was searched.
        question: What is asked.
        drafted: The answer by passages.
        model: Writes the answer; None where passages answer.
        settings: Those of the server: how much of the sections the model reads.
        network: The client network, which the tokens of a model are counted for.
    """
    draft = drafted.draft
    # Where nothing is near, a model has nothing to write from.
    if model is None or draft.verdict == "not-found":
        yield SourcesEvent(draft.sources, ())
        for piece in pieces(draft.text):
            yield DeltaEvent(piece)
            # Hands the loop on, so that each piece leaves and a reader who has gone is noticed.
            await asyncio.sleep(0)
        return
    listed = (*draft.sources, *draft.more)
    sources = model_sources(listed, context_of(drafted.evidence, settings.context_tokens), question.version or "")
    numbers = {source.n for source in sources}
    # At once: the passages are read meanwhile.
    yield SourcesEvent(tuple(source for source in listed if source.n in numbers), draft.excerpts)
    manifest, language = ready.index.manifest, drafted.evidence.plan.language
    # Check: links and facts of what the model writes are looked up before they leave; else the passages answer.
    search = partial(_find_what_a_model_lacks, ready, question, listed, settings)
    answer = model.answer(question, draft, sources, manifest, network=network, language=language, search=search)
    async with aclosing(answer) as steps:
        async for step in steps:
            yield step


async def _find_what_a_model_lacks(
    ready: SearchIndex, question: Question, listed: Sequence[Source], settings: Settings, text: str
) -> FollowUpSources:
    """What a model lacks, in sections that it has not read: nothing where none is likely to have it."""
    # A follow-up goes on with the numbers of the answer, as if the reader had numbered its sources.
    numbered = [""] * max((source.n for source in listed), default=0)
    for source in listed:
        numbered[source.n - 1] = without_route(source.href, settings.prefix)
    wanted = replace(question, text=text, history=(), numbered=tuple(numbered))
    drafted = await draft_answer(ready, wanted, DEPTH, settings.prefix)
    known = {source.n for source in listed}
    # What answers best, as far as the model has not read it.
    opened = [source for source in drafted.draft.sources if source.n in drafted.draft.citations]
    new = [source for source in opened if source.n not in known][:FOLLOW_UP_SECTIONS]
    # The bar is that of an answer: the search has to be as sure as for an open card.
    if drafted.draft.verdict != "answer" or not new:
        return FollowUpSources((), ())
    context = context_of(drafted.evidence, settings.context_tokens // 2)
    sources = model_sources(new, context, question.version or "")
    numbers = {source.n for source in sources}
    return FollowUpSources(tuple(source for source in new if source.n in numbers), sources)


async def _search_parts(ready: SearchIndex, question: Question, sections: RankedSections) -> list[RankedSections]:
    """What was found for each of several things that a question asks."""
    plan = sections.question.plan
    # What leans on a conversation has been read with it as a whole.
    asks = () if plan.carried else plan.asks
    readings = [await plan_question(ready, replace(question, text=text, history=())) for text in asks]
    if len(asks) > ASKED_IN_TWO_ROUNDS:
        readings = [replace(reading, plan=replace(reading.plan, rounds=1)) for reading in readings]
    return [await search_sections(ready, reading, DEPTH) for reading in readings]


def milliseconds_since(started: float) -> float:
    """The time since a reading of `time.perf_counter`."""
    return round((time.perf_counter() - started) * 1000, 3)
