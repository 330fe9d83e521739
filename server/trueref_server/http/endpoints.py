"""The endpoints: decode, ask the service, encode."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response

from trueref_server.events import ErrorEvent, Event
from trueref_server.http.client import client_network
from trueref_server.http.decoding import read_json, read_query
from trueref_server.http.messages import (
    AskMessage,
    FeedbackMessage,
    HealthMessage,
    KeptMessage,
    ReadyMessage,
    ReferencesMessage,
    ResolveQuery,
    SearchMessage,
    SearchQuery,
    SessionMessage,
    query_of,
    question_of,
)
from trueref_server.http.openapi import build_openapi
from trueref_server.http.responses.document_files import document_response
from trueref_server.http.responses.error_responses import RETRY_SECONDS, Refusal, detail_of
from trueref_server.http.responses.leaving import until_left
from trueref_server.http.responses.sse import EventStream
from trueref_server.http.responses.widget_files import has_tag, widget_response
from trueref_server.metrics import MEDIA_TYPE
from trueref_server.model.sessions import Sessions
from trueref_server.service import Service
from trueref_server.settings import Settings
from trueref_server.store.entries import Rating
from trueref_widget import FILES

if TYPE_CHECKING:
    from starlette.requests import Request


JSON = "application/json"


class Endpoints:
    """One method for each operation of the table, under the operation's name."""

    def __init__(self, service: Service, settings: Settings) -> None:
        self._service = service
        self._settings = settings
        needs_session = settings.model_url and settings.model_session_seconds
        self._sessions = (
            Sessions(settings.model_session_secret, settings.model_session_seconds) if needs_session else None
        )
        # Made once: the limits of the settings in it do not change while the server runs.
        self._openapi = msgspec.json.encode(build_openapi(settings))

    async def ask(self, request: Request) -> Response:
        """Answer a question, whole or as a stream."""
        message = await read_json(request, AskMessage)
        question = question_of(message, self._settings)
        network = client_network(request.scope, self._settings.trusted_proxies)
        if self._sessions is not None and not self._sessions.is_valid(message.session, network):
            refusal = Refusal(403, "The question has no session, or its session is no longer valid.")
            if not message.stream:
                raise refusal
            # Sent as an event: every session expires at some time, and a browser logs each refused request in its
            # console.
            return EventStream(_error_stream(refusal))
        if not message.stream:
            answer = await until_left(self._service.ask_whole(question, network), request.receive)
            # Without an answer there is nobody left to read the response.
            return _json(answer) if answer is not None else Response()
        # Loaded before the stream begins, so that the status still tells of a missing index or embedder.
        await self._service.warm()
        return EventStream(self._service.ask(question, network))

    async def session(self, request: Request) -> Response:
        """Issue a session."""
        if self._sessions is None:
            return _json(SessionMessage())
        network = client_network(request.scope, self._settings.trusted_proxies)
        return _json(SessionMessage(self._sessions.issue(network), self._sessions.seconds))

    async def search(self, request: Request) -> Response:
        """List sections."""
        query = read_query(request, SearchQuery)
        results = await self._service.search(query_of(query, self._settings), limit=query.limit)
        return _json(SearchMessage(results))

    async def references(self, request: Request) -> Response:
        """Check the links of a text."""
        message = await read_json(request, ReferencesMessage)
        return _json(await self._service.check_text(message.text, message.page, message.sources))

    async def feedback(self, request: Request) -> Response:
        """Store a reader's rating of an answer."""
        message = await read_json(request, FeedbackMessage)
        is_kept = self._service.rate(Rating(**msgspec.structs.asdict(message)))
        if is_kept is None:
            raise Refusal(404, "This server keeps no feedback.", "Its owner can set TRUEREF_STORE.")
        if not is_kept:
            hint = f"Try again in {RETRY_SECONDS} seconds."
            raise Refusal(503, "The server cannot keep this just now.", hint, RETRY_SECONDS)
        return _json(KeptMessage())

    async def resolve(self, request: Request) -> Response:
        """Resolve a link."""
        query = read_query(request, ResolveQuery)
        return _json(await self._service.resolve(query.link, query.page))

    async def manifest(self, request: Request) -> Response:
        """Return the published manifest, or 304 if the client has it."""
        published = await self._service.manifest()
        headers = {"ETag": published.tag, "Cache-Control": "public, max-age=0, must-revalidate"}
        if has_tag(request, published.tag):
            return Response(status_code=304, headers=headers)
        return Response(published.body, headers=headers, media_type=JSON)

    async def document(self, request: Request) -> Response:
        """Return a PDF by its id, whole or in ranges of bytes."""
        key = request.path_params["id"]
        file = await self._service.document(key)
        response = None if file is None else await document_response(request, file.path, file.name, f'"{key}"')
        if response is None:
            raise Refusal(404, "There is no such document.", "It may have changed since: ask again for its address.")
        return response

    async def healthz(self, _request: Request) -> Response:
        """Answer while the process is up."""
        return _json(HealthMessage())

    async def readyz(self, _request: Request) -> Response:
        """Answer once questions can be answered: the index is open, and the embedder is loaded."""
        generation = await self._service.warm()
        return _json(ReadyMessage(generation.id, generation.embedder, generation.vectors))

    async def metrics(self, _request: Request) -> Response:
        """Return the counts and times of the answers for Prometheus."""
        return Response(self._service.metrics.text(), media_type=MEDIA_TYPE)

    async def openapi(self, _request: Request) -> Response:
        """Return the OpenAPI document."""
        return Response(self._openapi, media_type=JSON, headers={"Cache-Control": "public, max-age=300"})

    async def build(self, _request: Request) -> Response:
        """Return what the widget needs to know of the index."""
        return _json(await self._service.build())

    async def questions(self, _request: Request) -> Response:
        """Return the questions that the widget offers."""
        return _json(await self._service.questions())

    async def widget(self, request: Request) -> Response:
        """Return a file of the widget."""
        response = widget_response(request)
        if response is None:
            raise Refusal(404, "The widget has no such file.", f"It has: {', '.join(FILES)}.")
        return response


async def _error_stream(refusal: Refusal) -> AsyncGenerator[Event]:
    """A stream of one event: the reason why there is no answer."""
    yield ErrorEvent(detail_of(refusal)[1])


def _json(value: object) -> Response:
    """A response with status 200 and a JSON body."""
    return Response(msgspec.json.encode(value), media_type=JSON)
