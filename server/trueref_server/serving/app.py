"""Makes the ASGI application: the API under its prefix, and perhaps the built docs on the same origin."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount, Route

from trueref_core.errors import TruerefError
from trueref_server.answer_cache.cache import open_cache
from trueref_server.http.endpoints import Endpoints
from trueref_server.http.middleware.body import BodyLimit
from trueref_server.http.middleware.headers import Cors, SecurityHeaders, SmugglingGuard
from trueref_server.http.middleware.rate import RateLimit, TokenBuckets
from trueref_server.http.middleware.slots import AnswerSlots
from trueref_server.http.operations import OPERATIONS, RANGE_SEGMENTS, UNLIMITED_SEGMENTS, Operation
from trueref_server.http.responses.error_responses import (
    ErrorResponses,
    error_response,
    index_logger,
    on_http_exception,
)
from trueref_server.metrics import Metrics
from trueref_server.service import Service
from trueref_server.serving.static_site import BuiltSite
from trueref_server.settings import Settings
from trueref_server.store.opening import open_store

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Lifespan

RANGES_PER_QUESTION = 10
"""How many requests for ranges of documents the rate limit allows per request of another kind: a viewer fetches a PDF
in many ranges."""


def create_app(
    settings: Settings, *, site: Path | None = None, base: str = "/", service: Service | None = None
) -> Starlette:
    """Make the application. Nothing is opened before the lifespan or the first request.

    Args:
        settings: The server's options.
        site: A built site to serve on the same origin, with the widget on every page.
        base: The path at which the root of the site is served.
        service: The service of the caller, which is closed with the application; None opens one from the settings.

    Raises:
        SiteError: `site` is not a folder.
    """
    service = service or open_service(settings)
    built_site = BuiltSite(site, settings.prefix, service, base) if site is not None else None

    endpoints = Endpoints(service, settings)
    api = _api(settings, endpoints, service.metrics.refused)
    app = Starlette(
        routes=[Mount(settings.prefix, app=api)],
        lifespan=_lifespan(service, built_site),
        middleware=[Middleware(SmugglingGuard)],
    )
    # Everything else goes to the default application and not to a mount at `/`: the pattern of a mount matches no
    # address with a line break, and Starlette would redirect such an address.
    hint = f"The API is under {settings.prefix}. Start the server with --site to serve the built docs as well."
    app.router.default = built_site or SecurityHeaders(
        error_response(404, "There is nothing at this address.", hint=hint)
    )
    # Starlette would build the address of the redirect from the Host header.
    app.router.redirect_slashes = False
    return app


def _lifespan(service: Service, built_site: BuiltSite | None) -> Lifespan[Starlette]:
    """What runs before the first request and after the last one."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        # The server starts without an index, too: it serves the site, and readyz and every answer say what is missing.
        try:
            await service.ready()
        except TruerefError as error:
            index_logger.warning(str(error))
        if built_site is not None:
            await built_site.compare()
        # While the first requests are served: pages of a site need no index, and to read a large one takes seconds.
        warming = asyncio.create_task(_warm(service))
        yield
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)
        await service.close()

    return lifespan


def open_service(settings: Settings) -> Service:
    """A service with the cache and the store that the settings name.

    `trueref ask`, the evaluation and `mkdocs serve` make a service without them: their questions are not those of
    readers, and a cached answer would hide what has changed.

    Raises:
        ExtraMissing: The settings need an extra that is not installed.
        OptionError: The model, the cache or the store cannot be used as the settings say.
    """
    metrics = Metrics()
    cache, store = open_cache(settings), open_store(settings, metrics.lost)
    return Service(settings, cache=cache, store=store, metrics=metrics)


async def _warm(service: Service) -> None:
    """Load what the first question would otherwise wait for. An error is ignored here, since readyz reports it."""
    with suppress(TruerefError):
        await service.warm()


def _api(settings: Settings, endpoints: Endpoints, count_error: Callable[[int], None]) -> ASGIApp:
    """The API as an application of its own, so that its limits do not apply to the pages of the site."""
    app = Starlette(
        routes=[_route(operation, endpoints, settings) for operation in OPERATIONS],
        exception_handlers={HTTPException: on_http_exception},
        middleware=[
            # Outermost first. The answers to preflights need the security headers, too.
            Middleware(SecurityHeaders),
            # Refusals must have the CORS headers, too, or the widget cannot read them.
            Middleware(Cors, origins=settings.allowed_origins),
            # Outside of the limits, so that the requests which they refuse are counted, too.
            Middleware(ErrorResponses, count=count_error),
            *_rate_limit(settings),
            # Innermost, so that the body of a client over its rate limit is not read.
            Middleware(BodyLimit, max_bytes=settings.max_body_bytes, seconds=settings.body_timeout),
        ],
    )
    app.router.redirect_slashes = False
    return app


def _route(operation: Operation, endpoints: Endpoints, settings: Settings) -> Route:
    """The route of an operation; only answers take a slot."""
    network_slots = settings.max_answers_of_network or math.ceil(settings.max_answers / 2)
    slots = Middleware(
        AnswerSlots, slots=settings.max_answers, network_slots=network_slots, trusted=settings.trusted_proxies
    )
    middleware = [slots] if operation.name == "ask" else []
    endpoint = getattr(endpoints, operation.name)
    return Route(operation.path, endpoint, methods=[operation.method], name=operation.name, middleware=middleware)


def _rate_limit(settings: Settings) -> list[Middleware]:
    """The rate limit, with separate buckets for ranges of documents; empty if the limit is set to 0."""
    if not settings.rate_per_minute:
        return []
    buckets, range_buckets = (
        TokenBuckets(
            burst=settings.rate_burst * factor,
            per_second=settings.rate_per_minute / 60 * factor,
            max_buckets=settings.rate_clients,
        )
        for factor in (1, RANGES_PER_QUESTION)
    )
    buckets_by_segment = dict.fromkeys(RANGE_SEGMENTS, range_buckets)
    return [
        Middleware(
            RateLimit,
            buckets=buckets,
            buckets_by_segment=buckets_by_segment,
            trusted=settings.trusted_proxies,
            unlimited=UNLIMITED_SEGMENTS,
        )
    ]
