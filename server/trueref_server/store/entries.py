"""The entries of the store as values: an answer with its sources, a rating of it, a question without an answer.

No entry has an address, a session or anything else that tells one reader from another.
"""

from __future__ import annotations

from dataclasses import dataclass

from trueref_server.records import Answer, Question

TEXT_MOST = 4000
"""Characters of a text of a reader that are kept."""


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A section that an answer rests on. `n` is its number there, and `is_cited` says that it was shown open."""

    n: int
    page: str
    anchor: str
    section: str
    kind: str
    is_cited: bool


@dataclass(frozen=True, slots=True)
class AnswerEntry:
    """An answer that was given. `at` is milliseconds since the epoch, and `milliseconds` the time that it took.

    `turn` counts the exchanges of the conversation before it: a question that follows others may not stand alone.
    `question` is None if question texts are not kept, and once they are too old.
    """

    answer_id: str
    at: int
    generation: str
    turn: int
    page: str
    version: str
    language: str
    verdict: str
    mode: str
    fallback: str
    confidence: float
    cached: bool
    milliseconds: float
    checked: int
    corrected: int
    removed: int
    marks: int
    question: str | None
    sources: tuple[SourceEntry, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """What a reader sends of an answer. `source` is the number of a source, None for the answer as a whole."""

    answer_id: str
    helpful: bool
    source: int | None = None
    reason: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class RatingEntry:
    """What a reader says of an answer, or of its source with the number `source`; 0 is the answer as a whole."""

    answer_id: str
    at: int
    source: int
    helpful: bool
    reason: str
    comment: str


@dataclass(frozen=True, slots=True)
class FailureEntry:
    """A question that had no answer, and the code of the error."""

    at: int
    code: str


StoreEntry = AnswerEntry | RatingEntry | FailureEntry


def answer_entry(question: Question, answer: Answer, at: int, *, with_text: bool) -> AnswerEntry:
    """The entry of an answer. It has the text of the question only if the settings ask for that."""
    cited = set(answer.citations)
    counts = answer.references
    return AnswerEntry(
        answer_id=answer.answer_id,
        at=at,
        generation=answer.generation,
        # A number and not the conversation: nothing may join the questions of one reader.
        turn=len(question.history),
        page=storable(question.page or ""),
        version=storable(question.version or ""),
        language=storable(question.language or ""),
        verdict=answer.verdict,
        mode=answer.mode,
        fallback=answer.fallback,
        confidence=answer.confidence,
        cached=answer.cached,
        milliseconds=answer.timings["total"],
        checked=counts.checked,
        corrected=counts.corrected,
        removed=counts.removed,
        marks=len(answer.marks),
        # Figures are kept without the text, which has a number of days of its own (`docs/decisions/insight.md`).
        question=storable(question.text) if with_text else None,
        sources=tuple(
            SourceEntry(
                n=source.n,
                page=storable(source.page),
                anchor=storable(source.anchor),
                section=storable(source.section or source.title),
                kind=source.kind,
                is_cited=source.n in cited,
            )
            for source in answer.sources
        ),
    )


def storable(text: str) -> str:
    """A text that every database takes: PostgreSQL has no NUL, and none of them lone surrogates."""
    return text[:TEXT_MOST].encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
