"""The search for a question, called by `pipeline.py`: `plan_question` makes the reading, `search_sections` the hits.

The loops are nested. A question may have two plans, with its conversation and alone (`_better_reading`); a plan may be
searched with the names of a usual topic and without them (`search_plan`), in one scope after the other
(`_search_scopes`); a scope is searched in up to two rounds (`_search_in_rounds`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from trueref_core.embedding.model_languages import reads_any
from trueref_core.tables.filters import Filters
from trueref_core.text.identifiers import sign_terms
from trueref_core.text.key_combinations import key_name
from trueref_core.text.word_forms import ENGLISH, is_english
from trueref_server.corpus.corpus import PageBoosts
from trueref_server.corpus.words import content_words, without_fillers
from trueref_server.question.conversation import (
    began_on_page,
    carried_words,
    continues,
    depends_on_earlier,
    in_conversation,
    is_another_topic,
    last_topic,
    needs_page,
    on_page,
    without_usual_topic,
)
from trueref_server.question.plan import make_plan
from trueref_server.question.pointing import lacks_own_topic
from trueref_server.question.question_text import is_courtesy
from trueref_server.ranking import signals
from trueref_server.ranking.confidence_features import DEPTH
from trueref_server.ranking.rank import (
    ScoredSection,
    best_first,
    hits_of,
    linking_sections,
    relate_sections,
    score_sections,
    signal_value,
)
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Hit, Plan, Question, SectionAt
from trueref_server.search.gaps import Gaps, assess, follow_ups, related_sections
from trueref_server.search.hybrid_search import PART_CANDIDATES, Query, Searcher
from trueref_server.search.version_copies import of_one_version, without_copies

if TYPE_CHECKING:
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.tables.chunk_rows import SectionKey
    from trueref_server.corpus.corpus import Corpus
    from trueref_server.question.scope import ReaderContext, Scopes
    from trueref_server.ranking.late_interaction import LateInteraction
    from trueref_server.ranking.signals import Candidate

MIN_SHARE: Final = 0.5
"""If no section of a scope has at least this share of the question's words, the next scope is searched."""

MAX_COPIES: Final = 20
"""How many sections beyond the wanted number a search finds, since some may be copies in other versions."""


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """One generation with everything that a search in it needs.

    `embedder` is None if full text alone answers, and `late` if texts cannot be compared word by word. `weights`, by
    pattern of the addresses of pages, and `synonyms` are those of the settings. `text_of` gives the text of a page,
    which proves that the page has a quote.
    """

    index: OpenIndex
    corpus: Corpus
    scopes: Scopes
    embedder: Embedder | None
    late: LateInteraction | None = None
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    text_of: Callable[[str], str] = lambda _: ""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a question is read, and where it is searched.

    `filters` are tried one after the other: see `Scopes.filters`. `alone` is the plan of the question without its
    conversation, if `plan` adds words of the conversation that the question may not need; else None.
    """

    reader: ReaderContext
    filters: Sequence[Filters]
    plan: Plan
    alone: Plan | None = None


@dataclass(frozen=True, slots=True)
class RankedSections:
    """The sections for a question, best first.

    `gaps` is what the first round of searches had left out. `links` has, for the best sections, the sections that links
    in their text lead to. `note` is a line for a reader who gets another version or language than asked for.
    """

    question: WeightedQuestion
    hits: list[Hit]
    gaps: Gaps
    links: Mapping[SectionAt, Collection[SectionAt]]
    note: str = ""


async def plan_question(search_index: SearchIndex, question: Question) -> Reading:
    """The reading of a question: alone, or with words from the conversation before it or from the reader's page."""
    reader = search_index.scopes.reader(question)
    # Thanks and greetings have no topic: a question after `ok, thanks!` depends on the question before the thanks.
    history = tuple(turn for turn in question.history if not is_courtesy(turn.question))
    page = question.page if reader.page is None else reader.page
    scoped_question = replace(question, history=history, version=reader.version, language=reader.language, page=page)
    filters = search_index.scopes.filters(reader)
    plan = await _plan(search_index, reader, scoped_question)
    subject = search_index.corpus.statistics.subject
    if is_courtesy(plan.query):
        # A first question `nice` may be about the command; after an answer it is a courtesy.
        return Reading(reader, filters, replace(plan, words=(), terms=()) if question.history else plan)
    # Only a first question is read with the page. A later one depends on the conversation, which `began_on_page`
    # follows back to the page if nothing in it names a topic.
    if not history:
        contextual_plan = on_page(plan, reader.topic, subject) if reader.topic and needs_page(plan) else plan
        return Reading(reader, filters, contextual_plan)
    # Being short is no sign of depending on the conversation: `how do i change fonts` after a question about dark mode
    # was answered with dark mode.
    if not depends_on_earlier(plan.query) or is_another_topic(plan, search_index.corpus.statistics):
        return Reading(reader, filters, plan)
    # The earlier questions are searched for the section that they led to: its title has words that none of them had.
    earlier = await _plan(search_index, reader, replace(scoped_question, text=last_topic(history)))
    if reader.topic and began_on_page(plan):
        earlier = on_page(earlier, reader.topic, subject)
    topic_sections = await search_plan(search_index, earlier, filters, limit=1)
    contextual_plan = in_conversation(plan, carried_words(history), next(iter(topic_sections.hits), None), subject)
    # A question that points to something earlier by a word, such as `how do I change it?`, needs the conversation.
    may_stand_alone = contextual_plan.carried and not lacks_own_topic(plan.query)
    return Reading(reader, filters, contextual_plan, alone=plan if may_stand_alone else None)


async def search_sections(search_index: SearchIndex, reading: Reading, limit: int) -> RankedSections:
    """The sections for a question as it was read, each in one version and language.

    Args:
        search_index: What is searched.
        reading: How the question is read.
        limit: How many sections are wanted. As many as confidence needs are found in any case.
    """
    # Confidence compares the first section with the tenth: a caller that wants three sections must get the same verdict
    # as one that wants ten.
    hit_count = max(limit, DEPTH)
    # Copies are removed only after the search: each version has to be found if it is the reader's.
    search_limit = hit_count + (MAX_COPIES if len(reading.filters) > 1 else 0)
    ranked = await search_plan(search_index, reading.plan, reading.filters, limit=search_limit)
    if reading.alone is not None:
        ranked = await _better_reading(search_index, reading, ranked, limit=search_limit)
    hits = without_copies(ranked.hits, reading.plan.language)
    hits = of_one_version(hits, reading.filters[0], lambda hit: ranked.question.share_in(hit.chunks))[:hit_count]
    return replace(ranked, hits=hits, note=search_index.scopes.note(reading.reader, hits))


async def search_plan(
    search_index: SearchIndex, plan: Plan, scopes: Sequence[Filters] = (Filters(),), *, limit: int = DEPTH
) -> RankedSections:
    """The sections that fit a plan best, best first.

    The result is that of the first scope with a section that has enough of the question's words, or of the first scope
    if there is none. A section of another version serves a reader better than a section of the right version that says
    nothing about the question.

    Args:
        search_index: What is searched.
        plan: The plan of the question.
        scopes: The versions and languages, one after the other: see `Scopes.filters`.
        limit: How many sections at most. Confidence needs `DEPTH` of them.
    """
    ranked = await _search_scopes(search_index, plan, scopes, limit)
    # In docs without a section about a topic, its other names find sections about anything: `alternative` those about
    # another index of packages.
    if plan.usual_topic and not any(signal_value(hit, signals.usual_title) for hit in ranked.hits):
        return await _search_scopes(search_index, without_usual_topic(plan), scopes, limit)
    return ranked


async def _search_scopes(
    search_index: SearchIndex, plan: Plan, scopes: Sequence[Filters], limit: int
) -> RankedSections:
    """Search one scope after the other: see `search_plan`."""
    index, corpus, embedder = search_index.index, search_index.corpus, search_index.embedder
    question = WeightedQuestion(plan, corpus.statistics)
    nothing = RankedSections(question, [], Gaps(), {})
    if not (plan.terms or plan.identifiers or plan.releases or plan.usual_topic):
        return nothing
    # Made here, so that the search for the topic of a conversation weighs pages too (`docs/decisions/page-weights.md`).
    boosts = PageBoosts(search_index.weights, corpus.weights, corpus.compilations)
    hybrid_searcher, text_searcher = (
        Searcher(index, corpus, used_embedder, (plan.query, *plan.parts)) for used_embedder in (embedder, None)
    )
    first_ranked: RankedSections | None = None
    for filters in scopes:
        searcher = hybrid_searcher if _is_trained_on(embedder, plan.query, index, filters) else text_searcher
        ranked = await _search_in_rounds(searcher, question, filters, limit, boosts)
        if len(scopes) == 1 or any(question.share_in(hit.chunks) >= MIN_SHARE for hit in ranked.hits):
            return ranked
        first_ranked = first_ranked or ranked
    return first_ranked or nothing


def _is_trained_on(embedder: Embedder | None, query: str, index: OpenIndex, filters: Filters) -> bool:
    """Whether an embedder was trained on the language of a question or of pages that are searched; True if unknown.

    If it was trained on neither, full text alone finds more (`docs/decisions/shipped-model.md`, "Other languages").
    """
    if embedder is None:
        return False
    # A search in one language includes pages that name no language: these are no sign that another language is
    # searched.
    languages = index.languages if filters.languages is None else filter(None, filters.languages)
    return reads_any(embedder.name, languages) or (is_english(query) and reads_any(embedder.name, (ENGLISH,)))


async def _search_in_rounds(
    searcher: Searcher, question: WeightedQuestion, filters: Filters, limit: int, boosts: PageBoosts
) -> RankedSections:
    """Search one scope: search, rank and assess, with a second round for what is missing.

    There are two rounds at most: the second makes the slowest searches slower by a quarter to a third
    (`docs/decisions/ranking.md`). Steps that compare hundreds of sections with a long question run in a thread: on the
    event loop other readers would wait for them.
    """
    index = searcher.index

    async def ranked_by_relations(scored: Sequence[ScoredSection]) -> RankedSections:
        """Rank scored sections by their relations. Links are read for the best sections only, so scores come first."""
        links = await searcher.corpus.links(index, await asyncio.to_thread(linking_sections, scored))
        hits = await asyncio.to_thread(lambda: hits_of(relate_sections(question, scored, links), limit))
        return RankedSections(question, hits, Gaps(), links)

    candidates = _with_asked_names(question, await searcher.search(_first_queries(question.plan, searcher), filters))
    scored = await asyncio.to_thread(score_sections, question, candidates.values(), boosts)
    ranked = await ranked_by_relations(scored)
    # A question that asks several things has no second round, since each of them gets a search of its own. The most
    # expensive text that was found made 383 searches before bounds such as this one, and makes 14 now
    # (`docs/decisions/reading-questions.md`).
    if question.plan.rounds == 1 or (question.plan.asks and not question.plan.carried):
        return ranked
    gaps = await asyncio.to_thread(assess, question, ranked.hits)
    # About a third of the questions have a second round. When any missing rare word started one, most questions had
    # one, with the same figures and a third more time.
    if not gaps:
        return ranked
    missing, related = await asyncio.gather(
        searcher.search(follow_ups(question, gaps), filters),
        searcher.related(related_sections(ranked.hits, ranked.links, index), filters),
    )
    added = _with_asked_names(question, missing | related)
    added_candidates = [candidate for key, candidate in added.items() if key not in candidates]
    # The scores of the first round stay valid: a score depends on one section alone. Only the relations between
    # sections are computed again.
    added_scores = await asyncio.to_thread(score_sections, question, added_candidates, boosts)
    return replace(await ranked_by_relations(best_first([*added_scores, *scored])), gaps=gaps)


def _with_asked_names(
    question: WeightedQuestion, candidates: Mapping[SectionKey, Candidate]
) -> Mapping[SectionKey, Candidate]:
    """The sections that have a name of signs or keys, if a question asks for such names alone; else all.

    What is near the rest of `what does && do` is near by chance.
    """
    if not question.asks_for_wordless_alone:
        return candidates
    return {
        key: candidate
        for key, candidate in candidates.items()
        if question.share_of_asked_identifiers(candidate.section.text)
    }


def _first_queries(plan: Plan, searcher: Searcher) -> list[Query]:
    """The queries of the first round: the whole question, and each of its sentences by vector alone.

    Names of signs or keys are searched for by full text alone. Without vectors so are the words of a conversation: no
    section of its topic would be found otherwise.
    """
    # Carried words are searched by vector alone: by full text, the earlier topic would come before what is asked now. A
    # question such as `and why?` has no words of its own, so that its carried words are searched by full text too.
    has_own_words = len(plan.words) > len(plan.carried)
    text = plan.parts[0] if plan.carried and has_own_words else plan.query
    words = " ".join([without_fillers(text), *plan.joined, *plan.synonyms])
    queries = [Query(plan.query, words), *(Query(part, "", "part", PART_CANDIDATES) for part in plan.parts)]
    if plan.carried and has_own_words and not searcher.has_vectors:
        # As a part: the scores of this search do not count.
        queries.append(Query("", plan.query, "part", PART_CANDIDATES))
    # Alone, since common words of the question would come before the rare name in several columns.
    names = [*sign_terms(plan.identifiers), *filter(None, map(key_name, plan.identifiers))]
    return [*queries, Query("", " ".join(names), "identifier", PART_CANDIDATES)] if names else queries


async def _plan(search_index: SearchIndex, reader: ReaderContext, question: Question) -> Plan:
    """The plan of a question alone, without its conversation."""
    language = search_index.scopes.site_language(reader)
    return await asyncio.to_thread(make_plan, question, language, search_index.corpus.statistics, search_index.synonyms)


async def _better_reading(
    search_index: SearchIndex, reading: Reading, with_history: RankedSections, limit: int
) -> RankedSections:
    """The better of two searches for a follow-up: with its conversation, or alone.

    A question that only its form ties to the last topic, such as `what about fonts?` or the fragment `docker?`, is read
    with its conversation if the sections that were found continue that topic (`continues`).

    Args:
        search_index: The index that is searched.
        reading: The reading of the question, with a plan for the question alone.
        with_history: The sections that were found with the conversation.
        limit: How many sections at most.
    """
    assert reading.alone is not None
    own_question = reading.alone.query
    # The choice is made by words, so that it works for an index without vectors as well.
    ranked_alone = await search_plan(search_index, reading.alone, reading.filters, limit=limit)
    plan, statistics = with_history.question.plan, search_index.corpus.statistics
    own_words = content_words(own_question)
    continues_topic = await asyncio.to_thread(
        continues, plan, own_words, with_history.hits, ranked_alone.hits, statistics
    )
    return with_history if continues_topic else ranked_alone
