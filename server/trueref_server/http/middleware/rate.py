"""The rate limit: a token bucket per client network, in a table of bounded size."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from cachetools import LRUCache

from trueref_server.http.client import client_network
from trueref_server.http.responses.error_responses import busy_response
from trueref_server.settings import Network

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class TokenBuckets:
    """Token buckets by key. If there are more than `max_buckets`, the one unused for longest is forgotten.

    Args:
        burst: Tokens in a full bucket.
        per_second: Tokens that a bucket regains in a second.
        max_buckets: The most buckets that are kept.
        clock: Returns seconds, of which only differences count.
    """

    def __init__(
        self, *, burst: int, per_second: float, max_buckets: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.burst = burst
        self.per_second = per_second
        self.clock = clock
        self._levels: LRUCache[str, tuple[float, float]] = LRUCache(max_buckets)

    def __len__(self) -> int:
        return len(self._levels)

    def take(self, key: str) -> float:
        """Take a token and return 0, or the seconds until there is one."""
        now = self.clock()
        level, last_time = self._levels.get(key, (float(self.burst), now))
        level = min(float(self.burst), level + (now - last_time) * self.per_second)
        wait = 0.0 if level >= 1 else (1 - level) / self.per_second
        # A refused request takes no token: otherwise a client that keeps asking would never get one.
        self._levels[key] = (level if wait else level - 1, now)
        return wait


class RateLimit:
    """Answers 429 with Retry-After to a client network whose bucket is empty.

    Args:
        app: The application.
        buckets: The buckets of all requests that have none of their own.
        buckets_by_segment: The buckets of requests that are counted separately, by the first segment of their address.
        trusted: The networks of the proxies whose `X-Forwarded-For` is believed.
        unlimited: The first segments of addresses without a limit.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        buckets: TokenBuckets,
        buckets_by_segment: Mapping[str, TokenBuckets],
        trusted: Sequence[Network],
        unlimited: frozenset[str],
    ) -> None:
        self.app = app
        self.buckets = buckets
        self.buckets_by_segment = buckets_by_segment
        self.trusted = trusted
        self.unlimited = unlimited

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application if the client has a token left."""
        wait = 0.0
        if scope["type"] == "http" and (segment := _first_segment(scope)) not in self.unlimited:
            wait = self.buckets_by_segment.get(segment, self.buckets).take(client_network(scope, self.trusted))
        if wait:
            message = "Too many requests from this network."
            await busy_response(429, message, math.ceil(wait), {"Connection": "close"})(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _first_segment(scope: Scope) -> str:
    """The first segment of an address below the prefix of the API."""
    path: str = scope["path"].removeprefix(scope.get("root_path", ""))
    return path.strip("/").partition("/")[0]
