"""Finds the sections for a question: reads it with what it leans on, searches, and leaves copies out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from trueref_server.question.conversation import (
    began_on_page,
    carried_words,
    in_conversation,
    is_another_topic,
    joins,
    last_topic,
    leans,
    needs_page,
    on_page,
)
from trueref_server.question.plan import make_plan
from trueref_server.question.pointing import refers
from trueref_server.question.question_text import is_courtesy
from trueref_server.ranking.confidence import ANSWERABLE_FROM, DEPTH
from trueref_server.search.evidence import answerable_by, meets_as_well
from trueref_server.search.search_rounds import Found, find
from trueref_server.search.version_copies import of_one_version, without_copies

if TYPE_CHECKING:
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.records import Page
    from trueref_server.corpus.corpus import Corpus
    from trueref_server.question.scope import Scopes
    from trueref_server.ranking.late_interaction import LateInteraction
    from trueref_server.records import Plan, Question

JOINED_IN: Final = 3
"""Hits of which one tells of a follow-up and of what came before it, where the one goes on from the other."""

COPIES_MOST: Final = 20
"""Sections that are found beyond those that are wanted: so many may be copies in other versions."""

PlanOf = Callable[[str], Awaitable["Plan"]]
"""Reads a text as a question of the same reader."""

FoundBy = Callable[["Plan", int], Awaitable[Found]]
"""Finds so many sections for a plan, where the reader is."""


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds sections in one generation.

    `embedder` is None where full text alone answers, and `late` where texts cannot be compared word by word. `weights`
    and `synonyms` are those of the settings.
    """

    index: OpenIndex
    corpus: Corpus
    scopes: Scopes
    embedder: Embedder | None
    late: LateInteraction | None
    weights: Mapping[str, float]
    synonyms: Mapping[str, tuple[str, ...]]

    async def find(self, question: Question, limit: int) -> tuple[Found, str]:
        """What is found for a question, and the note for the reader: see `Answer`.

        Args:
            question: What is asked.
            limit: How many sections are wanted; what confidence needs is found in any case.
        """
        scopes, reader = self.scopes, self.scopes.reader(question)
        page = question.page if reader.page is None else reader.page
        history = tuple(turn for turn in question.history if not is_courtesy(turn.question))
        placed = replace(question, history=history, version=reader.version, language=reader.language, page=page)
        filters, language = scopes.filters(reader), scopes.site_language(reader)

        async def plan_of(text: str) -> Plan:
            asked = replace(placed, text=text)
            return await asyncio.to_thread(make_plan, asked, language, self.corpus.statistics, self.synonyms)

        async def found_by(plan: Plan, most: int) -> Found:
            return await find(self.index, self.corpus, self.embedder, plan, filters, limit=most, weights=self.weights)

        wanted = max(limit, DEPTH)
        most = wanted + (COPIES_MOST if len(filters) > 1 else 0)
        plan = await plan_of(question.text)
        if is_courtesy(plan.query):
            # `nice` alone may be a command; after an answer it is none.
            plan, read = replace(plan, words=(), terms=()) if question.history else plan, None
        else:
            read = await self._in_context(plan, reader.topic, plan_of, found_by)
        found = await found_by(read or plan, most)
        if read and placed.history and read.carried:
            found = await self._better(plan, found, lambda: found_by(plan, most))
        hits = without_copies(found.hits, plan.language)
        hits = of_one_version(hits, filters[0], lambda hit: found.asked.share(hit.chunks))[:wanted]
        return replace(found, hits=hits), scopes.note(reader, hits)

    async def _in_context(self, plan: Plan, page: Page | None, plan_of: PlanOf, found_by: FoundBy) -> Plan | None:
        """The plan with what the conversation or the reader's page tells; None for one that needs neither."""
        history = plan.question.history
        if not history:
            return on_page(plan, page) if page and needs_page(plan) else None
        if not leans(plan.query) or is_another_topic(plan, self.corpus.statistics):
            return None
        earlier = await plan_of(last_topic(history))
        if page and began_on_page(plan):
            earlier = on_page(earlier, page)
        before = await found_by(earlier, 1)
        return in_conversation(plan, carried_words(history), next(iter(before.hits), None))

    async def _better(self, plan: Plan, found: Found, alone: Callable[[], Awaitable[Found]]) -> Found:
        """What was found for a question in its conversation, or as it stands, where that answers better.

        One that refers to what came before is asked as it stands where the conversation answers nothing; by text alone
        that cannot be told surely enough. One that may be the end of another is read with that where its own words are
        met as well.
        """
        if refers(plan.query):
            if self.late is None or await self._answers(found):
                return found
            standing = await alone()
            return standing if await self._answers(standing) else found
        standing = await alone()
        joined = await asyncio.to_thread(joins, found.asked.plan, found.hits[:JOINED_IN])
        if not joined or not await self._answers(found):
            return standing
        as_well = await asyncio.to_thread(meets_as_well, standing.asked, found.hits, standing.hits, self.late)
        return found if as_well or not await self._answers(standing) else standing

    async def _answers(self, found: Found) -> bool:
        return await asyncio.to_thread(answerable_by, found.asked, found.hits, self.late) >= ANSWERABLE_FROM
