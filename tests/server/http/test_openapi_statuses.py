"""Every status that an operation can give is in the OpenAPI document, and every response is as the document says.

Left out is what no library of HTTP sends: a request with two lengths, and one that cannot be read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from tests.plugin.pdfs import write_pdf, write_site
from tests.server.connecting import PREFIX, connect, connected, events_of
from tests.server.http.test_openapi import DOCUMENT

from trueref_plugin.build.build import index_site
from trueref_server.service import Service
from trueref_server.serving.protocol import protocol_class
from trueref_server.settings import Settings, load_settings
from trueref_widget import FILES

pytestmark = pytest.mark.anyio

JSON = {"content-type": "application/json"}
BODIES: dict[str, dict[str, Any]] = {
    "ask": {"question": "What is the torque of bolt2?"},
    "session": {},
    "references": {"text": "[bolts](nowhere/)"},
    "feedback": {"answer_id": "0" * 16, "helpful": True},
}
"""A good body for each operation with POST."""

QUERIES = {"search": {"q": "bolt"}, "resolve": {"link": "index.html"}}
"""Good parameters for the operations that need some."""

BY_A_FAULT_ALONE = {("session", 500)}
"""A session is made in memory, so that only a fault in the program would fail it."""


@dataclass(frozen=True)
class Operation:
    """An operation of the document. `path` may have a name in braces, for which `name` stands."""

    id: str
    method: str
    path: str
    responses: dict[str, Any] = field(repr=False)
    name: str = "none"

    def request(self, client: httpx.AsyncClient, **sent: Any) -> httpx.Request:
        """A good request, with something else in place of a part of it."""
        address = f"{PREFIX}{self.path}".replace("{id}", self.name).replace("{name}", self.name)
        good: dict[str, Any] = {"params": QUERIES.get(self.id)}
        if self.method == "POST":
            good |= {"content": json.dumps(BODIES[self.id]), "headers": JSON}
        return client.build_request(self.method, address, **(good | sent))


def operations(name: str = "none") -> Iterator[Operation]:
    for path, methods in DOCUMENT["paths"].items():
        for method, described in methods.items():
            yield Operation(described["operationId"], method.upper(), path, described["responses"], name)


class Met:
    """The statuses that operations gave, each response compared with the document."""

    def __init__(self) -> None:
        self.statuses: set[tuple[str, int]] = set()

    async def send(self, client: httpx.AsyncClient, operation: Operation, **sent: Any) -> httpx.Response:
        response = await client.send(operation.request(client, **sent))
        self.statuses.add((operation.id, response.status_code))
        described = operation.responses[str(response.status_code)]
        headers = described.get("headers", {})
        assert [name for name in headers if headers[name].get("required") and name not in response.headers] == []
        if response.status_code == 304:
            assert response.content == b""
            return response
        media_type = response.headers["content-type"].partition(";")[0]
        schema = described["content"][media_type].get("schema", {})
        if media_type == "application/json":
            self.validate(response.json(), schema)
        if media_type == "text/event-stream":
            for event, data in events_of(response.text):
                (named,) = [item for item in schema["items"]["oneOf"] if item["properties"]["event"]["const"] == event]
                self.validate(data, named["properties"]["data"]["contentSchema"])
        return response

    @staticmethod
    def validate(value: Any, schema: dict[str, Any]) -> None:
        Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(value)


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of a site and of a PDF that the site does not publish."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "pdf").mkdir()
    pages = [[f"The torque of bolt{n} is {n * 3} newton metres."] for n in range(1, 4)]
    write_pdf(folder / "pdf" / "bolts.pdf", pages, title="Bolts")
    index_site(
        write_site(folder / "site"), index=folder / "index", name="docs", embedder="lexical", pdf=[folder / "pdf"]
    )
    return folder / "index"


async def slowly() -> AsyncIterator[bytes]:
    while True:
        yield b""
        await asyncio.sleep(0)


async def whole(met: Met, index: Path, store: str) -> None:
    """Good requests, and those that are wrong in themselves."""
    async with connect(index, store=store, max_body_bytes=1024, body_timeout=1) as client:
        answer = await client.post(f"{PREFIX}/ask", json=BODIES["ask"])
        document = answer.json()["sources"][0]["href"].partition("#")[0].rpartition("/")[2]
        await met.send(
            client, *[one for one in operations() if one.id == "ask"], content='{"question":"a","stream":true}'
        )
        for operation in operations():
            name = {"document": document, "widget": FILES[0]}.get(operation.id, "none")
            good = Operation(operation.id, operation.method, operation.path, operation.responses, name)
            if tag := (await met.send(client, good)).headers.get("etag"):
                await met.send(client, good, headers={"If-None-Match": tag})
            if "{" in operation.path:
                await met.send(client, operation)
            if operation.id == "document":
                for asked in ("bytes=0-9", "bytes=0-1,5-9", "bytes=999999999-"):
                    await met.send(client, good, headers={"Range": asked})
            if operation.id in QUERIES:
                await met.send(client, operation, params={})
        for operation in operations():
            if operation.method == "POST":
                await met.send(client, operation, content=b" " * 1025)
            if operation.method == "POST" and operation.id != "session":
                await met.send(client, operation, content=b"{")
                await met.send(client, operation, content=b"{}")
                await met.send(client, operation, headers={"content-type": "text/plain"})
        posts = [operation for operation in operations() if operation.method == "POST"]
        await asyncio.gather(*(met.send(client, operation, content=slowly()) for operation in posts))


async def limited(met: Met, index: Path) -> None:
    """A server whose limits are reached, one without a store, and one that asks for a session."""
    async with connect(index, rate_burst=1, rate_per_minute=1) as client:
        for _ in range(11):
            await client.get(f"{PREFIX}/documents/none")
        await client.get(f"{PREFIX}/search?q=bolt")
        for operation in operations():
            await met.send(client, operation)
    async with connect(index, model_url="http://127.0.0.1:9/v1", model_name="m", model_session_seconds=60) as client:
        for operation in operations():
            if operation.id in ("ask", "feedback"):
                await met.send(client, operation)


class Broken(Service):
    """A service in which a fault of the program ends every request."""

    def fail(self, *_: object, **__: object) -> NoReturn:
        raise RuntimeError("A fault")

    ask_whole = search = check_text = rate = resolve = manifest = document = warm = build = questions = fail


async def broken(met: Met, index: Path) -> None:
    settings = load_settings({}, options={"index": index, "rate_per_minute": 0})
    async with connected(settings, Broken(settings)) as client:
        for operation in operations():
            await met.send(client, operation)


async def busy(met: Met) -> None:
    """A connection that is over the limit."""
    transport = httpx.ASGITransport(protocol_class(Settings()).refusal)
    async with httpx.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        for operation in operations():
            await met.send(client, operation)


async def test_the_document_has_every_status_and_none_that_is_never_given(
    documents: Path, tmp_path: Path, anyio_backend: str
) -> None:
    met = Met()
    await whole(met, documents, f"sqlite:///{tmp_path / 'insight.db'}")
    await limited(met, documents)
    await broken(met, documents)
    await busy(met)
    described = {(operation.id, int(status)) for operation in operations() for status in operation.responses}
    assert described - met.statuses == BY_A_FAULT_ALONE


async def test_without_an_index_each_refusal_is_as_the_document_says(tmp_path: Path, anyio_backend: str) -> None:
    met = Met()
    async with connect(tmp_path / "none") as client:
        for operation in operations():
            await met.send(client, operation)
    without_index = {operation for operation, status in met.statuses if status == 503}
    assert without_index == {
        *("ask", "search", "references", "resolve", "manifest", "document", "readyz", "build", "questions")
    }
