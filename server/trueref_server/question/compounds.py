"""Words that a question writes otherwise than the docs: `email` is `e-mail`, `darkmode` `dark mode`, `fuer` `für`.

A verb with its particle, `log in`, may be one word in the docs as well: `login`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice, product
from typing import Final

from trueref_core.text.word_forms import ENGLISH, folded, language_of
from trueref_server.corpus.corpus import Statistics
from trueref_server.corpus.spelling import MIN_KNOWN
from trueref_server.corpus.words import (
    STOP_WORDS,
    as_written,
    content_words,
    hyphenated,
    numbered,
    stem,
    untelling_words,
    words,
)

MAX_SPELT: Final = 3
"""The most words of one question that are spelt in the other way."""

_WITH_NUMBER: Final = re.compile(r"(?<![\w./:=@-])([^\W\d_]{2,20})([0-9]{1,4})(?![\w/=@-]|[.:]\w)")
"""Matches a name that ends with a number, such as `utf8`, by itself: no part of `--object-format=sha256`."""

COMPOUNDING: Final = frozenset("da de nb nl nn no sv".split())
"""Languages that write a compound of nouns as one word, which a question may be the first to make."""

MIN_LETTERS: Final = 4
MAX_COMPOUND: Final = 40
"""The fewest letters of a part of such a compound, and the most letters of all of it."""

MAX_TRANSCRIBED: Final = 3
_TRANSCRIBED: Final = re.compile("ae|oe|ue")
_UMLAUTS: Final = {"ae": "\u00e4", "oe": "\u00f6", "ue": "\u00fc"}
"""How German umlauts are typed where a keyboard has none, and how many of them are looked at in a word, at most."""

MIN_VERB: Final = 3
"""The fewest letters of a verb with a particle: `n on` of `y/n on Jenkins` is no `non`."""

PARTICLES: Final = frozenset("back down in off on out over up".split())
"""English words that stand behind a verb, and make one word with it where that is a noun: `login`, `fallback`."""

_BEFORE_NOUN: Final = frozenset("a an the my your our his her its their this each every".split())
"""Words behind which stands no verb: `the log in reverse order`. `That` may stand before one: `users that log in`."""


def other_spellings(
    text: str, language: str, verbatim: Collection[str], statistics: Statistics
) -> tuple[tuple[str, str], ...]:
    """Words of a question that the docs have only in the other spelling: pairs of the question's and the docs' form.

    Both are in small letters, but for the parts of a compound. A spelling with a hyphen, or with a space, is copied
    from the docs. A spelling without a hyphen is the question's word without it, with its accents.

    Args:
        text: The question.
        language: Its language.
        verbatim: Words of its identifiers and quotations, which are left as they are.
        statistics: How common words are in the docs.
    """
    topic_words = set(content_words(text, language)).difference(verbatim)
    divided = (
        (word.lower(), spelling)
        for word in dict.fromkeys(as_written(text))
        if folded(word) in topic_words
        and not _is_known(folded(word), language, statistics)
        and (
            spelling := _with_umlauts(word.lower(), language, statistics)
            or _divided(folded(word), statistics)
            or _parts_of_compound(word, language, statistics)
        )
    )
    with_removed_hyphen = (
        (word, word.replace("-", ""))
        for joined, word in hyphenated(text).items()
        if not any(part in verbatim for part in words(word)) and _is_written_as_one(joined, word, statistics)
    )
    before_number = (
        (match[0], spelling)
        for match in _WITH_NUMBER.finditer(text.lower())
        if match[0] in topic_words and (spelling := _before_number(match[1], match[2], statistics))
    )
    without_sign = (
        (word, joined)
        for word in sorted(numbered(text))
        if not any(part in verbatim for part in words(word))
        and word not in statistics.numbered
        and statistics.words[joined := "".join(words(word))] >= MIN_KNOWN
    )
    return tuple(islice((*with_removed_hyphen, *divided, *before_number, *without_sign), MAX_SPELT))


def verbs_with_particle(text: str, language: str, statistics: Statistics) -> tuple[tuple[str, str], ...]:
    """Verbs of an English question whose particle the docs also write with them: pairs of the verb and that word.

    `Where do users land after they sign up?` is answered by a setting with `signup` in its name and in its text. The
    verb may have an ending, `signing up`, and the word of the docs has none. Both are small letters. `Logging in JSON`
    is about logging where the docs have that word more often than `login`.

    Args:
        text: The question.
        language: Its language.
        statistics: How common words are in the docs.
    """
    if language_of(language) not in ("", ENGLISH):
        return ()
    asked = words(text)
    pairs = (
        (verb, joined)
        for before, verb, particle, behind in zip(["", *asked], asked, asked[1:], [*asked[2:], ""], strict=False)
        if particle in PARTICLES and len(verb) >= MIN_VERB and verb not in STOP_WORDS and before not in _BEFORE_NOUN
        for joined in dict.fromkeys((verb + particle, stem(verb) + particle))
        if statistics.words[joined] >= MIN_KNOWN
        and (behind == "to" or not _is_noun(verb, statistics.words[joined], statistics))
    )
    return tuple(islice(dict.fromkeys(pairs), MAX_SPELT))


def _is_noun(verb: str, joined_count: int, statistics: Statistics) -> bool:
    """Whether a form in `-ing` is a topic of the docs by itself, which have it more often than the word of both."""
    return verb.endswith("ing") and statistics.words[verb] > joined_count


def _is_known(word: str, language: str, statistics: Statistics) -> bool:
    """Whether the docs have a word, given as words are compared, or one with its stem."""
    return word in statistics.words or stem(word, language) in statistics.section_counts


def _with_umlauts(word: str, language: str, statistics: Statistics) -> str:
    """A German word with the umlauts that are transcribed in it, if the docs have that: `ö` for `oe`; else ""."""
    found = list(islice(_TRANSCRIBED.finditer(word), MAX_TRANSCRIBED)) if language_of(language) == "de" else []
    # Not all of them are umlauts: of `Steuergeräte` the second is.
    for are_umlauts in product((True, False), repeat=len(found)):
        spelling = word
        for match, is_umlaut in zip(reversed(found), reversed(are_umlauts), strict=True):
            if is_umlaut:
                spelling = spelling[: match.start()] + _UMLAUTS[match[0]] + spelling[match.end() :]
        if spelling != word and _is_known(folded(spelling), language, statistics):
            return spelling
    return ""


def _parts_of_compound(word: str, language: str, statistics: Statistics) -> str:
    """The two words of the docs that a compound is made of, with its accents and capital; "" if there are none.

    Of several pairs the more frequent one is taken. Source: Koehn and Knight, Empirical Methods for Compound Splitting,
    2003.
    """
    if language_of(language) not in COMPOUNDING or len(word) > MAX_COMPOUND:
        return ""
    untelling, counts = untelling_words(language), statistics.section_counts
    best, best_count = "", 0
    for at in range(MIN_LETTERS, len(word) - MIN_LETTERS + 1):
        parts = word[:at], word[at:].capitalize() if word[0].isupper() else word[at:]
        if untelling.isdisjoint(map(folded, parts)):
            # The letters between both parts, as in `Zeichnungsfläche`, go with the endings.
            first, second = (counts[stem(folded(part), language)] for part in parts)
            if min(first, second) >= MIN_KNOWN and first * second > best_count:
                best, best_count = " ".join(parts), first * second
    return best


def _divided(word: str, statistics: Statistics) -> str:
    """The docs' spelling of a word that they have not as one, or of its plural, with a hyphen or else with a space.

    "" if they do not have it as several either. Only titles are read for words with a space: neighbours in running text
    are too many, and seldom a term.
    """
    for spellings in (statistics.hyphenated, statistics.compounds):
        if spelling := spellings.get(word):
            return spelling
        if word.endswith("s") and (spelling := spellings.get(word.removesuffix("s"))):
            return f"{spelling}s"
        # Titles are often in the plural: `Code blocks`.
        if spelling := spellings.get(f"{word}s"):
            return spelling.removesuffix("s")
    return ""


def _before_number(name: str, number: str, statistics: Statistics) -> str:
    """The docs' spelling of a name and its number with a sign between them, `utf-8`; "" if `utf8` is as frequent.

    Both spellings are counted, since code has the name as one word in most docs: scrapy writes `UTF-8` in 11 sections,
    and `utf8` in 5.
    """
    spelling = max((f"{name}{sign}{number}" for sign in "-/"), key=statistics.numbered.__getitem__)
    return spelling if statistics.numbered[spelling] > statistics.words[name + number] else ""


def _is_written_as_one(joined: str, word: str, statistics: Statistics) -> bool:
    """Whether the docs have a word of a question without its hyphen, and not with it.

    The word without its hyphen has to be more frequent than the rarer of its parts: `not-null` does not mean the
    function `notnull`.
    """
    count_needed = 1 + min(statistics.words[part] for part in words(word))
    return joined not in statistics.hyphenated and statistics.words[joined] >= max(MIN_KNOWN, count_needed)
