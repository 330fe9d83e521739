"""The endpoints: decode, ask the service, encode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response

from trueref_server.http.client import client_network
from trueref_server.http.decoding import read_json, read_query
from trueref_server.http.document_files import document_response
from trueref_server.http.error_responses import Refusal
from trueref_server.http.messages import (
    AskMessage,
    HealthMessage,
    ReadyMessage,
    ReferencesMessage,
    ResolveQuery,
    SearchMessage,
    SearchQuery,
    query_of,
    question_of,
)
from trueref_server.http.openapi import build_openapi
from trueref_server.http.sse import EventStream
from trueref_server.http.widget_files import WidgetFiles, has_tag
from trueref_server.metrics import MEDIA_TYPE
from trueref_server.service import Service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    from starlette.requests import Request


class Endpoints:
    """One method for each operation of the table, under the operation's name."""

    def __init__(self, service: Service, settings: Settings, widget: WidgetFiles) -> None:
        self._service = service
        self._settings = settings
        self._widget = widget
        self._openapi = msgspec.json.encode(build_openapi(settings))

    async def ask(self, request: Request) -> Response:
        """Answer a question, whole or as a stream."""
        message = await read_json(request, AskMessage)
        question = question_of(message, self._settings)
        network = client_network(request.scope, self._settings.trusted_proxies)
        if not message.stream:
            return _json(await self._service.ask_whole(question, network))
        # Before the stream begins, so that a missing index or embedder is still told by the status.
        await self._service.warm()
        return EventStream(self._service.ask(question, network))

    async def search(self, request: Request) -> Response:
        """List sections."""
        query = read_query(request, SearchQuery)
        results = await self._service.search(query_of(query, self._settings), limit=query.limit)
        return _json(SearchMessage(results))

    async def references(self, request: Request) -> Response:
        """Check the links of a text."""
        message = await read_json(request, ReferencesMessage)
        return _json(await self._service.check_text(message.text, message.page, message.sources))

    async def resolve(self, request: Request) -> Response:
        """Give the verdict on a link."""
        query = read_query(request, ResolveQuery)
        return _json(await self._service.resolve(query.link, query.page))

    async def manifest(self, request: Request) -> Response:
        """Give the published manifest, or say that the client has it."""
        made = await self._service.manifest()
        headers = {"ETag": made.tag, "Cache-Control": "public, max-age=0, must-revalidate"}
        if has_tag(request, made.tag):
            return Response(status_code=304, headers=headers)
        return Response(made.body, headers=headers, media_type="application/json")

    async def document(self, request: Request) -> Response:
        """Give a PDF by its id, whole or in parts."""
        key = request.path_params["id"]
        found = await self._service.document(key)
        response = None if found is None else await document_response(request, found.path, found.name, f'"{key}"')
        if response is None:
            raise Refusal(404, "There is no such document.", "It may have changed since: ask again for its address.")
        return response

    async def healthz(self, _request: Request) -> Response:
        """Answer while the process is up."""
        return _json(HealthMessage())

    async def readyz(self, _request: Request) -> Response:
        """Answer when questions are: the index is open, and the embedder loaded."""
        generation = await self._service.warm()
        return _json(ReadyMessage(generation.id, generation.embedder, generation.vectors))

    async def metrics(self, _request: Request) -> Response:
        """Give the counts."""
        return Response(self._service.metrics.text(), headers={"Cache-Control": "no-store"}, media_type=MEDIA_TYPE)

    async def openapi(self, _request: Request) -> Response:
        """Give the OpenAPI document."""
        return Response(self._openapi, media_type="application/json", headers={"Cache-Control": "public, max-age=300"})

    async def build(self, _request: Request) -> Response:
        """Say what the widget has to know of the index."""
        return _json(await self._service.build())

    async def questions(self, _request: Request) -> Response:
        """Give the questions that the widget offers."""
        return _json(await self._service.questions())

    async def widget(self, request: Request) -> Response:
        """Give a file of the widget."""
        response = self._widget.response(request.path_params["name"], request)
        if response is None:
            raise Refusal(404, "The widget has no such file.", f"It has: {', '.join(self._widget.files) or 'none'}.")
        return response


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")
