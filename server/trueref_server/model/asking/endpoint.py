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
MAX_RETRY_WAIT: Final = 5.0
"""The longest wait before a second try, in seconds, that an endpoint may ask for. If it asks for more, the passages
answer at once: an answer that waits occupies a slot that another reader needs."""

TRANSIENT_STATUSES: Final = (408, 409, 429)
"""HTTP statuses below 500 after which a second try may succeed."""

CONNECT_SECONDS: Final = 10.0
END_SECONDS: Final = 0.1
"""Seconds to wait for the end of a response whose text is complete."""

CHARACTERS_A_TOKEN: Final = 16
"""The text of an endpoint that ignores its limit of tokens is cut off at this many characters for each token."""

OPENAI_HOSTS: Final = ("openai.com", "azure.com")
"""Hosts whose newer models take `max_completion_tokens` only; others know `max_tokens` only."""

LENGTH: Final = "length"
"""The `finish_reason` in Chat Completions of a text that reached its limit of tokens."""

CONTENT_FILTER: Final = "content_filter"

ANSWER_TYPES: Final = ("text/event-stream", JSON)
"""The media types of an answer. With these an empty text means that the model had no tokens left, with others that the
address is wrong."""

CODE_FIELDS: Final = ("code", "type")
CODE: Final = re.compile(r"[a-z_]{3,60}")
"""An error code that may be logged, such as `context_length_exceeded`. The fields may hold anything, even the key of
the endpoint, which has digits and so does not match."""


class ModelEndpoint:
    """The endpoint that the settings name. The SDK is imported when the first question is asked."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client: AsyncOpenAI | None = None
        self._lock = asyncio.Lock()

    # Long, since an endpoint fails in many ways, which are told apart here.
    async def stream(self, messages: Sequence[Message], deadline: float) -> AsyncGenerator[ChunkContent]:
        """Yield the model's text piece by piece, and at the end why the text ended and how many tokens it took.

        The request ends when the generator is closed, so that a reader who leaves costs nothing more. `deadline` is a
        time of `time.monotonic`.

        Raises:
            ModelFailure: The endpoint cannot be reached, refuses the request, breaks off, sends something that is no
                answer, or takes longer than the settings allow.
        """
        from openai import OpenAIError

        characters_left = self._settings.model_answer_tokens * CHARACTERS_A_TOKEN
        client = await self._open_client()
        is_accepted = False
        try:
            async with AsyncExitStack() as stack:
                # Not `wait_for`: it keeps the result and forgets that the reader left, if both come at the same moment.
                async with asyncio.timeout(_remaining(deadline)):
                    response = await self._response(stack, client, messages)
                is_accepted = True
                async for content in _contents(response, deadline):
                    # An endpoint may ignore the limit of tokens, and an endless stream would be read until the
                    # deadline.
                    if len(content.text) >= characters_left:
                        yield replace(content, text=content.text[:characters_left], reason=LENGTH)
                        return
                    yield content
                    characters_left -= len(content.text)
        except TimeoutError as error:
            raise ModelFailure(f"it took longer than {self._settings.model_seconds} seconds") from error
        except (OpenAIError, OSError, ValueError) as error:
            is_refused = not is_accepted and not _may_have_cost_tokens(error)
            raise ModelFailure(_failure_reason(error), is_refused=is_refused) from error
        except Exception as error:
            # The SDK does not translate every error of its HTTP library into one of its own.
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
        """The response to a request, which is sent a second time if that may succeed."""
        from openai import APIConnectionError, APIStatusError

        # The retry is not left to the SDK, which would wait up to a minute if the endpoint asks for that.
        try:
            return await stack.enter_async_context(self._request(client, messages))
        except (APIConnectionError, APIStatusError) as error:
            seconds = _retry_in(error)
            if seconds is None:
                raise
            await asyncio.sleep(seconds)
        return await stack.enter_async_context(self._request(client, messages))

    def _request(self, client: AsyncOpenAI, messages: Sequence[Message]) -> AbstractAsyncContextManager[Response]:
        """A request as a context manager. Entering it sends the request, and gives a response with an unread body."""
        # The response is read as bytes: the SDK's own reader accepts lines of any length and any JSON as a chunk, and
        # does not tell a text that breaks off from one that has ended. `Any`, since the overloads demand literal types
        # for values that come from the settings here.
        create: Any = client.chat.completions.with_streaming_response.create
        host = urlsplit(self._settings.model_url).hostname or ""
        is_of_openai = any(host == name or host.endswith(f".{name}") for name in OPENAI_HOSTS)
        limit_field = "max_completion_tokens" if is_of_openai else "max_tokens"
        # These hosts report the tokens, those of hidden reasoning included, only if asked. Other endpoints are not
        # asked, since they may refuse a field that they do not know.
        usage_options = {"stream_options": {"include_usage": True}} if is_of_openai else {}
        request: AbstractAsyncContextManager[Response] = create(
            model=self._settings.model_name,
            messages=list(messages),
            stream=True,
            **{limit_field: self._settings.model_answer_tokens},
            **usage_options,
        )
        return request

    async def _open_client(self) -> AsyncOpenAI:
        """The client, created at the first call."""
        async with self._lock:
            if self._client is None:
                # In a thread: the import takes a second, for which all other requests would wait.
                self._client = await asyncio.to_thread(_new_client, self._settings)
            return self._client


def _new_client(settings: Settings) -> AsyncOpenAI:
    """A client of the SDK for the endpoint of the settings. It never repeats a request by itself."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

    return AsyncOpenAI(
        base_url=settings.model_url,
        # The SDK demands a key, and an endpoint that needs none ignores it.
        api_key=settings.model_key or "none",
        max_retries=0,
        timeout=Timeout(float(settings.model_seconds), connect=CONNECT_SECONDS),
        # The SDK would follow redirects: the questions of readers would go to a host that the settings do not name.
        http_client=DefaultAsyncHttpxClient(follow_redirects=False),
    )


async def _contents(response: Response, deadline: float) -> AsyncGenerator[ChunkContent]:
    """Yield the text of a response piece by piece, and last a content without text that has the reason and the tokens.

    Raises:
        ModelFailure: The response does not come from a model, has no answer, or breaks off.
    """
    media_type = str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
    reader, last, has_text = ChunkReader(media_type), ChunkContent(), False
    async for content in _read_chunks(response.iter_bytes(), reader, deadline):
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
            # Without the counts: they cover the text so far, and would be taken for the total if the text broke off.
            yield ChunkContent(last.text)
    if reader.is_refused:
        raise ModelFailure("its model declined to answer")
    if not has_text and media_type not in ANSWER_TYPES:
        # What answered is no model, so that no tokens were spent.
        message = f"it sent {media_type or 'no type'} and no text: check TRUEREF_MODEL_URL, which usually ends in /v1"
        raise ModelFailure(message, is_refused=True)
    # Half a sentence may say the opposite of the whole one.
    if has_text and not (last.reason or reader.is_done):
        raise ModelFailure("it broke off before it said that the text has ended")
    yield replace(last, text="")


async def _read_chunks(
    stream: AsyncIterator[bytes], reader: ChunkReader, deadline: float
) -> AsyncGenerator[ChunkContent]:
    """Yield the contents of the chunks until the endpoint says that the text has ended, or the response ends."""
    while not reader.is_done:
        try:
            async with asyncio.timeout(_remaining(deadline)):
                data = await anext(stream)
        except StopAsyncIteration:
            for content in reader.close():
                yield content
            return
        for content in reader.push(data):
            yield content
    # The HTTP library reuses a connection only if the response was read to its end, which has mostly arrived by now.
    # The answer is complete, so an error here does not matter.
    with suppress(Exception):
        async with asyncio.timeout(min(END_SECONDS, _remaining(deadline))):
            await anext(stream)


def _may_have_cost_tokens(error: Exception) -> bool:
    """Whether an endpoint that gave no answer may have worked on the request, and charge for it."""
    from openai import APITimeoutError

    if isinstance(error, APITimeoutError):
        return type(error.__cause__).__name__ != "ConnectTimeout"
    # A gateway answers with these statuses if the server behind it does not answer.
    return getattr(error, "status_code", None) in (502, 504)


def _remaining(deadline: float) -> float:
    """The seconds until a time of `time.monotonic`, 0 if it has passed."""
    return max(0.0, deadline - time.monotonic())


def _retry_in(error: Exception) -> float | None:
    """The seconds after which a request is sent again; None if the wait is too long or a second try would not help."""
    status = getattr(error, "status_code", None)
    if status is not None and status not in TRANSIENT_STATUSES and status < 500:
        return None
    retry_after = str(getattr(getattr(error, "response", None), "headers", {}).get("retry-after", ""))
    # The header may also be a date, which these providers do not send.
    seconds = float(retry_after) if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", retry_after, re.ASCII) else RETRY_SECONDS
    return seconds if seconds <= MAX_RETRY_WAIT else None


def _failure_reason(error: Exception) -> str:
    """Why an endpoint gave no answer, from status, code and class of the error: its message may quote the key."""
    status = getattr(error, "status_code", None)
    if status in (401, 403):
        return f"it refuses the key (HTTP {status}): check TRUEREF_MODEL_KEY"
    if status == 404:
        return "it has no such model or address (HTTP 404): check TRUEREF_MODEL_URL and TRUEREF_MODEL_NAME"
    if status is not None and 300 <= status < 400:
        return f"it redirects (HTTP {status}): set TRUEREF_MODEL_URL to the address that it redirects to"
    if status is not None:
        code = next(
            (code for code in (getattr(error, name, "") for name in CODE_FIELDS) if CODE.fullmatch(str(code))), ""
        )
        return f"HTTP {status} ({code})" if code else f"HTTP {status}"
    cause = type(error.__cause__ or error).__name__
    return f"it cannot be reached or is no HTTP server ({cause}): check that it runs, and check TRUEREF_MODEL_URL"


def require_model(settings: Settings) -> None:
    """Make sure that the options and packages which a model needs are there, without importing the packages.

    Raises:
        OptionError: An option is not set or a package is not installed. The message says what to do.
    """
    from importlib.util import find_spec

    if not settings.model_name:
        raise OptionError("model_url is set, and model_name is not: name the model that the endpoint is to use.")
    missing = [package for package in ("openai", "jinja2", "itsdangerous") if find_spec(package) is None]
    if missing:
        raise OptionError(f"model_url needs {' and '.join(missing)}: pip install 'trueref[llm]'")
