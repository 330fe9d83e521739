"""Answers by a language model: it writes from the sections of a search, and every line of its text is checked.

The text passes the gate, which checks links, then the cutter of lines, then the check of facts and citations, and only
then reaches the reader. If the text fails a check, the answer stays the passages of the docs, which the reader has seen
since the sources were sent.
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
from trueref_server.answering.attribution import PageText, by_kind
from trueref_server.events import DeltaEvent, MarkEvent, SourcesEvent
from trueref_server.model.asking.budget import Budget
from trueref_server.model.asking.chunks import ChunkContent, ModelFailure
from trueref_server.model.asking.endpoint import LENGTH, ModelEndpoint, require_model
from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.model.asking.prompt import Message, Prompts
from trueref_server.model.checking.verdict import FALLBACK_SENTENCES
from trueref_server.model.follow_up import Search
from trueref_server.model.quotes import with_quotes
from trueref_server.model.writing import JudgedText, PassChecker
from trueref_server.records import Draft, Fallback, Question, Source
from trueref_server.wording import sentences

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_server.settings import Settings

logger = logging.getLogger("trueref.server")

MAX_MORE: Final = 3
"""An answer by a model lists at most this many sources that it does not cite."""

BETWEEN_PASSES: Final = "\n\n"

NO_TEXT: Final = (
    "The model gave no answer: it sent no text. Check TRUEREF_MODEL_URL, which usually ends in /v1. If the model thinks"
    " before it answers, raise TRUEREF_MODEL_ANSWER_TOKENS."
)


class ModelAnswerer:
    """Answers with the endpoint that the settings name, within the budget of tokens that they set.

    Args:
        settings: The server's options.
        report_tokens: Called after each request with the tokens sent and the tokens received.

    Raises:
        OptionError: An option that the model needs is not set, a package is not installed, or a template of the site
            cannot be rendered.
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

    # Over 40 lines: its documentation is long, and the second pass uses nearly every value of the first.
    async def answer(
        self,
        question: Question,
        draft: Draft,
        sources: Sequence[ModelSource],
        manifest: Manifest,
        *,
        extra_sources: tuple[Source, ...],
        network: str,
        language: str | None,
        search: Search,
        text_of: PageText,
    ) -> AsyncGenerator[DeltaEvent | MarkEvent | SourcesEvent | Draft]:
        """Yield the model's text in pieces as they pass the checks, and at the end the draft of the whole answer.

        Args:
            question: What is asked.
            draft: The answer by passages. It is yielded last if the text of the model fails a check.
            sources: The sources that the model reads, with the numbers that they have in the draft.
            manifest: Decides on the links that a model writes.
            extra_sources: Sources that the draft does not list: sections that the found ones refer to. Only a model
                reads them.
            network: The client network whose budget the tokens count against.
            language: The language of the server's own sentences, such as the note below a text that was cut.
            search: Runs the search for what the first pass says is missing.
            text_of: Gives the text of a page, which proves that the page has a sentence that the model quotes.
        """
        site = next((site.name for site in manifest.sites), "")
        messages = await asyncio.to_thread(self._prompts.messages, site, question, sources, draft.read_as)
        deadline = time.monotonic() + self._settings.model_seconds
        first_pass = PassChecker(manifest, question, sources, messages[0]["content"], language)
        async with aclosing(self._run_pass(first_pass, messages, network, deadline)) as events:
            async for event in events:
                yield event
        if not (first_pass.fallback or first_pass.raw.strip()):
            # Treated as an error of the endpoint, not as a bad text: a wrong address may answer without text and
            # without an error.
            logger.warning(NO_TEXT)
            first_pass.give_up("error")
        # Only one follow-up: a loop of searching and writing costs a request a turn, and does not end by itself.
        follow_up_query = first_pass.follow_up_query() if self._settings.model_follow_ups else ""
        follow_up = await search(follow_up_query) if follow_up_query else None
        if follow_up is None or not follow_up.sources:
            for final_event in _final_events(draft, first_pass.judged(draft), extra_sources, language):
                yield await _with_quotes(final_event, sources, text_of)
            return
        # The event `sources` is sent a second time, so that the reader can open every source that the model may cite.
        all_extra_sources = (*extra_sources, *follow_up.listed)
        listed_sources = (*draft.sources, *draft.more, *all_extra_sources)
        yield SourcesEvent(listed_sources, draft.excerpts)
        all_sources = [*sources, *follow_up.sources]
        second_pass = PassChecker(manifest, question, all_sources, messages[0]["content"], language)
        follow_up_message = await asyncio.to_thread(self._prompts.follow_up, question, follow_up.sources)
        # The model continues its text and does not begin again, since the conversation has what it wrote.
        messages += [{"role": "assistant", "content": first_pass.raw}, {"role": "user", "content": follow_up_message}]
        async with aclosing(self._run_pass(second_pass, messages, network, deadline)) as events:
            yield DeltaEvent(BETWEEN_PASSES)
            async for event in events:
                yield _shifted(event, len(first_pass.text) + len(BETWEEN_PASSES))
        if second_pass.fallback:
            # The first pass alone is the answer.
            judged_text, all_extra_sources = first_pass.judged(draft), extra_sources
        else:
            judged_text = second_pass.judged(draft, first_pass)
        for final_event in _final_events(draft, judged_text, all_extra_sources, language):
            yield await _with_quotes(final_event, all_sources, text_of)

    async def _run_pass(
        self, checker: PassChecker, messages: Sequence[Message], network: str, deadline: float
    ) -> AsyncGenerator[DeltaEvent | MarkEvent]:
        """Send one request within the network's budget, and yield its events until the text ends or fails a check."""
        # Tokens are reserved before the request, so that answers which run at the same time do not exceed the budget
        # together.
        request_tokens = await asyncio.to_thread(_prompt_tokens, messages)
        reservation = self._budget.reserve(network, request_tokens + self._settings.model_answer_tokens)
        if reservation is None:
            checker.give_up("budget")
            return
        received_text, last_chunk, is_refused = "", ChunkContent(), False
        try:
            async with aclosing(self._endpoint.stream(messages, deadline)) as stream:
                async for last_chunk in stream:
                    received_text += last_chunk.text
                    for event in await asyncio.to_thread(checker.take, last_chunk.text):
                        yield event
                    if checker.fallback:
                        break
            for event in await asyncio.to_thread(checker.close, is_cut=last_chunk.reason == LENGTH):
                yield event
        except ModelFailure as failure:
            logger.warning("The model gave no answer: %s", failure)
            checker.give_up("error")
            is_refused = failure.is_refused
        finally:
            # A refused request costs nothing: an endpoint that is down must not use up the day's budget. The endpoint's
            # own counts are preferred to ours, which knows neither the model's encoding nor reasoning that is not sent.
            tokens_sent = 0 if is_refused else last_chunk.sent or request_tokens
            tokens_received = last_chunk.received or count_tokens(received_text)
            self._budget.settle(reservation, tokens_sent + tokens_received)
            self._report_tokens(tokens_sent, tokens_received)


def _shifted(event: DeltaEvent | MarkEvent, offset: int) -> DeltaEvent | MarkEvent:
    """An event of the second pass, with its positions counted from the beginning of the whole text."""
    return replace(event, start=event.start + offset, end=event.end + offset) if isinstance(event, MarkEvent) else event


def _final_events(
    draft: Draft, judged_text: JudgedText, extra_sources: Sequence[Source], language: str | None
) -> Iterator[DeltaEvent | Draft]:
    """The last events of an answer: that of the model, or that by passages if the model's text failed a check.

    `extra_sources` are sources of the model that the answer by passages does not list.
    """
    if judged_text.fallback:
        yield _fallback_draft(draft, judged_text.fallback, language)
        return
    text = judged_text.text
    if judged_text.is_cut:
        # The reader is told, since the missing end may be the condition that the rest depends on.
        cut_note = f"{BETWEEN_PASSES}{sentences(language)['model_cut']}"
        text += cut_note
        yield DeltaEvent(cut_note)
    all_sources = [*draft.sources, *draft.more, *extra_sources]
    cited = by_kind([source for source in all_sources if source.n in judged_text.cited])
    counts = judged_text.references
    yield replace(
        draft,
        text=text,
        # The text replaces the cards, which the reader has seen until now.
        excerpts=(),
        sources=cited,
        more=tuple(source for source in all_sources if source not in cited)[:MAX_MORE],
        citations=tuple(sorted(source.n for source in cited)),
        references=replace(counts, checked=counts.checked + len(all_sources)),
        # A draft that shows only the closest sections stays that, if the model's text only says what is missing.
        verdict=draft.verdict if judged_text.is_refusal else "answer",
        mode="model",
        note="",
        marks=judged_text.marks,
    )


async def _with_quotes(
    event: DeltaEvent | Draft, sources: Sequence[ModelSource], text_of: PageText
) -> DeltaEvent | Draft:
    """The draft of a model's text with the sentences that it quotes; any other event as it is."""
    if isinstance(event, Draft) and not event.fallback:
        return await asyncio.to_thread(with_quotes, event, sources, text_of)
    return event


def _fallback_draft(draft: Draft, reason: Fallback, language: str | None) -> Draft:
    """The answer by passages under a line that says why the model's text is not shown."""
    line = sentences(language)[FALLBACK_SENTENCES[reason]]
    note = "\n\n".join(filter(None, (line, draft.note)))
    return replace(draft, text=f"{line}\n\n{draft.text}", note=note, fallback=reason)


def _prompt_tokens(messages: Sequence[Message]) -> int:
    """The cl100k tokens of a prompt: an estimate, since other models have other encodings."""
    return sum(count_tokens(message["content"]) for message in messages)
