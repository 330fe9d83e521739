"""The server beside `mkdocs serve`: the API on the origin of the live-reload server, without a second process.

The MkDocs plugin finds the class `Companion` through the entry-point group `trueref.companion`, and wraps the WSGI
application of the live-reload server with it. Event loop and index are opened by the first request, so that nothing is
open before a fork.
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
# These headers are the server's own: wsgiref refuses them from an application.
HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding"})


class Companion:
    """Answers requests under `prefix` from the index at `index`, which need not exist yet. Passes on all others.

    Args:
        index: The index folder. A generation published there is picked up while the server runs.
        prefix: Where the API is mounted.

    Raises:
        OptionError: The environment or `trueref.toml` in the working directory has an invalid option.
    """

    def __init__(self, index: Path, prefix: str = "/_trueref") -> None:
        # No rate limit: only the person who writes the docs asks here.
        options = {"index": index, "prefix": prefix, "rate_per_minute": 0}
        self._settings = load_settings(os.environ, file=Path(FILE), options=options)
        self._lock = threading.Lock()
        self._bridge: WsgiBridge | None = None

    def wrap(self, app: WSGIApp) -> WSGIApp:
        """The application with the API in front of it."""
        prefix = self._settings.prefix

        def with_companion(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
            # `/_trueref` itself too, but not `/_trueref-notes/`, which is a page of the site.
            path = environ.get("PATH_INFO", "")
            if path == prefix or path.startswith(prefix + "/"):
                return self._open_bridge().respond(environ, start_response)
            return app(environ, start_response)

        return with_companion

    def close(self) -> None:
        """Close the index and end the thread of the bridge. The next request would open both again."""
        with self._lock:
            bridge, self._bridge = self._bridge, None
        if bridge is not None:
            bridge.close()

    def _open_bridge(self) -> WsgiBridge:
        """The bridge, created by the first request, since an event loop does not survive a fork."""
        with self._lock:
            if self._bridge is None:
                service = Service(self._settings)
                self._bridge = WsgiBridge(create_app(self._settings, service=service), service)
            return self._bridge


class WsgiBridge:
    """Runs an ASGI application on an event loop in a thread of its own, and offers it as a WSGI application."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._service = service
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="trueref-companion", daemon=True)
        self._thread.start()
        self._wsgi: Any = ASGIMiddleware(cast("Any", _with_task(app)), loop=self._loop)

    def respond(self, environ: Environ, start_response: StartResponse) -> Iterator[bytes]:
        """Answer one request. If the iterator is closed early, since the reader has gone, the work is cancelled."""
        environ = _readable_environ(environ)
        has_body = environ["REQUEST_METHOD"] != "HEAD"

        def start(status: str, headers: list[tuple[str, str]], error: object = None) -> object:
            return start_response(status, [item for item in headers if item[0].lower() not in HOP_BY_HOP], error)

        call: WSGIApp = self._wsgi
        try:
            for chunk in call(environ, start):
                yield chunk if has_body else b""
        finally:
            task = environ.get(TASK)
            if task is not None:
                # a2wsgi would leave the task of a reader who has gone waiting for ever.
                self._loop.call_soon_threadsafe(task.cancel)

    def close(self) -> None:
        """Cancel the open requests, close the index, then stop the loop."""
        closing: Future[None] = asyncio.run_coroutine_threadsafe(self._close_service(), self._loop)
        closing.result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    async def _close_service(self) -> None:
        """Cancel the open requests, then close the index."""
        # Requests whose readers have gone may still be in the middle of a search.
        open_tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in open_tasks:
            task.cancel()
        await asyncio.gather(*open_tasks, return_exceptions=True)
        await self._service.close()


def _with_task(app: ASGIApp) -> ASGIApp:
    """Store the task of each request in its WSGI environment, so that the task can be cancelled."""

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        scope["wsgi_environ"][TASK] = asyncio.current_task()
        await app(scope, receive, send)

    return call


def _readable_environ(environ: Environ) -> Environ:
    """A copy of the environment that a2wsgi can read: it would raise on raw bytes in the address or the length."""
    path = environ.get("PATH_INFO", "").encode("latin-1", "replace").decode("utf-8", "replace")
    length = environ.get("CONTENT_LENGTH") or "0"
    return environ | {
        "PATH_INFO": path.encode("utf-8").decode("latin-1"),
        "QUERY_STRING": quote(environ.get("QUERY_STRING", "").encode("latin-1", "replace"), safe=string.punctuation),
        "CONTENT_LENGTH": length if length.isascii() and length.isdigit() else "0",
    }
