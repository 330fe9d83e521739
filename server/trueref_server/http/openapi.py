"""The OpenAPI 3.1 document, made from the table of operations and the types of the messages."""

from __future__ import annotations

import inspect
import re
from typing import Any, get_args

import msgspec

from trueref_core.export.manifest_schema import Json
from trueref_core.version import __version__
from trueref_server.events import DoneEvent, Event
from trueref_server.http.operations import OPERATIONS, Operation
from trueref_server.http.responses.error_responses import CODES_AND_HINTS, ErrorBody
from trueref_server.records import Answer
from trueref_server.settings import Settings

REFERENCES = "#/components/schemas/{name}"

_PARAMETER = re.compile(r"\{(\w{1,32})\}")


def build_openapi(settings: Settings) -> Json:
    """The document of a server, with the prefix and the limits of its settings."""
    schemas = _schemas(settings)
    paths: dict[str, Json] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _describe(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Trueref",
            "version": __version__,
            "summary": "Ask the docs, and every link lands.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": settings.prefix}],
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _schemas(settings: Settings) -> Json:
    """The schemas of all messages, with the limits that the settings give to questions."""
    types = [
        message
        for operation in OPERATIONS
        for message in (operation.answer, operation.body, operation.query)
        if message is not None
    ]
    # The data of `done` is an answer, whose schema is among the operations' already.
    events = [event for event in get_args(Event) if event is not DoneEvent]
    _, schemas = msgspec.json.schema_components([*types, ErrorBody, *events], ref_template=REFERENCES)
    sent = _names_in([message for operation in OPERATIONS for message in (operation.body, operation.query) if message])
    for name, schema in schemas.items():
        # The texts are docstrings: they are indented, and say None where JSON has null.
        schema["description"] = inspect.cleandoc(schema["description"]).replace("None", "null")
        # Defaults are for those who send a message. A response has all of its fields.
        if name not in sent:
            schema["required"] = [*schema["properties"]]
            for field in schema["properties"].values():
                field.pop("default", None)
    question = schemas["AskMessage"]["properties"]
    question["question"] |= {"minLength": 1, "maxLength": settings.max_question}
    question["history"]["maxItems"] = settings.max_history
    schemas["SearchQuery"]["properties"]["q"] |= {"minLength": 1, "maxLength": settings.max_question}
    return dict(schemas)


def _names_in(messages: list[type]) -> frozenset[str]:
    """The names of the schemas of messages, and of the messages in them."""
    return frozenset(msgspec.json.schema_components(messages, ref_template=REFERENCES)[1])


def _describe(operation: Operation, schemas: Json) -> Json:
    """The OpenAPI object of an operation: its parameters, its body and its responses."""
    description: Json = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": [
            *_path_parameters(operation),
            *_query_parameters(operation, schemas),
            *_header_parameters(operation),
        ],
        "responses": _responses(operation),
    }
    if operation.body is not None:
        description["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _reference(operation.body)}},
        }
    return description


def _responses(operation: Operation) -> Json:
    """The responses of an operation by status."""
    responses: Json = {"200": _success(operation)}
    if operation.in_parts:
        bytes_sent = "Which bytes the body has; of several ranges, each part of the body says it"
        headers = {"Content-Range": {"description": bytes_sent, "schema": {"type": "string"}}}
        content: Json = {type_: {} for type_ in (operation.media_type, "multipart/byteranges")}
        responses["206"] = {"description": "The bytes that were asked for", "headers": headers, "content": content}
    if operation.has_tag:
        responses["304"] = {"description": "The client has it: If-None-Match names its entity tag"}
        tag = {"description": "The entity tag", "required": True, "schema": {"type": "string"}}
        for response in responses.values():
            response["headers"] = {**response.get("headers", {}), "ETag": tag}
    return responses | {str(status): _failure(status) for status in operation.errors}


def _success(operation: Operation) -> Json:
    """The response with status 200: JSON or a file, and for `ask` a stream of events as well."""
    schema: Json = {} if operation.answer is None else _reference(operation.answer)
    content: Json = {operation.media_type: {"schema": schema}}
    if operation.streams:
        content["text/event-stream"] = {"schema": _events()}
    return {"description": operation.summary, "content": content}


def _events() -> Json:
    """The events of a stream, as an array: OpenAPI 3.1 cannot describe a stream of events."""
    return {
        "type": "array",
        "description": "With `stream`: server-sent events, the data of each one line of JSON.",
        "items": {"oneOf": [_event(event) for event in get_args(Event)]},
    }


def _event(event: type[Any]) -> Json:
    """One server-sent event: its name, and the schema of its line of JSON."""
    data = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": _reference(Answer if event is DoneEvent else event),
    }
    properties = {"event": {"const": event.name}, "data": data}
    return {"type": "object", "properties": properties, "required": ["event", "data"]}


def _failure(status: int) -> Json:
    """The response with an error status. Where it is worth trying again, it says when."""
    failure: Json = {
        "description": CODES_AND_HINTS[status][0].replace("-", " ").capitalize(),
        "content": {"application/json": {"schema": _reference(ErrorBody)}},
    }
    if status in (429, 503):
        seconds = {"description": "Seconds to wait", "required": True, "schema": {"type": "integer"}}
        failure["headers"] = {"Retry-After": seconds}
    return failure


def _path_parameters(operation: Operation) -> list[Json]:
    """The parameters in the path of an operation."""
    names = _PARAMETER.findall(operation.path)
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _query_parameters(operation: Operation, schemas: Json) -> list[Json]:
    """The parameters in the query: the fields of the operation's query type."""
    if operation.query is None:
        return []
    fields = schemas[operation.query.__name__]
    required = fields.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": schema}
        for name, schema in fields["properties"].items()
    ]


def _header_parameters(operation: Operation) -> list[Json]:
    """The headers of a request that change the response of an operation."""
    names = [*(["If-None-Match"] if operation.has_tag else []), *(["Range", "If-Range"] if operation.in_parts else [])]
    return [{"name": name, "in": "header", "required": False, "schema": {"type": "string"}} for name in names]


def _reference(message: type) -> Json:
    """A reference to the schema of a message."""
    # msgspec gives the schema of a type the name of the type.
    return {"$ref": REFERENCES.format(name=message.__name__)}
