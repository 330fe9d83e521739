"""The table of what the API offers. Routes and the OpenAPI document are both made from it."""

from __future__ import annotations

from dataclasses import dataclass

from trueref_core.export.offered_questions import OfferedQuestions
from trueref_core.records import Reference
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
)
from trueref_server.records import Answer, CheckedText, ServedBuild

GUARDED = (429, 500)
"""Statuses of every operation behind the rate limit."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one address.

    `name` is the operation id, and the name of the method of `Endpoints`. `answer` is the type of a JSON answer, or
    None if the body is something else, of the type `media_type`. `errors` are the statuses that have an `ErrorBody`.
    Every operation has 503, with which a server refuses a connection if it has too many, and every POST has 408 and
    413, since a body is read before the endpoint is asked.
    `in_parts` is true for a file that clients fetch in ranges of bytes; the rate limit counts these requests
    separately. `has_tag` is true if the answer has an entity tag, and is 304 without a body for a client that has the
    same tag.
    """

    name: str
    path: str
    summary: str
    errors: tuple[int, ...]
    method: str = "GET"
    answer: type | None = None
    body: type | None = None
    query: type | None = None
    media_type: str = "application/json"
    streams: bool = False
    in_parts: bool = False
    has_tag: bool = False


OPERATIONS = (
    Operation(
        name="ask",
        method="POST",
        path="/ask",
        summary="Answer a question from the documentation, in one piece or as server-sent events",
        answer=Answer,
        errors=(400, 403, 408, 413, 415, 422, *GUARDED, 503),
        body=AskMessage,
        streams=True,
    ),
    Operation(
        name="session",
        method="POST",
        path="/session",
        summary="Issue the session that questions need if a language model answers",
        answer=SessionMessage,
        errors=(408, 413, *GUARDED, 503),
    ),
    Operation(
        name="search",
        path="/search",
        summary="List the sections that fit a query",
        answer=SearchMessage,
        errors=(422, *GUARDED, 503),
        query=SearchQuery,
    ),
    Operation(
        name="references",
        method="POST",
        path="/references",
        summary="Return a text with links that land, and the decision on each link that it had",
        answer=CheckedText,
        errors=(400, 408, 413, 415, 422, *GUARDED, 503),
        body=ReferencesMessage,
    ),
    Operation(
        name="feedback",
        method="POST",
        path="/feedback",
        summary="Say whether an answer, or one of its sources, was helpful; kept only if the server has a store",
        answer=KeptMessage,
        errors=(400, 404, 408, 413, 415, 422, *GUARDED, 503),
        body=FeedbackMessage,
    ),
    Operation(
        name="resolve",
        path="/resolve",
        summary="Say whether a link lands, and where",
        answer=Reference,
        errors=(422, *GUARDED, 503),
        query=ResolveQuery,
    ),
    Operation(
        name="manifest",
        path="/manifest",
        summary="The published manifest: pages and anchors, without drafts and hidden pages",
        errors=(*GUARDED, 503),
        has_tag=True,
    ),
    Operation(
        name="document",
        path="/documents/{id}",
        summary="A PDF that no site publishes, whole or in parts; the fragment of a source opens its page",
        errors=(404, 416, *GUARDED, 503),
        media_type="application/pdf",
        in_parts=True,
        has_tag=True,
    ),
    Operation(
        name="healthz",
        path="/healthz",
        summary="Say that the process is up",
        answer=HealthMessage,
        errors=(503,),
    ),
    Operation(
        name="readyz",
        path="/readyz",
        summary="Say whether questions are answered, and from which generation",
        answer=ReadyMessage,
        errors=(500, 503),
    ),
    Operation(
        name="metrics",
        path="/metrics",
        summary="Counts and times of the answers since the start, for Prometheus",
        errors=(503,),
        media_type="text/plain",
    ),
    Operation(
        name="openapi",
        path="/openapi.json",
        summary="This document",
        errors=(503,),
    ),
    Operation(
        name="build",
        path="/widget/build.json",
        summary="What the widget needs to know about the index: its generation, and where its sites are published",
        answer=ServedBuild,
        errors=(500, 503),
    ),
    Operation(
        name="questions",
        path="/widget/questions.json",
        summary="Questions that the widget offers to a reader who has not asked yet",
        answer=OfferedQuestions,
        errors=(500, 503),
    ),
    Operation(
        name="widget",
        path="/widget/{name}",
        summary="A file of the widget",
        errors=(404, 503),
        media_type="text/javascript",
        has_tag=True,
    ),
)

UNLIMITED_SEGMENTS = frozenset(
    operation.path.split("/")[1] for operation in OPERATIONS if not set(GUARDED) <= set(operation.errors)
)
"""The first segments of addresses without a rate limit.

Probes and the widget's files cost next to nothing, and a monitor must not use up the limit of the readers.
"""

RANGE_SEGMENTS = frozenset(operation.path.split("/")[1] for operation in OPERATIONS if operation.in_parts)
"""The first segments of addresses that have a rate limit of their own."""
