"""Reads a question: what it is after, what to search for, and which of its words tell its topic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from trueref_core.text.identifiers import identifiers, parts
from trueref_core.text.printable import without_surrogates
from trueref_core.text.sentences import split_sentences
from trueref_server.corpus.corpus import JOINED_MOST, Statistics
from trueref_server.corpus.spelling import repairs
from trueref_server.corpus.words import stem, telling_words, words
from trueref_server.question.code_languages import code_language
from trueref_server.question.intents import intent_of
from trueref_server.question.pointing import points, refers
from trueref_server.question.question_text import (
    error_message,
    halves,
    is_asking,
    names,
    quotations,
    telling_part,
    without_courtesy,
)
from trueref_server.question.releases import releases_asked
from trueref_server.records import Plan, Question

PARTS_MOST: Final = 4
"""Sentences of a question that are embedded alone: each costs as much as the whole."""

ASKED_MOST: Final = 3
"""Questions in one that are answered each for itself: an answer has as many cards."""

ASKED_LENGTH: Final = 120
ASKING_LENGTH: Final = 300
ASKING_NAMES: Final = 4
"""Characters of such a question, and characters and identifiers of a whole text that has some: each costs as much as
the whole. Of 1,900 questions of readers 32 have some, of 99 and 172 characters and with 2 identifiers at most."""

PART_LENGTH: Final = 300
"""Characters of a sentence that is embedded alone. Those of readers have 173 at most, and the whole is embedded too."""

PART_LEAST: Final = 2
"""Telling words that a sentence needs to be asked alone. A question, or half of one, needs one: it asks something. `How
do I remove it?` needs more, for `it` is of the other half."""

NAMES_MOST: Final = 4
"""Identifiers of the site that are looked for because a question writes their words apart."""

IDENTIFIERS_MOST: Final = 8
"""Identifiers of a question that are looked for, each by a search of its own where nothing that is found has it."""

REPAIRED_MOST: Final = 3
"""Words of one question that are repaired at most: where more are unknown, they are another topic."""

BARE_MOST: Final = 2
"""Telling words beside its identifiers up to which a question is hardly more than these."""

_RELEASES: Final = re.compile(
    r"(?<![\w-])(?:change ?logs?|release notes?|releases|(?:latest|last|newest|next|which|what) release|"
    r"what(?:'s| is) new|new in|since (?:version|when)|which version|"
    r"announce(?:d|ments?)|blog|breaking changes?|upgrad(?:e|ed|ing) (?:from|to)|migrat(?:e|ed|ing|ion)|"
    r"version v?\d{1,4}\.\d{1,4}|v\d{1,4}\.\d{1,4})\b",
    re.IGNORECASE,
)
"""What asks for changes by name or by version."""


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
    bare = without_courtesy(without_surrogates(question.text))
    asked = " ".join(telling_part(bare).split())
    named = _named(asked, language, statistics)
    repaired = _repaired(asked, named, language, statistics) if statistics else ()
    query = _with(asked, repaired)
    told, alone, error, releases = (
        _told(query, named, language),
        _parts(query),
        error_message(bare),
        releases_asked(query),
    )
    return Plan(
        question=question,
        query=query,
        words=told,
        terms=tuple(stem(word, language) for word in told),
        identifiers=named,
        joined=_joined(query, statistics) if statistics else (),
        language=language,
        intent=intent_of(query, has_error=bool(error), is_identifier=_is_identifier(query, named)),
        parts=alone,
        asks=_asks(alone) if len(query) <= ASKING_LENGTH and len(named) <= ASKING_NAMES else (),
        quoted=tuple(dict.fromkeys([*quotations(asked), *([error] if error else [])])),
        repaired=repaired,
        read_as=query if repaired else "",
        synonyms=_synonyms(query, synonyms or {}),
        code_language=code_language(query, named),
        wants_releases=bool(releases or _RELEASES.search(query)),
        releases=releases,
    )


def _named(asked: str, language: str, statistics: Statistics | None) -> tuple[str, ...]:
    """The identifiers of a question; of too many those whose words the site has come first."""
    found = list(dict.fromkeys(identifiers(asked)))
    if len(found) > IDENTIFIERS_MOST and statistics is not None:
        found.sort(key=lambda name: not all(statistics.held.get(stem(word, language)) for word in words(name)))
    return tuple(found[:IDENTIFIERS_MOST])


def _told(query: str, named: Iterable[str], language: str) -> tuple[str, ...]:
    """The telling words, and the words that identifiers are put together of, each stem once."""
    split = " ".join(part for name in named for part in parts(name))
    found: dict[str, str] = {}
    for word in [*telling_words(query, language), *telling_words(split)]:
        found.setdefault(stem(word), word)
    return tuple(found.values())


def _is_identifier(query: str, named: Iterable[str]) -> bool:
    """Whether a question has hardly more than identifiers."""
    rest = query
    names = list(named)
    for name in names:
        rest = rest.replace(name, " ")
    return bool(names) and len(telling_words(rest)) <= BARE_MOST


def _parts(query: str) -> tuple[str, ...]:
    """What asks or tells something for itself, where there is more than one; those with most words where too many."""
    telling = [part for start, end in split_sentences(query) for part in _asked_alone(query[start:end])]
    if len(telling) < 2:
        return ()
    longest = sorted(telling, key=len, reverse=True)[:PARTS_MOST]
    return tuple(sentence for sentence in telling if sentence in longest)


def _asks(alone: Sequence[str]) -> tuple[str, ...]:
    """Those of the parts that ask for themselves, where there is more than one; a reason or a symptom asks nothing."""
    asking = tuple(part for part in alone if len(part) <= ASKED_LENGTH and is_asking(part) and not points(part))
    return asking[:ASKED_MOST] if len(asking) > 1 else ()


def _asked_alone(sentence: str) -> Iterator[str]:
    found = halves(sentence)
    for half in found:
        is_whole = len(found) > 1 or is_asking(half)
        least = 1 if is_whole and not refers(half) else PART_LEAST
        if len(half) <= PART_LENGTH and len(telling_words(half)) >= least:
            yield half


def _repaired(asked: str, named: Iterable[str], language: str, statistics: Statistics) -> tuple[tuple[str, str], ...]:
    """Words that no page has with those that are meant; identifiers, quotations and names are kept as they are."""
    kept = {word for text in [*named, *quotations(asked), *names(asked)] for word in words(text)}
    unknown = (
        word
        for word in telling_words(asked, language)
        if word not in kept and stem(word, language) not in statistics.held and word not in statistics.words
    )
    return repairs(unknown, statistics.vocabulary, REPAIRED_MOST)


def _with(asked: str, repaired: Iterable[tuple[str, str]]) -> str:
    for wrong, meant in repaired:
        asked = re.sub(rf"(?<!\w){re.escape(wrong)}(?!\w)", meant, asked, flags=re.IGNORECASE)
    return asked


def _joined(query: str, statistics: Statistics) -> tuple[str, ...]:
    """Identifiers of the site whose words a question writes apart: `page not found` for `PageNotFound`."""
    told = words(query)
    found: dict[str, None] = {}
    for size in range(JOINED_MOST, 1, -1):
        for at in range(len(told) - size + 1):
            names = statistics.names.get("".join(told[at : at + size]), ())
            found.update(dict.fromkeys(sorted(names)))
    return tuple(found)[:NAMES_MOST]


def _synonyms(query: str, synonyms: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What the owner of the site says that words of a question mean."""
    if not synonyms:
        return ()
    text = f" {' '.join(words(query))} "
    found = (other for known, others in synonyms.items() if f" {' '.join(words(known))} " in text for other in others)
    return tuple(dict.fromkeys(found))
