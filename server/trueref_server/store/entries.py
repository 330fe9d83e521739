"""The entries of the store as values: an answer with its sources, a rating, and a question without an answer.

No entry has an address, a session or anything else that tells one reader from another.
"""

from __future__ import annotations

from dataclasses import dataclass

from trueref_server.records import Answer, Question

WHOLE_ANSWER = 0
"""The number in place of that of a source in a rating of the whole answer. The column of a key cannot be null."""

MAX_TEXT = 4000
"""At most this many characters of a reader's text are kept."""


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A source of an answer. `n` is its number in the answer, and `is_cited` is true if its card was shown open."""

    n: int
    page: str
    anchor: str
    section: str
    kind: str
    is_cited: bool


@dataclass(frozen=True, slots=True)
class AnswerEntry:
    """An answer that was given. `at` is milliseconds since the epoch, and `milliseconds` the time that it took.

    `turn` counts the earlier exchanges of the conversation, since a follow-up question may not be understood alone.
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
    """A rating as a reader sends it. `source` is the number of a source; None rates the whole answer."""

    answer_id: str
    helpful: bool
    source: int | None = None
    reason: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class RatingEntry:
    """A rating as it is kept. `source` is the number of a source, or `WHOLE_ANSWER`."""

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
        # The number of exchanges and not the conversation, since nothing may connect the questions of one reader.
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
        # The figures need no text. A setting of its own says how long texts are kept (`docs/decisions/insight.md`).
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
    """A text that every database accepts: PostgreSQL refuses NUL, and all of them refuse lone surrogates."""
    return text[:MAX_TEXT].encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
