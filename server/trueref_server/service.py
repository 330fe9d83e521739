"""Questions in, answers out: the one object that the HTTP side, the command line and the evaluation share."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from trueref_core.export.offered_questions import OfferedQuestions, offered_questions
from trueref_core.links.resolve import resolve
from trueref_server.answer_cache.cache import AnswerCache
from trueref_server.answer_cache.replay import replayed
from trueref_server.answering.attribution import PageText, attributed, page_text
from trueref_server.answering.context import ContextSection, context_of
from trueref_server.answering.extractive import answer_extractively
from trueref_server.answering.numbering import Numbering
from trueref_server.corpus.corpus import Corpus
from trueref_server.events import DeltaEvent, DoneEvent, Event, SourcesEvent, pieces
from trueref_server.index.live_index import ServedIndex
from trueref_server.index.pdf_documents import DocumentFile, find_document, with_routes, without_route
from trueref_server.index.published_manifest import PublishedManifest, publish_manifest
from trueref_server.metrics import Metrics
from trueref_server.model.answerer import ModelAnswerer
from trueref_server.model.follow_up import Found as FoundMore
from trueref_server.model.numbered_sources import model_sources
from trueref_server.question.scope import Scopes
from trueref_server.ranking.confidence import DEPTH
from trueref_server.ranking.late_interaction import FITTED, LateInteraction
from trueref_server.records import (
    Answer,
    CheckedText,
    Draft,
    Evidence,
    Hit,
    Plan,
    Question,
    SearchResult,
    ServedBuild,
    Source,
)
from trueref_server.references.gate import check_text
from trueref_server.search.evidence import gather
from trueref_server.search.finder import Finder
from trueref_server.search.gaps import Gaps
from trueref_server.search.results import search_results
from trueref_server.search.search_rounds import Found

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.records import Generation, Reference
    from trueref_server.ranking.signals import Asked
    from trueref_server.settings import Settings
    from trueref_server.store.rating import Rating
    from trueref_server.store.store import InsightStore


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found for a question, and the answer to it. `milliseconds` is the time of the search alone.

    `gaps` is what the first round of searches left out, `draft` the answer, `context` what a model would be given to
    read.
    """

    plan: Plan
    hits: tuple[Hit, ...]
    gaps: Gaps
    draft: Draft
    context: tuple[ContextSection, ...]
    milliseconds: float


FOLLOW_UP_SECTIONS: Final = 2
"""Sections that a follow-up may add."""


class Service:
    """One index and its answers. Cheap to make: the index is opened by the first call that needs it.

    Args:
        settings: The server's options.
        cache: Where answers are kept that were given before; None is the memory of this process.
        store: Where it is kept what became of questions; None keeps nothing.
        metrics: The counters, where they are made before; None makes some.

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
        self._served = ServedIndex(settings.index)
        self._cache = cache or AnswerCache(settings)
        self.metrics = metrics or Metrics()
        self._model = ModelAnswerer(settings, self.metrics.spent) if settings.model_url else None
        self._manifest: PublishedManifest | None = None
        self._questions: tuple[str, OfferedQuestions] | None = None
        self._reading_lock = asyncio.Lock()
        self._words: LateInteraction | None = None
        self._read: tuple[str, Scopes, Corpus] | None = None
        self._texts: tuple[str, PageText] | None = None

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
            found, _ = await self._find(index, question, limit)
            return with_routes(search_results(index, found.hits[:limit], found.links), self.settings.prefix)

    async def look_up(self, question: Question, *, limit: int = 10) -> Findings:
        """The hits for a question with the signals behind them, and the evidence an answer would rest on."""
        async with self._served.lease() as index:
            started = time.perf_counter()
            found, note = await self._find(index, question, limit)
            spent = _milliseconds(started)
            evidence, draft = await self._draft(index, question, found, note)
            context = context_of(evidence, self.settings.context_tokens)
            return Findings(evidence.plan, tuple(found.hits[:limit]), found.gaps, draft, context, spent)

    async def ask(self, question: Question, network: str = "") -> AsyncGenerator[Event]:
        """Answer as a stream of events: `sources`, then `delta`s and `mark`s, then `done`.

        Args:
            question: What is asked.
            network: The client network, which the tokens of a model are counted for.
        """
        try:
            async with self._served.lease() as index, aclosing(self._asked(index, question, network)) as events:
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
        """Keep what a reader says of an answer: None where nothing is kept, False where it cannot be just now."""
        if self._store is None:
            return None
        is_kept = self._store.rated(rating)
        if is_kept:
            self.metrics.rated(rating.helpful, of_source=rating.source is not None)
        return is_kept

    async def _asked(self, index: OpenIndex, question: Question, network: str) -> AsyncGenerator[Event]:
        """The events of an answer, made or kept."""
        started = time.perf_counter()
        looked_up = await self._cache.look_up(index.generation.id, question)
        self.metrics.looked_up(looked_up.outcome)
        if looked_up.answer is not None:
            updating = self._served.is_updating()
            events, answer = replayed(looked_up.answer, _new_id(), _milliseconds(started), updating=updating)
            for event in events:
                yield event
                await asyncio.sleep(0)
        else:
            found, note = await self._find(index, question, DEPTH)
            timings = {"search": _milliseconds(started)}
            evidence, draft = await self._draft(index, question, found, note)
            # Where nothing is near, a model has nothing to write from.
            is_written = self._model is not None and draft.verdict != "not-found"
            async with aclosing(
                self._written(index, question, evidence, draft, network) if is_written else _passages(draft)
            ) as steps:
                async for step in steps:
                    if isinstance(step, Draft):
                        draft = step
                    else:
                        yield step
            timings["total"] = _milliseconds(started)
            answer = _finish(draft, index.generation.id, timings, updating=self._served.is_updating())
            await self._cache.keep(question, answer)
        yield DoneEvent(answer)

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
        """The PDF with an id, None where the served generation has none. Readable for ten minutes."""
        async with self._served.lease() as index:
            return find_document(index, key)

    async def manifest(self) -> PublishedManifest:
        """The manifest that anyone may read, without drafts and hidden pages."""
        async with self._served.lease() as index:
            made = self._manifest
            if made is None or made.generation != index.generation.id:
                made = self._manifest = await asyncio.to_thread(publish_manifest, index)
            return made

    async def questions(self) -> OfferedQuestions:
        """What the widget offers to a reader who has not asked yet; made once a generation."""
        async with self._served.lease() as index:
            made = self._questions
            if made is None or made[0] != index.generation.id:
                offered = await asyncio.to_thread(offered_questions, index.manifest)
                made = self._questions = (index.generation.id, offered)
            return made[1]

    async def build(self) -> ServedBuild:
        """What the widget has to know of the served generation."""
        offered = await self.questions()
        async with self._served.lease() as index:
            bases = tuple(site.base_url for site in index.manifest.sites if site.base_url)
            return ServedBuild(index.generation.id, bool(offered.pages), bases)

    async def _find(self, index: OpenIndex, question: Question, limit: int) -> tuple[Found, str]:
        """What is found, and the note for the reader."""
        scopes, corpus = await self._reading(index)
        embedder, late = await self._served.embedder(index), await self._late(index)
        finder = Finder(
            index=index,
            corpus=corpus,
            scopes=scopes,
            embedder=embedder,
            late=late,
            weights=self.settings.weights,
            synonyms=self.settings.synonyms,
        )
        return await finder.find(question, limit)

    async def _draft(self, index: OpenIndex, question: Question, found: Found, note: str) -> tuple[Evidence, Draft]:
        """What an answer rests on, and the answer."""
        evidence = await gather(index, found.asked, found.hits)
        late, prefix = await self._late(index), self.settings.prefix
        parts: list[tuple[Asked, Evidence]] = []
        # What leans on a conversation has been read with it as a whole.
        for part in () if found.asked.plan.carried else found.asked.plan.asks:
            own, _ = await self._find(index, replace(question, text=part, history=()), DEPTH)
            parts.append((own.asked, await gather(index, own.asked, own.hits)))
        # Not on the event loop: to read passages takes milliseconds that other readers would wait.
        numbering = Numbering(question.numbered)
        draft = await asyncio.to_thread(
            answer_extractively, found.asked, evidence, index.manifest, late, note, parts, numbering
        )
        text_of = await self._page_text(index)
        draft = await asyncio.to_thread(attributed, draft, text_of, found.asked.plan.language or question.language)
        sources, more = (tuple(with_routes(listed, prefix)) for listed in (draft.sources, draft.more))
        return evidence, replace(draft, sources=sources, more=more)

    async def _written(
        self, index: OpenIndex, question: Question, evidence: Evidence, draft: Draft, network: str
    ) -> AsyncGenerator[Event | Draft]:
        """The answer by the model. Its sources, and the passages that are read meanwhile, leave at once."""
        assert self._model is not None
        context = context_of(evidence, self.settings.context_tokens)
        listed = (*draft.sources, *draft.more)
        sources = model_sources(listed, context, question.version or "")
        numbers = {source.n for source in sources}
        yield SourcesEvent(tuple(source for source in listed if source.n in numbers), draft.excerpts)
        async with aclosing(
            self._model.answer(
                question,
                draft,
                sources,
                index.manifest,
                network=network,
                language=evidence.plan.language,
                search=partial(self._further, index, question, listed),
            )
        ) as steps:
            async for step in steps:
                yield step

    async def _further(self, index: OpenIndex, question: Question, listed: Sequence[Source], text: str) -> FoundMore:
        """What a model lacks, in sections that it has not read: nothing where none is likely to have it."""
        numbered = [""] * max((source.n for source in listed), default=0)
        for source in listed:
            numbered[source.n - 1] = without_route(source.href, self.settings.prefix)
        sought = replace(question, text=text, history=(), numbered=tuple(numbered))
        found, note = await self._find(index, sought, DEPTH)
        evidence, draft = await self._draft(index, sought, found, note)
        known = {source.n for source in listed}
        # What answers best, as far as the model has not read it.
        opened = [source for source in draft.sources if source.n in draft.citations]
        new = [source for source in opened if source.n not in known][:FOLLOW_UP_SECTIONS]
        if draft.verdict != "answer" or not new:
            return FoundMore((), ())
        context = context_of(evidence, self.settings.context_tokens // 2)
        sources = model_sources(new, context, question.version or "")
        numbers = {source.n for source in sources}
        return FoundMore(tuple(source for source in new if source.n in numbers), sources)

    async def _late(self, index: OpenIndex) -> LateInteraction | None:
        embedder = await self._served.embedder(index)
        if embedder is None or embedder.name not in FITTED:
            return None
        if self._words is None or self._words.embedder is not embedder:
            self._words = LateInteraction(embedder)
        return self._words

    async def _page_text(self, index: OpenIndex) -> PageText:
        """Reads the texts of pages, in which quotes are proved."""
        if self._texts is None or self._texts[0] != index.generation.id:
            self._texts = (index.generation.id, await asyncio.to_thread(page_text, index))
        return self._texts[1]

    async def _reading(self, index: OpenIndex) -> tuple[Scopes, Corpus]:
        """What is read once of each generation."""
        async with self._reading_lock:
            if self._read is None or self._read[0] != index.generation.id:
                scopes = await asyncio.to_thread(Scopes, index.manifest)
                self._read = (index.generation.id, scopes, await Corpus.of(index))
            return self._read[1:]


async def _passages(draft: Draft) -> AsyncGenerator[Event | Draft]:
    """The answer by passages, which are there as a whole."""
    yield SourcesEvent(draft.sources, ())
    for piece in pieces(draft.text):
        yield DeltaEvent(piece)
        # Hands the loop on, so that each piece leaves and a reader who has gone is noticed.
        await asyncio.sleep(0)


def _finish(draft: Draft, generation: str, timings: dict[str, float], *, updating: bool) -> Answer:
    return Answer(
        answer_id=_new_id(),
        text=draft.text,
        excerpts=draft.excerpts,
        more=draft.more,
        note=draft.note,
        read_as=draft.read_as,
        marks=draft.marks,
        fallback=draft.fallback,
        sources=draft.sources,
        citations=draft.citations,
        verdict=draft.verdict,
        confidence=draft.confidence,
        references=draft.references,
        mode=draft.mode,
        cached=False,
        updating=updating,
        generation=generation,
        timings=timings,
    )


def _new_id() -> str:
    return secrets.token_hex(8)


def _milliseconds(since: float) -> float:
    return round((time.perf_counter() - since) * 1000, 3)
