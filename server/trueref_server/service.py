"""Answers questions: the one object that the HTTP API, the command line and the evaluation share."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from trueref_core.export.offered_questions import OfferedQuestions, offered_questions
from trueref_core.generations.updating import is_updating
from trueref_core.links.resolve import resolve
from trueref_server.answer_cache.cache import AnswerCache
from trueref_server.answering.attribution import PageText, page_text
from trueref_server.answering.context import ContextSection
from trueref_server.corpus.corpus import Corpus
from trueref_server.events import DoneEvent, Event, events_of
from trueref_server.index.live_index import ServedIndex
from trueref_server.index.published_files import (
    DocumentFile,
    PublishedManifest,
    find_document,
    publish_manifest,
    with_routes,
)
from trueref_server.metrics import Metrics
from trueref_server.pipeline import (
    Drafted,
    answer_question,
    draft_answer,
    find_sections,
    milliseconds_since,
    read_context,
)
from trueref_server.question.scope import Scopes
from trueref_server.ranking.confidence_features import DEPTH
from trueref_server.ranking.late_interaction import FITTED, LateInteraction
from trueref_server.records import Answer, CheckedText, Draft, Hit, Plan, Question, SearchResult, ServedBuild, extended
from trueref_server.references.gate import check_text
from trueref_server.search.gaps import Gaps
from trueref_server.search.results import search_results
from trueref_server.search.search import SearchIndex

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.records import Generation, Reference
    from trueref_server.model.answerer import ModelAnswerer
    from trueref_server.settings import Settings
    from trueref_server.store.entries import Rating
    from trueref_server.store.store import InsightStore


class _GenerationValues(NamedTuple):
    """What a search needs of a generation, made once of each."""

    generation: str
    scopes: Scopes
    corpus: Corpus
    text_of: PageText


class _GenerationQuestions(NamedTuple):
    """The questions that the widget offers, which are made once of each generation."""

    generation: str
    offered: OfferedQuestions


@dataclass(frozen=True, slots=True)
class Explanation:
    """What `--explain` shows of a question: how it is read, what is found, and the answer.

    `gaps` is what the first round of searches left out, `draft` is the answer, and `context` is the text that a model
    would read. `milliseconds` is the time of the search alone.
    """

    plan: Plan
    hits: tuple[Hit, ...]
    gaps: Gaps
    draft: Draft
    context: tuple[ContextSection, ...]
    milliseconds: float


class Service:
    """Answers questions from one index. Cheap to make: the first call that needs the index opens it.

    Args:
        settings: The server's options.
        cache: Keeps the answers that were given; None keeps them in the memory of this process.
        store: Records the outcome of each question, and the ratings; None records nothing.
        metrics: The counters to use; None makes new ones.

    Raises:
        OptionError: The settings name a model that cannot be used with them.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        cache: AnswerCache | None = None,
        store: InsightStore | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self.settings = settings
        self._store = store
        self._served = ServedIndex(settings.index, settings.embedding_threads)
        self._cache = cache or AnswerCache(settings)
        self.metrics = metrics or Metrics()
        self._model: ModelAnswerer | None = None
        if settings.model_url:
            # Imported here: a command without a model would load the checks of a model's answers in vain.
            from trueref_server.model.answerer import ModelAnswerer

            self._model = ModelAnswerer(settings, self.metrics.spent)
        self._manifest: PublishedManifest | None = None
        self._questions: _GenerationQuestions | None = None
        # Two questions that come first at once must not both read the whole index: the second waits until the first has
        # read it.
        self._reading_lock = asyncio.Lock()
        self._late: LateInteraction | None = None
        self._values: _GenerationValues | None = None

    async def ready(self) -> Generation:
        """Open the index if it is not open yet, and say which generation is served.

        Both the lifespan of the ASGI app and the first request call this: a bridge from WSGI never runs the lifespan.

        Raises:
            IndexFault: The index cannot be opened.
        """
        async with self._served.lease() as index:
            return index.generation

    async def warm(self) -> Generation:
        """Open the index and load its embedder, so that nothing but the question itself can fail afterwards.

        Raises:
            IndexFault: The index cannot be opened, or its embedder cannot be loaded here.
        """
        async with self._served.lease() as index:
            await asyncio.gather(self._served.embedder(index), self._values_of_generation(index))
            return index.generation

    async def close(self) -> None:
        """Close the index, the cache, the store, and the connections to the model."""
        await self._served.close()
        await self._cache.close()
        if self._store is not None:
            await asyncio.to_thread(self._store.close)
        if self._model is not None:
            await self._model.close()

    async def search(self, question: Question, *, limit: int = 10) -> list[SearchResult]:
        """The sections that fit the question best, best first."""
        async with self._served.lease() as index:
            sections = await find_sections(await self._search_index(index), question, limit)
            return with_routes(search_results(index, sections.hits[:limit], sections.links), self.settings.prefix)

    async def draft(self, question: Question, *, limit: int = 10) -> Drafted:
        """The answer by passages, with the hits that the passages come from. The context of a model is not read."""
        async with self._served.lease() as index:
            return await draft_answer(await self._search_index(index), question, limit, self.settings)

    async def explain(self, question: Question, *, limit: int = 10) -> Explanation:
        """The hits for a question with their signals, the answer by passages, and the context for a model."""
        async with self._served.lease() as index:
            search_index = await self._search_index(index)
            drafted = await draft_answer(search_index, question, limit, self.settings)
            context, _, _ = await read_context(search_index, drafted, self.settings)
            sections = drafted.sections
            return Explanation(
                plan=sections.question.plan,
                hits=tuple(sections.hits[:limit]),
                gaps=sections.gaps,
                draft=drafted.draft,
                context=context,
                milliseconds=drafted.milliseconds,
            )

    async def ask(self, question: Question, network: str = "") -> AsyncGenerator[Event]:
        """Answer as a stream of events: `sources`, then `delta`s and `mark`s, then `done`.

        Args:
            question: What is asked.
            network: The client network to which the model's tokens are counted.
        """
        try:
            async with self._served.lease() as index, aclosing(self._answer_events(index, question, network)) as events:
                async for event in events:
                    yield self._counted(question, event) if isinstance(event, DoneEvent) else event
        except Exception as error:
            code = self.metrics.failed(error)
            if self._store is not None:
                self._store.failed(code)
            raise

    def _counted(self, question: Question, done: DoneEvent) -> DoneEvent:
        """The `done` event of an answer, which is counted and recorded. It says whether the reader may rate it."""
        answer = replace(done.answer, feedback=self._store is not None)
        self.metrics.answered(answer)
        if self._store is not None:
            self._store.answered(question, answer)
        return DoneEvent(answer)

    def rate(self, rating: Rating) -> bool | None:
        """Keep a reader's rating of an answer: None if no store is set, False if the store cannot keep it just now."""
        if self._store is None:
            return None
        is_kept = self._store.rated(rating)
        if is_kept:
            self.metrics.rated(rating.helpful, of_source=rating.source is not None)
        return is_kept

    async def _answer_events(self, index: OpenIndex, question: Question, network: str) -> AsyncGenerator[Event]:
        """The events of an answer, which is made now or comes from the cache."""
        started = time.perf_counter()
        lookup = await self._cache.look_up(index.generation.id, question)
        self.metrics.looked_up(lookup.outcome)
        if lookup.answer is not None:
            timings = {"search": 0.0, "total": milliseconds_since(started)}
            answer = self._finished(lookup.answer, index, timings, cached=True)
            for event in events_of(answer):
                yield event
                await asyncio.sleep(0)
        else:
            search_index, settings = await self._search_index(index), self.settings
            async with aclosing(
                answer_question(search_index, question, DEPTH, settings, self._model, network)
            ) as steps:
                drafted = await anext(steps)
                assert isinstance(drafted, Drafted)
                draft, timings = drafted.draft, {"search": drafted.milliseconds}
                async for step in steps:
                    if isinstance(step, Draft):
                        draft = step
                    elif not isinstance(step, Drafted):
                        yield step
            # The answer is kept only now that it is whole: a reader may have left before its end.
            timings["total"] = milliseconds_since(started)
            answer = self._finished(draft, index, timings, cached=False)
            await self._cache.keep(question, answer)
        yield DoneEvent(answer)

    def _finished(self, draft: Draft, index: OpenIndex, timings: dict[str, float], *, cached: bool) -> Answer:
        """A draft, or an answer from the cache, as the answer to one reader."""
        return extended(
            Answer,
            draft,
            # Random, since the id must not tell who asked. An answer from the cache gets a new id, so that each
            # reader's rating counts by itself.
            answer_id=secrets.token_hex(8),
            cached=cached,
            # Looked up again: an answer from the cache only has whether a build was under way when the answer was made.
            updating=is_updating(self._served.path),
            generation=index.generation.id,
            timings=timings,
        )

    async def ask_whole(self, question: Question, network: str = "") -> Answer:
        """The whole answer at once, without its events."""
        async with aclosing(self.ask(question, network)) as events:
            async for event in events:
                if isinstance(event, DoneEvent):
                    return event.answer
        raise AssertionError("an answer ends with `done` or an exception")

    async def resolve(self, link: str, page: str | None = None) -> Reference:
        """The verdict on a link, which is read as if it stood on `page`."""
        async with self._served.lease() as index:
            return resolve(index.manifest, link, page)

    async def check_text(self, text: str, page: str | None = None, sources: int | None = None) -> CheckedText:
        """Check the links and the citations of a text.

        Args:
            text: A text in Markdown.
            page: The page on which relative links of the text are read.
            sources: How many sources the text may cite; None leaves citations as they are.
        """
        async with self._served.lease() as index:
            # In a thread: a long text takes a second.
            return await asyncio.to_thread(check_text, index.manifest, text, page=page, sources=sources)

    async def document(self, key: str) -> DocumentFile | None:
        """The PDF with an id; None if the served generation has no such PDF. Its file can be read for ten minutes."""
        async with self._served.lease() as index:
            return find_document(index, key)

    async def manifest(self) -> PublishedManifest:
        """The manifest that anyone may read, without drafts and hidden pages."""
        async with self._served.lease() as index:
            published = self._manifest
            if published is None or published.generation != index.generation.id:
                published = self._manifest = await asyncio.to_thread(publish_manifest, index)
            return published

    async def questions(self) -> OfferedQuestions:
        """The questions that the widget offers to a reader who has not asked yet; made once for each generation."""
        async with self._served.lease() as index:
            cached = self._questions
            if cached is None or cached.generation != index.generation.id:
                offered = await asyncio.to_thread(offered_questions, index.manifest)
                cached = self._questions = _GenerationQuestions(index.generation.id, offered)
            return cached.offered

    async def build(self) -> ServedBuild:
        """The facts about the served generation that the widget needs."""
        offered = await self.questions()
        async with self._served.lease() as index:
            bases = tuple(site.base_url for site in index.manifest.sites if site.base_url)
            return ServedBuild(index.generation.id, bool(offered.pages), bases)

    async def _search_index(self, index: OpenIndex) -> SearchIndex:
        """The open generation with everything that a search in it needs."""
        values = await self._values_of_generation(index)
        embedder = await self._served.embedder(index)
        # The similarities of other embedders are different, and the curve of confidence was not fitted to them.
        if embedder is None or embedder.name not in FITTED:
            self._late = None
        elif self._late is None or self._late.embedder is not embedder:
            self._late = LateInteraction(embedder)
        return SearchIndex(
            index=index,
            corpus=values.corpus,
            scopes=values.scopes,
            embedder=embedder,
            late=self._late,
            weights=self.settings.weights,
            synonyms=self.settings.synonyms,
            text_of=values.text_of,
        )

    async def _values_of_generation(self, index: OpenIndex) -> _GenerationValues:
        """The scopes, the corpus and the page texts of a generation, which are read once for each generation."""
        async with self._reading_lock:
            if self._values is None or self._values.generation != index.generation.id:
                scopes = await asyncio.to_thread(Scopes, index.manifest)
                text_of = await asyncio.to_thread(page_text, index)
                self._values = _GenerationValues(index.generation.id, scopes, await Corpus.of(index), text_of)
            return self._values
