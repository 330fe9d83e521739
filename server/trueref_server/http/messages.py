"""The messages of the HTTP interface as types, for decoding, for the OpenAPI document and for the responses."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from trueref_server.answering.numbering import MAX_NUMBERED
from trueref_server.http.responses.error_responses import Refusal
from trueref_server.index.published_files import without_route
from trueref_server.records import Exchange, Question, SearchResult
from trueref_server.settings import Settings

# Browsers allow longer addresses, but no page of a documentation site needs one.
AddressText = Annotated[str, Meta(max_length=2048)]
VersionOrLanguage = Annotated[str, Meta(max_length=64)]


class ExchangeMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One earlier turn of the conversation."""

    question: str
    answer: str = ""


class AskMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question. `page` is the site-relative path of the page the reader is on.

    `numbered` are the addresses that the conversation has numbered, from the first on: they keep their numbers.
    Null takes the place of an address that the client no longer has.
    `session` is what the route `session` gave, if a language model answers.
    """

    question: str
    history: list[ExchangeMessage] = []
    page: AddressText | None = None
    version: VersionOrLanguage | None = None
    language: VersionOrLanguage | None = None
    stream: bool = False
    numbered: Annotated[list[AddressText | None], Meta(max_length=MAX_NUMBERED)] = []
    # In the body, not in a cookie or a header: so it needs no consent and no preflight, and no access log has it.
    session: Annotated[str, Meta(max_length=256)] = ""


class SearchQuery(msgspec.Struct, frozen=True):
    """The parameters of `search`."""

    q: str
    limit: Annotated[int, Meta(ge=1, le=50)] = 10
    page: AddressText | None = None
    version: VersionOrLanguage | None = None
    language: VersionOrLanguage | None = None


class ResolveQuery(msgspec.Struct, frozen=True):
    """The parameters of `resolve`: a link, and the page it stands on."""

    link: Annotated[str, Meta(min_length=1, max_length=2048)]
    page: AddressText | None = None


class ReferencesMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text whose links are to be checked.

    `page` is the page that relative links are read on. With `sources`, the number of its numbered sources, citations
    are checked too.
    """

    text: str
    page: AddressText | None = None
    sources: Annotated[int, Meta(ge=0, le=999)] | None = None


class FeedbackMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a reader says about an answer, or about its source with the number `source`. The latest one is kept.

    `reason` is a short text of the reader, `comment` a longer one.
    """

    answer_id: Annotated[str, Meta(pattern="^[0-9a-f]{16}$", max_length=16)]
    helpful: bool
    source: Annotated[int, Meta(ge=1, le=999)] | None = None
    reason: Annotated[str, Meta(max_length=1000)] = ""
    comment: Annotated[str, Meta(max_length=4000)] = ""


class KeptMessage(msgspec.Struct, frozen=True):
    """Whether the feedback is kept: it is not if there is no answer with its id."""

    status: Literal["accepted"] = "accepted"


class SearchMessage(msgspec.Struct, frozen=True):
    """The sections that fit a query, best first."""

    results: list[SearchResult]


class SessionMessage(msgspec.Struct, frozen=True):
    """A session for this client network, and for how many seconds it is valid. It is empty if none is needed."""

    session: str = ""
    seconds: int = 0


class HealthMessage(msgspec.Struct, frozen=True):
    """The process is up."""

    status: Literal["ok"] = "ok"


class ReadyMessage(msgspec.Struct, frozen=True):
    """Questions are answered. `vectors` is false while full text alone answers."""

    generation: str
    embedder: str
    vectors: bool
    status: Literal["ready"] = "ready"


def question_of(message: AskMessage, settings: Settings) -> Question:
    """The question of a request, within the limits of the settings.

    Raises:
        Refusal: The question is empty or too long, or its conversation is too long.
    """
    history = tuple(Exchange(turn.question, turn.answer) for turn in message.history)
    if len(history) > settings.max_history:
        raise Refusal(
            422,
            f"The conversation has {len(history)} exchanges, more than {settings.max_history}.",
            f"Send the last {settings.max_history}.",
        )
    length = sum(len(turn.question) + len(turn.answer) for turn in history)
    if length > settings.max_history_characters:
        raise Refusal(
            422,
            f"The conversation has {length} characters, more than {settings.max_history_characters}.",
            "Send fewer of the last exchanges.",
        )
    text = checked_text(message.question, "question", settings)
    numbered = tuple(without_route(href or "", settings.prefix) for href in message.numbered)
    return Question(text, history, message.page, message.version, message.language, numbered)


def query_of(query: SearchQuery, settings: Settings) -> Question:
    """The query of a search as a question without a conversation.

    Raises:
        Refusal: The query is empty or too long.
    """
    return Question(checked_text(query.q, "q", settings), (), query.page, query.version, query.language)


def checked_text(text: str, field: str, settings: Settings) -> str:
    """A text that somebody typed, stripped and within the limits of the settings.

    Raises:
        Refusal: The text is empty or too long.
    """
    text = text.strip()
    if not text:
        raise Refusal(422, f"`{field}` is empty.", "Send at least one word.")
    if len(text) > settings.max_question:
        raise Refusal(
            422, f"`{field}` has {len(text)} characters, more than {settings.max_question}.", "Ask in fewer words."
        )
    return text
