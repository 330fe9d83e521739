"""The events of `ask`, sent while an answer is made: `sources` first, then `delta` and `mark`, and `done` last.

`error` ends a stream in place of `done`. A `mark` follows a `delta` if the evidence does not bear out the text of the
delta. An extractive answer is verbatim, so that it has no `mark`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from trueref_server.records import Answer, Draft, ErrorDetail, Excerpt, Mark, Source, extended


@dataclass(frozen=True, slots=True)
class SourcesEvent:
    """The numbered sources, before the first word that cites them.

    If a model writes the answer, `excerpts` are the cards that a reader may read meanwhile; else there are none.
    """

    name: ClassVar = "sources"
    sources: tuple[Source, ...]
    excerpts: tuple[Excerpt, ...]


@dataclass(frozen=True, slots=True)
class DeltaEvent:
    """The next piece of the text. All pieces joined are the text of the answer."""

    name: ClassVar = "delta"
    text: str


@dataclass(frozen=True, slots=True)
class MarkEvent(Mark):
    """Characters `start` to `end` of the text so far, in code points, that no cited source holds."""

    name: ClassVar = "mark"


@dataclass(frozen=True, slots=True)
class DoneEvent:
    """The whole answer; it replaces what was streamed."""

    name: ClassVar = "done"
    answer: Answer


@dataclass(frozen=True, slots=True)
class ErrorEvent:
    """Why there is no answer, and what to do: the body of an error response, as an event."""

    name: ClassVar = "error"
    error: ErrorDetail


Event = SourcesEvent | DeltaEvent | MarkEvent | DoneEvent | ErrorEvent


def events_of(draft: Draft) -> Iterator[Event]:
    """The events before `done` for a finished answer, so that a client reads it like an answer that is being made."""
    # The cards come with the sources only if a model writes the answer: the reader needs something to read meanwhile.
    yield SourcesEvent(draft.sources, draft.excerpts if draft.mode == "model" else ())
    for piece in pieces(draft.text):
        yield DeltaEvent(piece)
    for mark in draft.marks:
        yield extended(MarkEvent, mark)


def pieces(text: str) -> list[str]:
    """Split a finished text into deltas: paragraphs and whole code blocks. Joined, the deltas are the text again."""
    deltas: list[str] = []
    is_in_fence = False
    start = end = 0
    for line in text.splitlines(keepends=True):
        end += len(line)
        if line.lstrip().startswith("```"):
            is_in_fence = not is_in_fence
        if not is_in_fence and not line.strip():
            deltas.append(text[start:end])
            start = end
    return [*deltas, text[start:]] if start < len(text) else deltas
