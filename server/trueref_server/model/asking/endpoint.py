"""Asks an OpenAI-compatible endpoint: Chat Completions, streamed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from trueref_core.errors import OptionError
from trueref_server.model.asking.prompt import Message

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream
    from openai.types.chat import ChatCompletionChunk

    from trueref_server.settings import Settings

logger = logging.getLogger("trueref.server")

RETRIES: Final = 1
CONNECT_SECONDS: Final = 10.0
CHARACTERS_A_TOKEN: Final = 16
"""An endpoint that does not keep to the tokens it is given is cut off at so many characters for each."""

OPENAI_HOSTS: Final = ("openai.com", "azure.com")
"""Hosts whose newer models take `max_completion_tokens` only; others know `max_tokens` only."""


LENGTH: Final = "length"
"""The reason that Chat Completions give for the end of a text which reached the tokens it was given."""

CONTENT_FILTER: Final = "content_filter"


class ModelFailure(Exception):
    """The model gave no answer. The message says why, for the log; it never holds the key.

    `is_refused` says that the endpoint did not take the request, so that it cost nothing.
    """

    def __init__(self, message: str, *, is_refused: bool = False) -> None:
        super().__init__(message)
        self.is_refused = is_refused


@dataclass(frozen=True, slots=True)
class Ending:
    """How a stream ended: why, and the tokens that the endpoint says it took and sent, 0 where it does not say."""

    reason: str = ""
    sent: int = 0
    received: int = 0


class ModelEndpoint:
    """The endpoint that the settings name. The SDK is imported when the first question is asked."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client: AsyncOpenAI | None = None
        self._lock = asyncio.Lock()

    # Long by the ways in which an endpoint fails, each told apart here.
    async def stream(self, messages: Sequence[Message], deadline: float | None = None) -> AsyncGenerator[str | Ending]:
        """The pieces of the model's text as they come, and how it ended.

        `deadline` is a time of `time.monotonic`, None for as long from now as the settings allow.

        The request ends when the generator is closed, so that a reader who leaves costs nothing more.

        Raises:
            ModelFailure: The endpoint cannot be reached, refuses, breaks off, or takes longer than the settings allow.
        """
        from openai import APITimeoutError, OpenAIError

        if deadline is None:
            deadline = time.monotonic() + self._settings.model_seconds
        left = self._settings.model_answer_tokens * CHARACTERS_A_TOKEN
        client = await self._opened()
        is_taken = False
        try:
            stream = await asyncio.wait_for(self._request(client, messages), _remaining(deadline))
            is_taken = True
            async with stream:
                async for piece in _pieces(stream, deadline):
                    if isinstance(piece, Ending):
                        if piece.reason == CONTENT_FILTER:
                            raise ModelFailure("its content filter stopped it")
                        yield piece
                        return
                    # An endpoint need not keep to the tokens that it is given, and a stream without end would be read
                    # to the deadline.
                    yield piece[:left]
                    left -= len(piece)
                    if left <= 0:
                        yield Ending(LENGTH)
                        return
        except TimeoutError as error:
            raise ModelFailure(f"it took longer than {self._settings.model_seconds} seconds") from error
        except (OpenAIError, OSError, ValueError) as error:
            # A time-out is none: the endpoint may be at work on the request.
            is_refused = not is_taken and not isinstance(error, APITimeoutError)
            raise ModelFailure(_reason(error), is_refused=is_refused) from error
        except Exception as error:
            # The HTTP library of the SDK has errors of its own, which it does not always translate.
            if type(error).__module__.partition(".")[0] not in ("httpx", "httpx2", "httpcore", "httpcore2"):
                raise
            raise ModelFailure(type(error).__name__) from error

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(RuntimeError):
                await client.close()

    async def _request(self, client: AsyncOpenAI, messages: Sequence[Message]) -> AsyncStream[ChatCompletionChunk]:
        """Send a request; the stream is still to be read."""
        # The overloads of the SDK want literal types for what here comes from settings.
        create: Any = client.chat.completions.create
        limit = "max_completion_tokens" if self._is_of_openai() else "max_tokens"
        # Without being asked to they do not say what a model used up for thoughts that nobody sees. Others may refuse a
        # field that they do not know, and are not asked.
        usage = {"stream_options": {"include_usage": True}} if self._is_of_openai() else {}
        stream: AsyncStream[ChatCompletionChunk] = await create(
            model=self._settings.model_name,
            messages=list(messages),
            stream=True,
            **{limit: self._settings.model_answer_tokens},
            **usage,
        )
        return stream

    def _is_of_openai(self) -> bool:
        """Whether the host takes the fields of OpenAI's newer models."""
        host = urlsplit(self._settings.model_url).hostname or ""
        return any(host == name or host.endswith(f".{name}") for name in OPENAI_HOSTS)

    async def _opened(self) -> AsyncOpenAI:
        """The client, made by the first question."""
        async with self._lock:
            if self._client is None:
                # The import takes a second, which other readers would wait.
                self._client = await asyncio.to_thread(_open, self._settings)
            return self._client


def _open(settings: Settings) -> AsyncOpenAI:
    """A client of the SDK, which is imported for it."""
    from openai import AsyncOpenAI, Timeout

    return AsyncOpenAI(
        base_url=settings.model_url,
        # The SDK demands one, and endpoints without keys ignore it.
        api_key=settings.model_key or "none",
        max_retries=RETRIES,
        timeout=Timeout(float(settings.model_seconds), connect=CONNECT_SECONDS),
    )


async def _pieces(stream: AsyncIterator[ChatCompletionChunk], deadline: float) -> AsyncGenerator[str | Ending]:
    """The text of a stream, and its ending. Some chunks have no choice, and the first may have no text."""
    ending = Ending()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(stream), _remaining(deadline))
        except StopAsyncIteration:
            yield ending
            return
        # The SDK does not check what comes: an endpoint may leave out what its type promises.
        choice: Any = next(iter(chunk.choices or ()), None)
        ending = Ending(
            reason=getattr(choice, "finish_reason", None) or ending.reason,
            # Where every chunk has them, the last one has the sum.
            sent=_count(chunk, "prompt_tokens") or ending.sent,
            received=_count(chunk, "completion_tokens") or ending.received,
        )
        text = getattr(getattr(choice, "delta", None), "content", None)
        if isinstance(text, str) and text:
            yield text


def _count(chunk: ChatCompletionChunk, name: str) -> int:
    """A count of tokens that a chunk tells, 0 where it tells none."""
    count: Any = getattr(getattr(chunk, "usage", None), name, None)
    return count if isinstance(count, int) and count > 0 else 0


def _remaining(deadline: float) -> float:
    """The seconds until a time of `time.monotonic`, 0 where it has passed."""
    return max(0.0, deadline - time.monotonic())


def _reason(error: Exception) -> str:
    """Why an endpoint gave no answer, by status or class alone: a message of it may quote the key."""
    status = getattr(error, "status_code", None)
    if status in (401, 403):
        return f"it refuses the key (HTTP {status}): look at TRUEREF_MODEL_KEY"
    if status == 404:
        return "it has no such model or address (HTTP 404): look at TRUEREF_MODEL_URL and TRUEREF_MODEL_NAME"
    return f"HTTP {status}" if status is not None else type(error).__name__


def require_model(settings: Settings) -> None:
    """Make sure that what a model needs is set and installed. Imports nothing.

    Raises:
        OptionError: It is not; in one line that says what to do.
    """
    from importlib.util import find_spec

    if not settings.model_name:
        raise OptionError("model_url is set, and model_name is not: name the model that the endpoint is to use.")
    missing = [package for package in ("openai", "jinja2", "itsdangerous") if find_spec(package) is None]
    if missing:
        raise OptionError(f"model_url needs {' and '.join(missing)}: pip install 'trueref[llm]'")
