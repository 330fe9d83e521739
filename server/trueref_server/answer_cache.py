"""Answers that were given before: the same question to the same generation is answered from memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cachetools import LRUCache

from trueref_server.events import DeltaEvent, Event, MarkEvent, SourcesEvent, pieces
from trueref_server.records import Answer, Question

Key = tuple[str, Question]
"""The generation, and the question with its conversation, page, version and language."""

PASSING: Final = frozenset({"error", "budget"})
"""Fallbacks that the next answer may be without."""


class AnswerCache:
    """The last answers, by generation and question: a new generation needs no flush, since nobody asks for an old one.

    Settings are those of the process, so that they are no part of the key. Capitals are: `-I` is not `-i`.

    Args:
        size: How many answers are kept; the one longest unasked is forgotten first. 0 keeps none.
    """

    def __init__(self, size: int) -> None:
        self._kept: LRUCache[Key, Answer] = LRUCache(size)

    def get(self, generation: str, question: Question) -> Answer | None:
        """The answer that was given, None where there is none."""
        return self._kept.get(_key(generation, question))

    def keep(self, question: Question, answer: Answer) -> None:
        """Keep an answer, unless it is one that a passing trouble made."""
        if self._kept.maxsize and answer.fallback not in PASSING:
            self._kept[_key(answer.generation, question)] = answer


def replayed(answer: Answer, answer_id: str, milliseconds: float) -> tuple[Iterator[Event], Answer]:
    """The events of a kept answer before `done`, and the answer as it is given again, under an id of its own."""
    again = replace(answer, answer_id=answer_id, cached=True, timings={"search": 0.0, "total": milliseconds})
    return _events(again), again


def _events(answer: Answer) -> Iterator[Event]:
    yield SourcesEvent(answer.sources, answer.excerpts if answer.mode == "model" else ())
    for piece in pieces(answer.text):
        yield DeltaEvent(piece)
    for mark in answer.marks:
        yield MarkEvent(mark.start, mark.end, mark.reason)


def _key(generation: str, question: Question) -> Key:
    return generation, replace(question, text=" ".join(question.text.split()))
