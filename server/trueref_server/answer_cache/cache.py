"""The cache of the service: the same question to the same generation is answered without a search."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeVar

import msgspec
from cachetools import LRUCache

from trueref_core.extras import require_extra
from trueref_server.answer_cache.backend import Backend, BackendError
from trueref_server.answer_cache.key import cache_key, settings_digest
from trueref_server.rare_log import rare_logger
from trueref_server.records import Answer, Question
from trueref_server.settings import Settings

logger = logging.getLogger("trueref.server")

CacheOutcome = Literal["hit", "miss", "error"]
T = TypeVar("T")

MEMORY: Final = "memory"
SQLITE: Final = "sqlite:///"

TEMPORARY: Final = frozenset({"error", "budget"})
"""The fallbacks whose answers are not kept, since the model may write the next answer again."""
REST_SECONDS: Final = 10.0
"""A backend that failed is not used for this long, so that readers do not wait for its time-out at every question."""
DIGEST_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class CacheLookup:
    """The result of a look-up. `answer` is None unless the `outcome` is `hit`; `error` says that the backend failed."""

    answer: Answer | None
    outcome: CacheOutcome


class AnswerCache:
    """Answers by generation, question, conversation, filters and settings of the answerer.

    A new generation needs no flush: the generation is a part of the key. If the backend is down or damaged, that is
    logged, and questions are answered without the cache.

    Args:
        settings: The server's options: `cache_answers` says how many answers are kept, and 0 keeps none.
        backend: Where the answers are kept; None keeps them in the memory of this process.
        clock: Returns seconds that only increase.
    """

    def __init__(
        self, settings: Settings, backend: Backend | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._is_on = bool(settings.cache_answers)
        # Computed once: settings do not change while the server runs, and the digest reads templates from the disk.
        self._settings_digest = settings_digest(settings)
        self._memory: LRUCache[str, Answer] = LRUCache(settings.cache_answers)
        self._backend = backend
        self._clock = clock
        self._rests_until = 0.0
        self._log = rare_logger(logger)

    async def look_up(self, generation: str, question: Question) -> CacheLookup:
        """Look up the answer that was given to a question before."""
        if not self._is_on:
            return CacheLookup(None, "miss")
        key = cache_key(question, generation, self._settings_digest)
        if self._backend is None:
            answer = self._memory.get(key)
            return CacheLookup(answer, "miss" if answer is None else "hit")
        if self._is_resting():
            return CacheLookup(None, "error")
        return await self._guarded(lambda backend: self._read(backend, key), CacheLookup(None, "error"))

    async def keep(self, question: Question, answer: Answer) -> None:
        """Keep an answer, unless passages answered because the model could not be used for the moment."""
        # Otherwise readers would get these passages even when the model can be reached, or has tokens, again.
        if not self._is_on or answer.fallback in TEMPORARY or self._is_resting():
            return
        key = cache_key(question, answer.generation, self._settings_digest)
        if self._backend is None:
            self._memory[key] = answer
        else:
            await self._guarded(lambda backend: backend.put(key, packed(answer)), None)

    async def close(self) -> None:
        """Close the backend."""
        if self._backend is not None:
            await asyncio.to_thread(self._backend.close)

    def _read(self, backend: Backend, key: str) -> CacheLookup:
        """Look a key up, in a thread. A damaged answer is removed, so that it is read only once."""
        value = backend.get(key)
        if value is None:
            return CacheLookup(None, "miss")
        answer = unpacked(value)
        if answer is None:
            self._log.warning("An answer in the cache was damaged and was deleted: its question is answered again")
            backend.remove(key)
            return CacheLookup(None, "error")
        return CacheLookup(answer, "hit")

    def _is_resting(self) -> bool:
        """Whether the backend failed a moment ago, and is not used for now."""
        return self._clock() < self._rests_until

    async def _guarded(self, action: Callable[[Backend], T], otherwise: T) -> T:
        """The result of an action in a thread; `otherwise` if the backend fails, which is then not used for a while."""
        assert self._backend is not None
        try:
            return await asyncio.to_thread(action, self._backend)
        except BackendError as error:
            self._rests_until = self._clock() + REST_SECONDS
            self._log.warning("The cache of answers cannot be used, so questions are answered without it: %s", error)
            return otherwise


def open_cache(settings: Settings) -> AnswerCache:
    """The cache that the settings name.

    Raises:
        ExtraMissing: The settings name Redis, and its client is not installed.
        OptionError: The file or the address cannot be used.
    """
    size, days = settings.cache_answers, settings.cache_days
    if settings.cache == MEMORY or not size:
        return AnswerCache(settings)
    # Imported only if needed: with another backend the client of Redis need not be installed.
    if settings.cache.startswith(SQLITE):
        from trueref_server.answer_cache.sqlite import SqliteBackend

        path = Path(settings.cache.removeprefix(SQLITE)).expanduser()
        return AnswerCache(settings, SqliteBackend(path, size, days))
    require_extra("redis", f"`cache` with {settings.cache.partition(':')[0]}")
    from trueref_server.answer_cache.redis import RedisBackend

    return AnswerCache(settings, RedisBackend(settings.cache, size, days))


def packed(answer: Answer) -> bytes:
    """An answer as bytes: the SHA-256 of its JSON, then the JSON. A flipped bit must not become a broken link."""
    # JSON and not pickle: with pickle, anybody who can write to the cache could run code in the server
    # (`docs/decisions/answer-cache.md`).
    body = msgspec.json.encode(answer)
    return hashlib.sha256(body).digest() + body


def unpacked(value: bytes) -> Answer | None:
    """The answer in bytes of `packed`; None if they are damaged or another release wrote them."""
    body = value[DIGEST_BYTES:]
    if hashlib.sha256(body).digest() != value[:DIGEST_BYTES]:
        return None
    try:
        return msgspec.json.decode(body, type=Answer)
    # Another release may have other fields.
    except msgspec.DecodeError:
        return None
