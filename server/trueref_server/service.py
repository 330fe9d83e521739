"""Questions in, answers out: the one object that the HTTP side, the command line and the evaluation share."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

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
    draft_answer,
    find_sections,
    milliseconds_since,
    read_context,
    stream_answer,
)
from trueref_server.question.scope import Scopes
from trueref_server.ranking.confidence import DEPTH
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


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of a search for a question, and the answer to it. `milliseconds` is the time of the search alone.

    `gaps` is what the first round of searches left out, `draft` the answer, `context` what a model would be given to
    read.
    """

    plan: Plan
    hits: tuple[Hit, ...]
    gaps: Gaps
    draft: Draft
    context: tuple[ContextSection, ...]
    milliseconds: float


class Service:
    """One index and its answers. Cheap to make: the index is opened by the first call that needs it.

    Args:
        settings: The server's options.
        cache: Where answers are kept that were given before; None is the memory of this process.
        store: Where it is recorded what became of questions; None records nothing.
        metrics: The counters, if they were made before; None makes new ones.

    Raises:
        OptionError: The settings name a model, and it cannot be used as they say.
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
            # Here: a command without a model would load what checks its answers for nothing.
            from trueref_server.model.answerer import ModelAnswerer

            self._model = ModelAnswerer(settings, self.metrics.spent)
        self._manifest: PublishedManifest | None = None
        self._questions: tuple[str, OfferedQuestions] | None = None
        # Two first questions must not both read the whole index: the second one waits for what the first has read.
        self._reading_lock = asyncio.Lock()
        self._late: LateInteraction | None = None
        self._read: tuple[str, Scopes, Corpus, PageText] | None = None

    async def ready(self) -> Generation:
        """Open the index if it is not open yet, and say which generation is served.

        Both the lifespan and the first request call this: a bridge from WSGI never runs the lifespan.

        Raises:
            IndexFault: The index cannot be opened.
        """
        async with self._served.lease() as index:
            return index.generation

    async def warm(self) -> Generation:
        """Open the index and load its embedder, so that nothing but the question itself can fail afterwards.

        Raises:
            IndexFault: The index cannot be opened, or its embedder is not to be had here.
        """
        async with self._served.lease() as index:
            await asyncio.gather(self._served.embedder(index), self._reading(index))
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
            sections = await find_sections(await self._ready(index), question, limit)
            return with_routes(search_results(index, sections.hits[:limit], sections.links), self.settings.prefix)

    async def draft(self, question: Question, *, limit: int = 10) -> Drafted:
        """The answer by passages, with the hits that it was made of; nothing is read for a model."""
        async with self._served.lease() as index:
            return await draft_answer(await self._ready(index), question, limit, self.settings.prefix)

    async def look_up(self, question: Question, *, limit: int = 10) -> Findings:
        """The hits for a question with the signals behind them, and the evidence an answer would rest on."""
        async with self._served.lease() as index:
            ready = await self._ready(index)
            drafted = await draft_answer(ready, question, limit, self.settings.prefix)
            context, _ = await read_context(ready, drafted, self.settings)
            sections = drafted.sections
            return Findings(
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
            network: The client network, which the tokens of a model are counted for.
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
        """The event of a whole answer, counted and kept; it says whether the reader may rate it."""
        answer = replace(done.answer, feedback=self._store is not None)
        self.metrics.answered(answer)
        if self._store is not None:
            self._store.answered(question, answer)
        return DoneEvent(answer)

    def rate(self, rating: Rating) -> bool | None:
        """Keep what a reader says of an answer: None if nothing is kept, False if it cannot be just now."""
        if self._store is None:
            return None
        is_kept = self._store.rated(rating)
        if is_kept:
            self.metrics.rated(rating.helpful, of_source=rating.source is not None)
        return is_kept

    async def _answer_events(self, index: OpenIndex, question: Question, network: str) -> AsyncGenerator[Event]:
        """The events of an answer, made or kept."""
        started = time.perf_counter()
        looked_up = await self._cache.look_up(index.generation.id, question)
        self.metrics.looked_up(looked_up.outcome)
        if looked_up.answer is not None:
            timings = {"search": 0.0, "total": milliseconds_since(started)}
            answer = self._finished(looked_up.answer, index, timings, cached=True)
            for event in events_of(answer):
                yield event
                await asyncio.sleep(0)
        else:
            ready = await self._ready(index)
            drafted = await draft_answer(ready, question, DEPTH, self.settings.prefix)
            draft, timings = drafted.draft, {"search": drafted.milliseconds}
            answer_steps = stream_answer(ready, question, drafted, self._model, self.settings, network=network)
            async with aclosing(answer_steps) as steps:
                async for step in steps:
                    if isinstance(step, Draft):
                        draft = step
                    else:
                        yield step
            # Only now, when the answer is whole: a reader may have left before its end.
            timings["total"] = milliseconds_since(started)
            answer = self._finished(draft, index, timings, cached=False)
            await self._cache.keep(question, answer)
        yield DoneEvent(answer)

    def _finished(self, draft: Draft, index: OpenIndex, timings: dict[str, float], *, cached: bool) -> Answer:
        """A draft, or an answer that was kept, as the answer to one reader."""
        return extended(
            Answer,
            draft,
            # Random, since nothing in it is to say who asked. A kept answer gets a new one: it is rated by itself.
            answer_id=secrets.token_hex(8),
            cached=cached,
            # A kept answer only knows whether a build was under way when it was made.
            updating=is_updating(self._served.path),
            generation=index.generation.id,
            timings=timings,
        )

    async def ask_whole(self, question: Question, network: str = "") -> Answer:
        """Answer in one piece."""
        async with aclosing(self.ask(question, network)) as events:
            async for event in events:
                if isinstance(event, DoneEvent):
                    return event.answer
        raise AssertionError("an answer ends with `done` or an exception")

    async def resolve(self, link: str, page: str | None = None) -> Reference:
        """The verdict on a link, read as if it stood on `page`."""
        async with self._served.lease() as index:
            return resolve(index.manifest, link, page)

    async def check_text(self, text: str, page: str | None = None, sources: int | None = None) -> CheckedText:
        """A text with links that land only, read as if it stood on `page`, and citations of so many sources."""
        async with self._served.lease() as index:
            # Not on the event loop: a long text takes a second.
            return await asyncio.to_thread(check_text, index.manifest, text, page=page, sources=sources)

    async def document(self, key: str) -> DocumentFile | None:
        """The PDF with an id, None if the served generation has none. Readable for ten minutes."""
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
        """The questions that the widget offers to a reader who has not asked yet; made once for a generation."""
        async with self._served.lease() as index:
            current = self._questions
            if current is None or current[0] != index.generation.id:
                offered = await asyncio.to_thread(offered_questions, index.manifest)
                current = self._questions = (index.generation.id, offered)
            return current[1]

    async def build(self) -> ServedBuild:
        """The facts about the served generation that the widget needs."""
        offered = await self.questions()
        async with self._served.lease() as index:
            bases = tuple(site.base_url for site in index.manifest.sites if site.base_url)
            return ServedBuild(index.generation.id, bool(offered.pages), bases)

    async def _ready(self, index: OpenIndex) -> SearchIndex:
        """The open generation with all that a search of it needs."""
        scopes, corpus, text_of = await self._reading(index)
        embedder = await self._served.embedder(index)
        # Other embedders have other similarities, for which the curve of confidence says nothing.
        if embedder is None or embedder.name not in FITTED:
            self._late = None
        elif self._late is None or self._late.embedder is not embedder:
            self._late = LateInteraction(embedder)
        return SearchIndex(
            index=index,
            corpus=corpus,
            scopes=scopes,
            embedder=embedder,
            late=self._late,
            weights=self.settings.weights,
            synonyms=self.settings.synonyms,
            text_of=text_of,
        )

    async def _reading(self, index: OpenIndex) -> tuple[Scopes, Corpus, PageText]:
        """The values that are read once for each generation."""
        async with self._reading_lock:
            if self._read is None or self._read[0] != index.generation.id:
                scopes = await asyncio.to_thread(Scopes, index.manifest)
                text_of = await asyncio.to_thread(page_text, index)
                self._read = (index.generation.id, scopes, await Corpus.of(index), text_of)
            return self._read[1:]
