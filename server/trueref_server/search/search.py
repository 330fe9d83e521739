"""The search for a question, read from the bottom up: rounds over one scope, scopes of one plan, plans of one question.

`plan_question` says what is asked and where; `search_sections` gives the sections. Both are called by `pipeline.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from trueref_core.tables.filters import Filters
from trueref_server.corpus.corpus import PageBoosts, SectionAt
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
from trueref_server.ranking.rank import (
    ScoredSection,
    best_first,
    hits_of,
    linking_sections,
    relate_sections,
    score_sections,
)
from trueref_server.ranking.signals import WeightedQuestion
from trueref_server.records import Hit, Plan, Question
from trueref_server.search.evidence import answerable_by, meets_as_well
from trueref_server.search.gaps import Gaps, assess, follow_ups, neighbours
from trueref_server.search.hybrid_search import PART_CANDIDATES, Query, Searcher
from trueref_server.search.version_copies import of_one_version, without_copies

if TYPE_CHECKING:
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_server.corpus.corpus import Corpus
    from trueref_server.question.scope import Reader, Scopes
    from trueref_server.ranking.late_interaction import LateInteraction

SHARE_LEAST: Final = 0.5
"""Share of the question's words that the best section of a scope has at least, or the next scope is searched."""

JOINED_IN: Final = 3
"""Hits among which one has to have words of a follow-up and of the question before it, where the two belong
together."""

COPIES_MOST: Final = 20
"""Sections that a search finds beyond the wanted number, since so many may be copies in other versions."""


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """One generation with all that a search of it needs.

    `embedder` is None where full text alone answers, and `late` where texts cannot be compared word by word. `weights`
    and `synonyms` are those of the settings. `text_of` gives the text of a page, in which quotes are proved.
    """

    index: OpenIndex
    corpus: Corpus
    scopes: Scopes
    embedder: Embedder | None
    late: LateInteraction | None
    weights: Mapping[str, float]
    synonyms: Mapping[str, tuple[str, ...]]
    text_of: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a question is read, and where it is searched.

    `filters` are tried one after the other: see `Scopes.filters`. `alone` is the plan of the question as it stands,
    where `plan` adds what the conversation tells and the question may do without it; else None.
    """

    reader: Reader
    filters: Sequence[Filters]
    plan: Plan
    alone: Plan | None = None


@dataclass(frozen=True, slots=True)
class RankedSections:
    """The sections for a question, best first.

    `gaps` is what the first round of searches had left out, `links` where links in the text of the best sections lead,
    and `note` a line for a reader who gets another version or language than asked for.
    """

    question: WeightedQuestion
    hits: list[Hit]
    gaps: Gaps
    links: Mapping[SectionAt, Collection[SectionAt]]
    note: str = ""


async def plan_question(ready: SearchIndex, question: Question) -> Reading:
    """How a question is read: by itself, or with what the conversation before it or the reader's page tells."""
    reader = ready.scopes.reader(question)
    # Thanks and greetings are no topic: a question after `ok, thanks!` leans on what was asked before it.
    history = tuple(turn for turn in question.history if not is_courtesy(turn.question))
    page = question.page if reader.page is None else reader.page
    scoped = replace(question, history=history, version=reader.version, language=reader.language, page=page)
    filters = ready.scopes.filters(reader)
    plan = await _plan(ready, reader, scoped)
    if is_courtesy(plan.query):
        # `nice` alone may be a command; after an answer it is none.
        return Reading(reader, filters, replace(plan, words=(), terms=()) if question.history else plan)
    # Only a first question is read with the page. A later one leans on the conversation, which `began_on_page` follows
    # back to the page where nothing in it names a topic.
    if not history:
        leaning = on_page(plan, reader.topic) if reader.topic and needs_page(plan) else plan
        return Reading(reader, filters, leaning)
    # That a question is short tells nothing: `how do i change fonts` after a question about dark mode was answered with
    # dark mode.
    if not leans(plan.query) or is_another_topic(plan, ready.corpus.statistics):
        return Reading(reader, filters, plan)
    # What was talked about is the section that the conversation led to: its title has words that no question had.
    earlier = await _plan(ready, reader, replace(scoped, text=last_topic(history)))
    if reader.topic and began_on_page(plan):
        earlier = on_page(earlier, reader.topic)
    talked_about = await _search_plan(ready, earlier, filters, limit=1)
    leaning = in_conversation(plan, carried_words(history), next(iter(talked_about.hits), None))
    return Reading(reader, filters, leaning, alone=plan if leaning.carried else None)


async def search_sections(ready: SearchIndex, reading: Reading, limit: int) -> RankedSections:
    """The sections for a question as it was read, each in one version and language.

    Args:
        ready: What is searched.
        reading: The question.
        limit: How many sections are wanted; what confidence needs is found in any case.
    """
    # Confidence compares the first section with the tenth: a caller that wants three must get the verdict of one that
    # wants ten.
    wanted = max(limit, DEPTH)
    # Copies leave only after the search: each version must be found when it is the reader's.
    most = wanted + (COPIES_MOST if len(reading.filters) > 1 else 0)
    ranked = await _search_plan(ready, reading.plan, reading.filters, limit=most)
    if reading.alone is not None:
        ranked = await _better_reading(ready, reading, ranked, limit=most)
    hits = without_copies(ranked.hits, reading.plan.language)
    hits = of_one_version(hits, reading.filters[0], lambda hit: ranked.question.share_in(hit.chunks))[:wanted]
    return replace(ranked, hits=hits, note=ready.scopes.note(reading.reader, hits))


async def search_plan(
    index: OpenIndex,
    corpus: Corpus,
    embedder: Embedder | None,
    plan: Plan,
    scopes: Sequence[Filters] = (Filters(),),
    *,
    limit: int = 10,
    weights: Mapping[str, float] = MappingProxyType({}),
) -> RankedSections:
    """The sections that fit a plan best, best first.

    The first scope that has enough of the question counts, and where none has, the first of all: a section of another
    version serves a reader better than a section of the right version that says nothing of the question.

    Args:
        index: The open generation.
        corpus: Its sections and statistics.
        embedder: The one the index was made with; None answers by full text alone.
        plan: The question as read.
        scopes: What to search, one after the other: see `Scopes.filters`.
        limit: How many sections at most. Confidence compares the first with the tenth: it wants as many.
        weights: What the owner of the site adds to the scores of pages, by pattern of their addresses, besides what the
            build gave them.
    """
    question = WeightedQuestion(plan, corpus.statistics, plan.question.page)
    nothing = RankedSections(question, [], Gaps(), {})
    if not (plan.terms or plan.identifiers or plan.releases):
        return nothing
    # Here, so that the search for what a conversation was about weighs pages too (`docs/decisions/page-weights.md`).
    boosts = PageBoosts(weights, corpus.weights)
    searcher = Searcher(index, corpus, embedder, (plan.query, *plan.parts))
    first: RankedSections | None = None
    for filters in scopes:
        ranked = await _search_scope(searcher, question, filters, limit, boosts)
        best_share = max((question.share_in(hit.chunks) for hit in ranked.hits), default=-1.0)
        if len(scopes) == 1 or best_share >= SHARE_LEAST:
            return ranked
        first = first or ranked
    return first or nothing


async def _search_scope(
    searcher: Searcher, question: WeightedQuestion, filters: Filters, limit: int, boosts: PageBoosts
) -> RankedSections:
    """Search, rank, assess; then, where something is missing, search for that and rank everything together.

    Two rounds at most: the second takes the slowest searches up by a quarter to a third (`docs/decisions/ranking.md`).
    Whatever compares hundreds of sections with a long question runs in a thread: other readers would wait for it.
    """
    index = searcher.index

    async def related(scored: Sequence[ScoredSection]) -> RankedSections:
        """What the best sections link to is only known when all have a score."""
        links = await searcher.corpus.links(index, await asyncio.to_thread(linking_sections, scored))
        hits = await asyncio.to_thread(_related_hits, question, scored, links, limit)
        return RankedSections(question, hits, Gaps(), links)

    candidates = await searcher.search(_first_queries(question.plan), filters)
    scored = await asyncio.to_thread(score_sections, question, candidates.values(), boosts)
    ranked = await related(scored)
    # What asks several things is searched for once more by each of them, and not as a whole: the dearest text that was
    # found made 383 searches before bounds such as this one, and makes 14 now (`docs/decisions/reading-questions.md`).
    if question.plan.rounds == 1 or (question.plan.asks and not question.plan.carried):
        return ranked
    gaps = await asyncio.to_thread(assess, question, ranked.hits)
    # About a third of the questions go on from here. When any rare word started a second round most did, for the same
    # figures and a third more time.
    if not gaps:
        return ranked
    missing, beside = await asyncio.gather(
        searcher.search(follow_ups(question, gaps), filters),
        searcher.neighbours(neighbours(ranked.hits, ranked.links, index), filters),
    )
    added = [candidate for key, candidate in (missing | beside).items() if key not in candidates]
    # What the first round scored stays as it was: only what sections are to each other is reckoned anew.
    more = await asyncio.to_thread(score_sections, question, added, boosts)
    return replace(await related(best_first([*more, *scored])), gaps=gaps)


def _related_hits(
    question: WeightedQuestion,
    scored: Sequence[ScoredSection],
    links: Mapping[SectionAt, Collection[SectionAt]],
    limit: int,
) -> list[Hit]:
    """Relate and pick in one call, for a thread."""
    return hits_of(relate_sections(question, scored, links), limit)


def _first_queries(plan: Plan) -> list[Query]:
    """What the first round searches for: the whole question, and each of its sentences by its meaning."""
    # What a question leans on is searched by its meaning alone: by its words, it would come first. `and why?` has no
    # others.
    has_own_words = len(plan.words) > len(plan.carried)
    text = plan.parts[0] if plan.carried and has_own_words else plan.query
    words = " ".join([text, *plan.joined, *plan.synonyms])
    return [Query(plan.query, words), *(Query(part, "", "part", PART_CANDIDATES) for part in plan.parts)]


async def _plan(ready: SearchIndex, reader: Reader, question: Question) -> Plan:
    """The plan of a question by itself."""
    language = ready.scopes.site_language(reader)
    return await asyncio.to_thread(make_plan, question, language, ready.corpus.statistics, ready.synonyms)


async def _search_plan(ready: SearchIndex, plan: Plan, filters: Sequence[Filters], *, limit: int) -> RankedSections:
    """The sections for a plan, with what the server is set to."""
    index, corpus = ready.index, ready.corpus
    return await search_plan(index, corpus, ready.embedder, plan, filters, limit=limit, weights=ready.weights)


async def _better_reading(ready: SearchIndex, reading: Reading, talked: RankedSections, limit: int) -> RankedSections:
    """What was found for a question in its conversation, or as it stands, where that answers better.

    A question that refers to what came before is asked as it stands where the conversation answers nothing; by text
    alone that cannot be told surely enough. A question that may be the end of another one is read with that other one
    where the words of its own are met as well.

    Args:
        ready: What is searched.
        reading: The question; it has a plan as it stands.
        talked: What was found with what the conversation tells.
        limit: How many sections at most.
    """
    assert reading.alone is not None
    if refers(reading.alone.query):
        # Without a comparison word by word it cannot be told surely enough that the conversation answers nothing: the
        # question then keeps what it refers to.
        if ready.late is None or await _answers(ready, talked):
            return talked
        alone = await _search_plan(ready, reading.alone, reading.filters, limit=limit)
        return alone if await _answers(ready, alone) else talked
    alone = await _search_plan(ready, reading.alone, reading.filters, limit=limit)
    # A fragment without a verb may be the end of another question or stand alone: one section has to tell of both.
    is_joined = await asyncio.to_thread(joins, talked.question.plan, talked.hits[:JOINED_IN])
    if not is_joined or not await _answers(ready, talked):
        return alone
    as_well = await asyncio.to_thread(meets_as_well, alone.question, talked.hits, alone.hits, ready.late)
    return talked if as_well or not await _answers(ready, alone) else alone


async def _answers(ready: SearchIndex, ranked: RankedSections) -> bool:
    """Whether it is likely enough that some sections answer, for a reading to be taken as the right one."""
    return await asyncio.to_thread(answerable_by, ranked.question, ranked.hits, ready.late) >= ANSWERABLE_FROM
