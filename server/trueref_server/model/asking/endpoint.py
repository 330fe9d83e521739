"""Asks an OpenAI-compatible endpoint: Chat Completions, streamed."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from trueref_core.errors import OptionError
from trueref_server.model.asking.chunks import JSON, ChunkContent, ChunkReader, ModelFailure
from trueref_server.model.asking.prompt import Message

if TYPE_CHECKING:
    from openai import AsyncAPIResponse, AsyncOpenAI

    from trueref_server.settings import Settings

    Response = AsyncAPIResponse[Any]

RETRY_SECONDS: Final = 0.5
RETRY_WAIT_MOST: Final = 5.0
"""Seconds that an endpoint may ask to wait before a request is sent once more. Beyond that the passages answer at once:
an answer that waits takes the place of another reader."""

PASSING: Final = (408, 409, 429)
"""Statuses after which another try may succeed, besides those of 500 and above."""

CONNECT_SECONDS: Final = 10.0
END_SECONDS: Final = 0.1
CHARACTERS_A_TOKEN: Final = 16
"""An endpoint that does not keep to the tokens it is given is cut off at so many characters for each."""

OPENAI_HOSTS: Final = ("openai.com", "azure.com")
"""Hosts whose newer models take `max_completion_tokens` only; others know `max_tokens` only."""


LENGTH: Final = "length"
"""The reason that Chat Completions give for the end of a text which reached the tokens it was given."""

CONTENT_FILTER: Final = "content_filter"

STREAMS: Final = ("text/event-stream", JSON)
"""The types of a response that may have an answer, and has none if its model had no tokens left."""

CODES: Final = ("code", "type")
CODE: Final = re.compile(r"[a-z_]{3,60}")
"""What a refusal calls its reason, as `context_length_exceeded`. Its fields may hold anything, and a key has
digits."""


class ModelEndpoint:
    """The endpoint that the settings name. The SDK is imported when the first question is asked."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client: AsyncOpenAI | None = None
        self._lock = asyncio.Lock()

    # Long by the ways in which an endpoint fails, each told apart here.
    async def stream(self, messages: Sequence[Message], deadline: float) -> AsyncGenerator[ChunkContent]:
        """The pieces of the model's text as they come, and at the end why it ended and the tokens that it took.

        The request ends when the generator is closed, so that a reader who leaves costs nothing more. `deadline` is a
        time of `time.monotonic`.

        Raises:
            ModelFailure: The endpoint cannot be reached, refuses, breaks off, sends what is no answer, or takes longer
                than the settings allow.
        """
        from openai import OpenAIError

        left = self._settings.model_answer_tokens * CHARACTERS_A_TOKEN
        client = await self._opened()
        is_taken = False
        try:
            async with AsyncExitStack() as stack:
                response = await asyncio.wait_for(self._response(stack, client, messages), _remaining(deadline))
                is_taken = True
                async for content in _contents(response, deadline):
                    # An endpoint need not keep to the tokens that it is given, and a stream without end would be read
                    # to the deadline.
                    if len(content.text) >= left:
                        yield replace(content, text=content.text[:left], reason=LENGTH)
                        return
                    yield content
                    left -= len(content.text)
        except TimeoutError as error:
            raise ModelFailure(f"it took longer than {self._settings.model_seconds} seconds") from error
        except (OpenAIError, OSError, ValueError) as error:
            is_refused = not is_taken and not _may_be_at_work(error)
            raise ModelFailure(_reason(error), is_refused=is_refused) from error
        except Exception as error:
            # The HTTP library of the SDK has errors of its own, which it does not always translate.
            if type(error).__module__.partition(".")[0] not in ("httpx", "httpx2", "httpcore", "httpcore2"):
                raise
            raise ModelFailure(f"it broke off ({type(error).__name__})") from error

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(RuntimeError):
                await client.close()

    async def _response(self, stack: AsyncExitStack, client: AsyncOpenAI, messages: Sequence[Message]) -> Response:
        """The response to a request, which is sent once more if another try may succeed."""
        from openai import APIConnectionError, APIStatusError

        # Not left to the SDK, which waits a minute if an endpoint asks for it.
        try:
            return await stack.enter_async_context(self._request(client, messages))
        except (APIConnectionError, APIStatusError) as error:
            seconds = _retry_in(error)
            if seconds is None:
                raise
            await asyncio.sleep(seconds)
        return await stack.enter_async_context(self._request(client, messages))

    def _request(self, client: AsyncOpenAI, messages: Sequence[Message]) -> AbstractAsyncContextManager[Response]:
        """A request, sent when it is entered; the body of its response is still to be read."""
        # Its bytes: the SDK reads lines of any length, takes any JSON for a chunk, and does not tell a text that breaks
        # off from one that has ended. The overloads want literal types for what here comes from settings.
        create: Any = client.chat.completions.with_streaming_response.create
        host = urlsplit(self._settings.model_url).hostname or ""
        is_of_openai = any(host == name or host.endswith(f".{name}") for name in OPENAI_HOSTS)
        limit = "max_completion_tokens" if is_of_openai else "max_tokens"
        # Without being asked to they do not say what a model used up for thoughts that nobody sees. Others may refuse a
        # field that they do not know, and are not asked.
        usage = {"stream_options": {"include_usage": True}} if is_of_openai else {}
        request: AbstractAsyncContextManager[Response] = create(
            model=self._settings.model_name,
            messages=list(messages),
            stream=True,
            **{limit: self._settings.model_answer_tokens},
            **usage,
        )
        return request

    async def _opened(self) -> AsyncOpenAI:
        """The client, made by the first question."""
        async with self._lock:
            if self._client is None:
                # The import takes a second, which other readers would wait.
                self._client = await asyncio.to_thread(_open, self._settings)
            return self._client


def _open(settings: Settings) -> AsyncOpenAI:
    from openai import AsyncOpenAI, Timeout

    return AsyncOpenAI(
        base_url=settings.model_url,
        # The SDK demands one, and endpoints without keys ignore it.
        api_key=settings.model_key or "none",
        max_retries=0,
        timeout=Timeout(float(settings.model_seconds), connect=CONNECT_SECONDS),
    )


async def _contents(response: Response, deadline: float) -> AsyncGenerator[ChunkContent]:
    """The text of a response piece by piece. The last piece has no text, and says what the chunks said besides.

    Raises:
        ModelFailure: It does not come from a model, is no answer, or no whole one.
    """
    media_type = str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
    reader, last, has_text = ChunkReader(media_type), ChunkContent(), False
    async for content in _read(response.iter_bytes(), reader, deadline):
        last = ChunkContent(
            content.text,
            content.reason or last.reason,
            # If every chunk has the counts of tokens, the last one has the sum.
            content.sent or last.sent,
            content.received or last.received,
        )
        if last.reason == CONTENT_FILTER:
            raise ModelFailure("its content filter stopped it")
        if last.text:
            has_text = True
            # Without the tokens, which are those of a beginning, and would count for all of a text that breaks off.
            yield ChunkContent(last.text)
    if reader.is_refused:
        raise ModelFailure("its model declined to answer")
    if not has_text and media_type not in STREAMS:
        # A page of something else has cost no tokens.
        message = f"it sent {media_type or 'no type'} and no text: look at TRUEREF_MODEL_URL, which mostly ends in /v1"
        raise ModelFailure(message, is_refused=True)
    # Half a sentence may say the opposite of the whole one.
    if has_text and not (last.reason or reader.is_done):
        raise ModelFailure("it broke off before it said that the text has ended")
    yield replace(last, text="")


async def _read(stream: AsyncIterator[bytes], reader: ChunkReader, deadline: float) -> AsyncGenerator[ChunkContent]:
    """The contents of the chunks of a response, until it says that it is done, or ends."""
    while not reader.is_done:
        try:
            data = await asyncio.wait_for(anext(stream), _remaining(deadline))
        except StopAsyncIteration:
            for content in reader.close():
                yield content
            return
        for content in reader.push(data):
            yield content
    # A connection is used again if its response was read to the end, which mostly has come by now. The answer is whole,
    # so that nothing that goes wrong here is a failure.
    with suppress(Exception):
        await asyncio.wait_for(anext(stream), min(END_SECONDS, _remaining(deadline)))


def _may_be_at_work(error: Exception) -> bool:
    """Whether an endpoint that gave no answer may have worked on the request all the same, and be paid for it."""
    from openai import APITimeoutError

    if isinstance(error, APITimeoutError):
        return type(error.__cause__).__name__ != "ConnectTimeout"
    # These are what a gateway answers when the server behind it does not answer.
    return getattr(error, "status_code", None) in (502, 504)


def _remaining(deadline: float) -> float:
    """The seconds until a time of `time.monotonic`, 0 if it has passed."""
    return max(0.0, deadline - time.monotonic())


def _retry_in(error: Exception) -> float | None:
    """The seconds after which a request is sent once more; None if that is too long, or would not help."""
    status = getattr(error, "status_code", None)
    if status is not None and status not in PASSING and status < 500:
        return None
    asked = str(getattr(getattr(error, "response", None), "headers", {}).get("retry-after", ""))
    # Seconds; the other form, a date, is not used by these providers.
    seconds = float(asked) if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", asked, re.ASCII) else RETRY_SECONDS
    return seconds if seconds <= RETRY_WAIT_MOST else None


def _reason(error: Exception) -> str:
    """Why an endpoint gave no answer, by status, code and class of error: a message of it may quote the key."""
    status = getattr(error, "status_code", None)
    if status in (401, 403):
        return f"it refuses the key (HTTP {status}): look at TRUEREF_MODEL_KEY"
    if status == 404:
        return "it has no such model or address (HTTP 404): look at TRUEREF_MODEL_URL and TRUEREF_MODEL_NAME"
    if status is not None:
        code = next((code for code in (getattr(error, name, "") for name in CODES) if CODE.fullmatch(str(code))), "")
        return f"HTTP {status} ({code})" if code else f"HTTP {status}"
    cause = type(error.__cause__ or error).__name__
    return f"it cannot be reached, or is no HTTP server ({cause}): look at TRUEREF_MODEL_URL, and whether it runs"


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
