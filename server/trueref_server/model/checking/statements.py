"""Finds the source that bears a sentence out, and whether the sentence contradicts the sources."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_server.corpus.words import content_words, stem
from trueref_server.model.asking.numbered_sources import ModelSource, languages_of
from trueref_server.model.checking.facts import CITATION, CODE_SPAN
from trueref_server.model.checking.negation import is_negated, is_negated_in, tells_lack

MIN_WORDS: Final = 4
"""A sentence of fewer content words, such as "Yes.", states nothing that can be looked up."""

# With .65 recall on the labelled sentences would be .04 higher. But a small model wrote them, nearly in the words of
# the sources; a larger model uses other words, so that the share stays at .6 (`docs/decisions/model-answers.md`).
MIN_SOURCE_SHARE: Final = 0.6
"""A source bears a sentence out if it has at least this share of the sentence's content words."""

MIN_CITED_SHARE: Final = 0.5
"""The same share for a source that the sentence cites. It is lower, since the citation is a hint of its own."""

# With 200, 400 or 600 characters recall differs by .03 at most.
PASSAGE_CHARACTERS: Final = 300
"""These words must stand within this many characters of a source: words from all over a section say something else."""

MIN_SIMILARITY: Final = 0.6
"""Two sentences say the same, or the opposite, if they have at least this share of their words in common."""


REPEATED_TIMES: Final = 3
REPEATED_SHARE: Final = 0.5
"""A sentence says nothing if one word is in it this many times, and is this large a share of its content words: `The
document is the document, and it is the same as the document.` Of 6,862 sentences of two sites two are like that."""

# The gaps are bounded, so that each match looks at the beginning of a sentence only. `answer` is not among the nouns,
# since `The answer is 8000` is an answer.
ABOUT_TASK: Final = re.compile(
    r"\W{0,8}(?:\d{1,3}\W{1,3})?(?:(?:so|but|and|then),?\s{1,3})?(?:the|this)\s{1,3}(?:(?:next|first|other|second)\s{1,3})?"
    r"(?P<noun>questions?|sources?|sentences?)\s{1,3}(?:is|are)\s{1,3}(?:too|an?|the|for|to|about|how|that|what|asked|as)\b",
    re.IGNORECASE,
)
"""The beginning of a sentence that is about the question or the sources instead of answering."""


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a source. `words` are the stems of its content words."""

    words: frozenset[str]
    is_negated: bool
    language: str


class SourceSentences:
    """The sentences of an answer's sources, with which the sentences of the answer are compared.

    Args:
        sources: The sources that the model read.
        question: What the reader asked. A denial may repeat words from it.
    """

    def __init__(self, sources: Sequence[ModelSource], question: str) -> None:
        self._languages = languages_of(sources)
        self._question_words = _words(question)
        self._texts = [" ".join(source.text.split()).casefold() for source in sources]
        self._words = {source.n: _words(f"{source.place}\n{source.text}") for source in sources}
        self._passages = {source.n: _passages(source.place, source.text) for source in sources}
        self._sentences = [
            SourceSentence(words, is_negated(text, source.language), source.language)
            for source in sources
            for start, end in split_sentences(source.text)
            if len(words := _words(text := source.text[start:end])) >= MIN_WORDS
        ]

    def states(self, sentence: str) -> bool:
        """Whether a sentence states something that a source can say: it is no question, no lead-in and no lack."""
        bare = CITATION.sub("", sentence).strip(" *_\n")
        return (
            not bare.endswith((":", "?")) and len(_words(bare)) >= MIN_WORDS and not tells_lack(bare, self._languages)
        )

    def is_empty(self, sentence: str) -> bool:
        """Whether a sentence only repeats a word or talks about the question or the sources, and is in no source."""
        bare = CITATION.sub("", sentence).strip(" *_-\n")
        is_denial = is_negated_in(bare, self._languages) or tells_lack(bare, self._languages)
        if bare.endswith((":", "?")) or is_denial:
            return False
        if not (self._is_about_task(bare) or _repeats_one_word(bare)):
            return False
        return not any(" ".join(bare.split()).casefold() in text for text in self._texts)

    def _is_about_task(self, bare: str) -> bool:
        """Whether a sentence is about the question or the sources, with a noun that no source uses itself."""
        about_task = ABOUT_TASK.match(bare)
        return about_task is not None and not any(
            stem(about_task["noun"], "") in words for words in self._words.values()
        )

    def best_source(self, sentence: str) -> int | None:
        """The number of the source that has most of a sentence's words; None if no passage of it has enough."""
        words = _words(sentence)
        shares = {n: len(words & source_words) / max(1, len(words)) for n, source_words in self._words.items()}
        best = max(shares, key=lambda n: (shares[n], -n), default=None)
        if best is None or shares[best] < MIN_SOURCE_SHARE or not self._passage_has(sentence, [best], MIN_SOURCE_SHARE):
            return None
        return best

    def rests_on(self, sentence: str, cited: Collection[int]) -> bool:
        """Whether one passage of the cited sources has enough of a sentence's words."""
        bare = CITATION.sub("", sentence)
        return len(_words(bare)) < MIN_WORDS or self._passage_has(bare, cited, MIN_CITED_SHARE)

    def _passage_has(self, sentence: str, sources: Collection[int], share: float) -> bool:
        """Whether one passage of some sources has at least a share of the words of a sentence."""
        words = _words(sentence)
        # No source has the words for a thing that does not exist, so that a denial may take them from the question. In
        # any other sentence the question proves nothing, since the reader may have made the words up.
        words_of_question = (
            words & self._question_words if is_negated_in(sentence, self._languages) else frozenset[str]()
        )
        passages = (passage for n in sources for passage in self._passages.get(n, ()))
        return any(len(words & (passage | words_of_question)) >= share * len(words) for passage in passages)

    def contradicts(self, sentence: str) -> bool:
        """Whether the most similar sentence of the sources differs by a negation."""
        words = _words(sentence)
        nearest = max(
            self._sentences, key=lambda source_sentence: _similarity(words, source_sentence.words), default=None
        )
        if nearest is None or _similarity(words, nearest.words) < MIN_SIMILARITY:
            return False
        # Two sentences with so many common words are in the same language.
        return nearest.is_negated != is_negated(sentence, nearest.language)


def _passages(heading: str, text: str) -> list[frozenset[str]]:
    """The words of each run of sentences of about `PASSAGE_CHARACTERS`, with the words of the heading."""
    sentences = [(end - start, _words(text[start:end])) for start, end in split_sentences(text)]
    heading_words = _words(heading)
    passages: list[frozenset[str]] = []
    for first in range(len(sentences)):
        words, length = heading_words, 0
        for size, sentence_words in sentences[first:]:
            words, length = words | sentence_words, length + size
            if length >= PASSAGE_CHARACTERS:
                break
        passages.append(words)
    return passages


def _repeats_one_word(sentence: str) -> bool:
    """Whether one word makes up most of a sentence; names in code do not count."""
    stems = [stem(word, "") for word in content_words(CODE_SPAN.sub(" ", sentence)) if word.isalpha()]
    times = max(Counter(stems).values(), default=0)
    return times >= REPEATED_TIMES and times >= REPEATED_SHARE * len(stems)


def _words(text: str) -> frozenset[str]:
    """The stems of the content words of a text."""
    return frozenset(stem(word, "") for word in content_words(text))


def _similarity(first: frozenset[str], second: frozenset[str]) -> float:
    """The Jaccard similarity of the words of two sentences, 0 to 1."""
    return len(first & second) / max(1, len(first | second))
