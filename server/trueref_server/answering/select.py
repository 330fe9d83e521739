"""Chooses the passages of a section that answer a question."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from trueref_server.answering.passages import Passage
from trueref_server.records import Plan
from trueref_server.retrieval.words import stems

SENTENCES_MOST: Final = 4
PROSE_MOST: Final = 700
ITEMS_MOST: Final = 8
ROWS_MOST: Final = 4
CODE_MOST: Final = 2000
"""A longer block of code is left to the page: code is shown whole or not at all."""
IDENTIFIER_WEIGHT: Final = 2.0
SENTENCE_LEAST: Final = 25
"""Characters under which a sentence says nothing by itself: a version badge, the label of a tab."""
INTRODUCED_WITHIN: Final = 2
"""How many passages may stand between a line that ends with a colon and what it introduces: a label, a file name."""

_ITEM_MARK = re.compile(r"^(?:-|\d{1,5}\.) ")


@dataclass(frozen=True, slots=True)
class Relevance:
    """How much a text has of what a question asks for. Words that few parts of the section hold tell more."""

    weights: dict[str, float]
    identifiers: tuple[str, ...]
    language: str

    @classmethod
    def of(cls, plan: Plan, section: Sequence[Passage]) -> Relevance:
        """The weights of a plan's terms among the parts of a section."""
        parts = [stems(part, plan.language) for passage in section for part in passage.parts]
        counts = {term: sum(term in held for held in parts) for term in plan.terms}
        weights = {term: math.log(1 + len(parts) / count) for term, count in counts.items() if count}
        return cls(weights, plan.identifiers, plan.language)

    def __call__(self, text: str) -> float:
        """The score of a text, 0 where it has nothing of the question."""
        held = stems(text, self.language)
        named = sum(identifier in text for identifier in self.identifiers)
        return sum(weight for term, weight in self.weights.items() if term in held) + IDENTIFIER_WEIGHT * named


def select(plan: Plan, section: Sequence[Passage]) -> list[Passage]:
    """The lead of a section, its most telling passage, and the list, table or code that belongs to them, in order."""
    if not section:
        return []
    relevance = Relevance.of(plan, section)
    best = max(range(len(section)), key=lambda at: (_score(relevance, section[at]), -at))
    chosen = {at: _cut(relevance, section[at], is_best=at == best) for at in {best, _lead(section)} - {-1}}
    for at in list(chosen):
        for companion in _companions(section, at, chosen[at]):
            chosen.setdefault(companion, _cut(relevance, section[companion], is_best=False))
    shown = [chosen[at] for at in sorted(chosen) if chosen[at].parts]
    return _without_dangling(shown) or list(section[:1])


def telling_sentence(plan: Plan, section: Sequence[Passage]) -> str:
    """The sentence or line of an item that has most of the question; the first of equals. "" for code alone."""
    relevance = Relevance.of(plan, section)
    parts = [part for passage in section for part in _sentences(passage)]
    whole = [part for part in parts if len(part) >= SENTENCE_LEAST and not part.endswith(":")]
    candidates = whole or parts
    return max(candidates, key=lambda part: (relevance(part), -candidates.index(part)), default="")


def _sentences(passage: Passage) -> Iterator[str]:
    """The parts of prose and lists that can be read alone, items without their mark."""
    # An item's lines are paragraphs and items of their own: joined they would read as one sentence.
    if passage.kind == "prose":
        yield from passage.parts
    elif passage.kind == "list":
        yield from (_ITEM_MARK.sub("", line.strip(), count=1) for part in passage.parts for line in part.split("\n"))


def _score(relevance: Relevance, passage: Passage) -> float:
    # The best part, not the sum: a long passage is not better for being long.
    return max((relevance(part) for part in passage.parts), default=0.0)


def _lead(section: Sequence[Passage]) -> int:
    """The first paragraph that says something, -1 where there is none."""
    long_enough = (
        at for at, passage in enumerate(section) if passage.kind == "prose" and len(passage.parts[0]) >= SENTENCE_LEAST
    )
    return next(long_enough, -1)


def _companions(section: Sequence[Passage], at: int, shown: Passage) -> list[int]:
    """What belongs to a passage: what it introduces, what stands right after it, or the line that introduces it."""
    if shown.kind != "prose":
        before = at - 1
        return [before] if before >= 0 and section[before].kind == "prose" else []
    is_introduction = bool(shown.parts) and shown.parts[-1].endswith(":")
    reach = INTRODUCED_WITHIN if is_introduction else 0
    after = range(at + 1, min(at + 2 + reach, len(section)))
    introduced = next((place for place in after if section[place].kind != "prose"), None)
    return list(range(at + 1, introduced + 1)) if introduced is not None else []


def _without_dangling(shown: list[Passage]) -> list[Passage]:
    """The passages without a last line that announces something that is not shown."""
    kept: list[Passage] = []
    for passage, following in zip(shown, [*shown[1:], None], strict=True):
        dangles = passage.kind == "prose" and passage.parts[-1].endswith(":")
        if dangles and (following is None or (following.kind == "prose" and len(following.parts[0]) >= SENTENCE_LEAST)):
            passage = replace(passage, parts=passage.parts[:-1])
        if passage.parts:
            kept.append(passage)
    return kept


def _cut(relevance: Relevance, passage: Passage, *, is_best: bool) -> Passage:
    """The passage at the length at which it is shown, cut between its parts only."""
    if passage.kind == "code":
        return passage if len(passage.parts[0]) <= CODE_MOST else replace(passage, parts=())
    if passage.kind == "table":
        rows = sorted(sorted(passage.parts, key=relevance, reverse=True)[:ROWS_MOST], key=passage.parts.index)
        return replace(passage, parts=tuple(rows))
    if passage.kind == "list":
        return replace(passage, parts=passage.parts[:ITEMS_MOST])
    start = 0
    if is_best:
        telling = max(range(len(passage.parts)), key=lambda at: (relevance(passage.parts[at]), -at))
        start = telling if telling >= SENTENCES_MOST - 1 else 0
    return replace(passage, parts=_fitting(passage.parts[start:]))


def _fitting(sentences: Sequence[str]) -> tuple[str, ...]:
    taken: list[str] = []
    for sentence in sentences[:SENTENCES_MOST]:
        if taken and sum(map(len, taken)) + len(sentence) > PROSE_MOST:
            break
        taken.append(sentence)
    return tuple(taken)
