"""The server beside `mkdocs serve`: the API on the origin of the live-reload server, without a second process.

The MkDocs plugin finds this class through the entry-point group `trueref.companion` and wraps the WSGI application of
the live-reload server with it. Event loop and index begin with the first request: nothing is open before a fork.
"""

from __future__ import annotations

import asyncio
import os
import string
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from a2wsgi import ASGIMiddleware

from trueref_server.service import Service
from trueref_server.serving.app import create_app
from trueref_server.settings import FILE, load_settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
WSGIApp = Callable[[Environ, StartResponse], Iterable[bytes]]

TASK = "trueref.task"
# wsgiref refuses them from an application; they belong to the server.
HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding"})


class Companion:
    """Answers under `prefix` from the index at `index`, which need not exist yet, and passes on everything else.

    Args:
        index: The index folder. A generation published there is picked up while the server runs.
        prefix: Where the API is mounted.

    Raises:
        OptionError: The environment or `trueref.toml` in this folder has an option that does not fit.
    """

    def __init__(self, index: Path, prefix: str = "/_trueref") -> None:
        # Only the person who writes the docs asks here.
        options = {"index": index, "prefix": prefix, "rate_per_minute": 0}
        self._settings = load_settings(os.environ, file=Path(FILE), options=options)
        self._lock = threading.Lock()
        self._bridge: Bridge | None = None

    def wrap(self, app: WSGIApp) -> WSGIApp:
        """The application with the API in front of it."""
        prefix = self._settings.prefix

        def with_companion(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
            # `/_trueref` itself too, but not `/_trueref-notes/`, which is a page of the site.
            path = environ.get("PATH_INFO", "")
            if path == prefix or path.startswith(prefix + "/"):
                return self._started().respond(environ, start_response)
            return app(environ, start_response)

        return with_companion

    def close(self) -> None:
        """Close the index and end the thread that served it. The next request would begin anew."""
        with self._lock:
            bridge, self._bridge = self._bridge, None
        if bridge is not None:
            bridge.close()

    def _started(self) -> Bridge:
        """The bridge, made by the first request: an event loop does not survive a fork."""
        with self._lock:
            if self._bridge is None:
                service = Service(self._settings)
                self._bridge = Bridge(create_app(self._settings, service=service), service)
            return self._bridge


class Bridge:
    """An ASGI application on an event loop in a thread of its own, called as WSGI."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._service = service
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="trueref-companion", daemon=True)
        self._thread.start()
        self._wsgi: Any = ASGIMiddleware(cast("Any", _named_task(app)), loop=self._loop)

    def respond(self, environ: Environ, start_response: StartResponse) -> Iterator[bytes]:
        """Answer one request. Closing the iterator early (the reader has gone) cancels the work."""
        environ = _as_ascii(environ)
        with_body = environ["REQUEST_METHOD"] != "HEAD"

        def start(status: str, headers: list[tuple[str, str]], error: object = None) -> object:
            return start_response(status, [item for item in headers if item[0].lower() not in HOP_BY_HOP], error)

        call: WSGIApp = self._wsgi
        try:
            for chunk in call(environ, start):
                yield chunk if with_body else b""
        finally:
            task = environ.get(TASK)
            if task is not None:
                # a2wsgi leaves the task waiting for a reader who will not come back.
                self._loop.call_soon_threadsafe(task.cancel)

    def close(self) -> None:
        """End what is under way, close the index, then stop the loop."""
        ending: Future[None] = asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        ending.result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    async def _end(self) -> None:
        """Cancel what is under way, then close the index."""
        # Requests whose readers have gone may still be in the middle of a search.
        under_way = asyncio.all_tasks() - {asyncio.current_task()}
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        await self._service.close()


def _named_task(app: ASGIApp) -> ASGIApp:
    """Leaves the task of a request in its WSGI environment, so that it can be cancelled."""

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        scope["wsgi_environ"][TASK] = asyncio.current_task()
        await app(scope, receive, send)

    return call


def _as_ascii(environ: Environ) -> Environ:
    """A copy of the environment that a2wsgi can read: raw bytes in address or length would raise there."""
    path = environ.get("PATH_INFO", "").encode("latin-1", "replace").decode("utf-8", "replace")
    length = environ.get("CONTENT_LENGTH") or "0"
    return environ | {
        "PATH_INFO": path.encode("utf-8").decode("latin-1"),
        "QUERY_STRING": quote(environ.get("QUERY_STRING", "").encode("latin-1", "replace"), safe=string.punctuation),
        "CONTENT_LENGTH": length if length.isascii() and length.isdigit() else "0",
    }
