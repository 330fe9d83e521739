"""The second answerer: a language model writes from the sections that were found, and every line of it is checked.

gate (links) -> lines -> facts and citations -> reader. If the text does not hold, the passages of the docs, which
the reader has seen since the sources were sent, stay the answer.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from trueref_core.text.tokens import count_tokens
from trueref_server.answering.attribution import by_kind
from trueref_server.events import DeltaEvent, MarkEvent, SourcesEvent
from trueref_server.model.asking.budget import Budget
from trueref_server.model.asking.chunks import ChunkContent, ModelFailure
from trueref_server.model.asking.endpoint import LENGTH, ModelEndpoint, require_model
from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.model.asking.prompt import Message, Prompts
from trueref_server.model.checking.verdict import SENTENCES, Fallback
from trueref_server.model.follow_up import Search
from trueref_server.model.writing import Writing, Written
from trueref_server.records import Draft, Question, Source
from trueref_server.wording import sentences

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_server.settings import Settings

logger = logging.getLogger("trueref.server")

MORE_MOST: Final = 3

BETWEEN_PASSES: Final = "\n\n"

NO_TEXT: Final = (
    "The model gave no answer: it sent no text. Look at TRUEREF_MODEL_URL, which mostly ends in /v1, and whether"
    " TRUEREF_MODEL_ANSWER_TOKENS are enough for a model that thinks first."
)


class ModelAnswerer:
    """Answers by the endpoint of the settings, within their budget.

    Args:
        settings: The server's options.
        report_tokens: Is told the tokens of each request, sent and received.

    Raises:
        OptionError: What it needs is not set or not installed, or a template of the site cannot be used.
    """

    def __init__(self, settings: Settings, report_tokens: Callable[[int, int], None]) -> None:
        require_model(settings)
        self._report_tokens = report_tokens
        self._prompts = Prompts(settings.model_prompts)
        self._prompts.check()
        self._endpoint = ModelEndpoint(settings)
        self._settings = settings
        self._budget = Budget(settings.model_day_tokens, settings.model_network_tokens, settings.rate_clients)

    async def close(self) -> None:
        """Close the connections to the endpoint."""
        await self._endpoint.close()

    # Long by its documentation, and since the second pass needs nearly all that the first one made.
    async def answer(
        self,
        question: Question,
        draft: Draft,
        sources: Sequence[ModelSource],
        manifest: Manifest,
        *,
        beside: tuple[Source, ...],
        network: str,
        language: str | None,
        search: Search,
    ) -> AsyncGenerator[DeltaEvent | MarkEvent | SourcesEvent | Draft]:
        """The text as it is checked, and at the end the draft of the whole answer.

        Args:
            question: What is asked.
            draft: The answer by passages. It is the last value if the text of the model does not hold.
            sources: What the model reads; their numbers are those of the draft's sources.
            manifest: Decides on the links that a model writes.
            beside: Sources that the draft does not list, since only a model reads what found sections lean on.
            network: The client network that the tokens are counted for.
            language: That of the sentences which are not the model's.
            search: Finds what a first pass lacks.
        """
        site = next((site.name for site in manifest.sites), "")
        messages = await asyncio.to_thread(self._prompts.messages, site, question, sources, draft.read_as)
        deadline = time.monotonic() + self._settings.model_seconds
        first = Writing(manifest, question, sources, messages[0]["content"], language)
        async with aclosing(self._pass(first, messages, network, deadline)) as events:
            async for event in events:
                yield event
        if not (first.fallback or first.raw.strip()):
            # Said of the endpoint and not of the text: a wrong address may be answered by a page, without an error.
            logger.warning(NO_TEXT)
            first.fallback = "error"
        # One follow-up: loops of search and writing cost a request for each turn, and have no bound of their own.
        sought = first.wanted() if self._settings.model_follow_ups else ""
        follow_up = await search(sought) if sought else None
        if follow_up is None or not follow_up.sources:
            for step in _finished(draft, first.judged(draft), beside, language):
                yield step
            return
        # `sources` comes a second time: what the model may cite is what the reader can open.
        added = (*beside, *follow_up.listed)
        listed = (*draft.sources, *draft.more, *added)
        yield SourcesEvent(listed, draft.excerpts)
        second = Writing(manifest, question, [*sources, *follow_up.sources], messages[0]["content"], language)
        more = await asyncio.to_thread(self._prompts.follow_up, question, follow_up.sources)
        # The model goes on, and does not begin anew: what it wrote is part of the conversation.
        messages += [{"role": "assistant", "content": first.raw}, {"role": "user", "content": more}]
        async with aclosing(self._pass(second, messages, network, deadline)) as events:
            yield DeltaEvent(BETWEEN_PASSES)
            async for event in events:
                yield _moved(event, len(first.text) + len(BETWEEN_PASSES))
        if second.fallback:
            # The first pass stands without it.
            written, added = first.judged(draft), beside
        else:
            written = second.judged(draft, first)
        for step in _finished(draft, written, added, language):
            yield step

    async def _pass(
        self, writing: Writing, messages: Sequence[Message], network: str, deadline: float
    ) -> AsyncGenerator[DeltaEvent | MarkEvent]:
        """One request, within the budget of the network, as far as its text is of use."""
        # Tokens are set aside before the request: answers under way together must not exceed the budget.
        request_tokens = await asyncio.to_thread(_tokens_of, messages)
        reserved = self._budget.reserve(network, request_tokens + self._settings.model_answer_tokens)
        if reserved is None:
            writing.fallback = "budget"
            return
        received, last, is_refused = "", ChunkContent(), False
        try:
            async with aclosing(self._endpoint.stream(messages, deadline)) as stream:
                async for last in stream:
                    received += last.text
                    for event in await asyncio.to_thread(writing.take, last.text):
                        yield event
                    if writing.fallback:
                        break
            writing.is_cut = last.reason == LENGTH
            for event in await asyncio.to_thread(writing.close):
                yield event
        except ModelFailure as failure:
            logger.warning("The model gave no answer: %s", failure)
            writing.fallback, is_refused = "error", failure.is_refused
        finally:
            # An endpoint that is down must not use up the day. What it says itself goes before our own count, which
            # knows neither the encoding of the model nor the thoughts that it does not send.
            sent = 0 if is_refused else last.sent or request_tokens
            got = last.received or count_tokens(received)
            self._budget.settle(reserved, sent + got)
            self._report_tokens(sent, got)


def _moved(event: DeltaEvent | MarkEvent, by: int) -> DeltaEvent | MarkEvent:
    """An event of a second pass, by the characters of the whole text."""
    return replace(event, start=event.start + by, end=event.end + by) if isinstance(event, MarkEvent) else event


def _finished(
    draft: Draft, written: Written, added: Sequence[Source], language: str | None
) -> Iterator[DeltaEvent | Draft]:
    """The answer by the model, or the answer by passages if the model's text does not pass the checks.

    `added` are sources of the model that the answer by passages does not list.
    """
    if written.fallback:
        yield _instead(draft, written.fallback, language)
        return
    text = written.text
    if written.is_cut:
        # What is missing may be the condition that the rest depends on.
        cut_note = f"{BETWEEN_PASSES}{sentences(language)['model_cut']}"
        text += cut_note
        yield DeltaEvent(cut_note)
    listed = [*draft.sources, *draft.more, *added]
    cited = by_kind([source for source in listed if source.n in written.cited])
    counts = written.references
    yield replace(
        draft,
        text=text,
        # The text takes the place of the cards, which the reader has seen until now.
        excerpts=(),
        sources=cited,
        more=tuple(source for source in listed if source not in cited)[:MORE_MOST],
        citations=tuple(sorted(source.n for source in cited)),
        references=replace(counts, checked=counts.checked + len(listed)),
        # If the passages are but the closest, a text that says what is missing answers no better.
        verdict=draft.verdict if written.is_refusal else "answer",
        mode="model",
        note="",
        marks=written.marks,
    )


def _instead(draft: Draft, reason: Fallback, language: str | None) -> Draft:
    """The answer by passages under a line that says why the model's text is not shown."""
    line = sentences(language)[SENTENCES[reason]]
    note = "\n\n".join(filter(None, (line, draft.note)))
    return replace(draft, text=f"{line}\n\n{draft.text}", note=note, fallback=reason)


def _tokens_of(messages: Sequence[Message]) -> int:
    """The cl100k tokens of a prompt: an estimate for other models, which count in their own way."""
    return sum(count_tokens(message["content"]) for message in messages)
