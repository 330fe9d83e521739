"""Counts the entries of the store while they are read, since a year of answers may not fit into memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal

from trueref_server.store.entries import WHOLE_ANSWER, AnswerEntry, FailureEntry, RatingEntry

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
HOURLY_UP_TO: Final = 2 * DAY
"""A period up to this long is shown by hours, a longer one by days."""

NamedSection = tuple[str, str, str]
"""Page, anchor and title of a section."""


@dataclass(slots=True)
class IntervalTally:
    """The counts of an hour or a day. `wrong` are the references that were corrected or removed."""

    verdicts: Counter[str] = field(default_factory=Counter[str])
    failures: int = 0
    cached: int = 0
    checked: int = 0
    wrong: int = 0
    helpful: int = 0
    unhelpful: int = 0


@dataclass(slots=True)
class SectionTally:
    """The counts of the answers that led to a section. `confidence` is the sum of their confidences."""

    answers: int = 0
    confidence: float = 0.0
    helpful: int = 0
    unhelpful: int = 0
    questions: Counter[str] = field(default_factory=Counter[str])
    reasons: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class QuestionTally:
    """The counts of a question that the docs do not answer.

    `verdict`, `confidence` and `last` are those of its last answer.
    """

    times: int = 0
    unhelpful: int = 0
    not_found: int = 0
    verdict: str = ""
    confidence: float = 0.0
    last: int = 0
    sections: Counter[NamedSection] = field(default_factory=Counter[NamedSection])


class Tally:
    """Counts the answers of a period.

    Args:
        interval: The length of the intervals into which the period is divided.
        ratings: The ratings of the answers.
    """

    def __init__(self, interval: Literal["hour", "day"], ratings: Iterable[RatingEntry]) -> None:
        self._interval_length = HOUR if interval == "hour" else DAY
        self._ratings: dict[str, list[RatingEntry]] = defaultdict(list)
        for rating in ratings:
            self._ratings[rating.answer_id].append(rating)
        self.intervals: dict[int, IntervalTally] = defaultdict(IntervalTally)
        self.sections: dict[NamedSection, SectionTally] = defaultdict(SectionTally)
        self.unanswered: dict[str, QuestionTally] = defaultdict(QuestionTally)
        self.helped: dict[str, AnswerEntry] = {}
        self.without_text = 0
        self.modes: Counter[str] = Counter()
        self.fallbacks: Counter[str] = Counter()
        self.corrected = self.removed = self.marks = 0
        self.milliseconds: list[float] = []

    def add(self, answer: AnswerEntry) -> None:
        """Count an answer."""
        ratings = self._ratings.get(answer.answer_id, [])
        answer_rating = next((rating for rating in ratings if rating.source == WHOLE_ANSWER), None)
        self._add_to_interval(answer, answer_rating)
        self.modes[answer.mode] += 1
        self.milliseconds.append(answer.milliseconds)
        # An answer from the cache repeats what was counted when it was made.
        if not answer.cached:
            self.fallbacks.update([answer.fallback] if answer.fallback else [])
            self.corrected += answer.corrected
            self.removed += answer.removed
            self.marks += answer.marks
        self._add_to_sections(answer, ratings)
        if answer.verdict != "answer" or (answer_rating is not None and not answer_rating.helpful):
            self._add_unanswered(answer, answer_rating)
        # A follow-up question may not be understood alone, so that it makes no case.
        elif (
            answer_rating is not None
            and answer_rating.helpful
            and answer.question
            and answer.sources
            and not answer.turn
        ):
            self.helped[answer.question] = answer

    def add_failure(self, failure: FailureEntry) -> None:
        """Count a question that had no answer because something failed."""
        self._interval_of(failure.at).failures += 1

    def timeline(self) -> list[tuple[str, IntervalTally]]:
        """All intervals from the first with entries to the last, empty ones included, each with its beginning."""
        if not self.intervals:
            return []
        starts = range(min(self.intervals), max(self.intervals) + 1, self._interval_length)
        return [(timestamp(start), self.intervals.get(start) or IntervalTally()) for start in starts]

    def _interval_of(self, milliseconds: int) -> IntervalTally:
        """The counts of the hour or day that a time is in."""
        return self.intervals[milliseconds // self._interval_length * self._interval_length]

    def _add_to_interval(self, answer: AnswerEntry, answer_rating: RatingEntry | None) -> None:
        """Count an answer for its hour or day."""
        interval = self._interval_of(answer.at)
        interval.verdicts[answer.verdict] += 1
        interval.cached += answer.cached
        if not answer.cached:
            interval.checked += answer.checked
            interval.wrong += answer.corrected + answer.removed
        if answer_rating is not None:
            interval.helpful += answer_rating.helpful
            interval.unhelpful += not answer_rating.helpful

    def _add_to_sections(self, answer: AnswerEntry, ratings: list[RatingEntry]) -> None:
        """Count an answer for the section that it showed first, and each rating for the section that it is about."""
        sources = {source.n: (source.page, source.anchor, source.section) for source in answer.sources}
        first_cited = next((source.n for source in answer.sources if source.is_cited), None)
        if first_cited is not None and answer.verdict != "not-found":
            section = self.sections[sources[first_cited]]
            section.answers += 1
            section.confidence += answer.confidence
            if answer.question:
                section.questions[answer.question] += 1
        for rating in ratings:
            rated_section = sources.get(
                first_cited if rating.source == WHOLE_ANSWER and first_cited is not None else rating.source
            )
            if rated_section is not None:
                section = self.sections[rated_section]
                section.helpful += rating.helpful
                section.unhelpful += not rating.helpful
                section.reasons += filter(None, () if rating.helpful else (rating.reason, rating.comment))

    def _add_unanswered(self, answer: AnswerEntry, answer_rating: RatingEntry | None) -> None:
        """Count a question that the docs do not answer, or whose answer did not help."""
        if not answer.question:
            self.without_text += 1
            return
        question = self.unanswered[" ".join(answer.question.split())]
        question.times += 1
        question.not_found += answer.verdict == "not-found"
        question.verdict, question.confidence, question.last = answer.verdict, answer.confidence, answer.at
        question.sections.update((source.page, source.anchor, source.section) for source in answer.sources[:1])
        question.unhelpful += answer_rating is not None and not answer_rating.helpful


def timestamp(milliseconds: int) -> str:
    """A time in UTC, such as `2026-11-24T10:00:00Z`."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
