from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator import validate
from starlette.routing import Mount, Route
from tests.server.connecting import PREFIX, events_of

from trueref_server.http.openapi import build_openapi
from trueref_server.serving.app import create_app
from trueref_server.settings import Settings
from trueref_widget import FILES

if TYPE_CHECKING:
    import httpx

pytestmark = pytest.mark.anyio

DOCUMENT = build_openapi(Settings())


def check(name: str, value: Any) -> None:
    """Check a value against a schema of the document."""
    Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}).validate(value)


def test_the_openapi_document_is_valid() -> None:
    validate(DOCUMENT)


def test_every_route_is_in_the_document() -> None:
    mount = create_app(Settings()).routes[0]
    assert isinstance(mount, Mount)
    routes = {
        (route.path, method.lower())
        for route in mount.routes
        if isinstance(route, Route)
        for method in (route.methods or ())
        if method != "HEAD"
    }
    assert routes == {(path, method) for path, item in DOCUMENT["paths"].items() for method in item}


async def test_the_openapi_document_is_served(client: httpx.AsyncClient) -> None:
    assert (await client.get(f"{PREFIX}/openapi.json")).json() == DOCUMENT


def test_limits_of_the_settings_are_in_the_document() -> None:
    schemas = build_openapi(Settings(max_question=7, max_history=3))["components"]["schemas"]
    assert schemas["AskMessage"]["properties"]["question"]["maxLength"] == 7
    assert schemas["AskMessage"]["properties"]["history"]["maxItems"] == 3


async def test_answers_fit_their_schemas(client: httpx.AsyncClient) -> None:
    question = {"question": "How do I switch on dark mode?"}
    check("AskMessage", question)
    check("Answer", (await client.post(f"{PREFIX}/ask", json=question)).json())
    check("SearchMessage", (await client.get(f"{PREFIX}/search?q=dark")).json())
    check("Reference", (await client.get(f"{PREFIX}/resolve?link=install/")).json())
    check("HealthMessage", (await client.get(f"{PREFIX}/healthz")).json())
    check("ReadyMessage", (await client.get(f"{PREFIX}/readyz")).json())


async def test_events_fit_their_schemas(client: httpx.AsyncClient) -> None:
    stream = DOCUMENT["paths"]["/ask"]["post"]["responses"]["200"]["content"]["text/event-stream"]["schema"]
    events = [item["properties"] for item in stream["items"]["oneOf"]]
    schemas = {item["event"]["const"]: item["data"]["contentSchema"]["$ref"].rpartition("/")[2] for item in events}
    own = {"sources": "SourcesEvent", "delta": "DeltaEvent", "mark": "MarkEvent", "error": "ErrorEvent"}
    assert schemas == {**own, "done": "Answer"}
    response = await client.post(f"{PREFIX}/ask", json={"question": "dark mode", "stream": True})
    for name, data in events_of(response.text):
        check(schemas[name], data)


async def test_content_types_are_those_of_the_document(client: httpx.AsyncClient) -> None:
    """Of every operation that answers without a body of its own, and of the files of the widget."""
    asked = {"/manifest": "/manifest", "/openapi.json": "/openapi.json", "/healthz": "/healthz"}
    asked |= {f"/widget/{name}": "/widget/{name}" for name in FILES}
    for address, path in asked.items():
        response = await client.get(PREFIX + address)
        assert response.status_code == 200
        content = DOCUMENT["paths"][path]["get"]["responses"]["200"]["content"]
        assert response.headers["content-type"].partition(";")[0] in content
        if tag := response.headers.get("etag"):
            again = await client.get(PREFIX + address, headers={"If-None-Match": tag})
            assert again.status_code == 304
            assert "304" in DOCUMENT["paths"][path]["get"]["responses"]


def test_a_client_may_rely_on_every_field_of_a_response_and_leave_out_those_with_a_default() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert schemas["Source"]["required"] == [*schemas["Source"]["properties"]]
    assert "default" not in json.dumps([schemas["Answer"], schemas["Source"], schemas["ErrorDetail"]])
    assert schemas["AskMessage"]["required"] == ["question"]
    assert schemas["ExchangeMessage"]["properties"]["answer"]["default"] == ""


def test_values_of_which_there_are_few_are_listed() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert {*schemas["Answer"]["properties"]["mode"]["enum"]} == {"extractive", "model"}
    assert {"", "budget", "uncited"} <= {*schemas["Answer"]["properties"]["fallback"]["enum"]}
    assert {"guide", "pdf"} <= {*schemas["Source"]["properties"]["kind"]["enum"]}
    assert {"prose", "code"} <= {*schemas["SearchResult"]["properties"]["kind"]["enum"]}


def test_descriptions_speak_of_json() -> None:
    """They are docstrings of Python."""
    descriptions = [schema["description"] for schema in DOCUMENT["components"]["schemas"].values()]
    assert [text for text in descriptions if "None" in text or "\n " in text] == []
