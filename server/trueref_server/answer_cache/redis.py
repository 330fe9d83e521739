"""Keeps answers in a Redis server, which several machines may share."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Final, cast

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from trueref_core.errors import OptionError
from trueref_server.answer_cache.backend import BackendError

PREFIX: Final = "trueref:answer:"
LAST_USE: Final = "trueref:answers"
"""A sorted set of the keys, by the time of their last use. Keys whose answers have expired leave it as the oldest."""
TIMEOUT_SECONDS: Final = 0.25
"""An answer waits at most this long for Redis, since to make it anew takes about as long."""
DAY_SECONDS: Final = 86_400


class RedisBackend:
    """Answers in one database of a Redis server. It connects at the first use.

    Args:
        url: Such as `redis://127.0.0.1:6379/0`, `rediss://` with TLS, or `unix:///run/redis.sock`.
        size: How many answers all servers that use the database keep; the one unused for longest is removed first.
        days: How long an answer is kept at most.
        now: Seconds since the epoch.

    Raises:
        OptionError: The address cannot be read.
    """

    def __init__(self, url: str, size: int, days: int, now: Callable[[], float] = time.time) -> None:
        self._size = size
        self._days = days
        self._now = now
        try:
            # Any: the commands of a client are typed for blocking and asynchronous use at once.
            # Without retries: an answer is made anew in about the time that one attempt may take.
            self._client: Any = cast("Any", Redis).from_url(
                url, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS, retry=Retry(NoBackoff(), 0)
            )
        except ValueError as error:
            # The message does not quote the error, which may have a part of the password.
            raise OptionError(
                "The address of the cache cannot be read: is it like redis://:PASSWORD@HOST:6379/0? Write / and # in "
                "the password as %2F and %23."
            ) from error

    def get(self, key: str) -> bytes | None:
        """The bytes under a key."""
        with self._pipeline(transaction=False) as pipeline:
            pipeline.get(PREFIX + key)
            # XX changes the time of a key only if the key exists.
            pipeline.zadd(LAST_USE, {key: self._now()}, xx=True)
            return cast("bytes | None", pipeline.execute()[0])

    def put(self, key: str, value: bytes) -> None:
        """Keep bytes, and remove the answers beyond `size`. Redis itself removes answers that are too old."""
        with self._pipeline() as pipeline:
            pipeline.set(PREFIX + key, value, ex=self._days * DAY_SECONDS)
            pipeline.zadd(LAST_USE, {key: self._now()})
            # All but the `size` keys that were used last. The keys of expired answers are the oldest among them.
            pipeline.zrange(LAST_USE, 0, -self._size - 1)
            surplus = cast("list[bytes]", pipeline.execute()[-1])
        self._remove_keys([name.decode() for name in surplus])

    def remove(self, key: str) -> None:
        """Forget a key."""
        self._remove_keys([key])

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _remove_keys(self, keys: list[str]) -> None:
        """Remove answers, and their keys from the order of use."""
        if keys:
            with self._pipeline() as pipeline:
                pipeline.delete(*(PREFIX + key for key in keys))
                pipeline.zrem(LAST_USE, *keys)
                pipeline.execute()

    @contextmanager
    def _pipeline(self, *, transaction: bool = True) -> Generator[Any]:
        """Commands that are sent together, with errors as `BackendError`."""
        try:
            with self._client.pipeline(transaction=transaction) as pipeline:
                yield pipeline
        except RedisError as error:
            # Some errors have no message, but a class that tells what they are.
            raise BackendError(str(error) or type(error).__name__) from error
