"""Scores sentences, items and lines by how much of the question they have, to choose between them in a passage."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from trueref_core.text.table_rows import split_row
from trueref_server.corpus.words import stems, words
from trueref_server.question.meaning import defines
from trueref_server.ranking.asked_identifier import AskedIdentifier
from trueref_server.ranking.verbatim import comparable_name, count_names
from trueref_server.ranking.weighted_question import WeightedQuestion, weighted_share

NAMED: Final = 2.0
"""The weight of an identifier of the question that a text has as it is written, added to the weights of its words. It
counts as much again where the text begins with it: another item may say that it is the upper bound of `timeout`."""

PRESSED: Final = 6.0
"""The weight of a combination of keys, as much as that of a rare word: most other rows of a table of keys have its
modifier."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """The weights of a question's words, by their rareness in the index, and its identifiers as `comparable_name`s.

    `asked` is the query of the plan. `keys` matches its combinations of keys: the letter of `ctrl-c` is no word. Of a
    question that asks for little more than identifiers, `names` has these: others name what has been tried as well.
    `unknown_word` is the word whose meaning is asked for, and `compared` has the things that are compared.
    `is_title_asked` tells that this word is the title of the section whose beginning is shown.
    """

    weights: dict[str, float]
    identifiers: tuple[str, ...]
    language: str
    asked: str = ""
    keys: tuple[re.Pattern[str], ...] = ()
    names: tuple[AskedIdentifier, ...] = ()
    unknown_word: str = ""
    compared: tuple[str, ...] = ()
    is_title_asked: bool = False

    @classmethod
    def of(cls, question: WeightedQuestion) -> Relevance:
        """The relevance of texts to a question, in the language of the docs."""
        language = question.plan.language
        # With `joined`: who writes `page not found` may mean `PageNotFound`.
        names = dict.fromkeys(comparable_name(name) for name in (*question.plan.identifiers, *question.plan.joined))
        asked = tuple(map(AskedIdentifier, question.plan.identifiers if question.plan.asks_for_identifier else ()))
        return cls(
            question.terms(language),
            tuple(names),
            language,
            question.plan.query,
            question.keys,
            asked,
            question.plan.unknown_word,
            question.plan.compared,
        )

    def __call__(self, text: str) -> float:
        """The sum of the weights of what a text has, 0 if it has nothing of the question."""
        # Counted as it is written too: the words of `--no-deps` are two of the most common.
        name_count = count_names(self.identifiers, text) if self.identifiers else 0
        name_count += self.count_explained(text) if name_count else 0
        words_weight = sum(self.weights.get(term, 0.0) for term in stems(text, self.language))
        return words_weight + NAMED * name_count + PRESSED * self.count_keys(text)

    def share(self, text: str) -> float:
        """The share of the question's words that a text has, rare words counting for more, 0 to 1."""
        share = weighted_share(self.weights, stems(text, self.language))
        if not self.keys:
            return share
        words_weight, keys_weight = sum(self.weights.values()), PRESSED * len(self.keys)
        return (share * words_weight + PRESSED * self.count_keys(text)) / (words_weight + keys_weight)

    def count_keys(self, text: str) -> int:
        """How many combinations of keys of the question a text has."""
        return sum(pattern.search(text) is not None for pattern in self.keys)

    def has_identifier(self, text: str) -> bool:
        """Whether a text has one of the identifiers of the question."""
        return bool(self.identifiers) and count_names(self.identifiers, text) > 0

    def count_explained(self, text: str) -> int:
        """How many of the names that are asked for a text explains: a line begins with one and says something of it."""
        return sum(name.is_explained(("", text), ("", text.lower())) for name in self.names)

    def share_named(self, text: str) -> float:
        """How well a sentence, an item, a row or a line names what is asked for, 0 to 1.

        It is the mean of the shares of names that it has and that it explains. A row that has an identifier of any
        question as a cell is about that.
        """
        if self.identifiers and text.startswith("|"):
            cells = (comparable_name(cell.strip("` ")) for cell in split_row(text))
            if not frozenset(self.identifiers).isdisjoint(cells):
                return 1.0
        if not self.names:
            return 0.0
        lower_text = text.lower()
        count = sum(name.is_in(text, lower_text) for name in self.names)
        return (count + self.count_explained(text)) / (2 * len(self.names)) if count else 0.0

    def is_asked_by(self, title: str) -> bool:
        """Whether a title of more than one word is the question, with all its little words."""
        asked = words(title) if title else []
        return len(asked) > 1 and asked == words(self.asked)

    def is_defined_in(self, text: str) -> bool:
        """Whether a text says what the thing is whose meaning is asked for."""
        return bool(self.unknown_word) and defines(self.unknown_word, text)

    def names_compared(self, text: str) -> bool:
        """Whether a text has all words of one of the things that the question compares."""
        present = stems(text, self.language) if self.compared else frozenset[str]()
        return any(stems(thing, self.language) <= present for thing in self.compared)

    def best(self, texts: Iterable[str]) -> int:
        """The index of the text with the highest score, the first of equals; -1 if none has a word of the question."""
        scores = list(map(self, texts))
        best_score = max(scores, default=0.0)
        return scores.index(best_score) if best_score > 0 else -1
