"""Plans the search for a question: what it asks for, which queries are made, and which of its words name its topic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from trueref_core.text.identifiers import identifiers, parts
from trueref_core.text.printable import without_surrogates
from trueref_core.text.sentences import split_sentences
from trueref_core.text.word_forms import folded
from trueref_server.corpus.corpus import JOINED_MOST, Statistics
from trueref_server.corpus.spelling import repairs
from trueref_server.corpus.words import as_written, stem, telling_words, without_names, words
from trueref_server.question.hyphens import other_spellings
from trueref_server.question.pointing import points, refers
from trueref_server.question.question_text import (
    halves,
    is_asking,
    names,
    quotations,
    telling_part,
    wanting_verbs,
    without_courtesy,
)
from trueref_server.question.releases import releases_asked
from trueref_server.records import Plan, Question

PARTS_MOST: Final = 4
"""Sentences of a question that are embedded alone: each costs as much as the whole."""

ASKED_MOST: Final = 3
"""Questions within a question that are each answered separately: an answer has as many cards."""

ASKED_LENGTH: Final = 120
ASKING_LENGTH: Final = 300
ASKING_NAMES: Final = 4
"""Limits for such a question: its characters, and the characters and identifiers of the whole text. Answering one costs
as much as answering the whole. Among 1,900 questions of readers 32 have such questions in them, with 99 characters at
most, in a text with 172 characters and 2 identifiers at most."""

PART_LENGTH: Final = 300
"""Characters of a sentence that is embedded alone. Readers' sentences have 173 at most, and the whole question is
embedded too."""

PART_LEAST: Final = 2
"""Telling words that a sentence needs to be searched for alone. A question, or half of a question, needs a single one,
since it asks something. `How do I remove it?` needs more, since `it` stands for something in the other half."""

NAMES_MOST: Final = 4
"""Identifiers of the site that are looked for because a question writes their words apart."""

IDENTIFIERS_MOST: Final = 8
"""Identifiers of a question that are looked for, each by a search of its own if nothing that is found has it."""

REPAIRED_MOST: Final = 3
"""Words of one question that are repaired at most: if more are unknown, they are another topic."""

BARE_MOST: Final = 2
"""A question with so many telling words besides its identifiers at most is hardly more than these identifiers."""

_RELEASES: Final = re.compile(
    r"(?<![\w-])(?:change ?logs?|release notes?|releases|(?:latest|last|newest|next|which|what) release|"
    r"what(?:'s| is) new|new in|since (?:version|when)|which version|"
    r"announce(?:d|ments?)|blog|breaking changes?|upgrad(?:e|ed|ing) (?:from|to)|migrat(?:e|ed|ing|ion)|"
    r"version v?\d{1,4}\.\d{1,4}|v\d{1,4}\.\d{1,4})\b",
    re.IGNORECASE,
)
"""Words of a question that asks for changes between versions: for a change log, a release, or a version number."""

_OPTION: Final = re.compile(
    r"\b(?:options?|settings?|flags?|parameters?|arguments?|variables?|defaults?|config(?:ure|uration)? (?:key|value)|"
    r"(?:allowed|possible|valid) values?|configurable)\b",
    re.IGNORECASE,
)
"""Words of a question that asks for an option, or for a value of one. It is after a reference page, which has every
word of the site and is ranked lower for every other question."""


# Long by the fields of the plan: each has its function.
def make_plan(
    question: Question,
    site_language: str = "",
    statistics: Statistics | None = None,
    synonyms: Mapping[str, tuple[str, ...]] | None = None,
) -> Plan:
    """The plan of a question. A question without telling words has no terms and finds nothing.

    Args:
        question: What is asked.
        site_language: That of the docs, for a question that is in none of its own.
        statistics: How common words are in the docs. Without it no word is repaired, and no identifier is put together.
        synonyms: Further words by a word in small letters, as the owner of the site gives them.
    """
    language = question.language or site_language
    cleaned = " ".join(telling_part(without_courtesy(without_surrogates(question.text))).split())
    # Before words are repaired: an identifier that no page has is kept as it is.
    query_identifiers = _identifiers(cleaned, language, statistics)
    repaired = _repaired(cleaned, query_identifiers, language, statistics) if statistics else ()
    query = _with_repairs(cleaned, repaired)
    plan_words = _plan_words(query, query_identifiers, language)
    sentences = _parts(query)
    releases = releases_asked(query)
    return Plan(
        question=question,
        query=query,
        words=plan_words,
        terms=tuple(stem(word, language) for word in plan_words),
        identifiers=query_identifiers,
        wanting=wanting_verbs(query),
        joined=_joined(query, statistics) if statistics else (),
        language=language,
        wants_option=_is_identifier(query, query_identifiers) or _OPTION.search(query) is not None,
        parts=sentences,
        asks=_asks(sentences) if len(query) <= ASKING_LENGTH and len(query_identifiers) <= ASKING_NAMES else (),
        quoted=quotations(cleaned),
        repaired=repaired,
        read_as=query if query != cleaned else "",
        synonyms=_synonyms(query, synonyms or {}),
        wants_releases=bool(releases or _RELEASES.search(query)),
        releases=releases,
    )


def _identifiers(cleaned: str, language: str, statistics: Statistics | None) -> tuple[str, ...]:
    """The identifiers of a question. If there are too many, those whose words the site has are preferred."""
    names = list(dict.fromkeys(identifiers(cleaned)))
    # Any text of 2,000 characters is a question, and each of its identifiers may cost a search.
    if len(names) > IDENTIFIERS_MOST and statistics is not None:
        names.sort(
            key=lambda name: not all(statistics.section_counts.get(stem(word, language)) for word in words(name))
        )
    return tuple(names[:IDENTIFIERS_MOST])


def _plan_words(query: str, query_identifiers: Iterable[str], language: str) -> tuple[str, ...]:
    """The telling words of a query and of its identifiers, which are split into words; one word for each stem."""
    split = " ".join(part for name in query_identifiers for part in parts(name))
    by_stem: dict[str, str] = {}
    for word in [*telling_words(query, language), *telling_words(split)]:
        by_stem.setdefault(stem(word), word)
    return tuple(by_stem.values())


def _is_identifier(query: str, query_identifiers: Sequence[str]) -> bool:
    """Whether a question has hardly more than identifiers."""
    return bool(query_identifiers) and len(telling_words(without_names(query, query_identifiers))) <= BARE_MOST


def _parts(query: str) -> tuple[str, ...]:
    """The sentences or halves of sentences that are searched for alone, if there are several; the longest if many."""
    telling = [part for start, end in split_sentences(query) for part in _telling_halves(query[start:end])]
    if len(telling) < 2:
        return ()
    longest = sorted(telling, key=len, reverse=True)[:PARTS_MOST]
    return tuple(sentence for sentence in telling if sentence in longest)


def _asks(sentences: Sequence[str]) -> tuple[str, ...]:
    """Those parts of a question that are questions by themselves, if there are several: no reasons, no symptoms.

    A part that points back counts only after a part that names something: `How do I install it?` cannot come first.
    """
    asking = [part for part in sentences if len(part) <= ASKED_LENGTH and is_asking(part)]
    named = next((at for at, part in enumerate(asking) if not points(part)), len(asking))
    return tuple(asking[named:][:ASKED_MOST]) if len(asking) - named > 1 else ()


def _telling_halves(sentence: str) -> Iterator[str]:
    """The halves of a sentence that have words enough to be searched for alone."""
    sentence_halves = halves(sentence)
    for half in sentence_halves:
        is_whole = len(sentence_halves) > 1 or is_asking(half)
        # `What is a lockfile, and where is the cache stored` has halves with a single telling word; each asks
        # something.
        words_needed = 1 if is_whole and not refers(half) else PART_LEAST
        if len(half) <= PART_LENGTH and len(telling_words(half)) >= words_needed:
            yield half


def _repaired(
    cleaned: str, query_identifiers: Iterable[str], language: str, statistics: Statistics
) -> tuple[tuple[str, str], ...]:
    """Words that no page has, as they are written, each with the word that is meant.

    Identifiers, quotations and names are left as they are: who writes them that way means them that way.
    """
    verbatim = {word for text in [*query_identifiers, *quotations(cleaned)] for word in words(text)}
    spelt = other_spellings(cleaned, language, verbatim, statistics)
    # Of a name no letter is mistyped, and its hyphen may be missing all the same: nouns of German are names here.
    kept = {*verbatim, *(word for name in names(cleaned) for word in words(name))}
    kept.update(part for word, _ in spelt for part in words(word))
    unknown = (
        word
        for word in telling_words(cleaned, language)
        if word not in kept and stem(word, language) not in statistics.section_counts and word not in statistics.words
    )
    written = {folded(word): word.lower() for word in as_written(cleaned)}
    mistyped = repairs(unknown, statistics.vocabulary, REPAIRED_MOST)
    return (*spelt, *((written.get(word, word), meant) for word, meant in mistyped))


def _with_repairs(text: str, repaired: Iterable[tuple[str, str]]) -> str:
    """A text with the words that are meant in place of mistyped ones, whole words only."""
    for mistyped, correction in repaired:
        text = re.sub(rf"(?<!\w){re.escape(mistyped)}(?!\w)", correction, text, flags=re.IGNORECASE)
    return text


def _joined(query: str, statistics: Statistics) -> tuple[str, ...]:
    """Identifiers of the site whose words a question writes apart: `page not found` for `PageNotFound`."""
    query_words = words(query)
    joined: dict[str, None] = {}
    # The longest first: `page not found` means `PageNotFound` before it means `page_not`.
    for size in range(JOINED_MOST, 1, -1):
        for start in range(len(query_words) - size + 1):
            names_here = statistics.names.get("".join(query_words[start : start + size]), ())
            joined.update(dict.fromkeys(sorted(names_here)))
    return tuple(joined)[:NAMES_MOST]


def _synonyms(query: str, synonyms: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The synonyms that the owner of the site gave for words of a question."""
    if not synonyms:
        return ()
    # With a space at both ends, so that only whole words match.
    text = f" {' '.join(words(query))} "
    matching = (
        synonym
        for term, synonyms_of_term in synonyms.items()
        if f" {' '.join(words(term))} " in text
        for synonym in synonyms_of_term
    )
    return tuple(dict.fromkeys(matching))
