"""Gives a kept answer again, with the same events as a new one: a stream from the cache is read like any other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trueref_server.events import DeltaEvent, Event, MarkEvent, SourcesEvent, pieces
from trueref_server.records import Answer


def replayed(answer: Answer, answer_id: str, milliseconds: float, *, updating: bool) -> tuple[Iterator[Event], Answer]:
    """The events of a kept answer before `done`, and the answer as it is given again, under an id of its own."""
    # An id of its own: a reader rates this answer, and not the one that somebody else was given.
    timings = {"search": 0.0, "total": milliseconds}
    again = replace(answer, answer_id=answer_id, cached=True, updating=updating, timings=timings)
    return _events(again), again


def _events(answer: Answer) -> Iterator[Event]:
    """The events of a kept answer, as one that is made sends them."""
    # As for an answer that is made: cards come with the sources only if a model writes below them.
    yield SourcesEvent(answer.sources, answer.excerpts if answer.mode == "model" else ())
    for piece in pieces(answer.text):
        yield DeltaEvent(piece)
    for mark in answer.marks:
        yield MarkEvent.of(mark)
