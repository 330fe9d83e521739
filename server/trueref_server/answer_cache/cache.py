"""The cache that the service asks: the same question to the same generation is answered without a search."""

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

PASSING: Final = frozenset({"error", "budget"})
"""Fallbacks that the next answer may be without."""
REST_SECONDS: Final = 10.0
"""How long a backend that failed is not asked: readers must not wait for its time-out with every question."""
SUM_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Lookup:
    """The result of a look-up. `answer` is None unless the `outcome` is `hit`; `error` says that the backend failed."""

    answer: Answer | None
    outcome: CacheOutcome


class AnswerCache:
    """Answers by generation, question, conversation, filters and settings of the answerer.

    A new generation needs no flush, since nobody asks for an old one. A backend that is down or damaged costs a line in
    the log and no answer.

    Args:
        settings: Those of the server: `cache_answers` says how many are kept, and 0 keeps none.
        backend: Where they are kept; None is the memory of this process.
        clock: Seconds that only grow.
    """

    def __init__(
        self, settings: Settings, backend: Backend | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._is_on = bool(settings.cache_answers)
        # Once for the process: settings do not change while it runs, and templates are read from the disk for it.
        self._settings = settings_digest(settings)
        self._memory: LRUCache[str, Answer] = LRUCache(settings.cache_answers)
        self._backend = backend
        self._clock = clock
        self._rests_until = 0.0
        self._log = rare_logger(logger)

    async def look_up(self, generation: str, question: Question) -> Lookup:
        """The answer that was given to a question before, if it was."""
        if not self._is_on:
            return Lookup(None, "miss")
        key = cache_key(question, generation, self._settings)
        if self._backend is None:
            answer = self._memory.get(key)
            return Lookup(answer, "miss" if answer is None else "hit")
        if self._is_resting():
            return Lookup(None, "error")
        return await self._guarded(lambda backend: self._read(backend, key), Lookup(None, "error"))

    async def keep(self, question: Question, answer: Answer) -> None:
        """Keep an answer, unless a passing trouble kept it from being a better one."""
        # An answer that passages gave because the model was out of reach or of tokens would be given on when it is
        # back.
        if not self._is_on or answer.fallback in PASSING or self._is_resting():
            return
        key = cache_key(question, answer.generation, self._settings)
        if self._backend is None:
            self._memory[key] = answer
        else:
            await self._guarded(lambda backend: backend.put(key, packed(answer)), None)

    async def close(self) -> None:
        """Close what the answers are kept in."""
        if self._backend is not None:
            await asyncio.to_thread(self._backend.close)

    def _read(self, backend: Backend, key: str) -> Lookup:
        """Look a key up, in a thread. What is damaged is removed, so that it is met once."""
        value = backend.get(key)
        if value is None:
            return Lookup(None, "miss")
        answer = unpacked(value)
        if answer is None:
            self._log.warning("An answer in the cache was damaged, and is made anew")
            backend.remove(key)
            return Lookup(None, "error")
        return Lookup(answer, "hit")

    def _is_resting(self) -> bool:
        """Whether the backend failed a moment ago, and is not asked for now."""
        return self._clock() < self._rests_until

    async def _guarded(self, action: Callable[[Backend], T], otherwise: T) -> T:
        """The result of an action in a thread; `otherwise` if the backend fails, which then rests for a while."""
        assert self._backend is not None
        try:
            return await asyncio.to_thread(action, self._backend)
        except BackendError as error:
            self._rests_until = self._clock() + REST_SECONDS
            self._log.warning("The cache of answers cannot be used, so answers are made anew: %s", error)
            return otherwise


def open_cache(settings: Settings) -> AnswerCache:
    """The cache that the settings ask for.

    Raises:
        ExtraMissing: Redis is asked for, and its client is not installed.
        OptionError: The file or the address cannot be used.
    """
    size, days = settings.cache_answers, settings.cache_days
    if settings.cache == MEMORY or not size:
        return AnswerCache(settings)
    # Each is imported only if it is asked for: who keeps answers elsewhere need not have the client of Redis.
    if settings.cache.startswith(SQLITE):
        from trueref_server.answer_cache.sqlite import SqliteBackend

        path = Path(settings.cache.removeprefix(SQLITE)).expanduser()
        return AnswerCache(settings, SqliteBackend(path, size, days))
    require_extra("redis", f"`cache` with {settings.cache.partition(':')[0]}")
    from trueref_server.answer_cache.redis import RedisBackend

    return AnswerCache(settings, RedisBackend(settings.cache, size, days))


def packed(answer: Answer) -> bytes:
    """An answer as bytes: the SHA-256 of its JSON, then the JSON. A flipped bit must not become a broken link."""
    # JSON and not pickle, by which whoever can write to the file could run code in the server
    # (`docs/decisions/answer-cache.md`).
    body = msgspec.json.encode(answer)
    return hashlib.sha256(body).digest() + body


def unpacked(value: bytes) -> Answer | None:
    """The answer in such bytes, None if they are damaged or were written by another release."""
    body = value[SUM_BYTES:]
    if hashlib.sha256(body).digest() != value[:SUM_BYTES]:
        return None
    try:
        return msgspec.json.decode(body, type=Answer)
    # Another release may have other fields: that is a miss, since its answer is made anew.
    except msgspec.DecodeError:
        return None
