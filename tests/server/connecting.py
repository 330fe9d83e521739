"""Clients of the application, in this process."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from trueref_server.service import Service
from trueref_server.serving.app import create_app, open_service
from trueref_server.settings import Settings, load_settings

PREFIX = "/_trueref"


@asynccontextmanager
async def connect(
    index: Path, *, site: Path | None = None, base: str = "/", **given: object
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application over an index. Unless told, no rate limit, no kept answer, no session."""
    settings = load_settings(
        {}, options={"index": index, "rate_per_minute": 0, "cache_answers": 0, "model_session_seconds": 0, **given}
    )
    async with connected(settings, open_service(settings), site=site, base=base) as client:
        yield client


@asynccontextmanager
async def connected(
    settings: Settings, service: Service, *, site: Path | None = None, base: str = "/"
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application with a service, which is closed in the end."""
    transport = httpx.ASGITransport(
        create_app(settings, site=site, base=base, service=service), client=("192.0.2.1", 1234)
    )
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://docs.test") as client:
            yield client
    finally:
        await service.close()


def events_of(body: str) -> list[tuple[str, Any]]:
    """The events of a stream, as a browser would read them."""
    events = []
    for block in body.split("\n\n")[:-1]:
        name, data = block.split("\n")
        events.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return events
