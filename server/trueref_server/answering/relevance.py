"""Scores sentences, items and lines by how much of the question they hold, to choose between them in a passage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from trueref_server.corpus.words import stems
from trueref_server.ranking.signals import WeightedQuestion, weighted_share

NAMED: Final = 2.0
"""What an identifier of the question counts that a text has as it is written, beside the words that make it up."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """The weights of a question's words, by their rareness in the index, and its identifiers in small letters.

    `asked` is the question as it is written.
    """

    weights: dict[str, float]
    identifiers: tuple[str, ...]
    language: str
    asked: str = ""

    @classmethod
    def of(cls, question: WeightedQuestion) -> Relevance:
        """The relevance to what is asked, in the language of the docs."""
        language = question.plan.language
        # With `joined`: who writes `page not found` may mean `PageNotFound`.
        names = dict.fromkeys(name.lower() for name in (*question.plan.identifiers, *question.plan.joined))
        return cls(question.terms(language), tuple(names), language, question.plan.query)

    def __call__(self, text: str) -> float:
        """The sum of the weights of what a text has, 0 if it has nothing of the question."""
        low = text.lower()
        # As it is written, beside its words: `--no-deps` is two of the commonest words.
        named = sum(name in low for name in self.identifiers)
        return sum(self.weights.get(term, 0.0) for term in stems(text, self.language)) + NAMED * named

    def share(self, text: str) -> float:
        """The share of what is asked for that a text has, rare words counting for more, 0 to 1."""
        return weighted_share(self.weights, stems(text, self.language))

    def best(self, texts: Iterable[str]) -> int:
        """The number of the text with most, the first of equals; -1 if none has anything."""
        scores = list(map(self, texts))
        most = max(scores, default=0.0)
        return scores.index(most) if most > 0 else -1
