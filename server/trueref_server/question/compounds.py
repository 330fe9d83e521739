"""Words that a question writes as one and the docs as two: `email` is `e-mail`, and `darkmode` is `dark mode`."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice
from typing import Final

from trueref_core.text.word_forms import folded
from trueref_server.corpus.corpus import Statistics
from trueref_server.corpus.spelling import MIN_KNOWN
from trueref_server.corpus.words import as_written, content_words, hyphenated, numbered, stem, words

MAX_SPELT: Final = 3
"""The most words of one question that are spelt in the other way."""

_WITH_NUMBER: Final = re.compile(r"(?<![\w./:=@-])([^\W\d_]{2,20})([0-9]{1,4})(?![\w/=@-]|[.:]\w)")
"""Matches a name that ends with a number, such as `utf8`, by itself: no part of `--object-format=sha256`."""


def other_spellings(
    text: str, language: str, verbatim: Collection[str], statistics: Statistics
) -> tuple[tuple[str, str], ...]:
    """Words of a question that the docs have only in the other spelling: pairs of the question's and the docs' form.

    Both are in small letters. A spelling with a hyphen, or with a space, is copied from the docs. A spelling without a
    hyphen is the question's word without it, with its accents.

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
        if folded(word) in topic_words and (spelling := _divided(folded(word), language, statistics))
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


def _divided(word: str, language: str, statistics: Statistics) -> str:
    """The docs' spelling of a word, or of its plural, with a hyphen or else with a space.

    "" if they have it as one word, or neither as one nor as several. Only titles are read for words with a space:
    neighbours in running text are too many, and seldom a term.
    """
    if word in statistics.words or stem(word, language) in statistics.section_counts:
        return ""
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
