"""The application: the API under its prefix, and the built docs beside it if they are served too."""

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
from trueref_server.http.middleware.headers import Cors, OneLength, SecurityHeaders
from trueref_server.http.middleware.rate import Buckets, RateLimit
from trueref_server.http.middleware.slots import AnswerSlots
from trueref_server.http.operations import FREE_OF_LIMIT, IN_PARTS, OPERATIONS, Operation
from trueref_server.http.responses.error_responses import Errors, error_response, index_logger, on_http_exception
from trueref_server.metrics import Metrics
from trueref_server.service import Service
from trueref_server.serving.static_site import BuiltSite
from trueref_server.settings import Settings
from trueref_server.store.opening import open_store

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Lifespan

PARTS_OF_ONE = 10
"""Requests for parts of documents that are allowed for each question that is: a viewer fetches a PDF in many."""


def create_app(
    settings: Settings, *, site: Path | None = None, base: str = "/", service: Service | None = None
) -> Starlette:
    """Make the application. Nothing is opened before the lifespan or the first request.

    Args:
        settings: The server's options.
        site: A built site to serve on the same origin, with the widget on every page.
        base: Path that its root is shown at.
        service: The service to use, if the caller has its own; it is closed with the application.

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
        middleware=[Middleware(OneLength)],
    )
    # No route for the rest: that of a mount has no address with a line break, and Starlette would redirect it.
    hint = f"The API is under {settings.prefix}. Start the server with --site to serve the built docs as well."
    app.router.default = built_site or error_response(404, "There is nothing at this address.", hint=hint)
    # To an address with a slash, which Starlette would build from the Host header.
    app.router.redirect_slashes = False
    return app


def _lifespan(service: Service, built_site: BuiltSite | None) -> Lifespan[Starlette]:
    """What is done before the first request and after the last one."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        # Readyz and every answer say that there is none until it is there; the site is served meanwhile.
        try:
            await service.ready()
        except TruerefError as error:
            index_logger.warning(str(error))
        if built_site is not None:
            await built_site.compare()
        # Beside the first requests: the pages of a site need none of it, and a large index takes seconds.
        warming = asyncio.create_task(_warm(service))
        yield
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)
        await service.close()

    return lifespan


def open_service(settings: Settings) -> Service:
    """A service that keeps what the settings say.

    `trueref ask`, the evaluation and `mkdocs serve` make a service without: what their users ask is no reader's
    question, and an answer from before would hide what they have changed.

    Raises:
        ExtraMissing: What the settings ask for needs an extra that is not installed.
        OptionError: The model, the cache or the store cannot be used as the settings say.
    """
    metrics = Metrics()
    cache, store = open_cache(settings), open_store(settings, metrics.lost)
    return Service(settings, cache=cache, store=store, metrics=metrics)


async def _warm(service: Service) -> None:
    """Read what the first question would wait for. Readyz waits for it too, and says what went wrong."""
    with suppress(TruerefError):
        await service.warm()


def _api(settings: Settings, endpoints: Endpoints, count_error: Callable[[int], None]) -> ASGIApp:
    """The API as an application of its own, so that its limits never touch the pages of the site."""
    app = Starlette(
        routes=[_route(operation, endpoints, settings) for operation in OPERATIONS],
        exception_handlers={HTTPException: on_http_exception},
        middleware=[
            # Outermost first. A refusal, too, must carry the CORS headers, or the widget cannot read it.
            Middleware(
                Cors,
                allow_origins=settings.allowed_origins,
                allow_methods=("GET", "POST"),
                # With Accept-Ranges the widget fetches only those parts of a document that it shows.
                expose_headers=("Retry-After", "Accept-Ranges"),
                max_age=3600,
            ),
            Middleware(SecurityHeaders),
            # Outside of the limits, so that what they refuse is counted too.
            Middleware(Errors, count=count_error),
            *_rate_limit(settings),
            # Innermost: a client that is over its rate has no body read.
            Middleware(BodyLimit, max_bytes=settings.max_body_bytes, seconds=settings.body_timeout),
        ],
    )
    app.router.redirect_slashes = False
    return app


def _route(operation: Operation, endpoints: Endpoints, settings: Settings) -> Route:
    """The route of an operation; only answers take a slot."""
    of_network = settings.max_answers_of_network or math.ceil(settings.max_answers / 2)
    slots = Middleware(AnswerSlots, slots=settings.max_answers, of_network=of_network, trusted=settings.trusted_proxies)
    middleware = [slots] if operation.name == "ask" else []
    endpoint = getattr(endpoints, operation.name)
    return Route(operation.path, endpoint, methods=[operation.method], name=operation.name, middleware=middleware)


def _rate_limit(settings: Settings) -> list[Middleware]:
    """The limit of requests, none if it is set to 0: parts of documents have a budget of their own."""
    if not settings.rate_per_minute:
        return []
    of_questions, of_parts = (
        Buckets(
            burst=settings.rate_burst * times,
            per_second=settings.rate_per_minute / 60 * times,
            bound=settings.rate_clients,
        )
        for times in (1, PARTS_OF_ONE)
    )
    separate = dict.fromkeys(IN_PARTS, of_parts)
    return [
        Middleware(
            RateLimit,
            buckets=of_questions,
            buckets_by_segment=separate,
            trusted=settings.trusted_proxies,
            free=FREE_OF_LIMIT,
        )
    ]
