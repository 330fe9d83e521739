"""A question with the weights of its words, ready to be compared with sections, passages and titles."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from trueref_core.text.key_combinations import key_combinations
from trueref_core.text.word_forms import language_of
from trueref_server.corpus.words import (
    ABOUT_SIGNS,
    content_stems,
    content_words,
    stem,
    stems_of_chunks,
    without_names,
    words,
)
from trueref_server.ranking.asked_identifier import AskedIdentifier, is_wordless
from trueref_server.ranking.asked_title import AskedTitle
from trueref_server.ranking.title_words import UNTELLING
from trueref_server.ranking.verbatim import keeps_case

if TYPE_CHECKING:
    from trueref_core.records import Chunk
    from trueref_server.corpus.corpus import Section, Statistics
    from trueref_server.records import Plan

CARRIED: Final = 0.3
"""The weight of a word from an earlier question or from the page's title, relative to the question's own words. At full
weight the top section of a page, which has the title of the page, came first for every follow-up."""

WANTING: Final = 0.3
"""The weight of the verb of `How do I change the cache directory?`, relative to the other words: the section about it
says `set`, and a section about something else has `change`. See docs/decisions/ranking.md."""

EITHER: Final = 0.5
"""The weight of the verb of `sign up`, and of the docs' word `signup`: a text may have either, or both."""


@dataclass(frozen=True)
class WeightedQuestion:
    """A plan with the weight of each of its words, ready to be compared with many sections.

    Args:
        plan: The plan of the question.
        statistics: How common words are in the docs: a rare one tells more.
    """

    plan: Plan
    statistics: Statistics
    # These caches are not passed on by `replace`: the copy may be of another question.
    _by_language: dict[str, dict[str, float]] = field(init=False, default_factory=dict[str, dict[str, float]])
    _carried: dict[str, frozenset[str]] = field(init=False, default_factory=dict[str, frozenset[str]])
    _subject: dict[str, dict[str, float]] = field(init=False, default_factory=dict[str, dict[str, float]])

    def terms(self, language: str) -> dict[str, float]:
        """The stems of the content words in a language, each with its weight: rare words tell more."""
        code = language_of(language)
        if code not in self._by_language:
            stems = dict.fromkeys(stem(word, code) for word in self.plan.words)
            factors = dict.fromkeys(self.carried(code), CARRIED)
            factors |= {stem(verb, code): WANTING for verb in self.plan.wanting if len(stems) > 1}
            factors |= {stem(word, code): EITHER for pair in self.plan.with_particle for word in pair}
            self._by_language[code] = {term: self.weight(term) * factors.get(term, 1) for term in stems}
        return self._by_language[code]

    def subject_terms(self, language: str) -> dict[str, float]:
        """`terms` without words from the conversation, and without the verb of `How do I change ...`.

        If nothing else is asked, all of `terms`.
        """
        code = language_of(language)
        if code not in self._subject:
            others = self.carried(code) | {stem(verb, code) for verb in self.plan.wanting}
            terms = self.terms(code)
            self._subject[code] = {term: terms[term] for term in terms if term not in others} or terms
        return self._subject[code]

    def carried(self, language: str) -> frozenset[str]:
        """The stems of the words that a question takes from the conversation, or from its page."""
        code = language_of(language)
        if code not in self._carried:
            self._carried[code] = frozenset(stem(word, code) for word in self.plan.carried)
        return self._carried[code]

    def weight(self, term: str) -> float:
        """The inverse document frequency of a stem, as BM25 has it."""
        frequency = self.statistics.section_counts.get(term, 0)
        return math.log(1 + (self.statistics.sections - frequency + 0.5) / (frequency + 0.5))

    def share_in(self, chunks: Sequence[Chunk]) -> float:
        """The share of the question's words that some chunks of one section have, rare ones counting for more, 0 to 1.

        0 for no chunks.
        """
        if not chunks:
            return 0.0
        language = language_of(chunks[0].language)
        return weighted_share(self.terms(language), stems_of_chunks(chunks, language))

    def counts_in(self, section: Section) -> Counter[str]:
        """How often the text of a section, or a name in its code, has each word of the question that it has."""
        is_asked = self.terms(section.chunks[0].language).__contains__
        return Counter(filter(is_asked, chain(section.body, section.names)))

    def share_of_asked_identifiers(self, text: str) -> float:
        """The share of the identifiers that a text has as whole words, 0 to 1.

        0 if the question asks for more than its identifiers.
        """
        identifiers = self._asked_identifiers
        if not identifiers:
            return 0.0
        lower_text = text.lower()
        return sum(identifier.is_in(text, lower_text) for identifier in identifiers) / len(identifiers)

    @cached_property
    def keys(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of the combinations of keys that are asked for, such as `ctrl-c`."""
        return key_combinations(self.plan.query)

    @cached_property
    def letter_options(self) -> frozenset[str]:
        """The options of a single letter that are asked for beside words: `-e` in `trim -e`.

        The letter is no term: without this, the question would ask for nothing but `trim`.
        """
        names = self.plan.identifiers if self.plan.terms else ()
        return frozenset(name for name in names if keeps_case(name))

    @cached_property
    def title(self) -> AskedTitle:
        """The question, to be compared with titles."""
        return AskedTitle(self.plan, frozenset(self.statistics.subject), self.letter_options)

    @property
    def subject_stems(self) -> frozenset[str]:
        """The stems of the words by which the docs call their subject."""
        return self.title.subject_stems

    @cached_property
    def as_offered(self) -> frozenset[str]:
        """The question as it is compared with questions that are made of headings: as it was asked, and as it is read.

        `Was this page helpful?` is read with words of the reader's page, and `Hello, what is a theme?` without its
        first word.
        """
        return frozenset(map(comparable_question, (self.plan.question.text, self.plan.query))) - {""}

    @cached_property
    def keyword_count(self) -> int:
        """How many words tell the topic: `Adding plugins` and `PageNotFound` have one."""
        language = self.plan.language
        return len(frozenset(content_stems(self.plan.query, language)) - UNTELLING)

    @cached_property
    def asks_for_wordless_alone(self) -> bool:
        """Whether a question asks for names of signs or keys, and for nothing else."""
        names = self.plan.identifiers
        if not self.plan.asks_for_identifier or not all(map(is_wordless, names)):
            return False
        others = content_words(without_names(self.plan.query, names), self.plan.language)
        return {stem(word, self.plan.language) for word in others if word not in ABOUT_SIGNS} <= self.subject_stems

    def share_of_explained_identifiers(self, titles: str, text: str) -> float:
        """The share of the identifiers that a section explains, 0 to 1.

        A section explains an identifier if a title begins with it, or if a line of the text begins with it and goes on
        to say something about it. Before the identifier may be `The`, or the mark of a list or of a table. The share is
        0 if the question asks for more than its identifiers, or for how to use them.

        Args:
            titles: The titles of the text, a line for each.
            text: The text.
        """
        identifiers = () if self.plan.wanting else self._asked_identifiers
        if not identifiers:
            return 0.0
        written, in_lower_case = (titles, text), (titles.lower(), text.lower())
        explained = sum(identifier.is_explained(written, in_lower_case) for identifier in identifiers)
        return explained / len(identifiers)

    @cached_property
    def _asked_identifiers(self) -> tuple[AskedIdentifier, ...]:
        """The identifiers of the question, if little more is asked for.

        `kiln_load -a` asks for `-a`: `kiln_load` only says of which command.
        """
        names = self.plan.identifiers if self.plan.asks_for_identifier else ()
        names = tuple(name for name in names if name.startswith("-")) if self.letter_options else names
        return tuple(map(AskedIdentifier, names))

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The pairs of neighbouring words of the question, as stems."""
        return frozenset(pairwise(stem(word, language_of(self.plan.language)) for word in words(self.plan.query)))


def comparable_question(text: str) -> str:
    """A question in small letters, with single spaces and without the marks at its end, to compare it as a whole."""
    return " ".join(text.casefold().rstrip(" ?？؟!！.…").split())


def weighted_share(weights: Mapping[str, float], present: Collection[str], least_total: float = 0.0) -> float:
    """How much of a question a text has: the share of the weights of its terms that are present, 0 to 1.

    Args:
        weights: The weight of each term.
        present: The terms of the text.
        least_total: The least number that is divided by. With 1, a text that has the only term of a question, whose
            weight is .3, has a share of .3 and not of 1.
    """
    total = max(least_total, sum(weights.values()))
    return sum(weight for term, weight in weights.items() if term in present) / total if total else 0.0
