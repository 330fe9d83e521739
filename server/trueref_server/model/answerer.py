"""The second answerer: a language model writes from the sections that were found, and every line of it is checked.

gate (links) -> lines -> facts and citations -> reader. Where the text does not hold, the passages of the docs, which
the reader has seen since the sources were sent, stay the answer.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from trueref_core.text.tokens import count_tokens
from trueref_server.events import DeltaEvent, MarkEvent
from trueref_server.model.budget import Budget
from trueref_server.model.checking import AnswerChecker
from trueref_server.model.endpoint import ModelEndpoint, ModelFailure, require_model
from trueref_server.model.lines import Line, LineCutter
from trueref_server.model.numbered_sources import ModelSource
from trueref_server.model.prompt import Message, Prompts
from trueref_server.model.verdict import SENTENCES, UNSUPPORTED_MOST, Fallback, is_loop, is_refusal, leaks
from trueref_server.records import Draft, Mark, Question, ReferenceCounts
from trueref_server.references.gate import Gate
from trueref_server.references.reference_links import Links
from trueref_server.wording import sentences

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_server.settings import Settings

logger = logging.getLogger("trueref.server")

MODE: Final = "model"
LOOP_EVERY: Final = 200
"""Characters after which the text is looked at for loops again."""

MORE_MOST: Final = 3


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a model as far as it was checked, and why it is not the answer, if it is not."""

    text: str
    marks: tuple[Mark, ...]
    checker: AnswerChecker
    references: ReferenceCounts
    fallback: Fallback


class ModelAnswerer:
    """Answers by the endpoint of the settings, within their budget.

    Raises:
        OptionError: What it needs is not set or not installed, or a template of the site cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        require_model(settings)
        self._prompts = Prompts(settings.model_prompts)
        self._prompts.check()
        self._endpoint = ModelEndpoint(settings)
        self._tokens = settings.model_answer_tokens
        self._budget = Budget(settings.model_day_tokens, settings.model_network_tokens, settings.rate_clients)

    async def close(self) -> None:
        """Close the connections to the endpoint."""
        await self._endpoint.close()

    async def answer(
        self,
        question: Question,
        draft: Draft,
        sources: Sequence[ModelSource],
        manifest: Manifest,
        *,
        network: str = "",
        language: str | None = None,
    ) -> AsyncGenerator[DeltaEvent | MarkEvent | Draft]:
        """The text as it is checked, and at the end the draft of the whole answer.

        Args:
            question: What is asked.
            draft: The answer by passages. It is the last value where the text of the model does not hold.
            sources: What the model reads; their numbers are those of the draft's sources.
            manifest: Decides on the links that a model writes.
            network: The client network that the tokens are counted for.
            language: That of the sentences which are not the model's.
        """
        site = next((site.name for site in manifest.sites), "")
        messages = await asyncio.to_thread(self._prompts.messages, site, question, sources, draft.read_as)
        asked = await asyncio.to_thread(_tokens_of, messages)
        if not self._budget.reserve(network, asked + self._tokens):
            yield _instead(draft, "budget", language)
            return
        writing = _Writing(manifest, question, sources, messages[0]["content"])
        spent = asked
        try:
            async with aclosing(self._endpoint.stream(messages)) as stream:
                async for piece in stream:
                    spent += 1
                    for event in await asyncio.to_thread(writing.take, piece):
                        yield event
                    if writing.fallback:
                        break
            for event in await asyncio.to_thread(writing.close):
                yield event
        except ModelFailure as failure:
            logger.warning("The model gave no answer: %s", failure)
            writing.fallback = "error"
        finally:
            # A piece of a stream is about a token; what was not used is there for others.
            self._budget.give_back(network, max(0, asked + self._tokens - spent))
        yield _finished(draft, writing.written(draft), language)


class _Writing:
    """One answer while it comes in."""

    def __init__(self, manifest: Manifest, question: Question, sources: Sequence[ModelSource], rules: str) -> None:
        self.fallback: Fallback = ""
        self._rules = rules
        self._gate = Gate(Links(manifest, question.page), max((source.n for source in sources), default=0))
        self._lines = LineCutter()
        self._numbers = {source.n for source in sources}
        self._checker = AnswerChecker(sources, question.text)
        self._raw = ""
        self._looked_at = 0
        self._text = ""
        self._marks: list[Mark] = []

    def take(self, piece: str) -> list[DeltaEvent | MarkEvent]:
        """Take a piece of the model, and give what may be shown by now."""
        self._raw += piece
        if len(self._raw) - self._looked_at >= LOOP_EVERY:
            self._looked_at = len(self._raw)
            if is_loop(self._raw):
                self.fallback = "loop"
                return []
        return self._checked(self._lines.push(self._gate.push(piece)))

    def close(self) -> list[DeltaEvent | MarkEvent]:
        """Give the rest."""
        if self.fallback:
            return []
        lines = self._lines.push(self._gate.close())
        return self._checked([*lines, *self._lines.close()])

    def written(self, draft: Draft) -> Written:
        """The whole text, judged."""
        fallback = self.fallback or self._judged(draft)
        return Written(self._text, tuple(self._marks), self._checker, self._gate.counts, fallback)

    def _judged(self, draft: Draft) -> Fallback:
        if is_loop(self._raw):
            return "loop"
        if leaks(self._text, self._rules):
            return "prompt"
        if is_refusal(self._text) and draft.verdict == "answer":
            return "refusal"
        if not self._checker.cited & self._numbers:
            return "uncited"
        if self._checker.unsupported > UNSUPPORTED_MOST * max(1, self._checker.statements):
            return "unsupported"
        return ""

    def _checked(self, lines: Sequence[Line]) -> list[DeltaEvent | MarkEvent]:
        events: list[DeltaEvent | MarkEvent] = []
        for line in lines:
            checked = self._checker.check(line)
            at = len(self._text)
            self._text += checked.text
            events.append(DeltaEvent(checked.text))
            for found in checked.findings:
                mark = Mark(at + found.start, at + found.end, found.reason)
                self._marks.append(mark)
                events.append(MarkEvent(mark.start, mark.end, mark.reason))
        return events


def _finished(draft: Draft, written: Written, language: str | None) -> Draft:
    """The answer by the model, or the one by passages where that does not hold."""
    if written.fallback:
        return _instead(draft, written.fallback, language)
    listed = [*draft.sources, *draft.more]
    cited = tuple(source for source in listed if source.n in written.checker.cited)
    counts = written.references
    return replace(
        draft,
        text=written.text,
        excerpts=(),
        sources=cited,
        more=tuple(source for source in listed if source not in cited)[:MORE_MOST],
        citations=tuple(source.n for source in cited),
        references=replace(counts, checked=counts.checked + len(listed)),
        verdict="answer",
        mode=MODE,
        note="",
        marks=written.marks,
    )


def _instead(draft: Draft, reason: Fallback, language: str | None) -> Draft:
    line = sentences(language)[SENTENCES[reason]]
    note = "\n\n".join(filter(None, (line, draft.note)))
    return replace(draft, text=f"{line}\n\n{draft.text}", note=note, fallback=reason)


def _tokens_of(messages: Sequence[Message]) -> int:
    return sum(count_tokens(message["content"]) for message in messages)
