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


class Buckets:
    """Token buckets by key. A bucket that was not used for longest is forgotten when there are more than `bound`.

    Args:
        burst: Tokens in a full bucket.
        per_second: Tokens that flow back in a second.
        bound: Most buckets kept.
        clock: Seconds; only differences count.
    """

    def __init__(
        self, *, burst: int, per_second: float, bound: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.burst = burst
        self.per_second = per_second
        self.clock = clock
        self._levels: LRUCache[str, tuple[float, float]] = LRUCache(bound)

    def __len__(self) -> int:
        return len(self._levels)

    def take(self, key: str) -> float:
        """Take a token and return 0, or the seconds until there is one."""
        now = self.clock()
        level, then = self._levels.get(key, (float(self.burst), now))
        level = min(float(self.burst), level + (now - then) * self.per_second)
        wait = 0.0 if level >= 1 else (1 - level) / self.per_second
        # A refused request takes no token: who goes on asking would else never have one.
        self._levels[key] = (level if wait else level - 1, now)
        return wait


class RateLimit:
    """Answers 429 with Retry-After to a client network whose bucket is empty.

    Args:
        app: The application.
        buckets: Those of most requests.
        buckets_by_segment: The buckets of requests that count apart, by the first segment of their address.
        trusted: The proxies whose word on who their client is counts.
        free: First segments of the addresses that are not counted.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        buckets: Buckets,
        buckets_by_segment: Mapping[str, Buckets],
        trusted: Sequence[Network],
        free: frozenset[str],
    ) -> None:
        self.app = app
        self.buckets = buckets
        self.buckets_by_segment = buckets_by_segment
        self.trusted = trusted
        self.free = free

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application if the client has a token left."""
        wait = 0.0
        if scope["type"] == "http" and (segment := _first_segment(scope)) not in self.free:
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
